// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tessera/tessera.hpp"
#include "tests/support/lu.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/volumes.hpp"

namespace tessera::test {
namespace {

/// LU of mt x nt tiles of one element: only their number counts.
PlannedCall lu(Index mt, Index nt, Pivoting pivoting) {
  return [=](Runtime& plan, const DistributionPtr& distribution) {
    const TileMatrix<double> A(plan, mt, nt, 1, distribution);
    (void)getrf(plan, A, make_pivots(plan, A), {.pivoting = pivoting});
  };
}

TEST(LuPlan, WithoutPivotsEqualsTheReferenceToTheTileAndTheTask) {
  int compared = 0;
  for (const Row& row : reference_rows("volumes.csv")) {
    if (row.text("op") != "lu") continue;
    SCOPED_TRACE(row.line());
    const DistributionPtr d = make_distribution(row.text("dist"));
    const Prediction plan = predict(d, d->num_ranks(), lu(row.count("n"), row.count("n"), Pivoting::none));
    EXPECT_EQ(plan.tiles_sent(), row.count("volume_tiles"));
    EXPECT_EQ(plan.max_tiles_sent(), row.count("sent_max_tiles"));
    EXPECT_EQ(plan.max_tiles_received(), row.count("recv_max_tiles"));
    EXPECT_EQ(most_tasks_of_lu(plan, *d, row.count("n")), row.count("tasks_max"));
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(LuPlan, WithoutPivotsSendsWhatTheSetsOfConsumersSayOnEveryDistribution) {
  for (Rank ranks = 1; ranks <= 12; ++ranks) {
    for (const std::string& text : distribution_candidates(ranks)) {
      for (const Index n : {1, 2, 7, 20}) {
        const DistributionPtr d = make_distribution(text, ranks);
        const Volume expected = lu_volume(*fitted(d, n), n);
        EXPECT_EQ(predict(d, ranks, lu(n, n, Pivoting::none)).tiles_sent(), expected.total())
            << text << " " << n;
      }
    }
  }
}

TEST(LuPlan, OnOneRankNothingIsSentWithAnyPivoting) {
  for (const Pivoting pivoting : pivotings) {
    EXPECT_EQ(predict(make_distribution("2dbc:p=1,q=1"), 1, lu(9, 7, pivoting)).tiles_sent(), 0);
  }
}

/// What partial pivoting of n x n tiles sends on a p x q grid beyond what LU without pivots does, by
/// docs/architecture.md. Per step k: each tile of the panel comes to the rank of the diagonal tile and goes home, but
/// that tile is not sent down its column; the moves go to all ranks that exchange rows; in each other tile column the
/// top goes to each other grid row that has tiles below, and one tile comes back from it.
Index sent_for_partial_pivots(Index p, Index q, Index n) {
  Index sent = 0;
  for (Index k = 0; k < n; ++k) {
    for (Index i = k + 1; i < n; ++i) sent += i % p != k % p ? 2 : 0;
    std::set<Index> columns;  // of the grid
    for (Index j = 0; j < n; ++j) {
      if (j != k) columns.insert(j % q);
    }
    const Index other_rows = std::min(p, n - k) - 1;
    sent -= other_rows;
    sent += (other_rows + 1) * static_cast<Index>(columns.size()) - (columns.contains(k % q) ? 1 : 0);
    sent += (n - 1) * 2 * other_rows;
  }
  return sent;
}

TEST(LuPlan, PartialPivotingSendsWhatTheDocumentationSays) {
  for (const auto& [p, q] : {std::pair<Index, Index>{1, 4}, {2, 2}, {2, 3}, {4, 1}, {3, 4}}) {
    const DistributionPtr grid = std::make_shared<BlockCyclic2D>(static_cast<Rank>(p), static_cast<Rank>(q));
    for (const Index n : {1, 2, 3, 12, 20}) {
      SCOPED_TRACE(grid->name() + " n=" + std::to_string(n));
      EXPECT_EQ(predict(grid, grid->num_ranks(), lu(n, n, Pivoting::partial)).tiles_sent(),
                lu_volume(*grid, n).total() + sent_for_partial_pivots(p, q, n));
    }
  }
}

TEST(LuPlan, PivotsTakeAFewTilesOfMemoryMore) {
  for (const char* text : {"2dbc:p=3,q=3", "g2dbc:P=7", "2dbc:p=9,q=1"}) {
    const DistributionPtr d = make_distribution(text);
    const auto held = [&](Pivoting pivoting) {
      return predict(d, d->num_ranks(), lu(45, 45, pivoting)).max_tiles_held();
    };
    EXPECT_LE(held(Pivoting::partial), held(Pivoting::none) + 5) << text;  // one of which is the tall tile
    EXPECT_LE(held(Pivoting::tournament), held(Pivoting::none) + 12) << text;
  }
}

TEST(LuPlan, TheInverseHoldsHalfAMatrixMoreAndAPanelOfCopies) {
  const Index n = 30;
  const DistributionPtr d = make_distribution("2dbc:p=3,q=3");
  const Prediction plan = predict(d, 9, [n](Runtime& rt, const DistributionPtr& distribution) {
    const TileMatrix<double> A(rt, n, n, 1, distribution);
    (void)getri(rt, A, make_pivots(rt, A));
  });
  const Index pivots = n / 3;  // on the ranks of the grid's diagonal
  for (const RankLoad& load : plan.loads) EXPECT_LE(load.tiles_held, 3 * n * n / 2 / 9 + n + pivots);
}

}  // namespace
}  // namespace tessera::test
