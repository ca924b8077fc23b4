// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/trsm.hpp"

#include <algorithm>

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/reciprocal.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/cpu/vectorize.hpp"

namespace tessera::kernel {

namespace {

/// Triangles up to this order are solved by substitution in registers.
constexpr Index leaf = 8;

/// Triangles up to this order are solved in a strip of scratch memory, larger ones where they are.
constexpr Index block = 192;

/// Right-hand sides in a strip.
constexpr Index lanes = 96;

/// Columns of X in X op(A) = B for an A up to the order of a leaf: for j = 0, 1, ...
/// x(j) = (x(j) - sum over k < j of factor[j][k] x(k)) * scale[j] * inverse[j], where the scales are 1 but for pivots
/// without a normal reciprocal.
/// Backward substitution takes the columns in reverse. A smaller triangle is filled up with the identity, for which
/// X needs columns to spare.
template <Scalar T>
class Substitution {
 public:
  Substitution(const trsm<T>& t, Tile<const T> a, bool forward) : forward_(forward) {
    for (Index j = 0; j < leaf; ++j) {
      scale_[j] = 1;
      inverse_[j] = T(1);
      for (Index k = 0; k <= j; ++k) {
        const Index row = forward ? k : leaf - 1 - k, col = forward ? j : leaf - 1 - j;
        if (std::max(row, col) >= a.rows) {
          factor_[j][k] = T(0);
        } else if (k < j) {
          const T entry = t.op == Op::no_trans ? a(row, col) : a(col, row);
          factor_[j][k] = t.op == Op::conj_trans ? conjugate(entry) : entry;
        } else if (t.diag == Diag::NonUnit) {
          const T pivot = t.op == Op::conj_trans ? conjugate(a(row, row)) : a(row, row);
          scale_[j] = scale_for_reciprocal(pivot);
          inverse_[j] = reciprocal(scale_[j] * pivot);
        }
      }
    }
  }

  void solve(Tile<T> x) const {
    if (std::ranges::all_of(scale_, [](Real scale) { return scale == 1; })) {
      solve<false>(x);
    } else {
      solve<true>(x);
    }
  }

 private:
  using Real = real_t<T>;

  /// Complex numbers are taken apart for the compiler to find vectors of them.
  template <bool scaled>
  void solve(Tile<T> x) const {
    constexpr Index parts = is_complex<T> ? 2 : 1;
    const Index stride = parts * (forward_ ? x.ld : -x.ld), count = x.rows;
    Real* const first = reinterpret_cast<Real*>(&x(0, forward_ ? 0 : leaf - 1));
    vectorized([&](auto) {
#pragma GCC ivdep
      for (Index i = 0; i < count; ++i) {
        Real re[leaf], im[leaf];
#pragma GCC unroll 8
        for (Index j = 0; j < leaf; ++j) {
          Real* const xj = first + parts * i + j * stride;
          Real r = xj[0], s = is_complex<T> ? xj[parts - 1] : Real(0);
#pragma GCC unroll 8
          for (Index k = 0; k < j; ++k) {
            r -= real_part(factor_[j][k]) * re[k];
            if constexpr (is_complex<T>) {
              r += factor_[j][k].imag() * im[k];
              s -= factor_[j][k].real() * im[k];
              s -= factor_[j][k].imag() * re[k];
            }
          }
          if constexpr (scaled) {
            r *= scale_[j];
            s *= scale_[j];
          }
          re[j] = r * real_part(inverse_[j]);
          if constexpr (is_complex<T>) {
            re[j] -= s * inverse_[j].imag();
            im[j] = r * inverse_[j].imag() + s * inverse_[j].real();
            xj[1] = im[j];
          }
          xj[0] = re[j];
        }
      }
    });
  }

  bool forward_;
  T factor_[leaf][leaf];
  Real scale_[leaf];
  T inverse_[leaf];
};

/// X op(A) = B with X in place of B.
template <Scalar T>
void solve(const trsm<T>& t, Tile<const T> a, Tile<T> x) {
  if (a.rows <= leaf) return Substitution<T>(t, a, is_forward(Side::Right, t.uplo, t.op)).solve(x);
  const TriangularHalves<T> half(Side::Right, t.uplo, t.op, a, x, leaf);
  solve(t, half.a_first, half.b_first);
  vendor::gemm<T>(Op::no_trans, t.op, T(-1), half.b_first, half.off, T(1), half.b_second);
  solve(t, half.a_second, half.b_second);
}

/// Solves for some right-hand sides at a time in a copy of them, of which the columns begin in different cache sets.
/// On the left, the copy is the transpose.
template <Scalar T>
void solve_in_strips(const trsm<T>& t, Tile<const T> a, Tile<T> b) {
  constexpr Index ld = lanes + 8;
  alignas(64) T strip[ld * block];
  const bool left = t.side == Side::Left;
  const Op op_x = !left ? Op::no_trans : t.op == Op::conj_trans ? Op::conj_trans : Op::trans;
  const Op op_a = !left ? t.op : t.op == Op::no_trans ? Op::trans : Op::no_trans;
  const trsm<T> right{Side::Right, t.uplo, op_a, t.diag, T(1)};
  const Index order = a.rows, others = left ? b.cols : b.rows;
  const Index num_strips = (others + lanes - 1) / lanes;
  const Index width = (others + num_strips * 16 - 1) / (num_strips * 16) * 16;
  for (Index i = 0; i < others; i += width) {
    const Index count = std::min(width, others - i);
    const Tile<T> x{strip, count, order, ld};
    const Tile<T> part = left ? b.block(0, i, order, count) : b.block(i, 0, count, order);
    copy<T>(op_x, part, x);
    scale(op_x == Op::conj_trans ? conjugate(t.alpha) : t.alpha, x);
    for (Index j = order; j % leaf != 0; ++j) std::fill_n(strip + j * ld, count, T(0));
    solve<T>(right, a, x);
    copy<T>(op_x, x, part);
  }
}

}  // namespace

template <Scalar T>
void trsm<T>::cpu(Tile<const T> a, Tile<T> b) const {
  if (b.rows == 0 || b.cols == 0) return;
  const Index order = side == Side::Left ? b.rows : b.cols;
  a = a.block(0, 0, order, order);
  if (alpha == T(0)) return vendor::trsm<T>(side, uplo, op, diag, alpha, a, b);
  if (a.rows <= block) return solve_in_strips(*this, a, b);
  const TriangularHalves<T> half(side, uplo, op, a, b, block);
  cpu(half.a_first, half.b_first);
  multiply<T>(side, op, Op::no_trans, T(-1), half.off, half.b_first, alpha, half.b_second);
  trsm{side, uplo, op, diag, T(1)}.cpu(half.a_second, half.b_second);
}

template struct trsm<float>;
template struct trsm<double>;
template struct trsm<std::complex<float>>;
template struct trsm<std::complex<double>>;

}  // namespace tessera::kernel
