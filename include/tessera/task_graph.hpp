// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "tessera/kernel.hpp"
#include "tessera/types.hpp"

namespace tessera {

/// A tile as a recorded task touches it.
struct RecordedTile {
  Index id;    ///< unique in the runtime
  Index i, j;  ///< in its matrix
  Rank owner;
  Access access;
};

/// One task, as it was submitted.
struct RecordedTask {
  std::string name;  ///< kernel with its type letter: "dgemm"
  double flops;      ///< real operations
  Rank executor;
  TaskOptions options;
  std::vector<RecordedTile> tiles;
  std::vector<std::size_t> predecessors;  ///< tasks that must end before this one starts, ascending
};

/// The graph that an algorithm unrolls to: what a recording runtime keeps instead of running it.
class TaskGraph {
 public:
  const std::vector<RecordedTask>& tasks() const noexcept { return tasks_; }
  void add(RecordedTask task) { tasks_.push_back(std::move(task)); }

  /// From here on, ranks that do not own the tile have no copy of it; the same for all tiles.
  void release(Index tile_id) { releases_.push_back({tasks_.size(), tile_id}); }
  void release_all() { release(all_tiles); }

  /// Real operations of all tasks.
  double flops() const;

  /// Tiles sent between ranks when each version of a tile travels at most once to each rank that reads it
  /// between releases (owner computes; distributions of data and tasks as recorded).
  Index tiles_sent() const;

  /// Tasks on a longest path, the lower bound of the running time in tasks.
  Index critical_path_tasks() const;

  /// Graphviz text: one node per task, coloured by executor, one edge per dependency.
  void write_dot(std::ostream& out) const;

 private:
  static constexpr Index all_tiles = -1;
  struct Release {
    std::size_t before_task;
    Index tile_id;
  };

  std::vector<RecordedTask> tasks_;
  std::vector<Release> releases_;  // in the order of submission
};

}  // namespace tessera
