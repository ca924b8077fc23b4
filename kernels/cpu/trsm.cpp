// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/trsm.hpp"

#include <algorithm>

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

}  // namespace

template <Scalar T>
void trsm<T>::cpu(Tile<const T> a, Tile<T> b) const {
  if (b.rows == 0 || b.cols == 0) return;
  const Index order = side == Side::Left ? b.rows : b.cols;
  a = a.block(0, 0, order, order);
  if (alpha == T(0)) return vendor::trsm<T>(side, uplo, op, diag, alpha, a, b);
  if (a.rows <= leaf) return substitute(*this, a, b);
  const TriangularHalves<T> half(side, uplo, op, a, b, leaf);
  cpu(half.a_first, half.b_first);
  multiply<T>(side, op, Op::no_trans, T(-1), half.off, half.b_first, alpha, half.b_second);
  trsm{side, uplo, op, diag, T(1)}.cpu(half.a_second, half.b_second);
}

template struct trsm<float>;
template struct trsm<double>;
template struct trsm<std::complex<float>>;
template struct trsm<std::complex<double>>;

}  // namespace tessera::kernel
