// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "tessera/kernel.hpp"
#include "tessera/traffic.hpp"
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

/// What one rank has to do, to send and to hold for a task graph.
struct RankLoad {
  Index tasks = 0;
  double flops = 0;  ///< real operations
  Traffic traffic;
  Index tiles_owned = 0;  ///< of those that tasks touch
  /// Owned ones, copies of others' tiles and partial sums, when they are most, in the order of submission.
  Index tiles_held = 0;
  Index bytes_held = 0;  ///< the same in bytes
};

/// The graph that an algorithm unrolls to: what a recording runtime keeps instead of running it.
///
/// Counts follow from the distributions alone: a task runs on its executor, and each version of a tile travels at
/// most once to each rank that reads it between releases; one that was written away from its owner goes home when it is
/// released.
class TaskGraph {
 public:
  /// Empty when the runtime keeps loads only (RuntimeOptions::record_tasks).
  const std::vector<RecordedTask>& tasks() const noexcept { return tasks_; }
  /// One per rank.
  const std::vector<RankLoad>& loads() const noexcept { return loads_; }

  Index num_tasks() const;
  /// Real operations of all tasks.
  double flops() const;
  /// Versions of tiles times ranks that they travel to.
  Index tiles_sent() const;

  /// Tasks on a longest path, the lower bound of the running time in tasks. Needs the tasks.
  Index critical_path_tasks() const;

  /// Graphviz text: one node per task, coloured by executor, one edge per dependency. Needs the tasks.
  void write_dot(std::ostream& out) const;

  /// For the recording runtime, which fills the graph.
  explicit TaskGraph(std::size_t num_ranks) : loads_(num_ranks) {}
  void add(RecordedTask task) { tasks_.push_back(std::move(task)); }
  std::vector<RankLoad>& loads() noexcept { return loads_; }

 private:
  std::vector<RecordedTask> tasks_;
  std::vector<RankLoad> loads_;
};

}  // namespace tessera
