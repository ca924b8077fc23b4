// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/refine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>

#include "tessera/tessera.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/tiles.hpp"

// On as many ranks as there are, one included.

namespace tessera::test {
namespace {

template <Scalar T>
TileMatrix<T> filled(Runtime& rt, Index m, Index n, Index nb, const std::function<T(Index, Index)>& f) {
  const TileMatrix<T> A(rt, m, n, nb);
  fill(rt, A, f);
  return A;
}

/// Positive definite with a condition number near `condition`: a weak diagonal, rows and columns scaled.
template <Scalar T>
std::function<T(Index, Index)> definite(Index n, double condition) {
  const auto random = generate::hermitian<T>(3, n);
  const double step = std::pow(condition, -0.5 / static_cast<double>(std::max<Index>(n - 1, 1)));
  return [=](Index i, Index j) {
    const double scale = std::pow(step, static_cast<double>(i + j));
    const T entry = i == j ? T(static_cast<real_t<T>>(2 * n)) : random(i, j) / static_cast<real_t<T>>(n);
    return static_cast<real_t<T>>(scale) * entry;
  };
}

template <class T>
class Refine : public testing::Test {
 protected:
  Runtime rt;
};
TYPED_TEST_SUITE(Refine, Scalars);

TYPED_TEST(Refine, BringsTheComponentwiseBackwardErrorToTheRoundingUnit) {
  using T = TypeParam;
  const Index n = 70, nb = 16, nrhs = 5;
  for (const Uplo uplo : uplos) {
    const auto A = filled<T>(this->rt, n, n, nb, definite<T>(n, 1e3));
    const auto B = filled<T>(this->rt, n, nrhs, nb, generate::uniform<T>(7));
    const TileMatrix<T> factor(this->rt, n, n, nb), X(this->rt, n, nrhs, nb);
    lacpy(this->rt, uplo, A, factor);
    ASSERT_TRUE(potrf(this->rt, uplo, factor).ok());
    lacpy(this->rt, Uplo::General, B, X);
    potrs(this->rt, uplo, factor, X);
    // A solution that is right to a few digits only.
    fill(this->rt, X, generate::uniform<T>(8));
    const Refinement r = porfs(this->rt, uplo, A, factor, B, X);
    EXPECT_GE(r.iterations, 1);
    EXPECT_LE(r.iterations, 5);
    EXPECT_FALSE(r.fell_back);
    ASSERT_TRUE(r.backward_error.has_value());
    EXPECT_LE(*r.backward_error, 2 * eps<T>);
    EXPECT_LT(solve_residual(this->rt, uplo, A, X, B), residual_threshold);
    const Refinement again = porfs(this->rt, uplo, A, factor, B, X);
    EXPECT_LE(again.iterations, 1);
  }
}

TYPED_TEST(Refine, ImprovesSolutionsOfGeneralSystemsAndTheirTransposes) {
  using T = TypeParam;
  const Index n = 70, nb = 16, nrhs = 5;
  for (const Op op : ops) {
    const auto A = filled<T>(this->rt, n, n, nb, generate::uniform<T>(5));
    const auto B = filled<T>(this->rt, n, nrhs, nb, generate::uniform<T>(7));
    const TileMatrix<T> factor(this->rt, n, n, nb), X(this->rt, n, nrhs, nb);
    const TileMatrix<Index> ipiv = make_pivots(this->rt, A);
    lacpy(this->rt, Uplo::General, A, factor);
    ASSERT_TRUE(getrf(this->rt, factor, ipiv).ok());
    fill(this->rt, X, generate::uniform<T>(8));
    const Refinement r = gerfs(this->rt, op, A, factor, ipiv, B, X);
    EXPECT_GE(r.iterations, 1);
    EXPECT_LE(r.backward_error.value(), 2 * eps<T>);
  }
}

TYPED_TEST(Refine, LeavesAnExactSolutionAsItIs) {
  using T = TypeParam;
  const Index n = 23, nb = 5;
  const auto A = filled<T>(this->rt, n, n, nb, minimum_entry<T>);
  const auto factor = filled<T>(this->rt, n, n, nb, [](Index, Index) { return T{1}; });
  const auto B = filled<T>(this->rt, n, 2, nb, [](Index i, Index) { return minimum_entry<T>(i, 22); });
  const auto X = filled<T>(this->rt, n, 2, nb, [](Index i, Index) { return i == 22 ? T{1} : T{0}; });
  const Refinement r = porfs(this->rt, Uplo::Lower, A, factor, B, X);
  EXPECT_EQ(r.iterations, 0);
  EXPECT_EQ(r.backward_error, 0);
  EXPECT_TRUE(holds(X, [](Index i, Index) { return i == 22 ? T{1} : T{0}; }));
}

TYPED_TEST(Refine, EndsWithNanAndReportsIt) {
  using T = TypeParam;
  const Index n = 23, nb = 5;
  const auto A = filled<T>(this->rt, n, n, nb, minimum_entry<T>);
  const auto factor = filled<T>(this->rt, n, n, nb, [](Index, Index) { return T{1}; });
  const auto B =
      filled<T>(this->rt, n, 1, nb, [](Index i, Index) { return i == 7 ? marked_nan<T>() : T{1}; });
  const auto X = filled<T>(this->rt, n, 1, nb, [](Index, Index) { return T{1}; });
  const Refinement r = porfs(this->rt, Uplo::Lower, A, factor, B, X);
  EXPECT_EQ(r.iterations, 0);
  EXPECT_TRUE(std::isnan(r.backward_error.value()));
}

/// A system with a factor and bad solutions, single columns of which can be set.
template <Scalar T>
struct Columns {
  static constexpr Index n = 41, nb = 8, nrhs = 5;

  explicit Columns(Runtime& rt)
      : A(filled<T>(rt, n, n, nb, generate::uniform<T>(5))),
        factor(filled<T>(rt, n, n, nb, generate::uniform<T>(5))),
        ipiv(make_pivots(rt, A)),
        B(filled<T>(rt, n, nrhs, nb, generate::uniform<T>(7))),
        X(filled<T>(rt, n, nrhs, nb, generate::uniform<T>(8))) {
    EXPECT_TRUE(getrf(rt, factor, ipiv).ok());
  }
  /// X(:, j) = x, and B(:, j) = b.
  void set_column(Index j, T b, T x) const {
    for (Index i = 0; i < n; ++i) {
      if (is_here(B, i, j)) element(B, i, j) = b;
      if (is_here(X, i, j)) element(X, i, j) = x;
    }
  }
  TileMatrix<T> column(const TileMatrix<T>& M, Runtime& rt, Index j) const {
    const TileMatrix<T> c(rt, n, 1, nb);
    lacpy(rt, Uplo::General, M, c, {.rows = n, .cols = 1, .a_col = j});
    return c;
  }

  TileMatrix<T> A, factor;
  TileMatrix<Index> ipiv;
  TileMatrix<T> B, X;
};

TYPED_TEST(Refine, AnEquationOfZerosIsNoErrorAndDoesNotStopTheOtherColumns) {
  using T = TypeParam;
  const Columns<T> c(this->rt);
  c.set_column(1, T(0), T(0));
  const Refinement r = gerfs(this->rt, Op::no_trans, c.A, c.factor, c.ipiv, c.B, c.X);
  EXPECT_TRUE(r.info.ok());
  EXPECT_GE(r.iterations, 1);
  EXPECT_LE(r.backward_error.value(), 2 * eps<T>);
  EXPECT_TRUE(holds(c.column(c.X, this->rt, 1), [](Index, Index) { return T(0); }));
}

TYPED_TEST(Refine, AColumnOfNaNsLeavesTheOthersWhatTheyAreWithoutIt) {
  using T = TypeParam;
  const Columns<T> with(this->rt), without(this->rt);
  with.set_column(3, T(1), marked_nan<T>());
  without.set_column(3, T(0), T(0));
  const Refinement r = gerfs(this->rt, Op::no_trans, with.A, with.factor, with.ipiv, with.B, with.X);
  EXPECT_GE(r.iterations, 1);
  EXPECT_TRUE(std::isnan(r.backward_error.value()));
  const Refinement s =
      gerfs(this->rt, Op::no_trans, without.A, without.factor, without.ipiv, without.B, without.X);
  EXPECT_LE(s.backward_error.value(), 2 * eps<T>);
  for (const Index j : {0, 1, 2, 4}) {
    EXPECT_LT(solve_residual(this->rt, Op::no_trans, with.A, with.column(with.X, this->rt, j),
                             with.column(with.B, this->rt, j)),
              residual_threshold)
        << j;
  }
}

TYPED_TEST(Refine, NeverMakesAColumnWorse) {
  using T = TypeParam;
  const Columns<T> c(this->rt);
  lacpy(this->rt, Uplo::General, c.B, c.X);
  ASSERT_TRUE(getrs(this->rt, Op::no_trans, c.factor, c.ipiv, c.X).ok());
  const TileMatrix<T> solution(this->rt, c.n, c.nrhs, c.nb);
  lacpy(this->rt, Uplo::General, c.X, solution);
  // The factor of another matrix: all corrections are wrong.
  const auto other = filled<T>(this->rt, c.n, c.n, c.nb, [](Index i, Index j) { return T(i == j ? 1 : 0); });
  const Refinement r =
      gerfs(this->rt, Op::no_trans, c.A, other, c.ipiv, c.B, c.X, {.pivoting = Pivoting::none});
  EXPECT_EQ(r.iterations, 0);
  geadd(this->rt, T(-1), c.X, T(1), solution);
  EXPECT_EQ(lange(this->rt, Norm::max, solution), 0);
}

TYPED_TEST(Refine, ASingularFactorIsReportedAndLeavesTheSolutionAlone) {
  using T = TypeParam;
  const Index n = 41, nb = 8;
  const auto ones = [](Index, Index) { return T{1}; };
  for (const Index zero : {1, 8, 30, 41}) {
    const auto factor = filled<T>(this->rt, n, n, nb, [&](Index i, Index j) {
      return T(i == j && i + 1 < zero ? 1 : 0);  // zeros from there on
    });
    const auto A = filled<T>(this->rt, n, n, nb, minimum_entry<T>), B = filled<T>(this->rt, n, 2, nb, ones);
    const auto X = filled<T>(this->rt, n, 2, nb, ones);
    for (const Refinement& r : {gerfs(this->rt, Op::trans, A, factor, make_pivots(this->rt, A), B, X),
                                porfs(this->rt, Uplo::Upper, A, factor, B, X)}) {
      for (const double info : this->rt.all_gather(static_cast<double>(r.info.index())))
        EXPECT_EQ(info, zero);
      EXPECT_EQ(r.iterations, 0);
      EXPECT_FALSE(r.backward_error.has_value());
      EXPECT_TRUE(holds(X, ones));
    }
  }
}

TYPED_TEST(Refine, WorksOnNothing) {
  using T = TypeParam;
  const TileMatrix<T> A(this->rt, 0, 0, 4), F(this->rt, 0, 0, 4), B(this->rt, 0, 3, 4), X(this->rt, 0, 3, 4);
  EXPECT_EQ(porfs(this->rt, Uplo::Lower, A, F, B, X).backward_error, 0);
}

template <class T>
class Mixed : public Refine<T> {};
using Doubles = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(Mixed, Doubles);

TYPED_TEST(Mixed, SolvesInDoubleWithAFactorInSingle) {
  using T = TypeParam;
  const Index n = 90, nb = 16;
  for (const Uplo uplo : uplos) {
    for (const Index nrhs : {1, 19}) {
      const auto entry = definite<T>(n, 1e4);
      const auto stored = [&](Index i, Index j) {
        return in_triangle(uplo, i, j) ? entry(i, j) : marked_nan<T>();
      };
      const auto A = filled<T>(this->rt, n, n, nb, stored);
      const auto B = filled<T>(this->rt, n, nrhs, nb, generate::uniform<T>(7));
      const TileMatrix<T> X(this->rt, n, nrhs, nb);
      const Refinement r = posv_mixed(this->rt, uplo, A, B, X);
      EXPECT_TRUE(r.info.ok());
      EXPECT_FALSE(r.fell_back);
      EXPECT_GE(r.iterations, 1);  // single precision alone cannot do it
      EXPECT_LT(r.backward_error.value(), 10 * eps<T>);
      EXPECT_LT(solve_residual(this->rt, uplo, A, X, B), residual_threshold);
      EXPECT_TRUE(holds(A, stored));
    }
  }
}

TYPED_TEST(Mixed, FallsBackWhereSinglePrecisionHasNoFactorOrDoesNotConverge) {
  using T = TypeParam;
  const Index n = 40, nb = 8;
  const auto solve = [&](const std::function<T(Index, Index)>& entry) {
    const auto original = filled<T>(this->rt, n, n, nb, entry), A = filled<T>(this->rt, n, n, nb, entry);
    const auto B = filled<T>(this->rt, n, 2, nb, generate::uniform<T>(7));
    const TileMatrix<T> X(this->rt, n, 2, nb);
    const Refinement r = posv_mixed(this->rt, Uplo::Lower, A, B, X);
    EXPECT_TRUE(r.info.ok());
    EXPECT_TRUE(r.fell_back);
    EXPECT_FALSE(r.backward_error.has_value());
    EXPECT_LT(solve_residual(this->rt, Uplo::Lower, original, X, B), residual_threshold);
  };
  // Too large for single precision.
  solve([&](Index i, Index j) { return T(1e60) * minimum_entry<T>(i, j); });
  // Definite by 1e-10 only: not in single precision.
  solve([&](Index i, Index j) { return T(1) + (i == j ? T(1e-10) : T(0)); });
}

TYPED_TEST(Mixed, DoesNotFallBackForSmallSystems) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 4, 7}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      SCOPED_TRACE(testing::Message() << "n=" << n << " seed " << seed);
      const auto random = generate::uniform<T>(seed);
      const auto entry = [&](Index i, Index j) {
        return i == j ? T(8 + std::abs(random(i, i))) : random(0, 1);
      };
      const auto B = filled<T>(this->rt, n, 3, 4, generate::uniform<T>(seed + 100));
      const auto A = filled<T>(
          this->rt, n, n, 4, [&](Index i, Index j) { return i < j ? conjugate(entry(i, j)) : entry(i, j); });
      const TileMatrix<T> X(this->rt, n, 3, 4);
      for (const Refinement& r : {posv_mixed(this->rt, Uplo::Lower, A, B, X),
                                  gesv_mixed(this->rt, A, make_pivots(this->rt, A), B, X)}) {
        EXPECT_TRUE(r.info.ok());
        EXPECT_FALSE(r.fell_back);
        EXPECT_LT(r.backward_error.value(), 10 * eps<T>);
        EXPECT_LT(solve_residual(this->rt, Op::no_trans, A, X, B), residual_threshold);
      }
    }
  }
}

TYPED_TEST(Mixed, TakesRightHandSidesBeyondTheRangeOfSinglePrecision) {
  using T = TypeParam;
  const Index n = 45, nb = 8;
  const auto random = generate::uniform<T>(7);
  constexpr double scales[] = {1, 1e60, 1e-60, 1e250, 1e-250, 0, 1e-37};
  const auto A = filled<T>(this->rt, n, n, nb, definite<T>(n, 1e4));
  const auto B = filled<T>(this->rt, n, 7, nb, [&](Index i, Index j) { return scales[j] * random(i, j); });
  const TileMatrix<T> X(this->rt, n, 7, nb);
  for (const Refinement& r : {posv_mixed(this->rt, Uplo::Lower, A, B, X),
                              gesv_mixed(this->rt, A, make_pivots(this->rt, A), B, X)}) {
    EXPECT_TRUE(r.info.ok());
    EXPECT_FALSE(r.fell_back);
    EXPECT_GE(r.iterations, 1);
    EXPECT_LT(r.backward_error.value(), 10 * eps<T>);
    EXPECT_LT(solve_residual(this->rt, Op::no_trans, A, X, B), residual_threshold);
  }
}

TYPED_TEST(Mixed, SolvesGeneralSystemsWithEveryPivoting) {
  using T = TypeParam;
  const Index n = 90, nb = 16, nrhs = 3;
  for (const Pivoting pivoting : {Pivoting::partial, Pivoting::tournament, Pivoting::none}) {
    const auto random = generate::uniform<T>(5);
    const auto entry = [&](Index i, Index j) {
      return random(i, j) + (i == j && pivoting == Pivoting::none ? T(n) : T(0));
    };
    const auto A = filled<T>(this->rt, n, n, nb, entry);
    const auto B = filled<T>(this->rt, n, nrhs, nb, generate::uniform<T>(7));
    const TileMatrix<T> X(this->rt, n, nrhs, nb);
    const Refinement r = gesv_mixed(this->rt, A, make_pivots(this->rt, A), B, X, {.pivoting = pivoting});
    EXPECT_TRUE(r.info.ok());
    EXPECT_FALSE(r.fell_back);
    EXPECT_GE(r.iterations, 1);
    EXPECT_LT(r.backward_error.value(), 10 * eps<T>);
    EXPECT_TRUE(holds(A, entry));
  }
}

TYPED_TEST(Mixed, FallsBackAndReportsASingularMatrix) {
  using T = TypeParam;
  const Index n = 30, nb = 8;
  const auto solve = [&](const std::function<T(Index, Index)>& entry) {
    const auto A = filled<T>(this->rt, n, n, nb, entry);
    const auto B = filled<T>(this->rt, n, 1, nb, [](Index, Index) { return T(1); });
    const TileMatrix<T> X(this->rt, n, 1, nb);
    const Refinement r = gesv_mixed(this->rt, A, make_pivots(this->rt, A), B, X);
    EXPECT_TRUE(r.fell_back);
    return r.info.index();
  };
  EXPECT_EQ(solve([](Index i, Index j) { return i == j ? T(1e200) : T(0); }), 0);
  EXPECT_EQ(solve([](Index i, Index j) { return i == j && i != 13 ? T(2) : T(0); }), 14);
  EXPECT_EQ(solve([](Index, Index) { return T(1); }), 2);
}

TYPED_TEST(Mixed, ReportsAMatrixThatIsNotPositiveDefinite) {
  using T = TypeParam;
  const Index n = 40, nb = 8;
  const auto A = filled<T>(this->rt, n, n, nb, [](Index i, Index j) {
    return i == 17 && j == 17 ? T(-1) : minimum_entry<T>(i, j);
  });
  const auto B = filled<T>(this->rt, n, 2, nb, [](Index, Index) { return T(1); });
  const TileMatrix<T> X(this->rt, n, 2, nb);
  const Refinement r = posv_mixed(this->rt, Uplo::Lower, A, B, X);
  EXPECT_TRUE(r.fell_back);
  for (const double info : this->rt.all_gather(static_cast<double>(r.info.index()))) EXPECT_EQ(info, 18);
}

TYPED_TEST(Mixed, RefusesArgumentsThatDoNotConform) {
  using T = TypeParam;
  const TileMatrix<T> A(this->rt, 20, 20, 4), B(this->rt, 20, 2, 4), X(this->rt, 20, 2, 4);
  const TileMatrix<T> short_X(this->rt, 19, 2, 4), narrow(this->rt, 20, 1, 4),
      other_tiles(this->rt, 20, 2, 5);
  EXPECT_THROW((void)posv_mixed(this->rt, Uplo::Lower, A, B, short_X), ArgumentError);
  EXPECT_THROW((void)posv_mixed(this->rt, Uplo::Lower, A, B, narrow), ArgumentError);
  EXPECT_THROW((void)posv_mixed(this->rt, Uplo::Lower, A, B, other_tiles), ArgumentError);
  EXPECT_THROW((void)posv_mixed(this->rt, Uplo::General, A, B, X), ArgumentError);
  EXPECT_THROW((void)posv_mixed(this->rt, Uplo::Lower, A, B, B), ArgumentError);
  EXPECT_THROW((void)posv_mixed(this->rt, Uplo::Lower, conj_trans(A), B, X), ArgumentError);
  EXPECT_THROW((void)porfs(this->rt, Uplo::Lower, A, A.sub(0, 0, 4, 4), B, X), ArgumentError);
}

TYPED_TEST(Mixed, NamesTheArgumentAtFault) {
  using T = TypeParam;
  const TileMatrix<T> A(this->rt, 20, 20, 4), F(this->rt, 20, 20, 4), B(this->rt, 20, 4, 4),
      X(this->rt, 20, 4, 4);
  const auto column = [](const TileMatrix<T>& M) { return M.sub(0, 1, 5, 1); };
  const auto ipiv = make_pivots(this->rt, A), short_ipiv = make_pivots(this->rt, A.sub(0, 0, 4, 4));
  const auto argument_of = [](auto call) -> std::string {
    try {
      (void)call();
    } catch (const ArgumentError& e) {
      return e.argument();
    }
    return "no exception";
  };
  const auto gerfs_of = [&](const auto& factor, const auto& pivots, const auto& b, const auto& x) {
    return argument_of([&] { return gerfs(this->rt, Op::no_trans, A, factor, pivots, b, x); });
  };
  EXPECT_EQ(gerfs_of(A, ipiv, B, X), "factor");
  EXPECT_EQ(gerfs_of(F, ipiv, column(F), X), "factor");
  EXPECT_EQ(gerfs_of(F, ipiv, column(A), X), "B");
  EXPECT_EQ(gerfs_of(F, ipiv, B, column(A)), "X");
  EXPECT_EQ(gerfs_of(F, ipiv, B, B), "X");
  EXPECT_EQ(gerfs_of(F, short_ipiv, B, X), "ipiv.m()");
  EXPECT_EQ(gerfs_of(F.sub(0, 0, 4, 5), ipiv, B, X), "factor.m()");
  EXPECT_EQ(argument_of([&] { return gesv_mixed(this->rt, A, short_ipiv, B, X); }), "ipiv.m()");
  EXPECT_EQ(argument_of([&] { return porfs(this->rt, Uplo::Lower, A, X, B, X); }), "factor.n()");
  RuntimeOptions options;
  options.backend = BackendKind::sequential;
  Runtime other(options);
  EXPECT_EQ(argument_of([&] { return make_pivots(other, A); }), "A");
  if (this->rt.num_ranks() == 1) return;
  const int mine = static_cast<int>(this->rt.rank());
  EXPECT_EQ(argument_of([&] { return gesv_mixed(this->rt, A, ipiv, B, X, {.priority = mine}); }),
            "arguments");
  EXPECT_EQ(argument_of([&] { return gerfs(this->rt, Op::trans, A, F, ipiv, B, X, {.priority = mine}); }),
            "arguments");
}

}  // namespace
}  // namespace tessera::test
