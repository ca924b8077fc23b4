// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/task_graph.hpp"

#include <algorithm>
#include <ostream>

namespace tessera {

namespace {

auto sum(const std::vector<RankLoad>& loads, auto part) {
  decltype(part(loads.front())) total{};
  for (const RankLoad& load : loads) total += part(load);
  return total;
}

}  // namespace

Index TaskGraph::num_tasks() const {
  return sum(loads_, [](const RankLoad& load) { return load.tasks; });
}

double TaskGraph::flops() const {
  return sum(loads_, [](const RankLoad& load) { return load.flops; });
}

Index TaskGraph::tiles_sent() const {
  return sum(loads_, [](const RankLoad& load) { return load.traffic.tiles_sent; });
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
