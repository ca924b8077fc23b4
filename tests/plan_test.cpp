// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tessera/tessera.hpp"
#include "tests/support/volumes.hpp"

namespace tessera::test {
namespace {

/// The Cholesky factorisation of n x n tiles.
PlannedCall cholesky(Index n, Index nb = 500, Uplo uplo = Uplo::Lower) {
  return [=](Runtime& plan, const DistributionPtr& distribution) {
    const TileMatrix<double> A(plan, n * nb, n * nb, nb, distribution);
    (void)potrf(plan, uplo, A);
  };
}

Prediction predict_cholesky(const std::string& text, Index n) {
  const DistributionPtr d = make_distribution(text);
  return predict(d, d->num_ranks(), cholesky(n));
}

TEST(Plan, CountsForEveryDistributionUpTo36RanksAnd60TilesWhatTheSetsOfConsumersSay) {
  int compared = 0;
  for (Rank ranks = 1; ranks <= 36; ++ranks) {
    for (const std::string& text : distribution_candidates(ranks)) {
      const DistributionPtr unfitted = make_distribution(text, ranks);
      for (Index n = 1; n <= 60; ++n) {
        const Volume expected = potrf_volume(*fitted(unfitted, n), n);
        const Prediction plan = predict(unfitted, ranks, cholesky(n));
        ASSERT_EQ(plan.tiles_sent(), expected.total()) << text << " n=" << n;
        for (std::size_t r = 0; r < plan.loads.size(); ++r) {
          ASSERT_EQ(plan.loads[r].traffic.tiles_sent, expected.sent[r])
              << text << " n=" << n << " rank " << r;
          ASSERT_EQ(plan.loads[r].traffic.tiles_received, expected.received[r]) << text << " n=" << n;
        }
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 60 * 36);
}

TEST(Plan, UpperAndLowerStorageOfASymmetricDistributionSendTheSame) {
  for (const char* text : {"sbc:r=5", "sbc:r=4,kind=basic", "tbc:q=3,plane=affine"}) {
    const DistributionPtr d = make_distribution(text);
    const auto lower = predict(d, d->num_ranks(), cholesky(25));
    const auto upper = predict(d, d->num_ranks(), cholesky(25, 500, Uplo::Upper));
    EXPECT_EQ(upper.tiles_sent(), lower.tiles_sent()) << text;
    EXPECT_EQ(upper.max_tiles_received(), lower.max_tiles_received()) << text;
  }
}

TEST(Plan, SymmetricAndTriangleBlockCyclicSendTheReferenceVolumes) {
  EXPECT_EQ(predict_cholesky("2dbc:p=6,q=6", 96).tiles_sent(), 43720);
  EXPECT_EQ(predict_cholesky("sbc:r=9", 96).tiles_sent(), 32486);
  EXPECT_EQ(predict_cholesky("2dbc:p=4,q=5", 96).tiles_sent(), 31070);
  EXPECT_EQ(predict_cholesky("tbc:q=4,plane=projective", 96).tiles_sent(), 18574);
}

TEST(Plan, BytesAreThoseOfTheTilesThatTravelRaggedOnesIncluded) {
  const DistributionPtr d = make_distribution("2dbc:p=2,q=1");
  const auto plan = predict(d, 2, [](Runtime& rt, const DistributionPtr& distribution) {
    const TileMatrix<float> A(rt, 5, 5, 3, distribution);  // tiles of 3 and 2
    (void)potrf(rt, Uplo::Lower, A);
  });
  // (0,0) goes to the owner of (1,0): 9 elements. (1,0) is needed where it lies.
  EXPECT_EQ(plan.loads[0].traffic, (Traffic{1, 36, 0, 0}));
  EXPECT_EQ(plan.loads[1].traffic, (Traffic{0, 0, 1, 36}));
}

TEST(Plan, AFactorisationHoldsItsTilesAndAboutOnePanelOfCopies) {
  for (const char* text : {"2dbc:p=3,q=3", "sbc:r=5"}) {
    const Index n = 60;
    const Prediction plan = predict_cholesky(text, n);
    for (const RankLoad& load : plan.loads) {
      EXPECT_GE(load.tiles_held, load.tiles_owned);
      EXPECT_LE(load.tiles_held, load.tiles_owned + n) << text;
    }
  }
}

TEST(Plan, CountsTheTasksAndOperationsOfEachRank) {
  const Prediction plan = predict_cholesky("2dbc:p=2,q=2", 8);
  Index tasks = 0;
  double flops = 0;
  for (const RankLoad& load : plan.loads) {
    tasks += load.tasks;
    flops += load.flops;
  }
  EXPECT_EQ(tasks, 8 * 9 * 10 / 6);
  EXPECT_NEAR(flops / tessera::flops::potrf<double>(8 * 500), 1, 0.01);
  EXPECT_GT(plan.flops_imbalance(), 1);
  EXPECT_EQ(predict_cholesky("2dbc:p=1,q=1", 8).flops_imbalance(), 1);
}

TEST(ChooseDistribution, TakesForCholeskyTheSymmetricOneThatSendsLeast) {
  const auto name = [](Rank ranks) { return choose_distribution(ranks, cholesky(60)).distribution->name(); };
  EXPECT_EQ(name(1), "2dbc:p=1,q=1");
  EXPECT_THAT(name(7), testing::AnyOf("tbc:q=2,plane=projective", "gcrm:P=7"));
  EXPECT_THAT(name(10), testing::AnyOf("sbc:r=5", "gcrm:P=10"));
}

TEST(ChooseDistribution, SaysWhyAndComparesWithTheBestGrid) {
  const Choice choice = choose_distribution(10, cholesky(60));
  EXPECT_THAT(choice.reason, testing::HasSubstr(choice.distribution->name()));
  EXPECT_THAT(choice.reason, testing::HasSubstr("2dbc:"));
  EXPECT_THAT(choice.reason, testing::HasSubstr("imbalance"));
}

TEST(ChooseDistribution, MayLeaveRanksWithoutTilesAndNeverTakesMoreThanThereAre) {
  // 23 is a prime: grids of 22 or 20 ranks are far better than 1 x 23 for a call that only knows grids.
  for (const Prediction& p : compare_distributions(23, cholesky(24))) {
    EXPECT_LE(p.distribution->num_ranks(), 23);
    EXPECT_GE(p.distribution->num_ranks(), 20);
    EXPECT_EQ(p.loads.size(), 23u);
  }
}

TEST(CompareDistributions, PutsTheCheapestFirst) {
  const PlanOptions options{.flops_per_byte = 100, .spare = 0};
  const auto predictions = compare_distributions(12, cholesky(30), options);
  ASSERT_GE(predictions.size(), 2u);
  for (std::size_t k = 1; k < predictions.size(); ++k) {
    EXPECT_LE(predictions[k - 1].cost(100), predictions[k].cost(100));
  }
}

TEST(CompareDistributions, ShowsThreeFewerRanksOfSevenWhereAChoiceLeavesOnlyAQuarterIdle) {
  Rank fewest = 7;
  for (const Prediction& p : compare_distributions(7, cholesky(20))) {
    fewest = std::min(fewest, p.distribution->num_ranks());
  }
  EXPECT_EQ(fewest, 4);
  EXPECT_GE(choose_distribution(7, cholesky(20)).distribution->num_ranks(), 6);
}

TEST(CompareDistributions, RejectsWhatMakesNoSense) {
  EXPECT_THROW((void)compare_distributions(0, cholesky(2)), ArgumentError);
  EXPECT_THROW((void)choose_distribution(4, cholesky(2), {.spare = -1}), ArgumentError);
  EXPECT_THROW((void)choose_distribution(4, cholesky(2), {.flops_per_byte = std::nan("")}), ArgumentError);
  EXPECT_THROW((void)predict({}, 4, cholesky(2)), ArgumentError);
}

}  // namespace
}  // namespace tessera::test
