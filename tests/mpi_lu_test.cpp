// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cpu/lapack.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/lu.hpp"

namespace tessera::test {
namespace {

RuntimeOptions with_statistics() {
  RuntimeOptions options;
  options.transport_statistics = true;
  return options;
}

/// Every grid of all ranks (of many, the tall ones, in which more ranks share a panel), the distribution for any number
/// of ranks, and layers.
std::vector<DistributionPtr> distributions(const Runtime& rt) {
  const Rank P = rt.num_ranks();
  std::vector<DistributionPtr> all;
  for (Rank p = 1; p <= P; ++p) {
    const bool wanted = P <= 4 || p * p >= P;
    if (P % p == 0 && wanted) all.push_back(std::make_shared<BlockCyclic2D>(p, P / p));
  }
  all.push_back(make_distribution("g2dbc:P=" + std::to_string(P), P));
  if (P % 2 == 0) {
    const std::string base = "2dbc:p=" + std::to_string(P / 2) + ",q=1";
    all.push_back(make_distribution("2.5d:c=2/" + base, P));
  }
  return all;
}

std::string describe(const DistributionPtr& d, Pivoting pivoting, Index m, Index n) {
  return d->name() + " m=" + std::to_string(m) + " n=" + std::to_string(n) +
         " pivoting=" + static_cast<char>(pivoting);
}

template <class T>
class MpiLu : public testing::Test {
 protected:
  Runtime rt{with_statistics()};

  template <class F>
  TileMatrix<T> matrix(Index m, Index n, Index nb, const DistributionPtr& d, F f) {
    const TileMatrix<T> A(rt, m, n, nb, d);
    fill(rt, A, f);
    return A;
  }
  /// On rank 0.
  Dense<T> gathered(const TileMatrix<T>& A) {
    Dense<T> a(A.m(), A.n());
    gather(rt, A, a.data(), a.ld());
    return a;
  }
  void expect_info(Info info, Index expected) {
    for (const double other : rt.all_gather(static_cast<double>(info.index()))) EXPECT_EQ(other, expected);
  }
  void expect_factors(Pivoting pivoting, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv) {
    const auto original = lu_matrix<T>(pivoting, A.m(), A.n());
    const auto factor = gathered(A);
    const auto pivots = pivots_of(rt, ipiv);
    ASSERT_TRUE(in_range(pivots, A.m()));
    if (rt.rank() == 0) {
      EXPECT_TRUE(lu_residual(original, factor, pivots) < lapack_threshold);
    }
  }
};
TYPED_TEST_SUITE(MpiLu, Scalars);

TYPED_TEST(MpiLu, FactorsEveryShapeOnEveryDistributionAlsoWithMoreRanksThanTiles) {
  using T = TypeParam;
  struct Shape {
    Index m, n, nb;
  };
  for (const DistributionPtr& d : distributions(this->rt)) {
    for (const Pivoting pivoting : pivotings) {
      for (const auto& [m, n, nb] : {Shape{0, 3, 2},
                                     {3, 0, 2},
                                     {1, 1, 4},
                                     {3, 3, 2},
                                     {8, 8, 4},
                                     {16, 16, 4},
                                     {21, 9, 4},
                                     {9, 21, 4},
                                     {26, 26, 4}}) {
        SCOPED_TRACE(describe(d, pivoting, m, n));
        const auto A = this->matrix(m, n, nb, d, lu_entry<T>(pivoting, m, n));
        const auto ipiv = make_pivots(this->rt, A);
        this->expect_info(getrf(this->rt, A, ipiv, {.pivoting = pivoting}), 0);
        this->expect_factors(pivoting, A, ipiv);
      }
    }
  }
}

TYPED_TEST(MpiLu, PartialPivotingTakesLapacksPivots) {
  using T = TypeParam;
  for (const DistributionPtr& d : distributions(this->rt)) {
    auto reference = lu_matrix<T>(Pivoting::partial, 26, 26);
    std::vector<int> expected(26);
    ASSERT_EQ(vendor::getrf(Tile<T>{reference.data(), 26, 26, 26}, expected.data()), 0);
    const auto A = this->matrix(26, 26, 4, d, lu_entry<T>(Pivoting::partial, 26, 26));
    const auto ipiv = make_pivots(this->rt, A);
    ASSERT_TRUE(getrf(this->rt, A, ipiv).ok());
    EXPECT_EQ(pivots_of(this->rt, ipiv), std::vector<Index>(expected.begin(), expected.end())) << d->name();
  }
}

TYPED_TEST(MpiLu, SolvesWithRightHandSidesOnAnotherDistribution) {
  using T = TypeParam;
  const Index n = 22, nrhs = 7;
  const auto all = distributions(this->rt);
  const auto b_entry = generate::uniform<T>(2);
  const auto b = Dense<T>(n, nrhs).set([&](Index i, Index j) { return b_entry(i, j); });
  for (const Pivoting pivoting : pivotings) {
    const auto a = lu_matrix<T>(pivoting, n, n);
    for (const auto& [first, second] :
         {std::pair{all.front(), all.back()}, std::pair{all.back(), all.front()}}) {
      SCOPED_TRACE(describe(first, pivoting, n, n));
      const auto A = this->matrix(n, n, 4, first, lu_entry<T>(pivoting, n, n));
      const auto ipiv = make_pivots(this->rt, A);
      const TileMatrix<T> B(this->rt, n, nrhs, 4, 3, second);
      fill(this->rt, B, b_entry);
      this->expect_info(gesv(this->rt, A, ipiv, B, {.pivoting = pivoting}), 0);
      const auto x = this->gathered(B);
      if (this->rt.rank() == 0) {
        EXPECT_TRUE(solve_residual(a, x, b) < lapack_threshold);
      }
      for (const Op op : {Op::trans, Op::conj_trans}) {
        fill(this->rt, B, b_entry);
        this->expect_info(getrs(this->rt, op, A, ipiv, B), 0);
        const auto y = this->gathered(B);
        const auto op_a = Dense<T>(n, n).set(
            [&](Index i, Index j) { return op == Op::trans ? a(j, i) : conjugate(a(j, i)); });
        if (this->rt.rank() == 0) {
          EXPECT_TRUE(solve_residual(op_a, y, b) < lapack_threshold);
        }
      }
    }
  }
}

TYPED_TEST(MpiLu, InvertsOnEveryDistribution) {
  using T = TypeParam;
  for (const DistributionPtr& d : distributions(this->rt)) {
    for (const Pivoting pivoting : pivotings) {
      for (const Index n : {3, 22}) {
        SCOPED_TRACE(describe(d, pivoting, n, n));
        const auto A = this->matrix(n, n, 4, d, lu_entry<T>(pivoting, n, n));
        const auto ipiv = make_pivots(this->rt, A);
        ASSERT_TRUE(getrf(this->rt, A, ipiv, {.pivoting = pivoting}).ok());
        this->expect_info(getri(this->rt, A, ipiv), 0);
        const auto v = this->gathered(A);
        if (this->rt.rank() == 0) {
          EXPECT_TRUE(inverse_residual(lu_matrix<T>(pivoting, n, n), v) < lapack_threshold);
        }
      }
    }
  }
}

TYPED_TEST(MpiLu, EveryRankGetsTheIndexOfTheFirstZeroPivotAndTheNextCallWorks) {
  using T = TypeParam;
  for (const Pivoting pivoting : with_pivots) {
    for (const Singular& singular : singular_matrices) {
      SCOPED_TRACE(std::string(singular.what) + " " + static_cast<char>(pivoting));
      const auto entry = [&](Index i, Index j) {
        return T(static_cast<real_t<T>>(singular.entry(i + 1, j + 1)));
      };
      const auto A = this->matrix(singular_order, singular_order, 32, nullptr, entry);
      const auto ipiv = make_pivots(this->rt, A);
      this->expect_info(getrf(this->rt, A, ipiv, {.pivoting = pivoting}), singular.info);
      const auto factor = this->gathered(A);
      const auto pivots = pivots_of(this->rt, ipiv);
      ASSERT_TRUE(in_range(pivots, singular_order));
      if (this->rt.rank() == 0) {
        const auto original = Dense<T>(singular_order, singular_order).set(entry);
        EXPECT_TRUE(lu_residual(original, factor, pivots) < lapack_threshold);
      }
      if (singular.info > 0) {
        const auto ones = [](Index, Index) { return T{1}; };
        const auto B = this->matrix(singular_order, 2, 32, nullptr, ones);
        this->expect_info(getrs(this->rt, Op::no_trans, A, ipiv, B), singular.info);
        const auto x = this->gathered(B);
        if (this->rt.rank() == 0) {
          EXPECT_TRUE(identical(x, Dense<T>(singular_order, 2).set(ones)));
        }
      }
      const auto next = this->matrix(16, 16, 4, nullptr, lu_entry<T>(pivoting, 16, 16));
      const auto next_pivots = make_pivots(this->rt, next);
      this->expect_info(getrf(this->rt, next, next_pivots, {.pivoting = pivoting}), 0);
      this->expect_factors(pivoting, next, next_pivots);
    }
  }
}

TYPED_TEST(MpiLu, ReturnsWithPivotsInRangeWhereThereAreNaNs) {
  using T = TypeParam;
  const T nan(std::numeric_limits<real_t<T>>::quiet_NaN());
  for (const DistributionPtr& d : distributions(this->rt)) {
    for (const Pivoting pivoting : pivotings) {
      const auto A = this->matrix(14, 14, 4, d, [&, entry = lu_entry<T>(pivoting, 14, 14)](Index i, Index j) {
        return (i == 6 && j == 2) || (i == 1 && j == 9) ? nan : entry(i, j);
      });
      const auto ipiv = make_pivots(this->rt, A);
      const Info info = getrf(this->rt, A, ipiv, {.pivoting = pivoting});
      this->expect_info(info, info.index());
      EXPECT_TRUE(in_range(pivots_of(this->rt, ipiv), 14));
    }
  }
}

TYPED_TEST(MpiLu, FactorsTilesThatAreNotSquareOnAllRanks) {
  using T = TypeParam;
  for (const DistributionPtr& d : distributions(this->rt)) {
    for (const Pivoting pivoting : pivotings) {
      for (const auto& [m, n] : {std::pair<Index, Index>{45, 30}, {30, 45}}) {
        SCOPED_TRACE(describe(d, pivoting, m, n));
        const TileMatrix<T> A(this->rt, m, n, 4, 9, d), F(this->rt, m, n, 4, 9, d);
        fill(this->rt, A, lu_entry<T>(pivoting, m, n));
        lacpy(this->rt, Uplo::General, A, F);
        const auto ipiv = make_pivots(this->rt, F);
        this->expect_info(getrf(this->rt, F, ipiv, {.pivoting = pivoting}), 0);
        EXPECT_LT(lu_residual(this->rt, A, F, ipiv), residual_threshold);
      }
    }
  }
}

TYPED_TEST(MpiLu, EachRankSendsAndReceivesWhatThePlanSays) {
  using T = TypeParam;
  for (const DistributionPtr& d : distributions(this->rt)) {
    for (const Pivoting pivoting : pivotings) {
      for (const auto& [m, n] : {std::pair<Index, Index>{45, 30}, {30, 45}}) {
        SCOPED_TRACE(describe(d, pivoting, m, n));
        RuntimeOptions options;
        options.backend = BackendKind::recording;
        options.recorded_ranks = this->rt.num_ranks();
        options.record_tasks = false;
        Runtime plan(options);
        const TileMatrix<T> planned(plan, m, n, 4, d);
        (void)getrf(plan, planned, make_pivots(plan, planned), {.pivoting = pivoting});

        const auto A = this->matrix(m, n, 4, d, lu_entry<T>(pivoting, m, n));
        const auto ipiv = make_pivots(this->rt, A);
        const Traffic before = this->rt.traffic();
        const Index transport_before = this->rt.transport_bytes_sent().value_or(0);
        ASSERT_TRUE(getrf(this->rt, A, ipiv, {.pivoting = pivoting}).ok());
        const Traffic traffic = this->rt.traffic() - before;
        EXPECT_EQ(traffic, plan.graph().loads()[static_cast<std::size_t>(this->rt.rank())].traffic);
        EXPECT_EQ(this->rt.transport_bytes_sent().value_or(0) - transport_before, traffic.bytes_sent);
      }
    }
  }
}

TEST(MpiLuArguments, AFaultOfOneRankIsThrownOnAll) {
  Runtime rt(with_statistics());
  const bool last = rt.rank() == rt.num_ranks() - 1;
  if (rt.num_ranks() == 1) GTEST_SKIP() << "one rank cannot differ";
  const TileMatrix<double> A(rt, 12, 12, 4);
  const auto ipiv = make_pivots(rt, A);
  EXPECT_THROW((void)getrf(rt, A, ipiv, {.pivoting = last ? Pivoting::none : Pivoting::partial}),
               ArgumentError);
  EXPECT_THROW((void)getrf(rt, A, ipiv, {.priority = last ? 1 : 0}), ArgumentError);
  EXPECT_THROW((void)getrs(rt, last ? Op::trans : Op::no_trans, A, ipiv, TileMatrix<double>(rt, 12, 1, 4)),
               ArgumentError);
}

TEST(MpiLuWindow, ATinyWindowNeitherBlocksNorChangesTheResult) {
  RuntimeOptions options;
  options.window = 2;
  Runtime rt(options);
  for (const Pivoting pivoting : pivotings) {
    const auto original = lu_matrix<double>(pivoting, 64, 64);
    const TileMatrix<double> A(rt, 64, 64, 4);
    fill(rt, A, lu_entry<double>(pivoting, 64, 64));
    const auto ipiv = make_pivots(rt, A);
    ASSERT_TRUE(getrf(rt, A, ipiv, {.pivoting = pivoting}).ok());
    Dense<double> a(64, 64);
    gather(rt, A, a.data(), a.ld());
    const auto pivots = pivots_of(rt, ipiv);
    if (rt.rank() == 0) {
      EXPECT_TRUE(lu_residual(original, a, pivots) < lapack_threshold);
    }
  }
}

}  // namespace
}  // namespace tessera::test
