// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/cpu/copy.hpp"
#include "kernels/gemm.hpp"
#include "kernels/hemm.hpp"
#include "kernels/herk.hpp"
#include "kernels/lauum.hpp"
#include "kernels/log_det.hpp"
#include "kernels/potrf.hpp"
#include "kernels/trmm.hpp"
#include "kernels/trsm.hpp"
#include "kernels/trtri.hpp"
#include "tessera/blas.hpp"
#include "tessera/kernel.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/tiles.hpp"

namespace {

using namespace tessera;
using namespace tessera::test;

const SingleThreadedBlas as_in_a_worker;

/// Orders around the leaf sizes of the recursive kernels (8, 32, 64, 192), even and uneven cuts.
constexpr std::array<Index, 15> orders{1, 2, 7, 8, 9, 16, 17, 31, 32, 33, 64, 65, 100, 129, 201};

// ---- gemm --------------------------------------------------------------------------------------------------

struct Shape {
  Index m, n, k;
};

template <class T>
class Gemm : public testing::Test {};
TYPED_TEST_SUITE(Gemm, Scalars);

TYPED_TEST(Gemm, EqualsTheDefinitionForAllOpsAndRaggedShapes) {
  using T = TypeParam;
  const T alpha = scalar<T>(2, -1), beta = scalar<T>(-1, 3);
  for (const auto& [m, n, k] :
       {Shape{6, 6, 6}, Shape{2, 7, 21}, Shape{5, 2, 1}, Shape{1, 1, 1}, Shape{33, 40, 17}}) {
    for (const Op op_a : ops) {
      for (const Op op_b : ops) {
        SCOPED_TRACE(describe(op_a, op_b));
        Dense<T> a = op_a == Op::no_trans ? integers<T>(1, m, k) : integers<T>(1, k, m);
        Dense<T> b = op_b == Op::no_trans ? integers<T>(2, k, n) : integers<T>(2, n, k);
        Dense<T> c = integers<T>(3, m, n);
        const Dense<T> product = multiply(transformed(op_a, a), transformed(op_b, b));
        Dense<T> want(m, n);
        want.set([&](Index i, Index j) { return alpha * product(i, j) + beta * c(i, j); });
        kernel::gemm<T>{op_a, op_b, alpha, beta}.cpu(tile(a), tile(b), tile(c));
        EXPECT_TRUE(equals(c, want));
      }
    }
  }
}

TYPED_TEST(Gemm, DoesNotReadCWhenBetaIsZero) {
  using T = TypeParam;
  for (const Op op_a : ops) {
    for (const Op op_b : ops) {
      SCOPED_TRACE(describe(op_a, op_b));
      Dense<T> a = op_a == Op::no_trans ? unset<T>(7, 9) : unset<T>(9, 7);
      Dense<T> b = op_b == Op::no_trans ? unset<T>(9, 7) : unset<T>(7, 9);
      a.set([](Index, Index) { return T(1); });
      b.set([](Index, Index) { return T(2); });
      Dense<T> c = unset<T>(7, 7);
      kernel::gemm<T>{op_a, op_b, T(1), T(0)}.cpu(tile(a), tile(b), tile(c));
      EXPECT_TRUE(equals(c, Dense<T>(7, 7).set([](Index, Index) { return T(18); })));
    }
  }
}

TYPED_TEST(Gemm, DoesNotReadAAndBWhenAlphaIsZero) {
  using T = TypeParam;
  Dense<T> a = unset<T>(5, 5), b = unset<T>(5, 5), c = unset<T>(5, 5);
  c.set([](Index, Index) { return T(3); });
  kernel::gemm<T>{Op::no_trans, Op::no_trans, T(0), T(2)}.cpu(tile(a), tile(b), tile(c));
  EXPECT_TRUE(equals(c, Dense<T>(5, 5).set([](Index, Index) { return T(6); })));

  c = unset<T>(5, 5);
  kernel::gemm<T>{Op::no_trans, Op::no_trans, T(0), T(0)}.cpu(tile(a), tile(b), tile(c));
  EXPECT_TRUE(equals(c, Dense<T>(5, 5)));
}

TYPED_TEST(Gemm, ScalesCWhenThereIsNothingToSum) {
  using T = TypeParam;
  Dense<T> a(5, 0), b(0, 4), c = unset<T>(5, 4);
  c.set([](Index, Index) { return T(4); });
  kernel::gemm<T>{Op::no_trans, Op::no_trans, T(1), T(0.5)}.cpu(tile(a), tile(b), tile(c));
  EXPECT_TRUE(equals(c, Dense<T>(5, 4).set([](Index, Index) { return T(2); })));

  c = unset<T>(5, 4);
  kernel::gemm<T>{Op::no_trans, Op::no_trans, T(1), T(0)}.cpu(tile(a), tile(b), tile(c));
  EXPECT_TRUE(equals(c, Dense<T>(5, 4)));
}

// ---- herk --------------------------------------------------------------------------------------------------

template <class T>
class Herk : public testing::Test {};
TYPED_TEST_SUITE(Herk, Scalars);

/// One triangle of alpha op(A) op(A)^H + beta C by its definition, for a C of integers.
template <Scalar T>
Dense<T> rank_k_update(Uplo uplo, Op op, real_t<T> alpha, const Dense<T>& a, real_t<T> beta) {
  const Dense<T> factor = transformed(op, a);
  const Dense<T> product = multiply(factor, adjoint(factor));
  return triangle<T>(uplo, product.n(), [&](Index i, Index j) {
    const T c = integer_entry<T>(2, i, j);
    return alpha * product(i, j) + beta * (i == j ? T(real_part(c)) : c);
  });
}

TYPED_TEST(Herk, EqualsTheDefinitionInOneTriangleAndLeavesTheOther) {
  using T = TypeParam;
  for (const Index n : {1, 2, 9, 33, 65, 201}) {
    for (const Index k : {1, 5, 40}) {
      for (const Uplo uplo : uplos) {
        for (const Op op : ops) {
          if (is_complex<T> && op == Op::trans) continue;  // not a Hermitian product
          SCOPED_TRACE(describe(uplo, op));
          Dense<T> a = op == Op::no_trans ? integers<T>(1, n, k) : integers<T>(1, k, n);
          // The imaginary parts of the diagonal are not zero: BLAS takes them as zero.
          Dense<T> c = triangle<T>(uplo, n, [](Index i, Index j) { return integer_entry<T>(2, i, j); });
          kernel::herk<T>{uplo, op, 3, -2}.cpu(tile(a), tile(c));
          EXPECT_TRUE(equals(c, rank_k_update<T>(uplo, op, 3, a, -2)));
        }
      }
    }
  }
}

TYPED_TEST(Herk, ReadsNothingThatItsScalarsExclude) {
  using T = TypeParam;
  constexpr Index n = 9;
  const auto entries = [](Index i, Index j) { return i == j ? scalar<T>(4, 0) : integer_entry<T>(2, i, j); };
  for (const Uplo uplo : uplos) {
    SCOPED_TRACE(describe(uplo));
    Dense<T> a = integers<T>(1, n, 5), nan = unset<T>(n, 5), nothing(n, 0);

    Dense<T> c = unset<T>(n, n);
    kernel::herk<T>{uplo, Op::no_trans, 1, 0}.cpu(tile(a), tile(c));
    EXPECT_TRUE(equals(c, rank_k_update<T>(uplo, Op::no_trans, 1, a, 0)));

    for (Dense<T>* unread : {&nan, &nothing}) {
      const real_t<T> alpha = unread == &nan ? 0 : 1;
      c = triangle<T>(uplo, n, entries);
      kernel::herk<T>{uplo, Op::no_trans, alpha, 2}.cpu(tile(*unread), tile(c));
      EXPECT_TRUE(equals(c, triangle<T>(uplo, n, [&](Index i, Index j) { return T(2) * entries(i, j); })));

      c = unset<T>(n, n);
      kernel::herk<T>{uplo, Op::no_trans, alpha, 0}.cpu(tile(*unread), tile(c));
      EXPECT_TRUE(equals(c, triangle<T>(uplo, n, [](Index, Index) { return T(0); })));
    }
  }
}

// ---- trmm and trsm -------------------------------------------------------------------------------------------

/// Calls f for every variant of a triangular product and orders around the leaf sizes.
/// f(side, uplo, op, diag, order, other): the triangle has `order`, B has `other` columns (Left) or rows.
template <class F>
void for_each_triangular_case(F f) {
  for (const Index order : orders) {
    for (const Index other : {1, 5, 101}) {  // also more than one strip
      for (const Side side : sides) {
        for (const Uplo uplo : uplos) {
          for (const Op op : ops) {
            for (const Diag diag : diags) {
              SCOPED_TRACE(describe(side, uplo, op, diag) + ", order " + std::to_string(order) + ", other " +
                           std::to_string(other));
              f(side, uplo, op, diag, order, other);
            }
          }
        }
      }
    }
  }
}

template <Scalar T>
Dense<T> right_hand_sides(Side side, Index order, Index other) {
  return side == Side::Left ? integers<T>(2, order, other) : integers<T>(2, other, order);
}

/// op(A) B or B op(A), times alpha.
template <Scalar T>
Dense<T> triangular_product(Side side, Op op, const T& alpha, const Dense<T>& whole, const Dense<T>& b) {
  const Dense<T> a = transformed(op, whole);
  const Dense<T> product = side == Side::Left ? multiply(a, b) : multiply(b, a);
  Dense<T> scaled(b.m(), b.n());
  return scaled.set([&](Index i, Index j) { return alpha * product(i, j); });
}

template <class T>
class Trmm : public testing::Test {};
TYPED_TEST_SUITE(Trmm, Scalars);

TYPED_TEST(Trmm, EqualsTheDefinitionForAllVariantsAndOrdersAroundTheLeaf) {
  using T = TypeParam;
  const T alpha = scalar<T>(2, -1);
  for_each_triangular_case([&](Side side, Uplo uplo, Op op, Diag diag, Index order, Index other) {
    Dense<T> a = triangle<T>(uplo, order, [&](Index i, Index j) {
      return i == j && diag == Diag::Unit ? marked_nan<T>() : integer_entry<T>(1, i, j);
    });
    Dense<T> b = right_hand_sides<T>(side, order, other);
    const Dense<T> want = triangular_product(side, op, alpha, expanded(uplo, diag, a), b);
    kernel::trmm<T>{side, uplo, op, diag, alpha}.cpu(tile(a), tile(b));
    EXPECT_TRUE(equals(b, want));
  });
}

template <class T>
class Trsm : public testing::Test {};
TYPED_TEST_SUITE(Trsm, Scalars);

// Substitution with these numbers has no rounding, although the inverse of such a triangle has huge entries:
// a kernel that multiplies by inverted blocks would fail here.
TYPED_TEST(Trsm, FindsTheExactSolutionForAllVariantsAndOrdersAroundTheLeaf) {
  using T = TypeParam;
  const T alpha = scalar<T>(2, -1);
  for_each_triangular_case([&](Side side, Uplo uplo, Op op, Diag diag, Index order, Index other) {
    const std::array powers{scalar<T>(1, 0), scalar<T>(2, 0), scalar<T>(-4, 0),
                            is_complex<T> ? scalar<T>(0, 2) : T(8)};
    Dense<T> a = triangle<T>(uplo, order, [&](Index i, Index j) {
      if (i != j) return integer_entry<T>(1, i, j);
      return diag == Diag::Unit ? marked_nan<T>() : powers[static_cast<std::size_t>(i % 4)];
    });
    const Dense<T> x = right_hand_sides<T>(side, order, other);
    const Dense<T> product = triangular_product(side, op, T(1), expanded(uplo, diag, a), x);
    Dense<T> b = x;
    b.set([&](Index i, Index j) { return product(i, j); });
    kernel::trsm<T>{side, uplo, op, diag, alpha}.cpu(tile(a), tile(b));
    Dense<T> want(b.m(), b.n());
    EXPECT_TRUE(equals(b, want.set([&](Index i, Index j) { return alpha * x(i, j); })));
  });
}

TYPED_TEST(Trsm, KeepsANaNInItsOwnRightHandSide) {
  using T = TypeParam;
  constexpr Index order = 50, other = 130, sick = 67;
  for (const Side side : sides) {
    for (const Uplo uplo : uplos) {
      for (const Op op : ops) {
        SCOPED_TRACE(describe(side, uplo, op));
        Dense<T> a = triangle<T>(uplo, order, [](Index i, Index j) { return integer_entry<T>(1, i, j); });
        Dense<T> b = right_hand_sides<T>(side, order, other);
        const auto of_side = [&](Index i, Index j) { return side == Side::Left ? j : i; };
        b.set([&](Index i, Index j) { return of_side(i, j) == sick ? marked_nan<T>() : T(0); });
        kernel::trsm<T>{side, uplo, op, Diag::Unit, T(1)}.cpu(tile(a), tile(b));
        for (Index j = 0; j < b.n(); ++j) {
          for (Index i = 0; i < b.m(); ++i) {
            if (of_side(i, j) == sick) continue;
            EXPECT_EQ(b(i, j), T(0)) << i << ", " << j;
          }
        }
      }
    }
  }
}

TYPED_TEST(Trsm, AndTrmmReadNothingWhenAlphaIsZero) {
  using T = TypeParam;
  for (const Index order : {5, 100}) {
    for (const Side side : sides) {
      SCOPED_TRACE(describe(side));
      Dense<T> a = unset<T>(order, order);
      Dense<T> b = side == Side::Left ? unset<T>(order, 9) : unset<T>(9, order);
      const Dense<T> zeros(b.m(), b.n());
      kernel::trsm<T>{side, Uplo::Lower, Op::no_trans, Diag::NonUnit, T(0)}.cpu(tile(a), tile(b));
      EXPECT_TRUE(equals(b, zeros));
      b.set([](Index, Index) { return marked_nan<T>(); });
      kernel::trmm<T>{side, Uplo::Lower, Op::no_trans, Diag::NonUnit, T(0)}.cpu(tile(a), tile(b));
      EXPECT_TRUE(equals(b, zeros));
    }
  }
}

template <class T>
class RegisterSquares : public testing::Test {};
TYPED_TEST_SUITE(RegisterSquares, Scalars);

// Machines with other vectors than this one's take the other sizes.
TYPED_TEST(RegisterSquares, TransposeAndConjugateForEveryVectorSize) {
  using T = TypeParam;
  const auto check = [](auto square) {
    constexpr Index n = decltype(square)::order;
    Dense<T> a = integers<T>(1, n, n), b(n + 1, n);
    square.load(&a(0, 0), tile(a).ld);
    square.transpose();
    square.conjugate();
    square.store(&b(0, 0), tile(b).ld);
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) EXPECT_EQ(b(i, j), conjugate(a(j, i))) << n << ": " << i << ", " << j;
    }
  };
  check(kernel::RegisterSquare<T, 16>());
  check(kernel::RegisterSquare<T, 32>());
  check(kernel::RegisterSquare<T, 64>());
}

// ---- potrf ---------------------------------------------------------------------------------------------------

template <class T>
class Potrf : public testing::Test {};
TYPED_TEST_SUITE(Potrf, Scalars);

/// 1-based (p, q) of the triangle, p >= q, whichever triangle is stored.
template <Scalar T>
T& stored(Dense<T>& a, Uplo uplo, Index p, Index q) {
  return uplo == Uplo::Lower ? a(p - 1, q - 1) : a(q - 1, p - 1);
}

template <Scalar T>
Dense<T> identity(Uplo uplo, Index n) {
  return triangle<T>(uplo, n, [](Index i, Index j) { return T(i == j ? 1 : 0); });
}

TYPED_TEST(Potrf, FactorsTheMinimumMatrixIntoOnesAndLeavesTheOtherTriangle) {
  using T = TypeParam;
  for (const Index n : {0, 1, 2, 7, 31, 32, 33, 63, 64, 65, 100, 300}) {
    for (const Uplo uplo : uplos) {
      SCOPED_TRACE(describe(uplo) + ", order " + std::to_string(n));
      Dense<T> a = triangle<T>(uplo, n, minimum_entry<T>);
      EXPECT_EQ(kernel::potrf<T>{uplo}.cpu(tile(a)), 0);
      EXPECT_TRUE(equals(a, triangle<T>(uplo, n, [](Index, Index) { return T(1); })));
    }
  }
}

TYPED_TEST(Potrf, FactorsAHermitianMatrixWithComplexEntries) {
  using T = TypeParam;
  for (const Index n : {5, 33, 130}) {
    for (const Uplo uplo : uplos) {
      SCOPED_TRACE(describe(uplo) + ", order " + std::to_string(n));
      Dense<T> a = triangle<T>(uplo, n, [&](Index i, Index j) {
        return i == j ? T(static_cast<real_t<T>>(10 * n)) : integer_entry<T>(1, i, j);
      });
      const Dense<T> whole = hermitian(uplo, a);
      EXPECT_EQ(kernel::potrf<T>{uplo}.cpu(tile(a)), 0);
      EXPECT_LT(factor_residual(whole, lower_factor(uplo, a)), lapack_threshold);
      for (Index i = 0; i < n; ++i) EXPECT_EQ(a(i, i), T(real_part(a(i, i)))) << "imaginary diagonal";
    }
  }
}

TYPED_TEST(Potrf, ReportsTheFirstBadMinorWithItsGlobalIndex) {
  using T = TypeParam;
  for (const Uplo uplo : uplos) {
    for (const Index n : {10, 100, 300}) {
      for (const Index p : {1, 2, 8, 10, 32, 33, 64, 65, 97, 100, 161, 300}) {
        for (const int deficit : {1, 2}) {
          if (p > n) continue;
          SCOPED_TRACE(describe(uplo) + ", order " + std::to_string(n) + ", bad minor " + std::to_string(p));
          Dense<T> a = triangle<T>(uplo, n, minimum_entry<T>);
          stored(a, uplo, p, p) -= T(static_cast<real_t<T>>(deficit));
          EXPECT_EQ((kernel::potrf<T>{uplo, 1000}.cpu(tile(a))), 1000 + p);
        }
      }
    }
    Dense<T> indefinite = triangle<T>(uplo, 2, [](Index i, Index j) { return T(i == j ? 1 : 2); });
    EXPECT_EQ(kernel::potrf<T>{uplo}.cpu(tile(indefinite)), 2);
    for (const int value : {0, -1}) {
      Dense<T> single = triangle<T>(uplo, 1, [&](Index, Index) { return scalar<T>(value, 0); });
      EXPECT_EQ(kernel::potrf<T>{uplo}.cpu(tile(single)), 1);
    }
  }
}

TYPED_TEST(Potrf, ReportsTheFirstPivotThatANaNReaches) {
  using T = TypeParam;
  for (const Uplo uplo : uplos) {
    for (const auto& [p, q] : {std::pair<Index, Index>{7, 7}, {10, 10}, {9, 3}}) {
      Dense<T> a = identity<T>(uplo, 10);
      stored(a, uplo, p, q) = marked_nan<T>();
      EXPECT_EQ(kernel::potrf<T>{uplo}.cpu(tile(a)), p) << describe(uplo) << " NaN at " << p << ", " << q;
    }
    constexpr Index n = 131;  // across several leaves
    for (Index p = 1; p <= n; p += 10) {
      for (Index q = 1; q <= p; q += 6) {
        Dense<T> a = identity<T>(uplo, n);
        stored(a, uplo, p, q) = marked_nan<T>();
        EXPECT_EQ(kernel::potrf<T>{uplo}.cpu(tile(a)), p) << describe(uplo) << " NaN at " << p << ", " << q;
      }
    }
  }
}

TYPED_TEST(Potrf, ReportsTheSmallerIndexOfANaNAndABadMinor) {
  using T = TypeParam;
  for (const Uplo uplo : uplos) {
    for (const auto& [nan, bad] : {std::pair<Index, Index>{20, 25}, {25, 20}, {20, 120}, {120, 20}}) {
      Dense<T> a = identity<T>(uplo, 131);
      stored(a, uplo, nan, nan) = marked_nan<T>();
      stored(a, uplo, bad, bad) = T(-1);
      EXPECT_EQ(kernel::potrf<T>{uplo}.cpu(tile(a)), std::min(nan, bad)) << nan << ", " << bad;
    }
  }
}

// ---- trtri and lauum -----------------------------------------------------------------------------------------

template <class T>
class Trtri : public testing::Test {};
TYPED_TEST_SUITE(Trtri, Scalars);

TYPED_TEST(Trtri, InvertsTheTriangleOfOnesExactly) {
  using T = TypeParam;
  for (const Index n : orders) {
    for (const Uplo uplo : uplos) {
      for (const Diag diag : diags) {
        SCOPED_TRACE(describe(uplo, diag) + ", order " + std::to_string(n));
        const auto with_diagonal = [&](Index i, Index j, T off) {
          if (i == j) return diag == Diag::Unit ? marked_nan<T>() : T(1);
          return off;
        };
        Dense<T> a = triangle<T>(uplo, n, [&](Index i, Index j) { return with_diagonal(i, j, T(1)); });
        EXPECT_EQ((kernel::trtri<T>{uplo, diag}.cpu(tile(a))), 0);
        EXPECT_TRUE(equals(a, triangle<T>(uplo, n, [&](Index i, Index j) {
                             return with_diagonal(i, j, T(std::abs(i - j) == 1 ? -1 : 0));
                           })));
      }
    }
  }
}

TYPED_TEST(Trtri, InvertsATriangleWithComplexEntries) {
  using T = TypeParam;
  for (const Index n : {5, 33, 130}) {
    for (const Uplo uplo : uplos) {
      SCOPED_TRACE(describe(uplo) + ", order " + std::to_string(n));
      Dense<T> a = triangle<T>(uplo, n, [&](Index i, Index j) {
        return i == j ? scalar<T>(static_cast<int>(4 * n), static_cast<int>(n)) : integer_entry<T>(1, i, j);
      });
      const Dense<T> before = expanded(uplo, Diag::NonUnit, a);
      EXPECT_EQ((kernel::trtri<T>{uplo, Diag::NonUnit}.cpu(tile(a))), 0);
      EXPECT_LT(inverse_residual(before, expanded(uplo, Diag::NonUnit, a)), lapack_threshold);
    }
  }
}

// Condition numbers up to 1e24.
TYPED_TEST(Trtri, LeavesASmallResidualAlsoOfIllConditionedTriangles) {
  using T = TypeParam;
  for (const Index n : {31, 100, 201}) {
    for (const Uplo uplo : uplos) {
      SCOPED_TRACE(describe(uplo) + ", order " + std::to_string(n));
      Dense<T> a = triangle<T>(uplo, n, [&](Index i, Index j) {
        return i == j ? T(1)
                      : T(static_cast<real_t<T>>(-0.3 +
                                                 0.1 * std::sin(static_cast<double>(13 * i * i + 7 * j))));
      });
      const Dense<T> before = expanded(uplo, Diag::NonUnit, a);
      EXPECT_EQ((kernel::trtri<T>{uplo, Diag::NonUnit}.cpu(tile(a))), 0);
      const Dense<T> inverse = expanded(uplo, Diag::NonUnit, a);
      EXPECT_LT(inverse_residual(inverse, before), lapack_threshold);
    }
  }
}

TYPED_TEST(Trtri, ReportsTheFirstZeroOfTheDiagonalAndLeavesTheTile) {
  using T = TypeParam;
  for (const Index n : {1, 10, 100}) {
    for (const Index p : {1, 8, 10, 33, 100}) {
      for (const Uplo uplo : uplos) {
        if (p > n) continue;
        SCOPED_TRACE(describe(uplo) + ", order " + std::to_string(n) + ", zero " + std::to_string(p));
        Dense<T> a = triangle<T>(uplo, n, [&](Index i, Index j) {
          return i == j ? scalar<T>(i + 1 == p || i + 1 == n ? 0 : 1, 0) : integer_entry<T>(1, i, j);
        });
        const Dense<T> before = a;
        EXPECT_EQ((kernel::trtri<T>{uplo, Diag::NonUnit, 1000}.cpu(tile(a))), 1000 + p);
        EXPECT_TRUE(identical(a, before));
      }
    }
  }
}

template <class T>
class Lauum : public testing::Test {};
TYPED_TEST_SUITE(Lauum, Scalars);

TYPED_TEST(Lauum, EqualsTheDefinitionInOneTriangleAndLeavesTheOther) {
  using T = TypeParam;
  for (const Index n : orders) {
    for (const Uplo uplo : uplos) {
      SCOPED_TRACE(describe(uplo) + ", order " + std::to_string(n));
      Dense<T> a = triangle<T>(uplo, n, [](Index i, Index j) {
        return i == j ? T(static_cast<real_t<T>>(i % 5 + 1)) : integer_entry<T>(1, i, j);
      });
      const Dense<T> factor = expanded(uplo, Diag::NonUnit, a);
      const Dense<T> product =
          uplo == Uplo::Lower ? multiply(adjoint(factor), factor) : multiply(factor, adjoint(factor));
      kernel::lauum<T>{uplo}.cpu(tile(a));
      EXPECT_TRUE(equals(a, triangle<T>(uplo, n, [&](Index i, Index j) { return product(i, j); })));
    }
  }
}

TYPED_TEST(Lauum, AfterPotrfAndTrtriGivesTheTridiagonalInverseOfTheMinimumMatrix) {
  using T = TypeParam;
  for (const Index n : {1, 2, 33, 100, 300}) {
    for (const Uplo uplo : uplos) {
      SCOPED_TRACE(describe(uplo) + ", order " + std::to_string(n));
      Dense<T> a = triangle<T>(uplo, n, minimum_entry<T>);
      ASSERT_EQ(kernel::potrf<T>{uplo}.cpu(tile(a)), 0);
      ASSERT_EQ((kernel::trtri<T>{uplo, Diag::NonUnit}.cpu(tile(a))), 0);
      kernel::lauum<T>{uplo}.cpu(tile(a));
      EXPECT_TRUE(equals(a, triangle<T>(uplo, n, [&](Index i, Index j) {
                           if (i == j) return T(i + 1 == n ? 1 : 2);
                           return T(std::abs(i - j) == 1 ? -1 : 0);
                         })));
    }
  }
}

// ---- log_det -------------------------------------------------------------------------------------------------

template <class T>
class LogDet : public testing::Test {};
TYPED_TEST_SUITE(LogDet, Scalars);

TYPED_TEST(LogDet, SumsTheLogarithmsOfTheDiagonalAndReadsNothingElse) {
  using T = TypeParam;
  Dense<T> l = unset<T>(5, 5);
  double s = std::numeric_limits<double>::quiet_NaN();
  const auto value = [&] {
    kernel::log_det<T>{}.cpu(tile(l), OutTile<double>{{&s, 1, 1, 1}});
    return s;
  };
  for (Index i = 0; i < 5; ++i) l(i, i) = T(1);
  EXPECT_EQ(value(), 0);
  for (Index i = 0; i < 5; ++i) l(i, i) = T(i == 3 ? 0.25 : 2);
  EXPECT_NEAR(value(), 2 * 2 * std::log(2.0), 1e-14);
  l(3, 3) = T(0);
  EXPECT_EQ(value(), -std::numeric_limits<double>::infinity());
}

// ---- all kernels ---------------------------------------------------------------------------------------------

template <class T>
class Kernels : public testing::Test {};
TYPED_TEST_SUITE(Kernels, Scalars);

TYPED_TEST(Kernels, TakeEmptyTiles) {
  using T = TypeParam;
  const Tile<T> none{}, row{nullptr, 0, 4, 1}, column{nullptr, 4, 0, 4};
  kernel::gemm<T>{}.cpu(none, none, none);
  kernel::gemm<T>{}.cpu(row, none, row);
  kernel::herk<T>{}.cpu(none, none);
  kernel::hemm<T>{}.cpu(none, row, row);
  kernel::trmm<T>{}.cpu(none, row);
  kernel::trsm<T>{}.cpu(none, row);
  kernel::trmm<T>{Side::Right}.cpu(none, column);
  kernel::trsm<T>{Side::Right}.cpu(none, column);
  kernel::lauum<T>{}.cpu(none);
  EXPECT_EQ(kernel::potrf<T>{}.cpu(none), 0);
  EXPECT_EQ(kernel::trtri<T>{}.cpu(none), 0);
  double s = 1;
  kernel::log_det<T>{}.cpu(none, OutTile<double>{{&s, 1, 1, 1}});
  EXPECT_EQ(s, 0);
}

TYPED_TEST(Kernels, CountTheirFlopsFromShapesAlone) {
  using T = TypeParam;
  const double of_product = is_complex<T> ? 8 : 2;
  const Tile<T> a{nullptr, 3, 7, 3}, b{nullptr, 7, 5, 7}, c{nullptr, 3, 5, 3}, square{nullptr, 10, 10, 10};
  EXPECT_EQ((kernel::gemm<T>{}.flops(a, b, c)), of_product * 3 * 5 * 7);
  EXPECT_EQ((kernel::gemm<T>{Op::trans, Op::no_trans}.flops(b, a, c)), of_product * 3 * 5 * 7);
  EXPECT_EQ((kernel::herk<T>{}.flops(a, {nullptr, 3, 3, 3})), of_product * 7 * 6);
  EXPECT_EQ((kernel::herk<T>{Uplo::Lower, Op::conj_trans}.flops(a, {nullptr, 7, 7, 7})), of_product * 3 * 28);
  EXPECT_EQ((kernel::hemm<T>{}.flops({nullptr, 3, 3, 3}, c, c)), of_product * 3 * 3 * 5);
  EXPECT_DOUBLE_EQ((kernel::potrf<T>{}.flops(square)), is_complex<T> ? 1650 : 385);
}

// Eight workers at once, as many vendors' libraries have failed to bear (OpenBLAS issues 1755, 2126, 2444).
TYPED_TEST(Kernels, MayRunOnManyThreadsAtOnce) {
  using T = TypeParam;
  std::array<int, 8> failures{};
  std::vector<std::thread> workers;
  for (int& failed : failures) {
    workers.emplace_back([&failed] {
      for (Index n = 64; n < 128; n += 3) {
        Dense<T> a = integers<T>(1, n, n), b = integers<T>(2, n, n), c = unset<T>(n, n);
        kernel::gemm<T>{}.cpu(tile(a), tile(b), tile(c));
        if (!equals(c, multiply(a, b))) ++failed;
        a = triangle<T>(Uplo::Lower, n, minimum_entry<T>);
        if (kernel::potrf<T>{}.cpu(tile(a)) != 0) ++failed;
        if (!equals(a, triangle<T>(Uplo::Lower, n, [](Index, Index) { return T(1); }))) ++failed;
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(failures, (std::array<int, 8>{}));
}

template <class T>
constexpr bool all_are_kernels = Kernel<kernel::gemm<T>>&& Kernel<kernel::herk<T>>&& Kernel<kernel::hemm<T>>&&
    Kernel<kernel::trmm<T>>&& Kernel<kernel::trsm<T>>&& Kernel<kernel::potrf<T>>&& Kernel<kernel::trtri<T>>&&
        Kernel<kernel::lauum<T>>&& Kernel<kernel::log_det<T>>;
static_assert(all_are_kernels<float> && all_are_kernels<double> && all_are_kernels<std::complex<float>> &&
              all_are_kernels<std::complex<double>>);

template <class T>
class TileAtTheEndOfMemory : public testing::Test {};
TYPED_TEST_SUITE(TileAtTheEndOfMemory, Scalars);

TYPED_TEST(TileAtTheEndOfMemory, IsNotReadBeyond) {
  using T = TypeParam;
  for (const Index n : {1, 5, 16, 18, 33, 64, 100}) {
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      GuardedTile<T> memory(n, n);
      const Tile<T> a = memory.tile();
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) a(i, j) = minimum_entry<T>(i, j);
      }
      EXPECT_EQ(kernel::potrf<T>({uplo, 0}).cpu(a), 0);
      EXPECT_EQ(kernel::trtri<T>({uplo, Diag::NonUnit, 0}).cpu(a), 0);
      kernel::lauum<T>{uplo}.cpu(a);
      EXPECT_EQ(a(n - 1, n - 1), T{1}) << n;  // the inverse's last entry
      EXPECT_EQ(a(0, 0), T(static_cast<real_t<T>>(n == 1 ? 1 : 2))) << n;
    }
  }
}

}  // namespace
