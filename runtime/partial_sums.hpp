// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "tessera/kernel.hpp"
#include "tessera/runtime.hpp"
#include "tessera/storage.hpp"

namespace tessera::detail {

/// The partial sums of the tiles of one matrix: what ranks that do not own a tile have added to it so far. They are
/// tiles themselves, without memory until their rank writes them, so every backend runs, counts and sends them as it
/// does with any tile. All ranks submit the same tasks, and so all know which parts there are.
class PartialSums {
 public:
  /// \param sums  whose tiles are summed; it owns this object
  explicit PartialSums(TileStorage& sums);
  ~PartialSums();
  PartialSums(const PartialSums&) = delete;
  PartialSums& operator=(const PartialSums&) = delete;

  /// Where `rank` adds to tile (i, j).
  struct Part {
    TaskArgument tile;
    bool fresh;  // it holds nothing: to be overwritten
  };
  /// \param join     adds a tile (the first) to another, in the part `written`, which must be that of the parts pending
  Part part(Index i, Index j, Rank rank, int priority, const TaskBody& join, Uplo written);

  /// Whether tile (i, j) has parts that have not been taken.
  bool pending(Index i, Index j) const;
  /// The parts of tile (i, j), in the order in which they came up; afterwards they hold nothing.
  std::vector<TaskArgument> take(Index i, Index j);
  /// The tiles that have parts, in the order in which they came up: to be settled now, they are told once.
  std::vector<TaskArgument> take_pending_tiles();

  // Of tile (i, j), which has been added to:
  const TaskBody& join(Index i, Index j) const { return *find(i, j)->join; }
  Uplo written(Index i, Index j) const { return find(i, j)->written; }
  /// The largest priority of the tasks that have added to it.
  int priority(Index i, Index j) const { return find(i, j)->priority; }

  /// The rank of the k-th part of tile (i, j).
  Rank owner(std::size_t k, Index i, Index j) const;

 private:
  struct Contribution {
    Rank rank;
    bool holds_something;
  };
  struct Tile {
    std::vector<Contribution> parts;  // the k-th one lies in parts_[k]
    std::unique_ptr<TaskBody> join;
    Uplo written = Uplo::General;
    int priority = 0;
    bool pending = false;
  };

  TaskArgument argument(std::size_t k, Index i, Index j) const { return {parts_[k].get(), i, j}; }
  Tile* find(Index i, Index j);
  const Tile* find(Index i, Index j) const;

  TileStorage& sums_;
  std::unordered_map<std::size_t, Tile> tiles_;  // by TileStorage::linear()
  std::vector<TaskArgument> order_;              // pending tiles, and some that are not any more
  std::vector<std::shared_ptr<TileStorage>> parts_;
};

}  // namespace tessera::detail
