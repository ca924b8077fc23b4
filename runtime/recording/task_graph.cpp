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
      copies;  // ranks other than the owner with the current version
  Index sent = 0;
  auto release = releases_.begin();
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    for (; release != releases_.end() && release->before_task == t; ++release) {
      if (release->tile_id == all_tiles) {
        copies.clear();
      } else {
        copies.erase(release->tile_id);
      }
    }
    const Rank executor = tasks_[t].executor;
    for (const RecordedTile& tile : tasks_[t].tiles) {
      const bool away = tile.owner != executor;
      if (tile.access != Access::write && away && copies[tile.id].insert(executor).second) ++sent;
      if (tile.access == Access::read) continue;
      copies.erase(tile.id);
      if (away) {  // the new version goes home
        copies[tile.id] = {executor};
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
