// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/support/backends.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"

// Every test is collective: it passes on any number of ranks.

namespace tessera::test {
namespace {

constexpr Uplo triangles[] = {Uplo::Lower, Uplo::Upper};
constexpr Index sizes[] = {0, 1,  3,
                           4, 12, 13};  // empty, one element, below one tile, one tile, three, ragged
constexpr Index nb = 4;

/// The exact case of which everything is known: A = min(i, j), its factor, its inverse, and A X = B in integers.
/// Triangles that must not be read hold NaN.
template <Scalar T>
struct Exact {
  Exact(Runtime& runtime, Uplo triangle, Index order, Index nrhs = 3)
      : rt(runtime),
        uplo(triangle),
        n(order),
        A(rt, n, n, nb),
        F(rt, n, n, nb),
        V(rt, n, n, nb),
        X(rt, n, nrhs, nb),
        B(rt, n, nrhs, nb) {
    set_triangle(A, minimum_entry<T>);
    set_triangle(F, [](Index, Index) { return T{1}; });
    set_triangle(V, [&](Index i, Index j) { return inverse_entry(i, j); });
    set_directly(X, x);
    set_directly(B, [&](Index i, Index j) {
      T sum{};
      for (Index k = 0; k < n; ++k) sum += minimum_entry<T>(i, k) * x(k, j);
      return sum;
    });
  }

  template <class Entry>
  void set_triangle(const TileMatrix<T>& M, Entry entry) {
    set_directly(
        M, [&](Index i, Index j) { return in_triangle(uplo, i, j) ? T{entry(i, j)} : marked_nan<T>(); });
  }
  static T x(Index i, Index j) { return T(static_cast<real_t<T>>((3 * i + 5 * j) % 7 - 3)); }
  T inverse_entry(Index i, Index j) const {
    if (i == j) return i == n - 1 ? T{1} : T{2};
    return std::abs(i - j) == 1 ? T{-1} : T{0};
  }

  double cholesky() { return cholesky_residual(rt, uplo, A, F); }
  double solve() { return solve_residual(rt, uplo, A, X, B); }
  double inverse() { return inverse_residual(rt, uplo, A, V); }
  /// n(n+1)/2
  double norm_of_A() const { return static_cast<double>(n * (n + 1) / 2); }

  Runtime& rt;
  Uplo uplo;
  Index n;
  TileMatrix<T> A, F, V, X, B;
};

/// M(i, j) = value where this rank has it.
template <Scalar T>
void put(const TileMatrix<T>& M, Index i, Index j, std::type_identity_t<T> value) {
  if (is_here(M, i, j)) element(M, i, j) = value;
}

template <class T>
class Check : public testing::Test {};
TYPED_TEST_SUITE(Check, Scalars);

TYPED_TEST(Check, ExactResultsHaveResidualZeroAndOnlyTheStoredTriangleIsRead) {
  for (const BackendKind backend : computing_backends) {
    Runtime rt = make_runtime(backend);
    for (const Uplo uplo : triangles) {
      for (const Index n : sizes) {
        SCOPED_TRACE(std::string(name_of(backend)) + " " + static_cast<char>(uplo) +
                     " n=" + std::to_string(n));
        Exact<TypeParam> e(rt, uplo, n);
        EXPECT_EQ(e.cholesky(), 0.0);
        EXPECT_EQ(e.solve(), 0.0);
        EXPECT_EQ(e.inverse(), 0.0);
      }
    }
  }
}

TYPED_TEST(Check, AnErrorOfOneInOneEntryGivesTheResidualOfTheDefinition) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::starpu);
  for (const Uplo uplo : triangles) {
    for (const Index n : {4, 13}) {
      SCOPED_TRACE(std::string(1, static_cast<char>(uplo)) + " n=" + std::to_string(n));
      Exact<T> e(rt, uplo, n);
      const Index last = n - 1;
      const auto order = static_cast<double>(n);

      // L(n,1) = 2: row and column n of L L^H grow by 1, their crossing by 3.
      uplo == Uplo::Lower ? put(e.F, last, 0, T{2}) : put(e.F, 0, last, T{2});
      EXPECT_DOUBLE_EQ(e.cholesky(), (order + 2) / (order * e.norm_of_A() * eps<T>));

      // V(1,1) = 3: column 1 of A V grows by column 1 of A, n ones; ||V||_1 stays 4.
      put(e.V, 0, 0, T{3});
      EXPECT_DOUBLE_EQ(e.inverse(), order / (order * e.norm_of_A() * 4 * eps<T>));

      // X(1,2) grows by 1: so does the residual of column 2, by column 1 of A.
      put(e.X, 0, 1, e.x(0, 1) + T{1});
      double norm_x = std::abs(e.x(0, 1) + T{1});
      for (Index i = 1; i < n; ++i) norm_x += std::abs(e.x(i, 1));
      EXPECT_DOUBLE_EQ(e.solve(), order / (e.norm_of_A() * norm_x * eps<T>));

      EXPECT_GT(e.cholesky(), residual_threshold);
      EXPECT_GT(e.inverse(), residual_threshold);
      EXPECT_GT(e.solve(), residual_threshold);
    }
  }
}

TYPED_TEST(Check, ResidualsOfRealProblemsAgreeWithTheDefinitionAndPass) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::starpu);
  const Index n = 29, nrhs = 6;
  const auto a = generate::hermitian<T>(1, n);
  const auto b = generate::uniform<T>(2);
  for (const Uplo uplo : triangles) {
    SCOPED_TRACE(static_cast<char>(uplo));
    const TileMatrix<T> A(rt, n, n, nb), F(rt, n, n, nb), V(rt, n, n, nb), X(rt, n, nrhs, nb),
        B(rt, n, nrhs, nb);
    for (const auto& M : {A, F, V}) fill(rt, uplo, M, a);
    for (const auto& M : {X, B}) fill(rt, M, b);
    ASSERT_TRUE(posv(rt, uplo, F, X).ok());
    ASSERT_TRUE(poinv(rt, uplo, V).ok());

    const auto dense = [&](const TileMatrix<T>& M) {
      Dense<T> m(M.m(), M.n());
      gather(rt, M, m.data(), m.ld());
      return m;
    };
    const Dense<T> f = dense(F), v = dense(V), x = dense(X);
    const double cholesky = cholesky_residual(rt, uplo, A, F);
    const double solve = solve_residual(rt, uplo, A, X, B);
    const double inverse = inverse_residual(rt, uplo, A, V);
    for (const double residual : {cholesky, solve, inverse}) {
      EXPECT_LT(residual, residual_threshold);
      EXPECT_GT(residual, 0.0);
    }
    if (rt.rank() != 0) continue;  // only rank 0 gathers
    // A residual is a sum of rounding errors: another order of summation gives others of the same size.
    const Dense<T> full_a = Dense<T>(n, n).set(a);
    EXPECT_NEAR(cholesky, factor_residual(full_a, lower_factor(uplo, f)), 1.0);
    EXPECT_NEAR(solve, solve_residual(full_a, x, Dense<T>(n, nrhs).set(b)), 1.0);
    EXPECT_NEAR(inverse, inverse_residual(full_a, hermitian(uplo, v)), 1.0);
  }
}

TYPED_TEST(Check, FactorOfAnotherMatrixFails) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::starpu);
  const Index n = 13;
  const TileMatrix<T> A(rt, n, n, nb), F(rt, n, n, nb);
  fill(rt, A, generate::hermitian<T>(1, n));
  fill(rt, F, generate::hermitian<T>(2, n));
  ASSERT_TRUE(potrf(rt, Uplo::Lower, F).ok());
  EXPECT_GT(cholesky_residual(rt, Uplo::Lower, A, F), residual_threshold);
}

TYPED_TEST(Check, NaNAnywhereInAnOperandIsNaNInTheResidual) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential);
  const Index n = 13;
  for (const Uplo uplo : triangles) {
    for (const auto& [i, j] : {std::pair<Index, Index>{0, 0}, {12, 12}, {12, 0}, {6, 5}, {9, 2}}) {
      SCOPED_TRACE(std::string(1, static_cast<char>(uplo)) + " " + std::to_string(i) + "," +
                   std::to_string(j));
      const auto spoil = [&](const TileMatrix<T>& M) {
        uplo == Uplo::Lower ? put(M, i, j, marked_nan<T>()) : put(M, j, i, marked_nan<T>());
      };
      {
        Exact<T> e(rt, uplo, n);
        spoil(e.A);
        EXPECT_TRUE(std::isnan(e.cholesky()));
        EXPECT_TRUE(std::isnan(e.solve()));
        EXPECT_TRUE(std::isnan(e.inverse()));
      }
      Exact<T> e(rt, uplo, n);
      spoil(e.F);
      spoil(e.V);
      EXPECT_TRUE(std::isnan(e.cholesky()));
      EXPECT_TRUE(std::isnan(e.inverse()));
      EXPECT_FALSE(e.cholesky() < residual_threshold);
    }
    Exact<T> x(rt, uplo, n), b(rt, uplo, n);
    put(x.X, 12, 1, marked_nan<T>());
    put(b.B, 0, 2, marked_nan<T>());
    EXPECT_TRUE(std::isnan(x.solve()));
    EXPECT_TRUE(std::isnan(b.solve()));
  }
}

TYPED_TEST(Check, InfinityNeverPasses) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential);
  const T infinity = std::numeric_limits<real_t<T>>::infinity();
  for (auto spoiled : {&Exact<T>::A, &Exact<T>::F, &Exact<T>::V, &Exact<T>::X, &Exact<T>::B}) {
    Exact<T> e(rt, Uplo::Lower, 13);
    put(e.*spoiled, 9, 2, infinity);
    const double worst = spoiled == &Exact<T>::F   ? e.cholesky()
                         : spoiled == &Exact<T>::V ? e.inverse()
                                                   : e.solve();
    EXPECT_FALSE(worst < residual_threshold) << worst;
  }
}

TYPED_TEST(Check, ZeroMatrixGivesOneOverEps) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential);
  Exact<T> e(rt, Uplo::Lower, 13);
  const auto zero = [](Index, Index) { return T{0}; };
  set_directly(e.V, zero);
  EXPECT_EQ(e.inverse(), 1 / eps<T>);
  set_directly(e.A, zero);
  EXPECT_EQ(e.cholesky(), 1 / eps<T>);
  EXPECT_EQ(e.inverse(), 1 / eps<T>);
  EXPECT_EQ(e.solve(), 1 / eps<T>);
}

TYPED_TEST(Check, ZeroSolutionIsRightForAZeroRightHandSideOnly) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential);
  Exact<T> e(rt, Uplo::Upper, 13, 1);
  const auto zero = [](Index, Index) { return T{0}; };
  set_directly(e.X, zero);
  EXPECT_EQ(e.solve(), 1 / eps<T>);
  set_directly(e.B, zero);
  EXPECT_EQ(e.solve(), 0.0);
}

TYPED_TEST(Check, ImaginaryPartsOnTheDiagonalOfAHermitianMatrixDoNotCount) {
  using T = TypeParam;
  if constexpr (is_complex<T>) {
    Runtime rt = make_runtime(BackendKind::sequential);
    for (const Uplo uplo : triangles) {
      Exact<T> e(rt, uplo, 13);
      for (Index i = 0; i < e.n; ++i) {
        put(e.A, i, i, minimum_entry<T>(i, i) + T(0, 7));
        put(e.V, i, i, e.inverse_entry(i, i) + T(0, 5));
      }
      EXPECT_EQ(e.cholesky(), 0.0);
      EXPECT_EQ(e.solve(), 0.0);
      EXPECT_EQ(e.inverse(), 0.0);
    }
  }
}

TYPED_TEST(Check, TransposedViewsAreTheMatricesTheyShow) {
  Runtime rt = make_runtime(BackendKind::sequential);
  Exact<TypeParam> e(rt, Uplo::Lower, 13);
  const TileMatrix<TypeParam> X(rt, e.X.n(), e.X.m(), nb), A = conj_trans(e.A);
  lacpy(rt, Uplo::General, conj_trans(e.X), X);
  EXPECT_EQ(cholesky_residual(rt, Uplo::Upper, A, conj_trans(e.F)), 0.0);
  EXPECT_EQ(solve_residual(rt, Uplo::Upper, A, conj_trans(X), e.B), 0.0);
  EXPECT_EQ(inverse_residual(rt, Uplo::Upper, A, conj_trans(e.V)), 0.0);
}

TYPED_TEST(Check, OperandsAreNotChanged) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::starpu);
  Exact<T> e(rt, Uplo::Lower, 13), before(rt, Uplo::Lower, 13);
  EXPECT_EQ(e.cholesky() + e.solve() + e.inverse(), 0.0);
  for (auto matrix : {&Exact<T>::A, &Exact<T>::F, &Exact<T>::V, &Exact<T>::X, &Exact<T>::B}) {
    EXPECT_TRUE(holds(e.*matrix, [&](Index i, Index j) {
      return is_here(before.*matrix, i, j) ? element(before.*matrix, i, j) : T{};
    }));
  }
}

TYPED_TEST(Check, WrongArgumentsAreNamed) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential);
  Exact<T> e(rt, Uplo::Lower, 13);
  const auto rejected = [](const char* argument, auto&& call) {
    try {
      call();
      ADD_FAILURE() << argument << " accepted";
    } catch (const ArgumentError& error) {
      EXPECT_EQ(error.argument(), argument);
    }
  };
  const TileMatrix<T> wide(rt, 13, 12, nb), coarse(rt, 13, 13, nb + 1), smaller(rt, 12, 12, nb);
  rejected("uplo", [&] { cholesky_residual(rt, Uplo::General, e.A, e.F); });
  rejected("A", [&] { cholesky_residual(rt, Uplo::Lower, wide, e.F); });
  rejected("F", [&] { cholesky_residual(rt, Uplo::Lower, e.A, coarse); });
  rejected("F", [&] { cholesky_residual(rt, Uplo::Lower, e.A, smaller); });
  rejected("V", [&] { inverse_residual(rt, Uplo::Lower, e.A, wide); });
  rejected("X", [&] { solve_residual(rt, Uplo::Lower, e.A, smaller, e.B); });
  rejected("B", [&] { solve_residual(rt, Uplo::Lower, e.A, e.X, wide); });
  if constexpr (is_complex<T>) {
    rejected("F", [&] { cholesky_residual(rt, Uplo::Lower, e.A, trans(e.F)); });
  }
  EXPECT_EQ(e.cholesky(), 0.0);  // the next call works
}

}  // namespace
}  // namespace tessera::test
