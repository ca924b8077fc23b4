// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "tessera/kernel.hpp"
#include "tessera/task_graph.hpp"
#include "tessera/types.hpp"

namespace tessera::detail {

/// Counts what each rank does, sends and holds, task by task in the order of submission. It follows the rules by
/// which the ranks themselves send tiles (runtime/starpu/tile_record.hpp), on its own.
class LoadCounter {
 public:
  explicit LoadCounter(std::vector<RankLoad>& loads) : loads_(loads), copies_(loads.size()) {}

  /// A tile of a task.
  struct Use {
    Index id;
    Rank owner;
    Access access;
    Index bytes;
    bool scratch;  // its owner has memory for it only from the first write to the release
  };

  void add_task(Rank executor, double flops, std::span<const Use> tiles);
  /// Copies of the tile away from its owner go; of all tiles.
  void release(Index id);
  void release_all();

 private:
  using Copies =
      std::vector<Rank>;  // ranks that have the current version, without memory of their own for it

  Copies& copies_of(const Use& tile);
  void send(Rank from, Rank to, Copies& copies, Rank holder, Index bytes);
  void hold(Rank rank, Copies& copies);
  void drop(Copies& copies);

  std::vector<RankLoad>& loads_;
  std::vector<Index> copies_;                // per rank: others' tiles that it holds now
  std::unordered_map<Index, Copies> tiles_;  // by tile id
};

}  // namespace tessera::detail
