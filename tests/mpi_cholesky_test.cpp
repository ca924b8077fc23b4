// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <string>

#include "tests/support/dense.hpp"

namespace tessera::test {
namespace {

/// Every grid of all ranks.
std::vector<DistributionPtr> grids(const Runtime& rt) {
  std::vector<DistributionPtr> all;
  for (Rank p = 1; p <= rt.num_ranks(); ++p) {
    if (rt.num_ranks() % p == 0) all.push_back(std::make_shared<BlockCyclic2D>(p, rt.num_ranks() / p));
  }
  return all;
}

template <class T>
class MpiCholesky : public testing::Test {
 protected:
  Runtime rt;

  static T minimum(Index i, Index j) { return minimum_entry<T>(i, j); }

  void expect_ones(Uplo uplo, const TileMatrix<T>& A) const {
    for (Index tj = 0; tj < A.nt(); ++tj) {
      for (Index ti = 0; ti < A.mt(); ++ti) {
        const Tile<T> tile = A.tile(ti, tj);
        if (tile.data == nullptr) continue;
        for (Index c = 0; c < tile.cols; ++c) {
          for (Index r = 0; r < tile.rows; ++r) {
            const Index i = A.tiling().first_row(ti) + r, j = A.tiling().first_col(tj) + c;
            if (!in_triangle(uplo, i, j)) continue;
            ASSERT_EQ(tile(r, c), T{1}) << i << "," << j;
          }
        }
      }
    }
  }
};
TYPED_TEST_SUITE(MpiCholesky, Scalars);

TYPED_TEST(MpiCholesky, FactorOfTheMinimumMatrixIsOnesOnEveryGridAlsoWithMoreRanksThanTiles) {
  using T = TypeParam;
  for (const DistributionPtr& grid : grids(this->rt)) {
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      for (const auto& [n, nb] :
           {std::pair<Index, Index>{0, 4}, {1, 4}, {3, 2}, {20, 20}, {20, 10}, {33, 4}}) {
        SCOPED_TRACE(grid->name() + " n=" + std::to_string(n) + " nb=" + std::to_string(nb));
        const TileMatrix<T> A(this->rt, n, n, nb, grid);
        fill(this->rt, A, this->minimum);
        ASSERT_TRUE(potrf(this->rt, uplo, A).ok());
        this->expect_ones(uplo, A);
        EXPECT_EQ(logdet(this->rt, A), 0.0);
      }
    }
  }
}

TYPED_TEST(MpiCholesky, SolvesWithOperandsOnDifferentGrids) {
  using T = TypeParam;
  const Index n = 30, nrhs = 7;
  const auto a_entry = generate::hermitian<T>(1, n);
  const auto b_entry = generate::uniform<T>(2);
  const auto a = Dense<T>(n, n).set([&](Index i, Index j) { return a_entry(i, j); });
  const auto b = Dense<T>(n, nrhs).set([&](Index i, Index j) { return b_entry(i, j); });
  const auto all = grids(this->rt);
  for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
    const TileMatrix<T> A(this->rt, n, n, 4, all.front());
    const TileMatrix<T> B(this->rt, n, nrhs, 4, 3, all.back());
    fill(this->rt, A, a_entry);
    fill(this->rt, B, b_entry);
    ASSERT_TRUE(posv(this->rt, uplo, A, B).ok());
    Dense<T> x(n, nrhs);
    gather(this->rt, B, x.data(), x.ld());
    if (this->rt.rank() == 0) {
      EXPECT_TRUE(solve_residual(a, x, b) < lapack_threshold);
    }
  }
}

TYPED_TEST(MpiCholesky, InverseOfTheMinimumMatrixIsTridiagonal) {
  using T = TypeParam;
  const Index n = 22;
  for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
    const TileMatrix<T> A(this->rt, n, n, 4);
    fill(this->rt, A, this->minimum);
    ASSERT_TRUE(poinv(this->rt, uplo, A).ok());
    Dense<T> v(n, n);
    gather(this->rt, A, v.data(), v.ld());
    if (this->rt.rank() != 0) continue;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) {
        const int expected = i == j ? (i == n - 1 ? 1 : 2) : std::abs(i - j) == 1 ? -1 : 0;
        if (!in_triangle(uplo, i, j)) continue;
        ASSERT_EQ(v(i, j), T(static_cast<real_t<T>>(expected)));
      }
    }
  }
}

TYPED_TEST(MpiCholesky, EveryRankGetsTheSameInfoAndTheNextFactorisationWorks) {
  using T = TypeParam;
  for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
    for (const Index bad : {0, 5, 15}) {
      const TileMatrix<T> A(this->rt, 16, 16, 4);
      fill(this->rt, A, [bad](Index i, Index j) {
        return i == bad && j == bad ? T(static_cast<real_t<T>>(bad)) : minimum_entry<T>(i, j);
      });
      EXPECT_EQ(potrf(this->rt, uplo, A).index(), bad + 1);
      fill(this->rt, A, this->minimum);
      EXPECT_TRUE(potrf(this->rt, uplo, A).ok());
      this->expect_ones(uplo, A);
    }
  }
}

TYPED_TEST(MpiCholesky, BuffersOnOneRankAreSolvedInPlace) {
  using T = TypeParam;
  const Rank root = this->rt.num_ranks() - 1;
  auto a = Dense<T>(10, 10).set(this->minimum);
  T* data = this->rt.rank() == root ? a.data() : nullptr;
  const auto A = TileMatrix<T>::wrap(this->rt, 10, 10, data, 10, 4, 4, root);
  ASSERT_TRUE(potrf(this->rt, Uplo::Lower, A).ok());
  if (this->rt.rank() == root) {
    EXPECT_EQ(a(9, 0), T{1});
  }
}

class MpiErrors : public testing::Test {
 protected:
  Runtime rt;

  /// All ranks must throw an ArgumentError with the same message.
  template <class Call>
  std::string message_of(Call call) {
    std::string message = "no exception";
    try {
      call();
    } catch (const ArgumentError& e) {
      message = e.what();
    }
    const auto hash = static_cast<double>(std::hash<std::string>{}(message) % 1000003);
    for (const double other : rt.all_gather(hash)) EXPECT_EQ(other, hash) << message;
    return message;
  }
};

TEST_F(MpiErrors, AFaultOfOneRankIsThrownOnAll) {
  const bool last = rt.rank() == rt.num_ranks() - 1;
  const auto nb = message_of([&] { TileMatrix<double>(rt, 16, 16, last ? -1 : 4); });
  EXPECT_NE(nb.find("mb = -1"), std::string::npos) << nb;
  const auto n = message_of([&] { TileMatrix<double>(rt, last ? 17 : 16, 16, 4); });
  EXPECT_NE(n.find("m = 17"), std::string::npos) << n;
  const TileMatrix<double> A(rt, 16, 16, 4);
  const auto uplo = message_of([&] { (void)potrf(rt, last ? Uplo::Upper : Uplo::Lower, A); });
  EXPECT_NE(uplo.find("uplo = U"), std::string::npos) << uplo;
  const TileMatrix<double> A2(rt, 16, 16, 4);
  EXPECT_NE(message_of([&] { (void)potrf(rt, Uplo::Lower, last ? A2 : A); }), "no exception");
  EXPECT_NE(message_of([&] { (void)potrf(rt, Uplo::Lower, A.sub(last ? 1 : 0, last ? 1 : 0, 2, 2)); }),
            "no exception");
  EXPECT_NE(message_of([&] { lacpy(rt, Uplo::Lower, A, last ? A : A2); }), "no exception");
  EXPECT_NE(message_of([&] { (void)trtri(rt, Uplo::Lower, last ? Diag::Unit : Diag::NonUnit, A); }),
            "no exception");
  EXPECT_NE(message_of([&] { lascal(rt, Uplo::General, last ? 2.0 : 1.0, A); }), "no exception");
  const auto grid = message_of(
      [&] { TileMatrix<double>(rt, 16, 16, 4, std::make_shared<BlockCyclic2D>(rt.num_ranks(), 2)); });
  EXPECT_NE(grid.find("more ranks than the runtime"), std::string::npos) << grid;
  fill(rt, A, minimum_entry<double>);
  EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
}

TEST_F(MpiErrors, ATaskThatThrowsOnOneRankIsReportedOnAll) {
  const TileMatrix<double> A(rt, 16, 16, 4);
  const auto bad = [](Index i, Index j) -> double {
    if (i == 13 && j == 14) throw std::runtime_error("no such element");
    return 1;
  };
  try {
    fill(rt, A, bad);
    ADD_FAILURE() << "lost";
  } catch (const TaskError& e) {
    EXPECT_NE(std::string(e.what()).find("no such element"), std::string::npos) << e.what();
  }
  fill(rt, A, minimum_entry<double>);
  EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
}

TEST(MpiRuntime, StartsAndStopsAgainAndAgain) {
  for (int i = 0; i < 20; ++i) {
    Runtime rt;
    const TileMatrix<double> A(rt, 8, 8, 4);
    fill(rt, A, minimum_entry<double>);
    EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  }
}

struct CopyTile {
  static constexpr std::string_view name = "copy_tile";
  void cpu(Tile<const double> a, Tile<double> b) const noexcept { b(0, 0) = a(0, 0); }
};

/// Writes two tiles, of which only one can be at home on the rank that runs it.
struct SetBoth {
  static constexpr std::string_view name = "set_both";
  double value;
  void cpu(Tile<double> a, Tile<double> b) const { a(0, 0) = b(0, 0) = value; }
};

TEST(MpiRuntime, WhatTheCallerWritesBetweenWaitsReachesTheOtherRanks) {
  Runtime rt;
  const Rank P = rt.num_ranks();
  const TileMatrix<double> A(rt, P, 1, 1, std::make_shared<BlockCyclic2D>(P, 1));  // tile r on rank r
  const TileMatrix<double> B(rt, P, 1, 1, std::make_shared<BlockCyclic2D>(P, 1));
  Sequence sequence(rt);
  for (int round = 1; round <= 3; ++round) {
    A.tile(rt.rank(), 0)(0, 0) = 100 * round + rt.rank();
    for (Rank r = 0; r < P; ++r) sequence.submit(CopyTile{}, {}, A(r, 0), B((r + 1) % P, 0));
    EXPECT_TRUE(sequence.wait().ok());
    EXPECT_EQ(B.tile(rt.rank(), 0)(0, 0), 100 * round + (rt.rank() + P - 1) % P);
  }
}

TEST(MpiRuntime, ATileWrittenAwayFromHomeIsThereAfterTheWait) {
  Runtime rt;
  const Rank P = rt.num_ranks();
  const TileMatrix<double> A(rt, P, 1, 1, std::make_shared<BlockCyclic2D>(P, 1));
  Sequence sequence(rt);
  for (int round = 1; round <= 50; ++round) {
    for (Rank r = 0; r + 1 < P; r += 2) {
      sequence.submit(SetBoth{static_cast<double>(round)}, {}, A(r, 0), A(r + 1, 0));
    }
    EXPECT_TRUE(sequence.wait().ok());
    const bool paired = rt.rank() < P / 2 * 2;
    EXPECT_EQ(A.tile(rt.rank(), 0)(0, 0), paired ? round : 0);
  }
}

long resident_kb() {
  std::ifstream statm("/proc/self/statm");
  long size = 0, resident = 0;
  statm >> size >> resident;
  return resident * 4;
}

TEST(MpiRuntime, ThousandsOfCallsLeaveNothingBehind) {
  Runtime rt;
  if (rt.num_ranks() != 2) GTEST_SKIP() << "two ranks are enough, and the fastest here";
  const auto call = [&] {
    const TileMatrix<double> A(rt, 8, 8, 4);
    fill(rt, A, minimum_entry<double>);
    ASSERT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  };
  for (int i = 0; i < 500; ++i) call();
  const long before = resident_kb();
  for (int i = 0; i < 2000; ++i) call();
  EXPECT_LT(resident_kb() - before, 2000) << "kB: less than 1 kB per call";
}

TEST(MpiRuntime, WhatCannotStartOnOneRankStartsOnNone) {
  int rank = 0;
  {
    Runtime rt;
    rank = rt.rank();
  }
  RuntimeOptions options;
  if (rank == 1) options.workers = -1;
  EXPECT_THROW(Runtime{options}, Error);
  options.workers = 0;
  if (rank == 0) options.scheduler = "fastest";
  EXPECT_THROW(Runtime{options}, Error);
  Runtime rt;
  EXPECT_GE(rt.num_workers(), 1);
  options = {};
  if (rank == 1) options.workers = 77;
  EXPECT_THROW(Runtime{options}, RuntimeError) << "a second one, which one rank cannot share";
}

TEST(MpiRuntime, ATinyWindowNeitherBlocksNorChangesTheResult) {
  RuntimeOptions options;
  options.window = 2;
  Runtime rt(options);
  const Index n = 64;
  const TileMatrix<double> A(rt, n, n, 4), B(rt, n, 8, 4);
  fill(rt, A, minimum_entry<double>);
  fill(rt, B, [](Index i, Index) { return static_cast<double>(i + 1); });
  EXPECT_TRUE(posv(rt, Uplo::Lower, A, B).ok());
  Dense<double> x(n, 8);
  gather(rt, B, x.data(), x.ld());
  if (rt.rank() == 0) {
    for (Index i = 0; i < n; ++i) EXPECT_EQ(x(i, 0), i == n - 1 ? 1 : 0);  // B is A's last column
  }
}

}  // namespace
}  // namespace tessera::test
