// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/cpu/blas.hpp"
#include "kernels/gemm.hpp"
#include "kernels/hemm.hpp"
#include "kernels/her2k.hpp"
#include "kernels/herk.hpp"
#include "kernels/symm.hpp"
#include "kernels/syr2k.hpp"
#include "kernels/syrk.hpp"
#include "kernels/trmm.hpp"
#include "kernels/trsm.hpp"
#include "tessera/blas.hpp"
#include "tessera/generators.hpp"
#include "tessera/kernel.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/lu.hpp"
#include "tests/support/tiles.hpp"

/// \file
/// BLAS-3 on tiles: products with a symmetric or Hermitian tile and updates of one, against their definition and
/// against the vendor's routines; and what the scalars and sizes of all BLAS-3 kernels exclude from being read.

namespace {

using namespace tessera;
using namespace tessera::test;

const SingleThreadedBlas as_in_a_worker;

struct Shape {
  Index m, n;
};

/// A family of kernels as a type: hemm, herk and her2k, or symm, syrk and syr2k.
struct Hermitian {
  static constexpr const char* name = "Hermitian";
  template <Scalar T>
  using product = kernel::hemm<T>;
  template <Scalar T>
  using rank_k = kernel::herk<T>;
  template <Scalar T>
  using rank_2k = kernel::her2k<T>;
  static constexpr Op transpose = Op::conj_trans;
  template <Scalar T>
  static T mirrored(T x) {
    return conjugate(x);
  }
  template <Scalar T>
  static T diagonal(T x) {
    return T(real_part(x));
  }
};
struct Symmetric {
  static constexpr const char* name = "Symmetric";
  template <Scalar T>
  using product = kernel::symm<T>;
  template <Scalar T>
  using rank_k = kernel::syrk<T>;
  template <Scalar T>
  using rank_2k = kernel::syr2k<T>;
  static constexpr Op transpose = Op::trans;
  template <Scalar T>
  static T mirrored(T x) {
    return x;
  }
  template <Scalar T>
  static T diagonal(T x) {
    return x;
  }
};

template <class F, class S>
struct Case {
  using Family = F;
  using T = S;
};
using Cases =
    testing::Types<Case<Hermitian, float>, Case<Hermitian, double>, Case<Hermitian, std::complex<float>>,
                   Case<Hermitian, std::complex<double>>, Case<Symmetric, float>, Case<Symmetric, double>,
                   Case<Symmetric, std::complex<float>>, Case<Symmetric, std::complex<double>>>;

/// Integers in one triangle, marked NaNs in the other one and in what a Hermitian matrix has no right to hold.
template <class Family, Scalar T>
Dense<T> one_triangle(Uplo uplo, Index seed, Index n) {
  Dense<T> a = triangle<T>(uplo, n, [&](Index i, Index j) { return integer_entry<T>(seed, i, j); });
  if constexpr (is_complex<T> && std::is_same_v<Family, Hermitian>) {
    for (Index i = 0; i < n; ++i) a(i, i).imag(std::numeric_limits<real_t<T>>::quiet_NaN());
  }
  return a;
}

/// The whole matrix that one_triangle() stands for.
template <class Family, Scalar T>
Dense<T> both_triangles(Uplo uplo, const Dense<T>& a) {
  return Dense<T>(a.m(), a.n()).set([&](Index i, Index j) {
    if (i == j) return Family::diagonal(a(i, i));
    return in_triangle(uplo, i, j) ? a(i, j) : Family::mirrored(a(j, i));
  });
}

/// The ops of a rank-k or rank-2k update: for complex types not the one that conjugates without transposing.
template <class Family, Scalar T>
std::vector<Op> update_ops() {
  if (is_complex<T>) return {Op::no_trans, Family::transpose};
  return {ops.begin(), ops.end()};
}

/// A stored tile whose op is m x n.
template <Scalar T>
Dense<T> integers_of(Op op, Index seed, Index m, Index n) {
  return op == Op::no_trans ? integers<T>(seed, m, n) : integers<T>(seed, n, m);
}
template <Scalar T>
Dense<T> unset_of(Op op, Index m, Index n) {
  return op == Op::no_trans ? unset<T>(m, n) : unset<T>(n, m);
}

/// alpha a + beta c in the whole matrix, or in one triangle and marked NaNs in the other one.
template <Scalar T>
Dense<T> combined(const T& alpha, const Dense<T>& a, const T& beta, const Dense<T>& c) {
  return Dense<T>(a.m(), a.n()).set([&](Index i, Index j) { return alpha * a(i, j) + beta * c(i, j); });
}
template <Scalar T>
Dense<T> only(Uplo uplo, const Dense<T>& a) {
  return triangle<T>(uplo, a.n(), [&](Index i, Index j) { return a(i, j); });
}

template <class C>
class Blas3Kernels : public testing::Test {};
TYPED_TEST_SUITE(Blas3Kernels, Cases);

// ---- Products with a symmetric or Hermitian tile ---------------------------------------------------------------

/// Calls f(side, uplo, op_b, m, n) for every variant and shapes around the blocks of 64 and 128.
template <class F>
void for_each_product(F f) {
  for (const auto& [m, n] :
       {Shape{0, 5}, Shape{5, 0}, Shape{1, 1}, Shape{2, 3}, Shape{3, 2}, Shape{7, 7}, Shape{7, 33},
        Shape{33, 7}, Shape{70, 33}, Shape{33, 70}, Shape{130, 5}, Shape{5, 300}}) {
    for (const Side side : sides) {
      for (const Uplo uplo : uplos) {
        for (const Op op_b : ops) {
          SCOPED_TRACE(describe(side, uplo, op_b) + " " + std::to_string(m) + " x " + std::to_string(n));
          f(side, uplo, op_b, m, n);
        }
      }
    }
  }
}

TYPED_TEST(Blas3Kernels, MultiplyByATileOfWhichOneTriangleIsStored) {
  using T = typename TypeParam::T;
  using Family = typename TypeParam::Family;
  using Product = typename Family::template product<T>;
  const T alpha = scalar<T>(2, -1), beta = scalar<T>(-1, 3);
  for_each_product([&](Side side, Uplo uplo, Op op_b, Index m, Index n) {
    Dense<T> a = one_triangle<Family, T>(uplo, 1, side == Side::Left ? m : n);
    Dense<T> b = integers_of<T>(op_b, 2, m, n), c = integers<T>(3, m, n);
    const Dense<T> whole = both_triangles<Family>(uplo, a), factor = transformed(op_b, b);
    const Dense<T> product = side == Side::Left ? multiply(whole, factor) : multiply(factor, whole);
    Dense<T> want = combined(alpha, product, beta, c);
    Product{side, uplo, op_b, alpha, beta}.cpu(tile(a), tile(b), tile(c));
    EXPECT_TRUE(equals(c, want));

    c = unset<T>(m, n);
    want = combined(alpha, product, T(0), want);
    Product{side, uplo, op_b, alpha, T(0)}.cpu(tile(a), tile(b), tile(c));
    EXPECT_TRUE(equals(c, want)) << "beta = 0";
  });
}

TYPED_TEST(Blas3Kernels, MultiplyByNothingOfAAndBWhenAlphaIsZero) {
  using T = typename TypeParam::T;
  using Product = typename TypeParam::Family::template product<T>;
  for_each_product([&](Side side, Uplo uplo, Op op_b, Index m, Index n) {
    const Index order = side == Side::Left ? m : n;
    Dense<T> a = unset<T>(order, order), b = unset_of<T>(op_b, m, n), c = integers<T>(3, m, n);
    const Dense<T> zeros(m, n), want = combined(T(0), zeros, T(2), c);
    Product{side, uplo, op_b, T(0), T(2)}.cpu(tile(a), tile(b), tile(c));
    EXPECT_TRUE(equals(c, want));
    c = unset<T>(m, n);
    Product{side, uplo, op_b, T(0), T(0)}.cpu(tile(a), tile(b), tile(c));
    EXPECT_TRUE(equals(c, zeros)) << "beta = 0";
  });
}

// ---- Updates of a symmetric or Hermitian tile -------------------------------------------------------------------

/// n and k around the blocks of 64 and 128 and the slices of 224.
constexpr std::array updates{Shape{0, 0},   Shape{0, 4},    Shape{1, 0},   Shape{5, 0},  Shape{1, 1},
                             Shape{2, 3},   Shape{3, 7},    Shape{7, 2},   Shape{33, 5}, Shape{70, 33},
                             Shape{130, 7}, Shape{33, 230}, Shape{7, 500}, Shape{300, 3}};

TYPED_TEST(Blas3Kernels, UpdateOneTriangleByAProductOfOneTile) {
  using T = typename TypeParam::T;
  using Family = typename TypeParam::Family;
  using Update = typename Family::template rank_k<T>;
  using Factor = decltype(Update::alpha);
  const Factor alpha = scalar<Factor>(2, -1), beta = scalar<Factor>(-1, 3);
  for (const auto& [n, k] : updates) {
    for (const Uplo uplo : uplos) {
      for (const Op op : update_ops<Family, T>()) {
        SCOPED_TRACE(describe(uplo, op) + " " + std::to_string(n) + " x " + std::to_string(k));
        Dense<T> a = integers_of<T>(op, 1, n, k), c = one_triangle<Family, T>(uplo, 2, n);
        const Dense<T> factor = transformed(op, a);
        const Dense<T> product = multiply(factor, transformed(Family::transpose, factor));
        const Dense<T> sum = combined(T(alpha), product, T(beta), both_triangles<Family>(uplo, c));
        Update{uplo, op, alpha, beta}.cpu(tile(a), tile(c));
        EXPECT_TRUE(equals(c, only(uplo, sum)));

        c = unset<T>(n, n);
        Update{uplo, op, alpha, Factor(0)}.cpu(tile(a), tile(c));
        EXPECT_TRUE(equals(c, only(uplo, combined(T(alpha), product, T(0), product)))) << "beta = 0";
      }
    }
  }
}

TYPED_TEST(Blas3Kernels, UpdateOneTriangleByProductsOfTwoTilesEachWithItsOp) {
  using T = typename TypeParam::T;
  using Family = typename TypeParam::Family;
  using Update = typename Family::template rank_2k<T>;
  using Factor = decltype(Update::beta);
  const T alpha = scalar<T>(2, -1);
  const Factor beta = scalar<Factor>(-1, 3);
  for (const auto& [n, k] : updates) {
    for (const Uplo uplo : uplos) {
      for (const Op op_a : update_ops<Family, T>()) {
        for (const Op op_b : update_ops<Family, T>()) {
          SCOPED_TRACE(describe(uplo, op_a, op_b) + " " + std::to_string(n) + " x " + std::to_string(k));
          Dense<T> a = integers_of<T>(op_a, 1, n, k), b = integers_of<T>(op_b, 2, n, k);
          Dense<T> c = one_triangle<Family, T>(uplo, 3, n);
          const Dense<T> left = transformed(op_a, a), right = transformed(op_b, b);
          const Dense<T> first = multiply(left, transformed(Family::transpose, right));
          const Dense<T> second = multiply(right, transformed(Family::transpose, left));
          const Dense<T> products = combined(alpha, first, Family::mirrored(alpha), second);
          const Dense<T> sum = combined(T(1), products, T(beta), both_triangles<Family>(uplo, c));
          Update{uplo, op_a, op_b, alpha, beta}.cpu(tile(a), tile(b), tile(c));
          EXPECT_TRUE(equals(c, only(uplo, sum)));

          c = unset<T>(n, n);
          Update{uplo, op_a, op_b, alpha, Factor(0)}.cpu(tile(a), tile(b), tile(c));
          EXPECT_TRUE(equals(c, only(uplo, products))) << "beta = 0";
        }
      }
    }
  }
}

TYPED_TEST(Blas3Kernels, UpdateByNothingOfAAndBWhenAlphaIsZero) {
  using T = typename TypeParam::T;
  using Family = typename TypeParam::Family;
  using RankK = typename Family::template rank_k<T>;
  using Rank2k = typename Family::template rank_2k<T>;
  using Factor = decltype(RankK::beta);
  for (const auto& [n, k] : updates) {
    for (const Uplo uplo : uplos) {
      for (const Factor beta : {Factor(2), Factor(1), Factor(0)}) {
        for (const Op op_a : update_ops<Family, T>()) {
          Dense<T> a = unset_of<T>(op_a, n, k);
          const auto start = [&] {
            return beta == Factor(0) ? unset<T>(n, n) : one_triangle<Family, T>(uplo, 3, n);
          };
          Dense<T> c = start(), want(n, n);
          if (beta != Factor(0)) want = combined(T(0), want, T(beta), both_triangles<Family>(uplo, c));
          SCOPED_TRACE(describe(uplo, op_a) + " " + std::to_string(n) + " x " + std::to_string(k));
          RankK{uplo, op_a, Factor(0), beta}.cpu(tile(a), tile(c));
          EXPECT_TRUE(equals(c, only(uplo, want)));
          for (const Op op_b : update_ops<Family, T>()) {
            Dense<T> b = unset_of<T>(op_b, n, k);
            c = start();
            Rank2k{uplo, op_a, op_b, T(0), beta}.cpu(tile(a), tile(b), tile(c));
            EXPECT_TRUE(equals(c, only(uplo, want)));
          }
        }
      }
    }
  }
}

// ---- The vendor's routines, with rounding ------------------------------------------------------------------------

template <Scalar T>
Dense<T> random(std::uint64_t seed, Index m, Index n) {
  const auto entry = generate::uniform<T>(seed);
  return Dense<T>(m, n, guard_rows).set([&](Index i, Index j) { return entry(i, j); });
}

/// Both results of a sum of so many products of entries below 1, up to their rounding errors.
template <Scalar T>
testing::AssertionResult agree(const Dense<T>& x, const Dense<T>& y, Index products) {
  for (Index j = 0; j < x.n(); ++j) {
    for (Index i = 0; i < x.m(); ++i) {
      if (!(std::abs(x(i, j) - y(i, j)) <= 16 * eps<T> * static_cast<double>(products + 2))) {
        return testing::AssertionFailure() << "(" << i << ", " << j << "): " << x(i, j) << ", " << y(i, j);
      }
    }
  }
  return testing::AssertionSuccess();
}

/// Beyond one block, ragged, and beyond one slice.
constexpr Index order = 150, depth = 310;

template <Scalar T>
const T alpha = scalar<T>(2, -1);
template <Scalar T>
const T beta = scalar<T>(-1, 1);

template <class T>
class Blas3KernelsAndVendor : public testing::Test {};
TYPED_TEST_SUITE(Blas3KernelsAndVendor, Scalars);

TYPED_TEST(Blas3KernelsAndVendor, AgreeOnProductsAlsoOfTransposedViews) {
  using T = TypeParam;
  for (const Side side : sides) {
    const Index rows = side == Side::Left ? order : depth, cols = side == Side::Left ? depth : order;
    Dense<T> a = random<T>(1, order, order), b = random<T>(2, rows, cols), c = random<T>(3, rows, cols);
    for (const Uplo uplo : uplos) {
      Dense<T> hermitian = c, symmetric = c;
      vendor::hemm<T>(side, uplo, alpha<T>, tile(a), tile(b), beta<T>, tile(hermitian));
      vendor::symm<T>(side, uplo, alpha<T>, tile(a), tile(b), beta<T>, tile(symmetric));
      for (const Op op_b : ops) {
        SCOPED_TRACE(describe(side, uplo, op_b));
        Dense<T> view = transformed(op_b, b), x = c;
        kernel::hemm<T>{side, uplo, op_b, alpha<T>, beta<T>}.cpu(tile(a), tile(view), tile(x));
        EXPECT_TRUE(agree(x, hermitian, order));
        x = c;
        kernel::symm<T>{side, uplo, op_b, alpha<T>, beta<T>}.cpu(tile(a), tile(view), tile(x));
        EXPECT_TRUE(agree(x, symmetric, order));
      }
    }
  }
}

TYPED_TEST(Blas3KernelsAndVendor, AgreeOnProductsWithTilesTooLargeForScratchMemory) {
  using T = TypeParam;
  constexpr Index large = 530, others = 3;
  Dense<T> a = random<T>(1, large, large);
  for (const Side side : sides) {
    const Index m = side == Side::Left ? large : others, n = side == Side::Left ? others : large;
    Dense<T> b = random<T>(2, m, n), view = transformed(Op::conj_trans, b);
    const Dense<T> c = random<T>(3, m, n);
    for (const Uplo uplo : uplos) {
      SCOPED_TRACE(describe(side, uplo));
      Dense<T> want = c, x = c;
      vendor::hemm<T>(side, uplo, alpha<T>, tile(a), tile(b), beta<T>, tile(want));
      kernel::hemm<T>{side, uplo, Op::conj_trans, alpha<T>, beta<T>}.cpu(tile(a), tile(view), tile(x));
      EXPECT_TRUE(agree(x, want, large));
    }
  }
}

TYPED_TEST(Blas3KernelsAndVendor, AgreeOnUpdatesAlsoOfTransposedViews) {
  using T = TypeParam;
  Dense<T> a = random<T>(1, order, depth), b = random<T>(2, order, depth), c = random<T>(3, order, order);
  const auto check = [&](auto family, Uplo uplo, const auto& rank_k, const auto& rank_2k) {
    using Family = decltype(family);
    using RankK = typename Family::template rank_k<T>;
    using Factor = decltype(RankK::beta);
    for (const Op op_a : update_ops<Family, T>()) {
      Dense<T> view_a = transformed(op_a, a), x = c;
      SCOPED_TRACE(std::string(Family::name) + " " + describe(uplo, op_a));
      RankK{uplo, op_a, Factor(2), Factor(-1)}.cpu(tile(view_a), tile(x));
      EXPECT_TRUE(agree(x, rank_k, depth));
      for (const Op op_b : update_ops<Family, T>()) {
        Dense<T> view_b = transformed(op_b, b);
        x = c;
        typename Family::template rank_2k<T>{uplo, op_a, op_b, alpha<T>, Factor(-1)}.cpu(
            tile(view_a), tile(view_b), tile(x));
        EXPECT_TRUE(agree(x, rank_2k, 2 * depth)) << describe(op_b);
      }
    }
  };
  for (const Uplo uplo : uplos) {
    Dense<T> rank_k = c, rank_2k = c;
    vendor::herk<T>(uplo, Op::no_trans, 2, tile(a), -1, tile(rank_k));
    vendor::her2k<T>(uplo, Op::no_trans, alpha<T>, tile(a), tile(b), -1, tile(rank_2k));
    check(Hermitian{}, uplo, rank_k, rank_2k);
    rank_k = rank_2k = c;
    vendor::syrk<T>(uplo, Op::no_trans, T(2), tile(a), T(-1), tile(rank_k));
    vendor::syr2k<T>(uplo, Op::no_trans, alpha<T>, tile(a), tile(b), T(-1), tile(rank_2k));
    check(Symmetric{}, uplo, rank_k, rank_2k);
  }
}

TYPED_TEST(Blas3KernelsAndVendor, AgreeOnTriangularTiles) {
  using T = TypeParam;
  for (const Side side : sides) {
    const Index rows = side == Side::Left ? order : 70, cols = side == Side::Left ? 70 : order;
    Dense<T> a = random<T>(1, order, order), b = random<T>(2, rows, cols);
    a.set([&](Index i, Index j) { return i == j ? T(4) : a(i, j) / T(static_cast<real_t<T>>(order)); });
    for (const Uplo uplo : uplos) {
      for (const Op op : ops) {
        for (const Diag diag : diags) {
          SCOPED_TRACE(describe(side, uplo, op, diag));
          Dense<T> x = b, y = b;
          kernel::trmm<T>{side, uplo, op, diag, alpha<T>}.cpu(tile(a), tile(x));
          vendor::trmm<T>(side, uplo, op, diag, alpha<T>, tile(a), tile(y));
          EXPECT_TRUE(agree(x, y, order));
          x = y = b;
          kernel::trsm<T>{side, uplo, op, diag, alpha<T>}.cpu(tile(a), tile(x));
          vendor::trsm<T>(side, uplo, op, diag, alpha<T>, tile(a), tile(y));
          EXPECT_TRUE(agree(x, y, order));
        }
      }
    }
  }
}

// ---- What must not be read, at all small sizes ---------------------------------------------------------------------

template <class T>
class AllBlas3Kernels : public testing::Test {};
TYPED_TEST_SUITE(AllBlas3Kernels, Scalars);

// OpenBLAS's kernels for small matrices have conditions of their own on sizes and ops (its gemm reads A and B in spite
// of alpha = 0 at some): so all of them are tried.
TYPED_TEST(AllBlas3Kernels, ReadNothingThatTheirScalarsExcludeAtAnySmallSize) {
  using T = TypeParam;
  using Real = real_t<T>;
  for (Index n = 1; n <= 40; ++n) {
    SCOPED_TRACE(n);
    Dense<T> nan = unset<T>(n, n), c(0, 0);
    const Dense<T> zeros(n, n);
    const auto expect_zeros = [&](const char* what, auto run) {
      c = unset<T>(n, n);
      run(tile(c));
      EXPECT_TRUE(equals(c, zeros)) << what;
    };
    const auto expect_zero_triangle = [&](const char* what, Uplo uplo, auto run) {
      c = unset<T>(n, n);
      run(tile(c));
      EXPECT_TRUE(equals(c, only(uplo, zeros))) << what;
    };
    const Tile<T> a = tile(nan);
    for (const Op op : ops) {
      for (const Op op_b : ops) {
        expect_zeros("gemm", [&](auto x) { kernel::gemm<T>{op, op_b, T(0), T(0)}.cpu(a, a, x); });
      }
      for (const Uplo uplo : uplos) {
        if (!is_complex<T> || op != Op::trans) {
          expect_zero_triangle("herk", uplo, [&](auto x) {
            kernel::herk<T>{uplo, op, Real(0), Real(0)}.cpu(a, x);
          });
          expect_zero_triangle("her2k", uplo, [&](auto x) {
            kernel::her2k<T>{uplo, op, op, T(0), Real(0)}.cpu(a, a, x);
          });
        }
        if (!is_complex<T> || op != Op::conj_trans) {
          expect_zero_triangle("syrk", uplo, [&](auto x) {
            kernel::syrk<T>{uplo, op, T(0), T(0)}.cpu(a, x);
          });
          expect_zero_triangle("syr2k", uplo, [&](auto x) {
            kernel::syr2k<T>{uplo, op, op, T(0), T(0)}.cpu(a, a, x);
          });
        }
        for (const Side side : sides) {
          expect_zeros("hemm", [&](auto x) { kernel::hemm<T>{side, uplo, op, T(0), T(0)}.cpu(a, a, x); });
          expect_zeros("symm", [&](auto x) { kernel::symm<T>{side, uplo, op, T(0), T(0)}.cpu(a, a, x); });
          for (const Diag diag : diags) {
            expect_zeros("trmm", [&](auto x) { kernel::trmm<T>{side, uplo, op, diag, T(0)}.cpu(a, x); });
            expect_zeros("trsm", [&](auto x) { kernel::trsm<T>{side, uplo, op, diag, T(0)}.cpu(a, x); });
          }
        }
      }
    }
  }
}

/// Tiles at the end of memory: a read beyond one ends the test program.
TYPED_TEST(AllBlas3Kernels, ReadNothingBeyondTheirTiles) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 5, 16, 17, 33, 64, 70, 130}) {
    SCOPED_TRACE(n);
    GuardedTile<T> memory_a(n, n), memory_b(n, n), memory_c(n, n);
    const Tile<T> a = memory_a.tile(), b = memory_b.tile(), c = memory_c.tile();
    Dense<T> x(n, n);
    /// The same numbers, and the same result as in other memory.
    const auto check = [&](const char* what, const auto& kernel, auto... operands) {
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) {
          a(i, j) = i == j ? T(1) : T(0);  // solves with it are exact
          b(i, j) = integer_entry<T>(2, i, j);
          x(i, j) = c(i, j) = integer_entry<T>(3, i, j);
        }
      }
      kernel.cpu(operands..., c);
      kernel.cpu(operands..., tile(x));
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i) EXPECT_EQ(c(i, j), x(i, j)) << what << " (" << i << ", " << j << ")";
      }
    };
    for (const Op op : ops) {
      for (const Op op_b : ops) check("gemm", kernel::gemm<T>{op, op_b, T(2), T(3)}, b, a);
      for (const Uplo uplo : uplos) {
        if (!is_complex<T> || op != Op::trans) {
          check("herk", kernel::herk<T>{uplo, op, 2, 3}, b);
          check("her2k", kernel::her2k<T>{uplo, op, op, T(2), 3}, a, b);
          check("her2k", kernel::her2k<T>{uplo, op, Op::no_trans, T(2), 3}, a, b);
        }
        if (!is_complex<T> || op != Op::conj_trans) {
          check("syrk", kernel::syrk<T>{uplo, op, T(2), T(3)}, b);
          check("syr2k", kernel::syr2k<T>{uplo, op, op, T(2), T(3)}, a, b);
          check("syr2k", kernel::syr2k<T>{uplo, op, Op::no_trans, T(2), T(3)}, a, b);
        }
        for (const Side side : sides) {
          check("hemm", kernel::hemm<T>{side, uplo, op, T(2), T(3)}, b, a);
          check("symm", kernel::symm<T>{side, uplo, op, T(2), T(3)}, b, a);
          check("trmm", kernel::trmm<T>{side, uplo, op, Diag::NonUnit, T(2)}, b);
          check("trsm", kernel::trsm<T>{side, uplo, op, Diag::NonUnit, T(2)}, a);
        }
      }
    }
  }
}

TYPED_TEST(AllBlas3Kernels, TakeEmptyTiles) {
  using T = TypeParam;
  const Tile<T> none{}, row{nullptr, 0, 4, 1}, column{nullptr, 4, 0, 4};
  kernel::hemm<T>{}.cpu(none, row, row);
  kernel::symm<T>{}.cpu(none, row, row);
  kernel::hemm<T>{Side::Left, Uplo::Upper, Op::conj_trans}.cpu(none, column, row);
  kernel::symm<T>{Side::Right, Uplo::Upper, Op::trans}.cpu(none, row, column);
  kernel::syrk<T>{}.cpu(row, none);
  kernel::her2k<T>{}.cpu(row, row, none);
  kernel::syr2k<T>{}.cpu(row, row, none);
}

TYPED_TEST(AllBlas3Kernels, CountTheirFlopsFromShapesAlone) {
  using T = TypeParam;
  const double of_product = is_complex<T> ? 8 : 2;
  const Tile<T> a{nullptr, 3, 7, 3}, c{nullptr, 3, 5, 3}, small{nullptr, 3, 3, 3}, large{nullptr, 7, 7, 7};
  EXPECT_EQ(kernel::hemm<T>{}.flops(small, c, c), of_product * 3 * 3 * 5);
  EXPECT_EQ(kernel::symm<T>{Side::Right}.flops(small, c, c), of_product * 3 * 5 * 5);
  EXPECT_EQ(kernel::syrk<T>{}.flops(a, small), of_product * 7 * 6);
  EXPECT_EQ((kernel::syrk<T>{Uplo::Lower, Op::trans}.flops(a, large)), of_product * 3 * 28);
  EXPECT_EQ(kernel::her2k<T>{}.flops(a, a, small), of_product * 7 * 3 * 3);
  EXPECT_EQ((kernel::syr2k<T>{Uplo::Lower, Op::trans, Op::trans}.flops(a, a, large)), of_product * 3 * 7 * 7);
}

template <class T>
constexpr bool all_are_kernels = Kernel<kernel::hemm<T>>&& Kernel<kernel::symm<T>>&& Kernel<kernel::syrk<T>>&&
    Kernel<kernel::her2k<T>>&& Kernel<kernel::syr2k<T>>;
static_assert(all_are_kernels<float> && all_are_kernels<double> && all_are_kernels<std::complex<float>> &&
              all_are_kernels<std::complex<double>>);

// ---- trsm for many right-hand sides, which multiplies by inverses of small triangles -----------------------------

template <class T>
class ManyRightHandSides : public testing::Test {};
TYPED_TEST_SUITE(ManyRightHandSides, Scalars);

/// Calls f(trsm, m, n) for all cases, with a triangle of unknowns `unknowns` and `count` right-hand sides.
template <Scalar T, class F>
void for_each_solve(Index unknowns, Index count, F&& f) {
  for (const Side side : sides) {
    for (const Uplo uplo : uplos) {
      for (const Op op : ops) {
        for (const Diag diag : diags) {
          const bool left = side == Side::Left;
          SCOPED_TRACE(describe(side, uplo, op, diag));
          f(kernel::trsm<T>{side, uplo, op, diag, T(1)}, left ? unknowns : count, left ? count : unknowns);
        }
      }
    }
  }
}

/// The largest |op(A) x - b| / (|A| |x| eps) of the right-hand sides, in the 1-norm, for small integers as B.
template <Scalar T>
double solve_error(const kernel::trsm<T>& t, Dense<T> a, Index m, Index n) {
  const bool left = t.side == Side::Left;
  const Dense<T> b = integers<T>(3, m, n), A = transformed(t.op, expanded(t.uplo, t.diag, a));
  Dense<T> x = integers<T>(3, m, n);
  t.cpu(tile(a), tile(x));
  double norm_a = 0;
  for (Index j = 0; j < A.n(); ++j) {
    double column = 0;
    for (Index i = 0; i < A.m(); ++i) column += std::abs(left ? A(i, j) : A(j, i));
    norm_a = std::max(norm_a, column);
  }
  double largest = 0;
  for (Index rhs = 0; rhs < (left ? n : m); ++rhs) {
    double norm_r = 0, norm_x = 0;
    for (Index i = 0; i < A.m(); ++i) {
      T r = left ? b(i, rhs) : b(rhs, i);
      for (Index l = 0; l < A.m(); ++l) r -= left ? A(i, l) * x(l, rhs) : x(rhs, l) * A(l, i);
      norm_r += std::abs(r);
      norm_x += std::abs(left ? x(i, rhs) : x(rhs, i));
    }
    largest = std::max(largest, norm_r / (norm_a * norm_x * eps<T>));
  }
  return largest;
}

TYPED_TEST(ManyRightHandSides, AreSolvedToTheRoundingUnitHoweverIllConditionedTheTriangle) {
  using T = TypeParam;
  using R = real_t<T>;
  const Index unknowns = 75, count = 150;
  const auto random = [](Index i, Index j) { return integer_entry<T>(1, i, j) / R(5); };
  // Well conditioned; with a condition number near 2^40; with a diagonal over six decades.
  const std::function<T(Index, Index)> triangles[] = {
      [&](Index i, Index j) { return i == j ? T(4) : random(i, j) / R(unknowns); },
      [&](Index i, Index j) { return i == j                 ? T(1)
                                     : std::abs(i - j) < 40 ? T(-1)
                                                            : T(0); },
      [&](Index i, Index j) { return i == j ? T(std::pow(R(10), -R(i % 7))) : random(i, j) / R(1000); }};
  for (const auto& entry : triangles) {
    for_each_solve<T>(unknowns, count, [&](const kernel::trsm<T>& t, Index m, Index n) {
      const Dense<T> a = triangle<T>(t.uplo, unknowns, [&](Index i, Index j) {
        return t.diag == Diag::Unit && i == j ? marked_nan<T>() : entry(i, j);
      });
      EXPECT_LT(solve_error(t, a, m, n), lapack_threshold);
    });
  }
}

TYPED_TEST(ManyRightHandSides, ANanReachesOnlyTheUnknownsThatDependOnIt) {
  using T = TypeParam;
  const Index unknowns = 64, count = 200, bad = 37;
  for_each_solve<T>(unknowns, count, [&](const kernel::trsm<T>& t, Index m, Index n) {
    Dense<T> a = triangle<T>(t.uplo, unknowns,
                             [&](Index i, Index j) { return i == j ? T(2) : T((i + j) % 16 == 0 ? 1 : 0); });
    const bool left = t.side == Side::Left;
    Dense<T> b = unset<T>(m, n);
    b.set([&](Index i, Index j) {
      return (left ? i : j) == bad && (left ? j : i) % 50 == 7 ? marked_nan<T>() : T(4);
    });
    t.cpu(tile(a), tile(b));
    const bool forward = ((t.uplo == Uplo::Lower) == (t.op == Op::no_trans)) == left;
    for (Index rhs = 0; rhs < count; ++rhs) {
      for (Index k = 0; k < unknowns; ++k) {
        const double x = std::abs(left ? b(k, rhs) : b(rhs, k));
        const bool met = rhs % 50 == 7;
        if (!met || (forward ? k < bad : k > bad)) {
          ASSERT_TRUE(std::isfinite(x)) << rhs << " " << k;
        }
        if (met && k == bad) {
          ASSERT_TRUE(std::isnan(x));
        }
      }
    }
  });
}

TYPED_TEST(ManyRightHandSides, AreDividedByPivotsOfWhichTheReciprocalIsNoNormalNumber) {
  using T = TypeParam;
  for (const Index unknowns : {1, 6, 19, 75}) {
    for_each_solve<T>(unknowns, 20, [&](const kernel::trsm<T>& t, Index m, Index n) {
      if (t.diag == Diag::Unit) return;
      const bool left = t.side == Side::Left;
      Dense<T> a =
          triangle<T>(t.uplo, unknowns, [](Index i, Index j) { return i == j ? extreme_pivot<T>(i) : T(0); });
      const auto x = [](Index i, Index j) {
        return T(real_t<T>(i % 3 == j % 3 ? 0.5 : i % 2 == 0 ? -0.25 : 0));
      };
      Dense<T> b(m, n);
      b.set([&](Index i, Index j) {
        const T pivot = extreme_pivot<T>(left ? i : j);
        return x(i, j) * (t.op == Op::conj_trans ? conjugate(pivot) : pivot);
      });
      t.cpu(tile(a), tile(b));
      EXPECT_TRUE(equals(b, Dense<T>(m, n).set(x))) << unknowns;
    });
  }
}

}  // namespace
