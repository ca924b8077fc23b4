// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/storage.hpp"

#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <exception>
#include <limits>
#include <stdexcept>

#include "runtime/backend.hpp"
#include "runtime/elsewhere.hpp"
#include "src/argument_check.hpp"
#include "tessera/distributions/block_cyclic_2d.hpp"
#include "tessera/distributions/function.hpp"
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

/// What f throws, on this rank perhaps alone, is a fault of the distribution; where() names the call.
template <class Where, class F>
void guard(detail::ArgumentCheck& check, const Distribution& distribution, Where&& where, F&& f) {
  const auto fault = [&](std::string_view what) {
    check.require_here(false, "distribution", distribution.name(), fmt::format("{}: {}", where(), what));
  };
  try {
    f();
  } catch (const std::exception& error) {
    fault(error.what());
  } catch (...) {
    fault("an unknown exception");
  }
}

/// Calls f(i, j, owner) for every tile, in one pass that finds owners and executors that are no ranks. Ranks compare
/// a hash of them all: where a table or a user's function differs between them, some would wait for ever.
template <class F>
void for_each_owner(detail::ArgumentCheck& check, const Tiling& tiling, const Distribution& distribution,
                    F&& f) {
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;  // its 64 binary places
  const Rank ranks = distribution.num_ranks();
  const int layers = distribution.layers();
  check.require(layers >= 1, "distribution.layers()", layers, "must be positive");
  std::uint64_t hash = 0;
  const auto noted = [&](Rank rank) {
    if (rank < 0 || rank >= ranks)
      throw std::out_of_range(fmt::format("rank {} is not in 0 .. {}", rank, ranks - 1));
    hash = (std::rotl(hash, 5) ^ static_cast<std::uint64_t>(rank)) * golden_ratio;
    return rank;
  };
  Index i = 0, j = 0;
  int step = -1;
  const auto where = [&] {
    return step < 0 ? fmt::format("owner({}, {})", i, j) : fmt::format("executor({}, {}, {})", i, j, step);
  };
  guard(check, distribution, where, [&] {
    for (j = 0; j < tiling.nt(); ++j) {
      for (i = 0; i < tiling.mt(); ++i) {
        step = -1;
        f(i, j, noted(distribution.owner(i, j)));
        if (layers == 1) continue;  // the owner computes
        for (step = 0; step < layers; ++step) noted(distribution.executor(i, j, step));
      }
    }
  });
  check.same("distribution", distribution.name()).same("hash of the ranks of all tiles", hash);
}

/// A caller's column-major buffer on this rank.
struct Buffer {
  const char* data_name;
  const void* data;
  const char* ld_name;
  Index ld;
  const char* rows_name;
  Index rows, cols;
};

void check_buffer(detail::ArgumentCheck& check, const Buffer& buffer, std::size_t element_bytes) {
  constexpr Index largest = std::numeric_limits<std::int32_t>::max();
  check
      .require_here(buffer.data != nullptr || buffer.rows <= 0 || buffer.cols <= 0, buffer.data_name,
                    buffer.data, "the buffer of a matrix must not be null")
      .require_here(buffer.ld >= std::max<Index>(1, buffer.rows), buffer.ld_name, buffer.ld,
                    fmt::format("must be at least max(1, {})", buffer.rows_name))
      .require_here(buffer.ld <= largest / static_cast<Index>(element_bytes), buffer.ld_name, buffer.ld,
                    "a column must be below 2^31 bytes: BLAS and StarPU count it in 32 bits");
}

/// Elements of an extent, dealt in blocks, that fall to the process at `position`. (ScaLAPACK: NUMROC)
Index local_extent(Index extent, Index block, Rank position, Rank processes) {
  const Index whole_blocks = extent / block;
  const Index rest = whole_blocks % processes;
  return whole_blocks / processes * block + (position < rest ? block : position == rest ? extent % block : 0);
}

/// Where ScaLAPACK has the blocks of an array whose first one lies on process (rsrc, csrc).
DistributionPtr block_cyclic(const ProcessGrid& grid, Rank rsrc, Rank csrc) {
  if (grid.order == ProcessGrid::Order::rows && rsrc == 0 && csrc == 0)
    return std::make_shared<BlockCyclic2D>(grid.p, grid.q);
  return std::make_shared<FunctionDistribution>(
      grid.p * grid.q,
      fmt::format("scalapack:p={},q={},order={},rsrc={},csrc={}", grid.p, grid.q,
                  static_cast<char>(grid.order), rsrc, csrc),
      [=](Index i, Index j) {
        return grid.rank(static_cast<Rank>((i + rsrc) % grid.p), static_cast<Rank>((j + csrc) % grid.q));
      });
}

}  // namespace

TileStorage::TileStorage(std::shared_ptr<detail::Backend> backend, const Tiling& tiling,
                         DistributionPtr distribution, std::size_t element_bytes)
    : tiling_(tiling),
      distribution_(std::move(distribution)),
      element_bytes_(element_bytes),
      backend_(std::move(backend)),
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

  detail::ArgumentCheck owners(runtime, "TileMatrix");
  guard(
      owners, *distribution, [] { return "fitted"; },
      [&] {
        if (auto fitted = distribution->fitted(tiling.mt(), tiling.nt())) distribution = std::move(fitted);
      });
  std::shared_ptr<TileStorage> storage(
      new TileStorage(runtime.backend(), tiling, std::move(distribution), element_bytes));
  const bool recording = runtime.backend_kind() == BackendKind::recording;
  if (!recording) storage->offsets_.assign(static_cast<std::size_t>(tiling.mt() * tiling.nt()), -1);
  std::size_t bytes = 0;
  for_each_owner(owners, tiling, storage->distribution(), [&](Index i, Index j, Rank owner) {
    if (recording || owner != runtime.rank()) return;
    storage->offsets_[storage->linear(i, j)] = static_cast<Index>(bytes);
    const auto elements = static_cast<std::size_t>(tiling.rows(i) * tiling.cols(j));
    bytes += round_up(elements * element_bytes, tile_alignment);
  });
  if (bytes > 0) storage->base_ = map_region(bytes);
  if (storage->base_ != nullptr) storage->bytes_ = bytes;
  owners
      .require_here(storage->bytes_ == bytes, "bytes of this rank's tiles", bytes,
                    "the system does not give so much memory")
      .done();
  return storage;
}

Rank TileStorage::holder(Index i, Index j) const {
  return elsewhere_ ? elsewhere_->holder(i, j) : distribution_->owner(i, j);
}

std::shared_ptr<TileStorage> TileStorage::scratch(const TileStorage& like, const Tiling& tiling,
                                                  DistributionPtr distribution, std::size_t element_bytes) {
  std::shared_ptr<TileStorage> storage(
      new TileStorage(like.backend_, tiling, std::move(distribution), element_bytes));
  storage->scratch_ = true;
  return storage;
}

template <class Position>
void TileStorage::point_into(void* data, Index ld, Position&& position) {
  ld_ = ld;
  base_ = static_cast<std::byte*>(data);
  offsets_.resize(static_cast<std::size_t>(tiling_.mt() * tiling_.nt()));
  for (Index j = 0; j < tiling_.nt(); ++j) {
    for (Index i = 0; i < tiling_.mt(); ++i) {
      offsets_[linear(i, j)] = position(i, j) * static_cast<Index>(element_bytes_);
    }
  }
}

std::shared_ptr<TileStorage> TileStorage::wrap(Runtime& runtime, Index m, Index n, Index mb, Index nb,
                                               std::size_t element_bytes, void* data, Index ld, Rank root) {
  detail::ArgumentCheck check(runtime, "TileMatrix::wrap");
  const Tiling tiling = checked_tiling(check, runtime, m, n, mb, nb, element_bytes);
  check.require(root >= 0 && root < runtime.num_ranks(), "root", root, "is not a rank of the runtime");
  if (runtime.rank() == root) check_buffer(check, {"a", data, "lda", ld, "m", m, n}, element_bytes);
  check.done();

  std::shared_ptr<TileStorage> storage(
      new TileStorage(runtime.backend(), tiling, std::make_shared<SingleOwner>(root), element_bytes));
  if (runtime.rank() != root || runtime.backend_kind() == BackendKind::recording) return storage;
  storage->point_into(data, ld,
                      [&](Index i, Index j) { return tiling.first_row(i) + tiling.first_col(j) * ld; });
  return storage;
}

std::shared_ptr<TileStorage> TileStorage::wrap_block_cyclic(Runtime& runtime, std::size_t element_bytes,
                                                            void* local, std::span<const int, 9> desc,
                                                            const ProcessGrid& grid) {
  // desc[1] is a handle of BLACS.
  const int dtype = desc[0], m = desc[2], n = desc[3], mb = desc[4], nb = desc[5];
  const int rsrc = desc[6], csrc = desc[7], lld = desc[8];
  const Index processes = Index{grid.p} * grid.q;
  detail::ArgumentCheck check(runtime, "TileMatrix::wrap_block_cyclic");
  check.require(dtype == 1, "desc[DTYPE_]", dtype, "must be 1, a dense matrix")
      .require(grid.p >= 1, "grid.p", grid.p, "must be positive")
      .require(grid.q >= 1, "grid.q", grid.q, "must be positive")
      .require(processes <= runtime.num_ranks(), "grid", fmt::format("{} x {}", grid.p, grid.q),
               "has more processes than the runtime has ranks")
      .one_of("grid.order", grid.order, {ProcessGrid::Order::rows, ProcessGrid::Order::columns},
              "must be rows or columns")
      .require(m >= 0, "desc[M_]", m, "must not be negative")
      .require(n >= 0, "desc[N_]", n, "must not be negative")
      .require(mb >= 1, "desc[MB_]", mb, "must be positive")
      .require(nb >= 1, "desc[NB_]", nb, "must be positive")
      .require(rsrc >= 0 && rsrc < grid.p, "desc[RSRC_]", rsrc, "is no row of the grid")
      .require(csrc >= 0 && csrc < grid.q, "desc[CSRC_]", csrc, "is no column of the grid");
  const Tiling tiling = checked_tiling(check, runtime, m, n, mb, nb, element_bytes);
  check.done();

  const Rank me = runtime.rank();
  const bool here = runtime.backend_kind() != BackendKind::recording && me < processes;
  detail::ArgumentCheck array(runtime, "TileMatrix::wrap_block_cyclic");
  if (here) {
    const Index rows = local_extent(m, mb, (grid.row(me) - rsrc + grid.p) % grid.p, grid.p);
    const Index cols = local_extent(n, nb, (grid.col(me) - csrc + grid.q) % grid.q, grid.q);
    check_buffer(array, {"local", local, "desc[LLD_]", lld, "LOCr(M_)", rows, cols}, element_bytes);
  }
  array.done();

  std::shared_ptr<TileStorage> storage(
      new TileStorage(runtime.backend(), tiling, block_cyclic(grid, rsrc, csrc), element_bytes));
  if (!here) return storage;
  storage->point_into(local, lld, [&](Index i, Index j) {
    return storage->distribution().owner(i, j) == me ? i / grid.p * mb + j / grid.q * nb * Index{lld} : -1;
  });
  return storage;
}

}  // namespace tessera
