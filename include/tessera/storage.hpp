// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tessera/distribution.hpp"
#include "tessera/kernel.hpp"
#include "tessera/tiling.hpp"

namespace tessera {

class Runtime;

namespace detail {
class Backend;
class Elsewhere;
}  // namespace detail

/// Ranks 0 .. p*q-1 in a p x q grid, numbered along its rows or down its columns. (BLACS: BLACS_GRIDINIT with
/// order 'R' or 'C')
struct ProcessGrid {
  enum class Order : char { rows = 'R', columns = 'C' };

  Rank p = 1;
  Rank q = 1;
  Order order = Order::rows;

  Rank rank(Rank row, Rank col) const noexcept {
    return order == Order::rows ? row * q + col : row + col * p;
  }
  Rank row(Rank rank) const noexcept { return order == Order::rows ? rank / q : rank % p; }
  Rank col(Rank rank) const noexcept { return order == Order::rows ? rank % q : rank / p; }
};

/// Where the tiles of one matrix lie on this rank: the untyped half of TileMatrix, shared by all its views.
///
/// Allocated storage is one zero-initialised region per rank that holds the tiles this rank owns, each tile
/// contiguous and aligned to 64 bytes; pages are only backed once touched, so an unused triangle costs no
/// memory. Wrapped storage points into the caller's column-major buffer. A recording runtime's storage has
/// shapes and owners, and no memory.
class TileStorage {
 public:
  /// Allocates this rank's tiles. Arguments as in TileMatrix; 0 for mb or nb: chosen. Collective.
  static std::shared_ptr<TileStorage> allocate(Runtime& runtime, Index m, Index n, Index mb, Index nb,
                                               DistributionPtr distribution, std::size_t element_bytes);
  /// Points into a column-major buffer on rank `root`, which owns all tiles. Collective.
  static std::shared_ptr<TileStorage> wrap(Runtime& runtime, Index m, Index n, Index mb, Index nb,
                                           std::size_t element_bytes, void* data, Index ld, Rank root);
  /// Points into a local array of ScaLAPACK on every rank. Arguments as in TileMatrix. Collective.
  static std::shared_ptr<TileStorage> wrap_block_cyclic(Runtime& runtime, std::size_t element_bytes,
                                                        void* local, std::span<const int, 9> desc,
                                                        const ProcessGrid& grid);
  /// Tiles like those of `like`, but on other ranks and without memory: a rank gets some when it first writes a tile,
  /// and loses it when the tile is released. For what only tasks read and write. Every rank calls this at the same
  /// place of the order of submission.
  static std::shared_ptr<TileStorage> scratch(const TileStorage& like, DistributionPtr distribution) {
    return scratch(like, like.tiling_, std::move(distribution), like.element_bytes_);
  }
  /// The same with other tiles; of `like` only the runtime is taken.
  static std::shared_ptr<TileStorage> scratch(const TileStorage& like, const Tiling& tiling,
                                              DistributionPtr distribution, std::size_t element_bytes);

  TileStorage(const TileStorage&) = delete;
  TileStorage& operator=(const TileStorage&) = delete;
  /// Waits for the tasks that still use the tiles.
  ~TileStorage();

  const Tiling& tiling() const noexcept { return tiling_; }
  const Distribution& distribution() const noexcept { return *distribution_; }
  const DistributionPtr& distribution_ptr() const noexcept { return distribution_; }
  std::size_t element_bytes() const noexcept { return element_bytes_; }

  /// Shape of tile (i, j), and its memory where this rank has it (otherwise `data` is null).
  TileBuffer tile(Index i, Index j) const noexcept {
    const Index rows = tiling_.rows(i);
    std::byte* data = offsets_.empty() ? nullptr : locate(i, j);
    return {data, rows, tiling_.cols(j), ld_ > 0 ? ld_ : rows};
  }

  /// Position of tile (i, j) in arrays with one entry per tile.
  std::size_t linear(Index i, Index j) const noexcept {
    return static_cast<std::size_t>(i + j * tiling_.mt());
  }

  /// Bytes of tile memory that this rank holds (0 for wrapped storage).
  std::size_t allocated_bytes() const noexcept { return bytes_; }

  detail::Backend& backend() const noexcept { return *backend_; }

  /// One word per tile for the backend's own record of it; null until the backend sets it.
  void*& slot(Index i, Index j) noexcept { return slots_[linear(i, j)]; }
  bool has_slots() const noexcept { return !slots_.empty(); }
  void make_slots() { slots_.resize(static_cast<std::size_t>(tiling_.mt() * tiling_.nt()), nullptr); }
  void drop_slots() noexcept { slots_.clear(); }

  /// Whether it was made by scratch().
  bool is_scratch() const noexcept { return scratch_; }

  /// What ranks have added to tiles, or written, that they do not own; null if nobody ever has.
  std::unique_ptr<detail::Elsewhere>& elsewhere() noexcept { return elsewhere_; }
  /// The rank that has the current version of tile (i, j): its owner, unless a task on another rank has written it
  /// since it was last released. By the order of submission, the same on all ranks.
  Rank holder(Index i, Index j) const;

  /// A number that all ranks give to tile (i, j), unique in its runtime.
  Index tile_id(Index i, Index j) const noexcept { return first_tile_id_ + static_cast<Index>(linear(i, j)); }

 private:
  TileStorage(std::shared_ptr<detail::Backend> backend, const Tiling& tiling, DistributionPtr distribution,
              std::size_t element_bytes);
  template <class Position>
  void point_into(void* data, Index ld, Position&& position);
  std::byte* locate(Index i, Index j) const noexcept {
    const Index offset = offsets_[linear(i, j)];
    return offset < 0 ? nullptr : base_ + offset;
  }

  Tiling tiling_;
  DistributionPtr distribution_;
  std::size_t element_bytes_;
  std::shared_ptr<detail::Backend> backend_;
  Index first_tile_id_;
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  Index ld_ = 0;                // of the caller's buffer; 0 where each tile is contiguous
  std::vector<Index> offsets_;  // bytes from base_, -1 for tiles of other ranks; empty without memory
  std::vector<void*> slots_;
  bool scratch_ = false;
  std::unique_ptr<detail::Elsewhere> elsewhere_;
};

}  // namespace tessera
