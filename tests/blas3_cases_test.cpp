// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/tessera.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/tiles.hpp"

// Faults that other libraries have had in their products, each as a case, on every backend of one process.

namespace tessera::test {
namespace {

template <Scalar T, class F>
TileMatrix<T> matrix(Runtime& rt, Index m, Index n, Index mb, Index nb, F f) {
  const TileMatrix<T> A(rt, m, n, mb, nb, {});
  set_directly(A, f);
  return A;
}

template <Scalar T>
auto integers_of(Index seed) {
  return [seed](Index i, Index j) { return integer_entry<T>(seed, i, j); };
}

template <Scalar T>
TileMatrix<T> seen(Op op, const TileMatrix<T>& A) {
  return op == Op::no_trans ? A : op == Op::trans ? trans(A) : conj_trans(A);
}

class Blas3Cases : public testing::TestWithParam<BackendKind> {
 protected:
  Runtime rt = make_runtime(GetParam());
};

TEST_P(Blas3Cases, OldNanInCIsNotReadWhenBetaIsZero) {  // F1
  const auto A = matrix<double>(rt, 7, 9, 3, 3, [](Index, Index) { return 1; });
  const auto B = matrix<double>(rt, 9, 7, 3, 3, [](Index, Index) { return 2; });
  const auto C = matrix<double>(rt, 7, 7, 3, 3, [](Index, Index) { return marked_nan<double>(); });
  for (const Stationary stationary : {Stationary::automatic, Stationary::a, Stationary::b, Stationary::c}) {
    gemm<double>(rt, 1, A, B, 0, C, {.stationary = stationary});
    EXPECT_TRUE(holds(C, [](Index, Index) { return 18.0; }));
  }
}

TEST_P(Blas3Cases, ZeroFactorsScaleCAndReadNothingElse) {  // F2
  const auto value = [](double x) { return [x](Index, Index) { return x; }; };
  const double nan = marked_nan<double>();
  const auto A = matrix<double>(rt, 5, 5, 2, 2, value(nan)), C = matrix<double>(rt, 5, 5, 2, 2, value(3));
  gemm<double>(rt, 0, A, A, 2, C);
  EXPECT_TRUE(holds(C, value(6)));
  const auto E = matrix<double>(rt, 5, 0, 2, 2, value(nan)), F = matrix<double>(rt, 0, 5, 2, 2, value(nan));
  set_directly(C, value(4));
  gemm<double>(rt, 1, E, F, 0.5, C);
  EXPECT_TRUE(holds(C, value(2)));
  for (const double alpha : {0.0, 1.0}) {
    set_directly(C, value(nan));
    gemm<double>(rt, alpha, E, F, 0, C);
    EXPECT_TRUE(holds(C, value(0)));
    set_directly(C, value(nan));
    syrk<double>(rt, Uplo::Upper, alpha, E, 0, C);
    EXPECT_TRUE(holds(C, [&](Index i, Index j) { return i <= j ? 0 : nan; }));
  }
  set_directly(C, value(nan));
  symm<double>(rt, Side::Right, Uplo::Upper, 0, A, A, 0, C);
  EXPECT_TRUE(holds(C, value(0)));
  set_directly(C, value(nan));
  trsm<double>(rt, Side::Left, Uplo::Upper, Diag::NonUnit, 0, A, C);
  EXPECT_TRUE(holds(C, value(0)));
  set_directly(C, value(nan));
  trmm<double>(rt, Side::Right, Uplo::Lower, Diag::NonUnit, 0, A, C);
  EXPECT_TRUE(holds(C, value(0)));
}

TEST_P(Blas3Cases, RaggedTilesOfAnyShapeAreExact) {  // F4
  struct Shape {
    Index m, n, k, mb, nb, kb;
  };
  for (const auto& [m, n, k, mb, nb, kb] : {Shape{2, 7, 21, 2, 2, 2},
                                            {5, 2, 1, 4, 2, 1},
                                            {1, 1, 1, 1, 1, 1},
                                            {10, 3, 8, 7, 1, 5},
                                            {6, 6, 6, 9, 9, 9}}) {
    const auto a = integers_of<float>(1), b = integers_of<float>(2);
    const auto A = matrix<float>(rt, m, k, mb, kb, a), B = matrix<float>(rt, k, n, kb, nb, b);
    const auto C = matrix<float>(rt, m, n, mb, nb, integers_of<float>(3));
    gemm<float>(rt, 1, A, B, 0, C);
    EXPECT_TRUE(holds(C, [&, k = k](Index i, Index j) {
      float sum = 0;
      for (Index l = 0; l < k; ++l) sum += a(i, l) * b(l, j);
      return sum;
    }));
  }
}

TEST_P(Blas3Cases, TransposedIsNotConjugateTransposed) {  // F5
  using T = std::complex<double>;
  const Index n = 6, nb = 2;
  const T alpha{2, -1}, beta{-1, 3};
  const auto a = integers_of<T>(1), b = integers_of<T>(2), c = integers_of<T>(3);
  const auto of = [](Op op, auto f, Index i, Index j) {
    return op == Op::no_trans ? f(i, j) : op == Op::trans ? f(j, i) : std::conj(f(j, i));
  };
  for (const Op oa : ops) {
    for (const Op ob : ops) {
      const auto A = matrix<T>(rt, n, n, nb, nb, a), B = matrix<T>(rt, n, n, nb, nb, b);
      const auto C = matrix<T>(rt, n, n, nb, nb, c);
      gemm<T>(rt, alpha, seen(oa, A), seen(ob, B), beta, C);
      EXPECT_TRUE(holds(C,
                        [&](Index i, Index j) {
                          T sum{};
                          for (Index l = 0; l < n; ++l) sum += of(oa, a, i, l) * of(ob, b, l, j);
                          return alpha * sum + beta * c(i, j);
                        }))
          << static_cast<char>(oa) << static_cast<char>(ob);
    }
  }
}

TEST_P(Blas3Cases, TheOtherTriangleIsNeitherReadNorWritten) {  // F9
  const Index n = 33, nb = 8;
  for (const Uplo uplo : uplos) {
    const auto minimum = [&](Index i, Index j) {
      return in_triangle(uplo, i, j) ? minimum_entry<double>(i, j) : marked_nan<double>();
    };
    const auto A = matrix<double>(rt, n, n, nb, nb, minimum);
    const auto X = matrix<double>(rt, n, 3, nb, nb, integers_of<double>(1));
    const auto Y = matrix<double>(rt, n, 3, nb, nb, [](Index, Index) { return 0; });
    symm<double>(rt, Side::Left, uplo, 1, A, X, 0, Y);
    EXPECT_TRUE(holds(A, minimum));
    EXPECT_TRUE(holds(Y, [](Index i, Index j) {
      double sum = 0;
      for (Index l = 0; l < 33; ++l) sum += minimum_entry<double>(i, l) * integer_entry<double>(1, l, j);
      return sum;
    }));
    syrk<double>(rt, uplo, 1, X, 1, A);
    EXPECT_TRUE(holds(A, [&](Index i, Index j) {
      if (!in_triangle(uplo, i, j)) return marked_nan<double>();
      double sum = minimum_entry<double>(i, j);
      for (Index l = 0; l < 3; ++l) sum += integer_entry<double>(1, i, l) * integer_entry<double>(1, j, l);
      return sum;
    }));
    const auto ones = [&](Index i, Index j) { return in_triangle(uplo, i, j) ? 1.0 : marked_nan<double>(); };
    const auto L = matrix<double>(rt, n, n, nb, nb, ones);
    trmm<double>(rt, Side::Left, uplo, Diag::NonUnit, 1, L, X);
    trsm<double>(rt, Side::Left, uplo, Diag::NonUnit, 1, L, X);
    EXPECT_TRUE(holds(X, integers_of<double>(1)));
    EXPECT_TRUE(holds(L, ones));
  }
}

TEST_P(Blas3Cases, EmptyOperandsAreFine) {  // F13
  for (const auto& [m, n, k] : {std::tuple<Index, Index, Index>{0, 5, 4}, {5, 0, 4}, {5, 4, 0}, {0, 0, 0}}) {
    const auto A = matrix<double>(rt, m, k, 3, 3, integers_of<double>(1));
    const auto B = matrix<double>(rt, k, n, 3, 3, integers_of<double>(2));
    const auto C = matrix<double>(rt, m, n, 3, 3, integers_of<double>(3));
    gemm<double>(rt, 1, A, B, 2, C);
    EXPECT_TRUE(
        holds(C, [](Index i, Index j) { return 2 * integer_entry<double>(3, i, j); }));  // k = 0 or empty
  }
  const auto E = matrix<double>(rt, 0, 0, 3, 3, integers_of<double>(1));
  const auto X = matrix<double>(rt, 0, 4, 3, 3, integers_of<double>(1));
  const auto Y = matrix<double>(rt, 0, 4, 3, 3, integers_of<double>(1));
  symm<double>(rt, Side::Left, Uplo::Lower, 1, E, X, 1, Y);
  syrk<double>(rt, Uplo::Lower, 1, X, 1, E);
  trsm<double>(rt, Side::Left, Uplo::Upper, Diag::NonUnit, 1, E, X);
  trmm<double>(rt, Side::Left, Uplo::Upper, Diag::Unit, 1, E, X);
}

/// As BLAS has it: no test, a division by zero, and columns that do not meet it stay right.
TEST_P(Blas3Cases, AZeroOnTheDiagonalOfASolveGivesInfinitiesAndNoError) {
  const Index n = 9, nb = 2, bad = 4;
  const auto A =
      matrix<double>(rt, n, n, nb, nb, [](Index i, Index j) { return i == j && i != bad ? 2.0 : 0.0; });
  const auto B = matrix<double>(rt, n, 3, nb, nb, [](Index i, Index j) {
    return i == bad && j == 1 ? 6.0 : i == bad ? 0.0 : 4.0;
  });
  trsm<double>(rt, Side::Left, Uplo::Lower, Diag::NonUnit, 1, A, B);
  for (Index i = 0; i < bad; ++i) EXPECT_EQ(element(B, i, 1), 2);
  EXPECT_FALSE(std::isfinite(element(B, bad, 1)));
  trsm<double>(rt, Side::Left, Uplo::Lower, Diag::Unit, 1, A, B);  // does not look at it
}

TEST_P(Blas3Cases, OperandsMayBePartsOfLargerMatrices) {
  const Index nb = 4;
  const auto a = integers_of<double>(1);
  const auto W = matrix<double>(rt, 30, 30, nb, nb, a);  // A, B and C in one matrix, ragged at its end
  const auto A = W.sub(1, 0, 3, 3), B = W.sub(0, 3, 3, 5), C = W.sub(4, 3, 3, 5);
  gemm<double>(rt, 1, A, B, 1, C);
  EXPECT_TRUE(holds(W, [&](Index i, Index j) {
    if (i < 4 * nb || j < 3 * nb || i >= 7 * nb) return a(i, j);
    double sum = a(i, j);
    for (Index l = 0; l < 3 * nb; ++l) sum += a(i - 3 * nb, l) * a(l, j);
    return sum;
  }));
  EXPECT_THROW(gemm<double>(rt, 1, A, B, 1, W.sub(1, 3, 3, 4)), ArgumentError);  // columns differ
  EXPECT_THROW(gemm<double>(rt, 1, A, B, 1, W.sub(2, 3, 3, 5)), ArgumentError);  // C meets B
}

TEST_P(Blas3Cases, RepeatedRunsGiveTheSameBits) {
  const Index n = 60, nb = 7;
  std::vector<double> first;
  for (int run = 0; run < 10; ++run) {
    const auto entry = [](Index i, Index j) { return std::sin(static_cast<double>(3 * i + 7 * j + 1)); };
    const auto A = matrix<double>(rt, n, n, nb, nb, entry), B = matrix<double>(rt, n, n, nb, nb, entry);
    const auto C = matrix<double>(rt, n, n, nb, nb, entry);
    gemm<double>(rt, 0.3, A, B, 0.7, C);
    syrk<double>(rt, Uplo::Lower, 0.1, B, 1, C);
    trsm<double>(rt, Side::Left, Uplo::Lower, Diag::Unit, 0.01, A, C);
    std::vector<double> now;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) now.push_back(element(C, i, j));
    }
    if (first.empty()) first = now;
    for (std::size_t i = 0; i < now.size(); ++i) ASSERT_TRUE(same_bits(now[i], first[i])) << run;
  }
}

INSTANTIATE_TEST_SUITE_P(, Blas3Cases, testing::ValuesIn(computing_backends),
                         [](const auto& backend) { return name_of(backend.param); });

}  // namespace
}  // namespace tessera::test
