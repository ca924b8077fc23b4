// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/reduction_tree.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// The panels of a tree that treats each for itself, as make_panel(k) does.
template <class MakePanel>
std::vector<Panel> each_panel(Index kt, MakePanel&& make_panel) {
  std::vector<Panel> panels;
  for (Index k = 0; k < kt; ++k) panels.push_back(make_panel(k));
  return panels;
}

/// Eliminates all of these triangles but the first, in a binary tree.
void reduce_in_pairs(std::vector<Index> rows, Panel& panel) {
  while (rows.size() > 1) {
    std::vector<Index> left;
    for (std::size_t r = 0; r < rows.size(); r += 2) {
      left.push_back(rows[r]);
      if (r + 1 < rows.size()) panel.push_back({rows[r], rows[r + 1], true});
    }
    rows = std::move(left);
  }
}

/// Rows first .. last, each eliminated against the one as many rows above as there are rows: all at once.
void eliminate_group(Index first, Index last, Panel& panel) {
  const Index count = last - first + 1;
  for (Index row = last; row >= first; --row) panel.push_back({row - count, row, true});
}

}  // namespace

std::vector<Panel> FlatTree::panels(Index mt, Index kt,
                                    const std::function<Rank(Index, Index)>& /*owner*/) const {
  return each_panel(kt, [&](Index k) {
    Panel panel;
    for (Index row = k + 1; row < mt; ++row) panel.push_back({k, row, triangles_});
    return panel;
  });
}

std::vector<Panel> BinaryTree::panels(Index mt, Index kt,
                                      const std::function<Rank(Index, Index)>& /*owner*/) const {
  return each_panel(kt, [&](Index k) {
    std::vector<Index> rows;
    for (Index row = k; row < mt; ++row) rows.push_back(row);
    Panel panel;
    reduce_in_pairs(std::move(rows), panel);
    return panel;
  });
}

HierarchicalTree::HierarchicalTree(Index domain) : domain_(domain) {
  if (domain < 0)
    throw ArgumentError("HierarchicalTree", "domain", std::to_string(domain), "must not be negative");
}

std::string HierarchicalTree::name() const {
  return domain_ == 0 ? "hierarchical" : "hierarchical:" + std::to_string(domain_);
}

std::vector<Panel> HierarchicalTree::panels(Index mt, Index kt,
                                            const std::function<Rank(Index, Index)>& owner) const {
  return each_panel(kt, [&](Index k) {
    Panel panel;
    struct Domains {
      std::vector<Index> heads;  // the first row of each
      Index tiles = 0;           // in all
    };
    std::map<Rank, Domains> ranks;
    std::vector<Rank> in_order;  // of their first rows
    for (Index row = k; row < mt; ++row) {
      const Rank rank = owner(row, k);
      Domains& domains = ranks[rank];
      if (domains.heads.empty()) in_order.push_back(rank);
      const bool begins = domain_ == 0 ? domains.heads.empty() : domains.tiles % domain_ == 0;
      ++domains.tiles;
      if (begins) {
        domains.heads.push_back(row);
      } else {
        panel.push_back({domains.heads.back(), row, false});
      }
    }
    std::vector<Index> roots;
    for (const Rank rank : in_order) {
      reduce_in_pairs(ranks[rank].heads, panel);
      roots.push_back(ranks[rank].heads.front());
    }
    reduce_in_pairs(std::move(roots), panel);
    return panel;
  });
}

std::vector<Panel> GreedyTree::panels(Index mt, Index kt,
                                      const std::function<Rank(Index, Index)>& /*owner*/) const {
  std::vector<Panel> panels(static_cast<std::size_t>(kt));
  std::vector<Index> eliminated(static_cast<std::size_t>(kt),
                                0);  // rows of each column, from the last row up
  for (bool progress = true; progress;) {
    progress = false;
    // Later columns first: they use what the ones before them had eliminated at the end of the last step.
    for (Index k = kt - 1; k >= 0; --k) {
      Index& done = eliminated[static_cast<std::size_t>(k)];
      const Index triangles = k == 0 ? mt : eliminated[static_cast<std::size_t>(k - 1)];
      const Index count = (triangles - done) / 2;
      if (count == 0) continue;
      eliminate_group(mt - done - count, mt - done - 1, panels[static_cast<std::size_t>(k)]);
      done += count;
      progress = true;
    }
  }
  return panels;
}

std::vector<Panel> FibonacciTree::panels(Index mt, Index kt,
                                         const std::function<Rank(Index, Index)>& /*owner*/) const {
  return each_panel(kt, [&](Index k) {
    // Below row k, groups of 1, 2, 3, ... rows, which the last row cuts off; in the first column group g of x is
    // eliminated in step x - g + 1, and the others follow two steps per column later, row by row: alike in each panel.
    std::vector<std::pair<Index, Index>> groups;
    for (Index first = k + 1, size = 1; first < mt; first += size, ++size) {
      groups.emplace_back(first, std::min(first + size, mt) - 1);
    }
    Panel panel;
    for (auto group = groups.rbegin(); group != groups.rend(); ++group)
      eliminate_group(group->first, group->second, panel);
    return panel;
  });
}

TreePtr automatic_tree(Index mt, Index nt, Index workers) {
  // A domain of d tiles is a chain of d eliminations, beside which a worker has the work of d nt^2 / workers such
  // updates: d chains at a time for 8 workers / nt^2 or more.
  const Index domains =
      std::clamp<Index>(8 * workers / std::max<Index>(1, nt * nt), 1, std::max<Index>(1, mt));
  return std::make_shared<HierarchicalTree>(domains == 1 ? 0 : (mt + domains - 1) / domains);
}

TreePtr make_tree(std::string_view text) {
  if (text == "flat") return std::make_shared<FlatTree>();
  if (text == "flat:triangles") return std::make_shared<FlatTree>(true);
  if (text == "binary") return std::make_shared<BinaryTree>();
  if (text == "greedy") return std::make_shared<GreedyTree>();
  if (text == "fibonacci") return std::make_shared<FibonacciTree>();
  if (text == "hierarchical") return std::make_shared<HierarchicalTree>();
  constexpr std::string_view prefix = "hierarchical:";
  if (text.starts_with(prefix)) {
    const std::string_view number = text.substr(prefix.size());
    Index domain = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), domain);
    if (error == std::errc() && end == number.data() + number.size() && domain > 0)
      return std::make_shared<HierarchicalTree>(domain);
  }
  throw ArgumentError(
      "make_tree", "text", std::string(text),
      "must be flat, flat:triangles, binary, greedy, fibonacci, hierarchical or hierarchical:N");
}

}  // namespace tessera
