// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/task_graph.hpp"

#include <algorithm>
#include <ostream>
#include <unordered_map>
#include <unordered_set>

namespace tessera {

double TaskGraph::flops() const {
  double sum = 0;
  for (const RecordedTask& task : tasks_) sum += task.flops;
  return sum;
}

Index TaskGraph::tiles_sent() const {
  std::unordered_map<Index, std::unordered_set<Rank>>
      holders;  // ranks that have the current version of a tile
  Index sent = 0;
  for (const RecordedTask& task : tasks_) {
    for (const RecordedTile& tile : task.tiles) {
      auto& ranks = holders.try_emplace(tile.id, std::unordered_set{tile.owner}).first->second;
      if (tile.access != Access::write && ranks.insert(task.executor).second) ++sent;
      if (tile.access == Access::read) continue;
      ranks = {task.executor};
      if (tile.owner != task.executor) {  // the new version goes home
        ranks.insert(tile.owner);
        ++sent;
      }
    }
  }
  return sent;
}

Index TaskGraph::critical_path_tasks() const {
  std::vector<Index> depth(tasks_.size());
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    Index before = 0;
    for (const std::size_t p : tasks_[t].predecessors) before = std::max(before, depth[p]);
    depth[t] = before + 1;
  }
  return depth.empty() ? 0 : *std::ranges::max_element(depth);
}

void TaskGraph::write_dot(std::ostream& out) const {
  out << "digraph tasks {\n  node [style=filled, colorscheme=set312];\n";
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    const RecordedTask& task = tasks_[t];
    out << "  t" << t << " [fillcolor=" << task.executor % 12 + 1 << ", label=\"" << task.name;
    for (const RecordedTile& tile : task.tiles) {
      if (tile.access != Access::read) out << "\\n(" << tile.i << "," << tile.j << ")";
    }
    out << "\"];\n";
    for (const std::size_t p : task.predecessors) out << "  t" << p << " -> t" << t << ";\n";
  }
  out << "}\n";
}

}  // namespace tessera
