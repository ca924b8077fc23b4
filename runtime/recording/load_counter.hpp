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
  /// The current version goes to the owner, and copies elsewhere go; of all tiles.
  void release(Index id);
  void release_all();
  /// The tile's matrix goes, and with it the tile wherever it is.
  void forget(Index id);

 private:
  struct Tile {
    Rank owner;
    Index bytes;
    bool scratch;
    std::vector<Rank> has_it;  // the current version: first the rank that has written it

    /// Whether the rank has memory for the tile anyway.
    bool has_memory(Rank rank) const { return rank == owner && !scratch; }
  };

  struct Level {
    Index now = 0;
    Index most = 0;

    Index add(Index amount);
  };
  struct Copies {
    Level tiles;
    Level bytes;
  };

  Tile& tile_of(const Use& use);
  void send(Tile& tile, Rank rank);
  void write(Tile& tile, Rank rank);
  void send_home(Tile& tile);
  void hold(Tile& tile, Rank rank);
  void drop(Tile& tile, Rank rank);
  void keep_only(Tile& tile, Rank rank);

  std::vector<RankLoad>& loads_;
  std::vector<Copies> copies_;             // per rank: what it holds beside the tiles it owns
  std::unordered_map<Index, Tile> tiles_;  // by tile id
};

}  // namespace tessera::detail
