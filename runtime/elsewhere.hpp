// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/sequence_state.hpp"
#include "tessera/kernel.hpp"
#include "tessera/runtime.hpp"
#include "tessera/storage.hpp"

namespace tessera::detail {

/// What lies elsewhere than on the owners of one matrix's tiles. All ranks submit the same tasks, and so all know it.
///
/// 1. The holder of a tile: the rank that has written it last, which has its current version.
/// 2. Partial sums: what ranks that do not hold a tile have added to it so far. They are tiles themselves, without
///    memory until their rank writes them, so every backend runs, counts and sends them as it does with any tile.
class Elsewhere {
 public:
  /// \param storage  of the tiles; it owns this object
  explicit Elsewhere(TileStorage& storage);
  ~Elsewhere();
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

  /// The rank that has the current version of tile (i, j), apart from its partial sums.
  Rank holder(Index i, Index j) const;
  void set_holder(Index i, Index j, Rank rank);

  /// Where a rank adds to a tile.
  struct Part {
    TaskArgument tile;
    Turn
        begun;  // the turn of the task that overwrote it; the later ones of the same sequence have added to it
  };
  /// The part of tile (i, j) on `rank`, for the task of this turn. It holds nothing if it was begun in this turn.
  /// \param join     adds a tile (the first) to another, in the part `written`
  /// The parts pending must be written likewise and by the same sequence: accepts().
  Part part(Index i, Index j, Rank rank, int priority, const TaskBody& join, Uplo written, const Turn& turn);

  /// Whether tile (i, j) has parts that have not been taken.
  bool pending(Index i, Index j) const;
  /// Whether a part may be added to those of tile (i, j) that are pending.
  bool accepts(Index i, Index j, Uplo written, const SequenceState& sequence) const;
  /// The parts of tile (i, j), in the order in which they came up; afterwards they hold nothing.
  std::vector<Part> take(Index i, Index j);
  /// The tiles that have parts or are held elsewhere, in the order in which they came up: told once, to be released.
  std::vector<TaskArgument> take_tiles();

  // Of tile (i, j), which has been added to:
  const TaskBody& join(Index i, Index j) const { return *find(i, j)->join; }
  /// The largest priority of the tasks that have added to it.
  int priority(Index i, Index j) const { return find(i, j)->priority; }

  /// The rank of the k-th part of tile (i, j).
  Rank owner(std::size_t k, Index i, Index j) const;

 private:
  struct Contribution {
    Rank rank;
    std::optional<Turn> begun;  // unless it holds nothing
  };
  struct Tile {
    std::vector<Contribution> parts;  // the k-th one lies in parts_[k]
    std::unique_ptr<TaskBody> join;
    Uplo written = Uplo::General;
    int priority = 0;
    bool pending = false;
    bool listed = false;         // in order_
    std::optional<Rank> holder;  // unless it is the owner
  };

  TaskArgument argument(std::size_t k, Index i, Index j) const { return {parts_[k].get(), i, j}; }
  const Tile* find(Index i, Index j) const;
  void list(Tile& tile, Index i, Index j);

  TileStorage& storage_;
  std::unordered_map<std::size_t, Tile> tiles_;  // by TileStorage::linear()
  std::vector<TaskArgument> order_;              // all that concern us, and some that do not any more
  std::vector<std::shared_ptr<TileStorage>> parts_;
};

}  // namespace tessera::detail
