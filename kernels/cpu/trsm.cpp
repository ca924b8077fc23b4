// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/trsm.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/product.hpp"
#include "kernels/cpu/split.hpp"

namespace tessera::kernel {

namespace {

/// Below this order a triangle is solved by substitution here. Vendors' trsm reach a tenth of gemm's rate on such
/// small triangles, while their gemm is fast already with a depth of 8 (benchmarks/kernels.cpp).
constexpr Index leaf = 8;

/// Right-hand sides that are solved at once: the unknowns of so many stay in the first-level cache.
constexpr Index lanes = 64;

/// All cases of trsm are one: for j = 0, 1, ...: x(j) = (x(j) - sum over k < j of factor[j][k] x(k)) * inverse[j].
/// Unknown j depends on unknown k by op(A)(j, k) on the left and op(A)(k, j) on the right; backward substitution
/// takes the unknowns in reverse.
template <Scalar T>
struct Substitution {
  Index n;
  T factor[leaf][leaf];
  T inverse[leaf];

  Substitution(const trsm<T>& t, Tile<const T> a, bool forward) : n(a.rows) {
    const bool by_rows = (t.side == Side::Left) == (t.op == Op::no_trans);
    for (Index j = 0; j < n; ++j) {
      for (Index k = 0; k <= j; ++k) {
        if (k == j && t.diag == Diag::Unit) continue;
        const Index row = forward ? j : n - 1 - j, col = forward ? k : n - 1 - k;
        const T entry = by_rows ? a(row, col) : a(col, row);
        factor[j][k] = t.op == Op::conj_trans ? conjugate(entry) : entry;
      }
      inverse[j] = t.diag == Diag::Unit ? T(1) : T(1) / factor[j][j];
    }
  }

  /// x(j) is the array of `count` elements at x + j * stride.
  void solve(T* x, Index stride, Index count) const {
    for (Index j = 0; j < n; ++j) {
      T* __restrict xj = x + j * stride;
      for (Index k = 0; k < j; ++k) {
        const T* __restrict xk = x + k * stride;
        for (Index i = 0; i < count; ++i) xj[i] -= product(factor[j][k], xk[i]);
      }
      for (Index i = 0; i < count; ++i) xj[i] = product(xj[i], inverse[j]);
    }
  }
};

/// Solves with a small triangle. On the right, the unknowns are the columns of B; on the left they are its rows,
/// which become contiguous in a buffer.
template <Scalar T>
void substitute(const trsm<T>& t, Tile<const T> a, Tile<T> b) {
  const bool forward = is_forward(t.side, t.uplo, t.op);
  const Substitution<T> s(t, a, forward);
  if (t.alpha != T(1)) {
    for (Index j = 0; j < b.cols; ++j) {
      for (Index i = 0; i < b.rows; ++i) b(i, j) = product(t.alpha, b(i, j));
    }
  }
  if (t.side == Side::Right) {
    for (Index i = 0; i < b.rows; i += lanes) {
      s.solve(&b(i, forward ? 0 : s.n - 1), forward ? b.ld : -b.ld, std::min(lanes, b.rows - i));
    }
    return;
  }
  T x[leaf][lanes];
  T* const first = x[forward ? 0 : s.n - 1];
  for (Index j = 0; j < b.cols; j += lanes) {
    const Index count = std::min(lanes, b.cols - j);
    for (Index i = 0; i < count; ++i) {
      for (Index row = 0; row < s.n; ++row) x[row][i] = b(row, j + i);
    }
    s.solve(first, forward ? lanes : -lanes, count);
    for (Index i = 0; i < count; ++i) {
      for (Index row = 0; row < s.n; ++row) b(row, j + i) = x[row][i];
    }
  }
}

/// Triangles of this order are solved by a product with their inverse. Measured with OpenBLAS 0.3.21's SkylakeX kernel,
/// d, 512 right-hand sides: gemm with k = 32 runs at gemm's full rate, substitution at a fifth of it.
constexpr Index inverted = 32;
/// Fewer right-hand sides than that do not pay for the inverse.
constexpr Index fewest_for_inverse = 128;
/// So many at a time.
constexpr Index part = 64;
/// The product's residual can be larger than that of substitution by the condition number of the triangle (Higham,
/// Stability of parallel triangular system solvers, SIAM J. Sci. Comput. 16, 1995); beyond this, substitution.
constexpr double largest_condition = 1000;

template <Scalar T>
void solve_by_halves(const trsm<T>& t, Tile<const T> a, Tile<T> b, Index smallest);

/// The largest sum of magnitudes of a column; NaN if there is one.
template <Scalar T>
double one_norm(Tile<const T> a) {
  double largest = 0;
  for (Index j = 0; j < a.cols; ++j) {
    double sum = 0;
    for (Index i = 0; i < a.rows; ++i) sum += static_cast<double>(std::abs(a(i, j)));
    if (!(sum <= largest)) largest = sum;
  }
  return largest;
}

/// op(A)^-1 of a small triangle, with zeros in the other one.
template <Scalar T>
struct Inverse {
  Index n;
  bool well_conditioned;
  T entries[inverted * inverted] = {};

  Inverse(const trsm<T>& t, Tile<const T> a) : n(a.rows) {
    T buffer[inverted * inverted] = {};
    const Tile<T> triangle{buffer, n, n, n};
    for (Index j = 0; j < n; ++j) {
      const Index first = t.uplo == Uplo::Lower ? j : 0, last = t.uplo == Uplo::Lower ? n : j + 1;
      std::copy_n(&a(first, j), last - first, &triangle(first, j));
      if (t.diag == Diag::Unit) triangle(j, j) = T(1);
      entries[j + j * n] = T(1);
    }
    const Tile<T> identity{entries, n, n, n};
    solve_by_halves(trsm<T>{t.side, t.uplo, t.op, t.diag, T(1)}, Tile<const T>(triangle), identity, leaf);
    well_conditioned = one_norm<T>(triangle) * one_norm<T>(tile()) <= largest_condition;
  }

  Tile<const T> tile() const { return {entries, n, n, n}; }
};

/// Copies B; false if an element is not finite, which a product with the inverse's zeros would spread.
template <Scalar T>
bool copy_if_finite(Tile<const T> b, Tile<T> copy) {
  using R = real_t<T>;
  int others = 0;  // without a branch, so that compilers vectorise it
  for (Index j = 0; j < b.cols; ++j) {
    const R* x = reinterpret_cast<const R*>(&b(0, j));
    R* y = reinterpret_cast<R*>(&copy(0, j));
    for (Index i = 0; i < b.rows * Index{sizeof(T) / sizeof(R)}; ++i) {
      others |= x[i] - x[i] != R(0) ? 1 : 0;  // NaN unless x is finite
      y[i] = x[i];
    }
  }
  return others == 0;
}

/// Solves with a small triangle for many right-hand sides, in parts whose copy stays in the first-level cache.
template <Scalar T>
void multiply_by_inverse(const trsm<T>& t, const Inverse<T>& inverse, Tile<const T> a, Tile<T> b) {
  const bool left = t.side == Side::Left;
  T buffer[inverted * part];
  for (Index first = 0; first < (left ? b.cols : b.rows); first += part) {
    const Tile<T> x = left ? b.block(0, first, b.rows, std::min(part, b.cols - first))
                           : b.block(first, 0, std::min(part, b.rows - first), b.cols);
    const Tile<T> copy{buffer, x.rows, x.cols, x.rows};
    if (copy_if_finite<T>(x, copy)) {
      vendor::gemm<T>(Op::no_trans, Op::no_trans, t.alpha, left ? inverse.tile() : copy,
                      left ? Tile<const T>(copy) : inverse.tile(), T(0), x);
    } else {
      solve_by_halves(t, a, x, leaf);
    }
  }
}

template <Scalar T>
void solve_small(const trsm<T>& t, Tile<const T> a, Tile<T> b) {
  if ((t.side == Side::Left ? b.cols : b.rows) >= fewest_for_inverse) {
    if (const Inverse<T> inverse(t, a); inverse.well_conditioned)
      return multiply_by_inverse(t, inverse, a, b);
  }
  solve_by_halves(t, a, b, leaf);
}

/// Substitution in triangles of the order `smallest`, everything else by gemm.
template <Scalar T>
void solve_by_halves(const trsm<T>& t, Tile<const T> a, Tile<T> b, Index smallest) {
  if (a.rows <= smallest) {
    return smallest == leaf ? substitute(t, a, b) : solve_small(t, a, b);
  }
  const TriangularHalves<T> half(t.side, t.uplo, t.op, a, b, smallest);
  solve_by_halves(t, half.a_first, half.b_first, smallest);
  multiply<T>(t.side, t.op, Op::no_trans, T(-1), half.off, half.b_first, t.alpha, half.b_second);
  solve_by_halves(trsm<T>{t.side, t.uplo, t.op, t.diag, T(1)}, half.a_second, half.b_second, smallest);
}

}  // namespace

template <Scalar T>
void trsm<T>::cpu(Tile<const T> a, Tile<T> b) const {
  if (b.rows == 0 || b.cols == 0) return;
  const Index order = side == Side::Left ? b.rows : b.cols;
  a = a.block(0, 0, order, order);
  if (alpha == T(0)) return vendor::trsm<T>(side, uplo, op, diag, alpha, a, b);
  solve_by_halves(*this, a, b, inverted);
}

template struct trsm<float>;
template struct trsm<double>;
template struct trsm<std::complex<float>>;
template struct trsm<std::complex<double>>;

}  // namespace tessera::kernel
