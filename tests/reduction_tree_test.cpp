// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/reduction_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "tessera/tessera.hpp"

namespace tessera::test {
namespace {

const std::vector<std::string> trees{"flat",      "flat:triangles", "binary",        "greedy",
                                     "fibonacci", "hierarchical",   "hierarchical:3"};

Rank on_three(Index i, Index /*k*/) { return static_cast<Rank>(i % 3); }

TEST(ReductionTree, EliminatesEachRowOfEachPanelOnceAgainstOneThatIsLeft) {
  for (const std::string& text : trees) {
    const TreePtr tree = make_tree(text);
    EXPECT_EQ(tree->name(), text);
    for (const auto& [mt, kt] :
         std::vector<std::pair<Index, Index>>{{1, 1}, {2, 1}, {5, 5}, {17, 4}, {40, 40}}) {
      const auto panels = tree->panels(mt, kt, on_three);
      ASSERT_EQ(std::ssize(panels), kt) << text;
      for (Index k = 0; k < kt; ++k) {
        std::vector<bool> left(static_cast<std::size_t>(mt), true),
            pivot(static_cast<std::size_t>(mt), false);
        for (const auto& [above, row, triangle] : panels[static_cast<std::size_t>(k)]) {
          ASSERT_TRUE(k <= above && above < row && row < mt) << text;
          EXPECT_TRUE(left[static_cast<std::size_t>(above)] && left[static_cast<std::size_t>(row)]) << text;
          EXPECT_TRUE(triangle || !pivot[static_cast<std::size_t>(row)]) << text;
          left[static_cast<std::size_t>(row)] = false;
          pivot[static_cast<std::size_t>(above)] = true;
        }
        EXPECT_EQ(std::count(left.begin() + k, left.end(), true), 1) << text;
        EXPECT_TRUE(left[static_cast<std::size_t>(k)]) << text;
      }
    }
  }
}

TEST(ReductionTree, HierarchicalOnesCrossRanksOncePerRankAndPanel) {
  for (const char* text : {"hierarchical", "hierarchical:3"}) {
    for (const Panel& panel : make_tree(text)->panels(20, 9, on_three)) {
      const auto crosses = [](const Elimination& e) { return e.pivot % 3 != e.row % 3; };
      EXPECT_EQ(std::ranges::count_if(panel, crosses), std::min<Index>(2, std::ssize(panel))) << text;
    }
  }
}

TEST(ReductionTree, TextsThatNameNoTreeAreRefused) {
  for (const char* text :
       {"", "Flat", "flat:", "hierarchical:", "hierarchical:0", "hierarchical:-1", "hierarchical:2x"})
    EXPECT_THROW((void)make_tree(text), ArgumentError) << text;
  EXPECT_THROW(HierarchicalTree(-1), ArgumentError);
}

TEST(ReductionTree, TheAutomaticOneHasDomainsWhereColumnsAreFew) {
  EXPECT_EQ(automatic_tree(100, 100, 8)->name(), "hierarchical");
  EXPECT_EQ(automatic_tree(800, 1, 2)->name(), "hierarchical:50");
  EXPECT_EQ(automatic_tree(2, 1, 64)->name(), "hierarchical:1");
}

// ---- Published critical paths -------------------------------------------------------------------------------
// Bouwmeester, Jacquelin, Langou, Robert, SC11: weights of the kernels in units of nb^3/3 operations.

Index critical_path(const std::string& tree, Index p, Index q) {
  RuntimeOptions options;
  options.backend = BackendKind::recording;
  Runtime rt(options);
  const TileMatrix<double> A(rt, 2 * p, 2 * q, 2);
  const auto Q = make_reflectors(rt, A, {make_tree(tree), 0});
  geqrf(rt, A, Q);
  const std::map<std::string, std::pair<Index, Index>> weights{// of whole tiles, of triangles
                                                               {"dgeqrt", {4, 4}},
                                                               {"dgemqrt", {6, 6}},
                                                               {"dtpqrt", {6, 2}},
                                                               {"dtpmqrt", {12, 6}},
                                                               {"dlacpy", {0, 0}}};
  const auto& tasks = rt.graph().tasks();
  std::vector<Index> ends(tasks.size());
  Index longest = 0;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    for (const std::size_t before : tasks[t].predecessors) ends[t] = std::max(ends[t], ends[before]);
    const auto& [square, triangle] = weights.at(tasks[t].name);
    // What is eliminated as a triangle lies in the matrix of triangles: a square's operations are three, or two, times as
    // many.
    const double full = tasks[t].name == "dtpqrt" ? 2.0 * 8 : 4.0 * 8;
    ends[t] += tasks[t].flops < full ? triangle : square;
    longest = std::max(longest, ends[t]);
  }
  return longest;
}

TEST(ReductionTree, FlatTreesHaveThePublishedCriticalPaths) {
  for (const Index p : {2, 3, 5, 8, 13}) {
    EXPECT_EQ(critical_path("flat", p, 1), 6 * p - 2);
    EXPECT_EQ(critical_path("flat:triangles", p, 1), 2 * p + 2);
    EXPECT_EQ(critical_path("flat", p, p), 30 * p - 34);
    EXPECT_EQ(critical_path("flat:triangles", p, p), 22 * p - 24);
    for (Index q = 2; q < p; ++q) {
      EXPECT_EQ(critical_path("flat", p, q), 12 * p + 18 * q - 32) << p << " x " << q;
      EXPECT_EQ(critical_path("flat:triangles", p, q), 6 * p + 16 * q - 22) << p << " x " << q;
    }
  }
}

TEST(ReductionTree, TreesOfOnePanelHaveTheirLogarithmOrRootOfTasks) {
  for (const Index p : {2, 3, 4, 5, 8, 15, 16, 17, 40}) {
    const auto log = static_cast<Index>(std::bit_width(static_cast<std::size_t>(p - 1)));
    EXPECT_EQ(critical_path("binary", p, 1), 4 + 2 * log);
    EXPECT_EQ(critical_path("greedy", p, 1), 4 + 2 * log);
    Index groups = 0;
    while (groups * (groups + 1) / 2 < p - 1) ++groups;
    EXPECT_EQ(critical_path("fibonacci", p, 1), 4 + 2 * groups);
  }
}

}  // namespace
}  // namespace tessera::test
