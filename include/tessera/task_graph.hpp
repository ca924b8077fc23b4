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

  /// Real operations of all tasks.
  double flops() const;

  /// Tiles sent between ranks when each version of a tile travels at most once to each rank that reads it
  /// (owner computes; distributions of data and tasks as recorded).
  Index tiles_sent() const;

  /// Tasks on a longest path, the lower bound of the running time in tasks.
  Index critical_path_tasks() const;

  /// Graphviz text: one node per task, coloured by executor, one edge per dependency.
  void write_dot(std::ostream& out) const;

 private:
  std::vector<RecordedTask> tasks_;
};

}  // namespace tessera
