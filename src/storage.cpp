// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/storage.hpp"

#include <sys/mman.h>

#include <limits>
#include <new>

#include "runtime/backend.hpp"
#include "src/argument_check.hpp"
#include "tessera/distributions/single_owner.hpp"
#include "tessera/matrix.hpp"

namespace tessera {
namespace {

constexpr std::size_t tile_alignment = 64;  // a cache line, and an AVX-512 register
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// Zero-filled pages that cost nothing until touched; huge ones when the region is large. Null without memory.
std::byte* map_region(std::size_t bytes) {
  void* region =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) return nullptr;
  if (bytes >= 4 * huge_page) madvise(region, bytes, MADV_HUGEPAGE);  // a hint: failure costs only speed
  return static_cast<std::byte*>(region);
}

Tiling checked_tiling(detail::ArgumentCheck& check, const Runtime& runtime, Index m, Index n, Index mb,
                      Index nb, std::size_t element_bytes) {
  // The BLAS under the kernels counts the elements of a tile's sides in 32 bits.
  constexpr Index largest = std::numeric_limits<std::int32_t>::max();
  check.require(m >= 0, "m", m, "must not be negative")
      .require(n >= 0, "n", n, "must not be negative")
      .require(mb >= 0 && mb <= largest, "mb", mb, "must be between 1 and 2^31-1, or 0 to have it chosen")
      .require(nb >= 0 && nb <= largest, "nb", nb, "must be between 1 and 2^31-1, or 0 to have it chosen");
  // Positions in bytes are counted in 64 bits.
  const double bytes = static_cast<double>(std::max<Index>(m, 1)) *
                       static_cast<double>(std::max<Index>(n, 1)) * static_cast<double>(element_bytes);
  check.require(bytes < 0x1p62, "m", m, "the matrix is larger than 2^62 bytes");
  if (m < 0 || n < 0 || mb < 0 || nb < 0 || bytes >= 0x1p62) return {};
  const Tiling tiling(m, n, mb > 0 ? mb : default_tile_size(runtime, m),
                      nb > 0 ? nb : default_tile_size(runtime, n));
  constexpr Index most_tiles = Index{1} << 31;
  const bool countable = tiling.nt() == 0 || tiling.mt() <= most_tiles / tiling.nt();
  check.same("mb chosen", tiling.mb())
      .same("nb chosen", tiling.nb())
      .require(countable, "nb", nb, "cuts the matrix into more than 2^31 tiles");
  return countable ? tiling : Tiling();
}

}  // namespace

TileStorage::TileStorage(Runtime& runtime, const Tiling& tiling, DistributionPtr distribution,
                         std::size_t element_bytes)
    : tiling_(tiling),
      distribution_(std::move(distribution)),
      element_bytes_(element_bytes),
      backend_(runtime.backend()),
      first_tile_id_(backend_->reserve_tile_ids(tiling.mt() * tiling.nt())) {}

TileStorage::~TileStorage() {
  backend_->detach(*this);
  if (bytes_ > 0) munmap(base_, bytes_);
}

std::shared_ptr<TileStorage> TileStorage::allocate(Runtime& runtime, Index m, Index n, Index mb, Index nb,
                                                   DistributionPtr distribution, std::size_t element_bytes) {
  detail::ArgumentCheck check(runtime, "TileMatrix");
  const Tiling tiling = checked_tiling(check, runtime, m, n, mb, nb, element_bytes);
  if (!distribution) distribution = default_distribution(runtime);
  check.same("distribution", distribution->name())
      .require(distribution->num_ranks() <= runtime.num_ranks(), "distribution.num_ranks()",
               distribution->num_ranks(), "the distribution has more ranks than the runtime")
      .done();

  std::shared_ptr<TileStorage> storage(
      new TileStorage(runtime, tiling, std::move(distribution), element_bytes));
  if (runtime.backend_kind() == BackendKind::recording) return storage;
  std::size_t bytes = 0;
  storage->offsets_.assign(static_cast<std::size_t>(tiling.mt() * tiling.nt()), -1);
  for (Index j = 0; j < tiling.nt(); ++j) {
    for (Index i = 0; i < tiling.mt(); ++i) {
      if (storage->distribution().owner(i, j) != runtime.rank()) continue;
      storage->offsets_[storage->linear(i, j)] = static_cast<Index>(bytes);
      const auto elements = static_cast<std::size_t>(tiling.rows(i) * tiling.cols(j));
      bytes += round_up(elements * element_bytes, tile_alignment);
    }
  }
  if (bytes > 0) storage->base_ = map_region(bytes);
  detail::ArgumentCheck memory(runtime, "TileMatrix");
  memory.require_here(bytes == 0 || storage->base_ != nullptr, "bytes of this rank's tiles", bytes,
                      "the system does not give so much memory");
  memory.done();
  storage->bytes_ = bytes;
  return storage;
}

std::shared_ptr<TileStorage> TileStorage::wrap(Runtime& runtime, Index m, Index n, Index mb, Index nb,
                                               std::size_t element_bytes, void* data, Index ld, Rank root) {
  detail::ArgumentCheck check(runtime, "TileMatrix::wrap");
  const Tiling tiling = checked_tiling(check, runtime, m, n, mb, nb, element_bytes);
  check.require(root >= 0 && root < runtime.num_ranks(), "root", root, "is not a rank of the runtime");
  if (runtime.rank() == root) {
    constexpr Index largest = std::numeric_limits<std::int32_t>::max();
    check
        .require_here(data != nullptr || m <= 0 || n <= 0, "a", data,
                      "the buffer of a matrix must not be null")
        .require_here(ld >= std::max<Index>(1, m), "lda", ld, "must be at least max(1, m)")
        .require_here(ld <= largest / static_cast<Index>(element_bytes), "lda", ld,
                      "a column must be below 2^31 bytes: BLAS and StarPU count it in 32 bits");
  }
  check.done();

  std::shared_ptr<TileStorage> storage(
      new TileStorage(runtime, tiling, std::make_shared<SingleOwner>(root), element_bytes));
  storage->wrapped_ = true;
  storage->ld_ = ld;
  if (runtime.rank() != root || runtime.backend_kind() == BackendKind::recording) return storage;
  storage->base_ = static_cast<std::byte*>(data);
  storage->offsets_.resize(static_cast<std::size_t>(tiling.mt() * tiling.nt()));
  for (Index j = 0; j < tiling.nt(); ++j) {
    for (Index i = 0; i < tiling.mt(); ++i) {
      storage->offsets_[storage->linear(i, j)] =
          (tiling.first_row(i) + tiling.first_col(j) * ld) * static_cast<Index>(element_bytes);
    }
  }
  return storage;
}

}  // namespace tessera
