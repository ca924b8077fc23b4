// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/lu.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "kernels/cpu/lapack.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/lu.hpp"
#include "tests/support/tiles.hpp"

namespace tessera::test {
namespace {

struct Shape {
  Index m, n, nb;
};
/// Empty, one tile, ragged, square, tall and wide, with the last panel narrow or short.
constexpr Shape shapes[] = {{0, 5, 4},   {5, 0, 4},    {1, 1, 4},   {3, 3, 4},   {4, 4, 4},
                            {5, 5, 4},   {9, 5, 4},    {5, 9, 4},   {12, 12, 4}, {14, 14, 4},
                            {33, 20, 8}, {20, 33, 8},  {10, 10, 1}, {33, 33, 8}, {21, 8, 8},
                            {8, 21, 8},  {20, 20, 32}, {7, 30, 3},  {30, 7, 3}};

std::string describe(BackendKind kind, const Shape& s, Pivoting pivoting) {
  return std::string(name_of(kind)) + " m=" + std::to_string(s.m) + " n=" + std::to_string(s.n) +
         " nb=" + std::to_string(s.nb) + " pivoting=" + static_cast<char>(pivoting);
}

template <class T>
class Lu : public testing::Test {
 protected:
  static TileMatrix<T> tiles_of(Runtime& rt, Dense<T>& a, Index nb) {
    return TileMatrix<T>::wrap(rt, a.m(), a.n(), a.data(), a.ld(), nb);
  }
  static Dense<T> right_hand_sides(Index n, Index nrhs) {
    const auto entry = generate::uniform<T>(7);
    return Dense<T>(n, nrhs).set([&](Index i, Index j) { return entry(i, j); });
  }

  /// getrf of a dense matrix.
  struct Factored {
    Info info;
    std::vector<Index> ipiv;
  };
  static Factored factor(Runtime& rt, Dense<T>& a, Index nb, Pivoting pivoting) {
    const auto A = tiles_of(rt, a, nb);
    const auto ipiv = make_pivots(rt, A);
    const Info info = getrf(rt, A, ipiv, {.pivoting = pivoting});
    return {info, pivots_of(rt, ipiv)};
  }

  /// Runs test(runtime, shape, pivoting) for both backends.
  template <class F>
  static void for_each_case(F test) {
    for (const BackendKind kind : computing_backends) {
      Runtime rt = make_runtime(kind);
      for (const Shape& s : shapes) {
        for (const Pivoting pivoting : pivotings) {
          SCOPED_TRACE(describe(kind, s, pivoting));
          test(rt, s, pivoting);
        }
      }
    }
  }
};
TYPED_TEST_SUITE(Lu, Scalars);

TYPED_TEST(Lu, FactorResidualIsBelowLapacksThresholdForEveryShape) {
  this->for_each_case([this](Runtime& rt, const Shape& s, Pivoting pivoting) {
    const auto original = lu_matrix<TypeParam>(pivoting, s.m, s.n);
    auto a = original;
    const auto [info, ipiv] = this->factor(rt, a, s.nb, pivoting);
    EXPECT_TRUE(info.ok());
    ASSERT_TRUE(in_range(ipiv, s.m));
    EXPECT_TRUE(lu_residual(original, a, ipiv) < lapack_threshold);
    for (std::size_t i = 0; pivoting == Pivoting::none && i < ipiv.size(); ++i) {
      EXPECT_EQ(ipiv[i], static_cast<Index>(i) + 1);
    }
  });
}

TYPED_TEST(Lu, PartialPivotingTakesLapacksPivots) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Shape& s : shapes) {
      SCOPED_TRACE(describe(kind, s, Pivoting::partial));
      auto a = lu_matrix<T>(Pivoting::partial, s.m, s.n);
      auto reference = a;
      const auto ipiv = this->factor(rt, a, s.nb, Pivoting::partial).ipiv;
      std::vector<int> expected(ipiv.size());
      if (!ipiv.empty()) {
        ASSERT_EQ(vendor::getrf(Tile<T>{reference.data(), s.m, s.n, reference.ld()}, expected.data()), 0);
      }
      EXPECT_EQ(ipiv, std::vector<Index>(expected.begin(), expected.end()));
    }
  }
}

TYPED_TEST(Lu, SolvesWithTheMatrixItsTransposeAndItsAdjoint) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : pivotings) {
      for (const Index n : {0, 1, 4, 5, 12, 33}) {
        for (const Index nrhs : {0, 1, 10}) {
          const auto original = lu_matrix<T>(pivoting, n, n);
          const auto b = this->right_hand_sides(n, nrhs);
          auto a = original;
          const auto A = this->tiles_of(rt, a, 4);
          const auto ipiv = make_pivots(rt, A);
          const auto columns = [&](Dense<T>& x) {
            return TileMatrix<T>::wrap(rt, n, nrhs, x.data(), x.ld(), 4, 3, 0);
          };
          auto x = b;
          ASSERT_TRUE(gesv(rt, A, ipiv, columns(x), {.pivoting = pivoting}).ok());
          EXPECT_TRUE(solve_residual(original, x, b) < lapack_threshold);
          const auto factor = a;
          for (const Op op : {Op::no_trans, Op::trans, Op::conj_trans}) {
            SCOPED_TRACE(describe(kind, {n, nrhs, 4}, pivoting) + static_cast<char>(op));
            auto y = b;
            ASSERT_TRUE(getrs(rt, op, A, ipiv, columns(y)).ok());
            const auto op_a = transformed(op, original);
            EXPECT_TRUE(solve_residual(op_a, y, b) < lapack_threshold);
            EXPECT_TRUE(identical(a, factor));
            if (op == Op::no_trans) {
              EXPECT_TRUE(identical(x, y));
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(Lu, InverseResidualIsBelowLapacksThreshold) {
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : pivotings) {
      for (const Index n : {0, 1, 3, 4, 5, 12, 33}) {
        SCOPED_TRACE(describe(kind, {n, n, 4}, pivoting));
        const auto original = lu_matrix<TypeParam>(pivoting, n, n);
        auto a = original;
        const auto A = this->tiles_of(rt, a, 4);
        const auto ipiv = make_pivots(rt, A);
        ASSERT_TRUE(getrf(rt, A, ipiv, {.pivoting = pivoting}).ok());
        ASSERT_TRUE(getri(rt, A, ipiv).ok());
        EXPECT_TRUE(inverse_residual(original, a) < lapack_threshold);
      }
    }
  }
}

TYPED_TEST(Lu, FactorsTilesThatAreNotSquareAmongThemTheDefaultOnes) {
  using T = TypeParam;
  struct Tiles {
    Index m, n, mb, nb;
  };
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const auto& [m, n, mb, nb] : {Tiles{300, 40, 0, 0},
                                       {40, 300, 0, 0},
                                       {33, 20, 8, 5},
                                       {20, 33, 3, 8},
                                       {16, 16, 4, 16},
                                       {5, 5, 1, 9}}) {
      for (const Pivoting pivoting : pivotings) {
        SCOPED_TRACE(describe(kind, {m, n, nb}, pivoting));
        const auto original = lu_matrix<T>(pivoting, m, n);
        auto a = original, zeros = Dense<T>(m, n);
        const auto A = TileMatrix<T>::wrap(rt, m, n, a.data(), a.ld(), mb, nb, 0);
        EXPECT_NE(A.mb(), A.nb());
        const auto ipiv = make_pivots(rt, A);
        EXPECT_TRUE(getrf(rt, A, ipiv, {.pivoting = pivoting}).ok());
        ASSERT_TRUE(in_range(pivots_of(rt, ipiv), m));
        EXPECT_TRUE(lu_residual(original, a, pivots_of(rt, ipiv)) < lapack_threshold);
        const auto Z = TileMatrix<T>::wrap(rt, m, n, zeros.data(), zeros.ld(), mb, nb, 0);
        EXPECT_EQ(getrf(rt, Z, ipiv, {.pivoting = pivoting}).index(), 1);
      }
    }
  }
}

TYPED_TEST(Lu, ASingularMatrixIsCopiedBackFactored) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential);
  auto [a, factor] = without_pivot<T>(12, 5);
  const auto A = TileMatrix<T>::wrap(rt, 12, 12, a.data(), a.ld(), 3, 5, 0);
  EXPECT_EQ(getrf(rt, A, make_pivots(rt, A), {.pivoting = Pivoting::none}).index(), 5);
  EXPECT_TRUE(equals(a, factor));
}

TYPED_TEST(Lu, ReportsTheFirstZeroPivotAndCompletesTheFactorisation) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : with_pivots) {
      for (const Singular& singular : singular_matrices) {
        SCOPED_TRACE(std::string(name_of(kind)) + " " + singular.what + " " + static_cast<char>(pivoting));
        const auto original = Dense<T>(singular_order, singular_order).set([&](Index i, Index j) {
          return T(static_cast<real_t<T>>(singular.entry(i + 1, j + 1)));
        });
        auto a = original;
        const auto [info, ipiv] = this->factor(rt, a, 32, pivoting);
        EXPECT_EQ(info.index(), singular.info);
        ASSERT_TRUE(in_range(ipiv, singular_order));
        EXPECT_TRUE(lu_residual(original, a, ipiv) < lapack_threshold);
      }
    }
  }
}

TYPED_TEST(Lu, ReportsTheSecondPivotOfASmallSingularMatrixWithLapacksInterchanges) {
  using T = TypeParam;
  constexpr int entries[3][3] = {{1, 5, 7}, {2, 10, -3}, {5, 25, 1}};
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : with_pivots) {
      auto a = Dense<T>(3, 3).set([&](Index i, Index j) { return T(static_cast<real_t<T>>(entries[i][j])); });
      const auto [info, ipiv] = this->factor(rt, a, 4, pivoting);
      EXPECT_EQ(info.index(), 2);
      EXPECT_EQ(ipiv, (std::vector<Index>{3, 2, 3}));
    }
  }
}

TYPED_TEST(Lu, WithoutPivotsReportsTheFirstZeroPivotAndCompletesTheFactorisation) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Index bad : {1, 4, 5, 10}) {
      auto [a, factor] = without_pivot<T>(10, bad);
      EXPECT_EQ(this->factor(rt, a, 4, Pivoting::none).info.index(), bad);
      EXPECT_TRUE(equals(a, factor));
    }
  }
}

TYPED_TEST(Lu, DividesByPivotsOfWhichTheReciprocalIsNoNormalNumber) {
  using T = TypeParam;
  const Index n = 14;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : pivotings) {
      for (const Op op : {Op::no_trans, Op::trans}) {
        auto a = Dense<T>(n, n).set([](Index i, Index j) { return i == j ? extreme_pivot<T>(i) : T(0); });
        const auto x =
            Dense<T>(n, 2).set([](Index i, Index j) { return T(real_t<T>(i % 2 == j ? 0.5 : -0.25)); });
        auto b = Dense<T>(n, 2).set([&](Index i, Index j) { return x(i, j) * a(i, i); });
        const auto A = this->tiles_of(rt, a, 4), B = this->tiles_of(rt, b, 4);
        const auto ipiv = make_pivots(rt, A);
        EXPECT_TRUE(getrf(rt, A, ipiv, {.pivoting = pivoting}).ok());
        EXPECT_TRUE(getrs(rt, op, A, ipiv, B).ok());
        EXPECT_TRUE(equals(b, x)) << name_of(kind) << static_cast<char>(pivoting);
      }
    }
  }
}

TYPED_TEST(Lu, RefusesToSolveOrInvertWithASingularFactorAndLeavesTheOperandsAlone) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Index bad : {1, 4, 9, 14}) {
      auto a = lu_matrix<T>(Pivoting::partial, 14, 14);
      for (Index i = 0; i < 14; ++i) a(i, bad - 1) = T{0};
      auto b = this->right_hand_sides(14, 3);
      const auto before = b;
      const auto A = this->tiles_of(rt, a, 4);
      const auto B = this->tiles_of(rt, b, 4);
      const auto ipiv = make_pivots(rt, A);
      EXPECT_EQ(getrf(rt, A, ipiv).index(), bad);
      const auto factor = a;
      EXPECT_EQ(getrs(rt, Op::no_trans, A, ipiv, B).index(), bad);
      EXPECT_EQ(getrs(rt, Op::trans, A, ipiv, B).index(), bad);
      EXPECT_EQ(getri(rt, A, ipiv).index(), bad);
      EXPECT_TRUE(identical(b, before));
      EXPECT_TRUE(identical(a, factor));
      EXPECT_TRUE(gesv(rt, A, ipiv, B).index() > 0);
      EXPECT_TRUE(identical(b, before));
    }
  }
}

TYPED_TEST(Lu, TakesOneByOneMatrices) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : pivotings) {
      for (const int value : {4, 0, -1}) {
        Dense<T> a(1, 1);
        a(0, 0) = T(static_cast<real_t<T>>(value));
        const auto [info, ipiv] = this->factor(rt, a, 4, pivoting);
        EXPECT_EQ(info.index(), value == 0 ? 1 : 0);
        EXPECT_EQ(a(0, 0), T(static_cast<real_t<T>>(value)));
        EXPECT_EQ(ipiv, std::vector<Index>{1});
      }
    }
  }
}

TYPED_TEST(Lu, ReturnsWithPivotsInRangeWhereverANaNIs) {
  using T = TypeParam;
  const T nan(std::numeric_limits<real_t<T>>::quiet_NaN());
  this->for_each_case([&](Runtime& rt, const Shape& s, Pivoting pivoting) {
    if (s.m == 0 || s.n == 0) return;
    for (const auto& [i, j] :
         {std::pair<Index, Index>{0, 0}, {s.m / 2, s.n / 2}, {s.m - 1, 0}, {0, s.n - 1}}) {
      auto a = lu_matrix<T>(pivoting, s.m, s.n);
      a(i, j) = nan;
      (void)this->factor(rt, a, s.nb, pivoting);
      auto b = lu_matrix<T>(pivoting, s.m, s.n);
      b(i, j) = nan;
      EXPECT_TRUE(in_range(this->factor(rt, b, s.nb, pivoting).ipiv, s.m)) << i << "," << j;
    }
    Dense<T> all(s.m, s.n);
    all.set([&](Index, Index) { return nan; });
    EXPECT_TRUE(in_range(this->factor(rt, all, s.nb, pivoting).ipiv, s.m));
  });
}

TYPED_TEST(Lu, ANaNStaysInItsColumnsToTheLeftOfWhereItIs) {
  using T = TypeParam;
  const T nan(std::numeric_limits<real_t<T>>::quiet_NaN());
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : pivotings) {
      auto a = lu_matrix<T>(pivoting, 14, 14);
      auto finite = a;
      a(3, 13) = nan;  // in the last column, which is not used for any other
      const auto ipiv = this->factor(rt, a, 4, pivoting).ipiv;
      EXPECT_EQ(ipiv, this->factor(rt, finite, 4, pivoting).ipiv);
      for (Index j = 0; j < 13; ++j) {
        for (Index i = 0; i < 14; ++i) ASSERT_EQ(a(i, j), finite(i, j)) << i << "," << j;
      }
      EXPECT_TRUE(std::isnan(real_part(a(13, 13))));
    }
  }
}

TYPED_TEST(Lu, FactorsABlockOfALargerArrayAndLeavesItsBorderAlone) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : pivotings) {
      const auto block = lu_matrix<T>(pivoting, 7, 7);
      const auto inside = [](Index i) { return i >= 2 && i < 9; };
      auto a = Dense<T>(10, 10).set(
          [&](Index i, Index j) { return inside(i) && inside(j) ? block(i - 2, j - 2) : T(-77); });
      const auto A = TileMatrix<T>::wrap(rt, 7, 7, &a(2, 2), a.ld(), 4);
      const auto ipiv = make_pivots(rt, A);
      ASSERT_TRUE(getrf(rt, A, ipiv, {.pivoting = pivoting}).ok());
      Dense<T> factor(7, 7);
      factor.set([&](Index i, Index j) { return a(i + 2, j + 2); });
      EXPECT_TRUE(lu_residual(block, factor, pivots_of(rt, ipiv)) < lapack_threshold);
      for (Index j = 0; j < 10; ++j) {
        for (Index i = 0; i < 10; ++i) {
          if (!inside(i) || !inside(j)) {
            ASSERT_EQ(a(i, j), T(-77)) << i << "," << j;
          }
        }
      }
    }
  }
}

TYPED_TEST(Lu, FactorsSubMatricesAtTilesOfALargerMatrix) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : pivotings) {
      const auto original = lu_matrix<T>(pivoting, 22, 18);
      auto a = original;
      const auto A = this->tiles_of(rt, a, 4).sub(1, 1, 5, 4);
      const auto block = [](const Dense<T>& x) {
        return Dense<T>(18, 14).set([&](Index i, Index j) { return x(i + 4, j + 4); });
      };
      // Rows 5 .. 18 of a longer vector of pivots.
      const auto pivots = TileMatrix<Index>(rt, 20, 1, 4, 1, nullptr).sub(1, 0, 4, 1);
      EXPECT_THROW((void)getrf(rt, A, pivots), ArgumentError);
      const auto ipiv = make_pivots(rt, A);
      ASSERT_TRUE(getrf(rt, A, ipiv, {.pivoting = pivoting}).ok());
      const auto shifted = lu_matrix<T>(pivoting, 22, 18);
      EXPECT_TRUE(lu_residual(block(shifted), block(a), pivots_of(rt, ipiv)) < lapack_threshold);
      for (Index j = 0; j < 18; ++j) {
        for (Index i = 0; i < 22; ++i) {
          if (i < 4 || j < 4) {
            ASSERT_EQ(a(i, j), original(i, j));
          }
        }
      }
    }
  }
}

TYPED_TEST(Lu, LeadingDimensionsMayExceedTheRowsAndTheRowsBeyondStay) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Index guard_rows : {0, 2}) {
      Dense<T> a(3, 7, guard_rows);
      std::fill_n(a.data(), a.ld() * 7, T(-77));
      const auto original = lu_matrix<T>(Pivoting::partial, 3, 7);
      a.set([&](Index i, Index j) { return original(i, j); });
      const auto [info, ipiv] = this->factor(rt, a, 2, Pivoting::partial);
      EXPECT_TRUE(info.ok());
      EXPECT_TRUE(lu_residual(original, a, ipiv) < lapack_threshold);
      for (Index j = 0; j < 7; ++j) {
        for (Index i = 3; i < a.ld(); ++i) EXPECT_EQ(a.data()[i + j * a.ld()], T(-77));
      }
    }
    Dense<T> a(3, 7);
    try {
      TileMatrix<T>::wrap(rt, 3, 7, a.data(), 2, 2);
      ADD_FAILURE() << "lda = 2 for 3 rows";
    } catch (const ArgumentError& e) {
      EXPECT_EQ(e.argument(), "lda");
    }
  }
}

TYPED_TEST(Lu, CallsMayBeChainedInOneSequence) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : pivotings) {
      const auto original = lu_matrix<T>(pivoting, 21, 21);
      const auto b = this->right_hand_sides(21, 5);
      auto a = original;
      auto x = b;
      const auto A = this->tiles_of(rt, a, 4), X = this->tiles_of(rt, x, 4);
      const auto ipiv = make_pivots(rt, A);
      Sequence sequence(rt);
      getrf(sequence, A, ipiv, {.pivoting = pivoting});
      getrs(sequence, Op::no_trans, A, ipiv, X);
      getri(sequence, A, ipiv);
      ASSERT_TRUE(sequence.wait().ok());
      EXPECT_TRUE(solve_residual(original, x, b) < lapack_threshold);
      EXPECT_TRUE(inverse_residual(original, a) < lapack_threshold);
    }
  }
}

TYPED_TEST(Lu, PivotsInACallersBufferAreLapacks) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    const auto original = lu_matrix<T>(Pivoting::partial, 11, 9);
    auto a = original;
    std::vector<Index> ipiv(9);
    const auto pivots = TileMatrix<Index>::wrap(rt, 9, 1, ipiv.data(), 9, 4, 1, 0);
    ASSERT_TRUE(getrf(rt, this->tiles_of(rt, a, 4), pivots).ok());
    EXPECT_TRUE(lu_residual(original, a, ipiv) < lapack_threshold);
  }
}

TYPED_TEST(Lu, OverwritesThePivotsOfAnotherCallAlsoWhereAPanelIsOneRow) {
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Pivoting pivoting : pivotings) {
      for (const Shape& s : {Shape{1, 20, 20}, Shape{33, 48, 16}, Shape{17, 17, 16}}) {
        SCOPED_TRACE(describe(kind, s, pivoting));
        auto a = lu_matrix<TypeParam>(pivoting, s.m, s.n), again = a;
        const auto ipiv = make_pivots(rt, this->tiles_of(rt, a, s.nb));
        EXPECT_TRUE(getrf(rt, this->tiles_of(rt, a, s.nb), ipiv, {.pivoting = pivoting}).ok());
        const auto expected = pivots_of(rt, ipiv);
        ASSERT_TRUE(in_range(expected, s.m));
        EXPECT_TRUE(getrf(rt, this->tiles_of(rt, again, s.nb), ipiv, {.pivoting = pivoting}).ok());
        EXPECT_EQ(pivots_of(rt, ipiv), expected);
        EXPECT_TRUE(identical(a, again));
      }
    }
  }
}

TYPED_TEST(Lu, PivotsThatNobodyHasComputedDoNoHarm) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    auto a = lu_matrix<T>(Pivoting::none, 10, 10);
    auto b = this->right_hand_sides(10, 2);
    std::vector<Index> ipiv{0, -5, 1000000007, 4, 4, 11, 6, std::numeric_limits<Index>::min(), 10, 10};
    const auto pivots = TileMatrix<Index>::wrap(rt, 10, 1, ipiv.data(), 10, 4, 1, 0);
    EXPECT_TRUE(getrs(rt, Op::no_trans, this->tiles_of(rt, a, 4), pivots, this->tiles_of(rt, b, 4)).ok());
  }
}

TYPED_TEST(Lu, TheLibrarysResidualsAreTheDefinitionsAndSeeErrors) {
  using T = TypeParam;
  const auto near = [](double value, double expected) {
    return std::abs(value - expected) <= 0.05 * expected;
  };
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const auto& [m, n, nb] : {Shape{14, 14, 4}, {13, 6, 4}, {6, 13, 4}, {5, 5, 8}}) {
      auto original = lu_matrix<T>(Pivoting::partial, m, n);
      auto a = original;
      const auto A = this->tiles_of(rt, original, nb), F = this->tiles_of(rt, a, nb);
      const auto ipiv = make_pivots(rt, A);
      ASSERT_TRUE(getrf(rt, F, ipiv).ok());
      EXPECT_LT(lu_residual(rt, A, F, ipiv), residual_threshold);
      a(m - 1, n / 2) += T(1);
      EXPECT_PRED2(near, lu_residual(rt, A, F, ipiv), lu_residual(original, a, pivots_of(rt, ipiv)));
      a(m / 2, 0) = T(std::numeric_limits<real_t<T>>::quiet_NaN());
      EXPECT_FALSE(lu_residual(rt, A, F, ipiv) < residual_threshold);
    }
    auto a = lu_matrix<T>(Pivoting::none, 14, 14);
    auto x = this->right_hand_sides(14, 3), b = this->right_hand_sides(14, 3), v = a;
    const auto A = this->tiles_of(rt, a, 4), V = this->tiles_of(rt, v, 4);
    for (const Op op : {Op::no_trans, Op::trans, Op::conj_trans}) {
      const auto op_a = transformed(op, a);
      EXPECT_PRED2(near, solve_residual(rt, op, A, this->tiles_of(rt, x, 4), this->tiles_of(rt, b, 4)),
                   solve_residual(op_a, x, b));
    }
    EXPECT_PRED2(near, inverse_residual(rt, A, V), inverse_residual(a, v));
  }
}

TEST(LuArguments, AreCheckedBeforeAnythingIsSubmitted) {
  Runtime rt = make_runtime(BackendKind::sequential);
  const TileMatrix<double> A(rt, 12, 12, 4), tall(rt, 12, 8, 4), oblong(rt, 12, 12, 4, 3, nullptr);
  const TileMatrix<double> B(rt, 12, 2, 4), short_B(rt, 11, 2, 4), B_in_threes(rt, 12, 2, 3);
  const TileMatrix<Index> ipiv = make_pivots(rt, A);
  const auto argument_of = [](auto call) -> std::string {
    try {
      call();
    } catch (const ArgumentError& e) {
      return e.argument();
    }
    return "no exception";
  };
  const auto pivots = [&](Index n, Index columns, Index nb) {
    return TileMatrix<Index>(rt, n, columns, nb, 1, nullptr);
  };
  EXPECT_EQ(argument_of([&] { (void)getrf(rt, oblong, ipiv); }), "ipiv.mb()");
  EXPECT_EQ(argument_of([&] { (void)gesv(rt, oblong, make_pivots(rt, oblong), B); }), "A.nb()");
  EXPECT_EQ(argument_of([&] { (void)getri(rt, oblong, make_pivots(rt, oblong)); }), "A.nb()");
  EXPECT_EQ(argument_of([&] { (void)getrf(rt, trans(A), ipiv); }), "A.op()");
  EXPECT_EQ(argument_of([&] { (void)getrf(rt, A, pivots(11, 1, 4)); }), "ipiv.m()");
  EXPECT_EQ(argument_of([&] { (void)getrf(rt, A, pivots(12, 2, 4)); }), "ipiv.n()");
  EXPECT_EQ(argument_of([&] { (void)getrf(rt, A, pivots(12, 1, 3)); }), "ipiv.mb()");
  EXPECT_EQ(argument_of([&] { (void)getrf(rt, tall, ipiv); }), "ipiv.m()");
  EXPECT_EQ(argument_of([&] { (void)getrf(rt, A, ipiv, {.pivoting = static_cast<Pivoting>('x')}); }),
            "pivoting");
  for (const int priority : {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
    EXPECT_EQ(argument_of([&] { (void)getrf(rt, A, ipiv, {.priority = priority}); }), "priority");
    EXPECT_EQ(argument_of([&] { (void)potrf(rt, Uplo::Lower, A, {.priority = priority}); }), "priority");
    EXPECT_EQ(argument_of([&] { gemm(rt, 1.0, A, A, 0.0, B, {.priority = priority}); }), "priority");
  }
  fill(rt, A, [](Index i, Index j) { return i == j ? 1.0 : 0.0; });
  EXPECT_TRUE(getrf(rt, A, ipiv, {.priority = -1'000'000'000}).ok());
  EXPECT_EQ(argument_of([&] { (void)getrs(rt, static_cast<Op>('x'), A, ipiv, B); }), "op");
  EXPECT_EQ(argument_of([&] { (void)getrs(rt, Op::trans, tall, make_pivots(rt, tall), B); }), "A.n()");
  EXPECT_EQ(argument_of([&] { (void)getrs(rt, Op::trans, A, ipiv, short_B); }), "B.m()");
  EXPECT_EQ(argument_of([&] { (void)getrs(rt, Op::trans, A, ipiv, B_in_threes); }), "B.mb()");
  EXPECT_EQ(argument_of([&] { (void)getrs(rt, Op::trans, A, ipiv, A); }), "B");
  EXPECT_EQ(argument_of([&] { (void)gesv(rt, A, ipiv, trans(A)); }), "B.op()");
  EXPECT_EQ(argument_of([&] { (void)getri(rt, tall, make_pivots(rt, tall)); }), "A.n()");
}

}  // namespace
}  // namespace tessera::test
