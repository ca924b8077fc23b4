// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/reciprocal.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/cpu/vectorize.hpp"
#include "kernels/trmm.hpp"
#include "kernels/trsm.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// What trsm and trmm have in common: triangles of some hundred rows, applied from the right to rows in scratch memory.

namespace tessera::kernel {

/// trsm or trmm.
template <class K, class T>
concept TriangularKernel = std::same_as<K, trsm<T>> || std::same_as<K, trmm<T>>;

/// The solve of X op(A) = B or the product X op(A) in registers, for an A of order at most 8. Column j of the result is
///   solve:    (x(j) - sum over k < j of factor[j][k] x(k)) / op(A)(j, j), x(k) being results,
///   product:  x(j) op(A)(j, j) + sum over k < j of factor[j][k] x(k),
/// where the columns are counted from the last one if op(A) is lower. A smaller triangle is filled up with the identity,
/// for which X needs columns to spare, of zeros. Nothing but diagonal elements is inverted; those that have no normal
/// reciprocal are scaled before, and the result's column by as much.
template <Scalar T, TriangularKernel<T> Kernel>
class SmallTriangle {
 public:
  static constexpr Index order = 8;

  SmallTriangle(const Kernel& kernel, Tile<const T> a)
      : forward_(is_forward(Side::Right, kernel.uplo, kernel.op)) {
    const auto element = [&](Index row, Index col) {
      if (kernel.op == Op::no_trans) return a(row, col);
      return kernel.op == Op::trans ? a(col, row) : conjugate(a(col, row));
    };
    for (Index j = 0; j < order; ++j) {
      const Index col = forward_ ? j : order - 1 - j;
      const bool is_stored = col < a.rows;
      for (Index k = 0; k < j; ++k) {
        const Index row = forward_ ? k : order - 1 - k;
        factor_[j][k] = is_stored && row < a.rows ? element(row, col) : T(0);
      }
      diagonal_[j] = T(1);
      scale_[j] = 1;
      if (!is_stored || kernel.diag == Diag::Unit) continue;
      diagonal_[j] = element(col, col);
      if (!solves) continue;
      scale_[j] = scale_for_reciprocal(diagonal_[j]);
      diagonal_[j] = reciprocal(scale_[j] * diagonal_[j]);
    }
  }

  void apply(Tile<T> x) const {
    if (std::ranges::all_of(scale_, [](Real scale) { return scale == 1; })) {
      apply<false>(x);
    } else {
      apply<true>(x);
    }
  }

 private:
  using Real = real_t<T>;
  static constexpr bool solves = std::same_as<Kernel, trsm<T>>;

  /// Complex numbers are taken apart for the compiler to find vectors of them.
  template <bool scaled>
  void apply(Tile<T> x) const {
    constexpr Index parts = is_complex<T> ? 2 : 1;
    const Index stride = parts * (forward_ ? x.ld : -x.ld), count = x.rows;
    Real* const first = reinterpret_cast<Real*>(&x(0, forward_ ? 0 : order - 1));
    vectorized([&](auto) {
      TESSERA_INDEPENDENT
      for (Index i = 0; i < count; ++i) {
        Real re[order], im[order];
#pragma GCC unroll 8
        for (Index j = 0; j < order; ++j) {
          re[j] = first[parts * i + j * stride];
          im[j] = is_complex<T> ? first[parts * i + j * stride + parts - 1] : 0;
        }
#pragma GCC unroll 8
        for (Index step = 0; step < order; ++step) {
          const Index j = solves ? step : order - 1 - step;  // a product needs the others as they were
          if (!solves) multiply(diagonal_[j], re[j], im[j]);
#pragma GCC unroll 8
          for (Index k = 0; k < j; ++k) {
            Real r = re[k], s = im[k];
            multiply(factor_[j][k], r, s);
            re[j] += solves ? -r : r;
            im[j] += solves ? -s : s;
          }
          if constexpr (scaled) {
            re[j] *= scale_[j];
            im[j] *= scale_[j];
          }
          if (solves) multiply(diagonal_[j], re[j], im[j]);
          first[parts * i + j * stride] = re[j];
          if constexpr (is_complex<T>) first[parts * i + j * stride + 1] = im[j];
        }
      }
    });
  }

  /// re + i im = factor * (re + i im).
  [[gnu::always_inline]] static void multiply(const T& factor, Real& re, Real& im) {
    if constexpr (is_complex<T>) {
      const Real r = re;
      re = factor.real() * r - factor.imag() * im;
      im = factor.real() * im + factor.imag() * r;
    } else {
      re *= factor;
    }
  }

  bool forward_;
  T factor_[order][order];
  Real scale_[order];
  T diagonal_[order];
};

/// X = X op(A)^-1 (trsm) or X op(A) (trmm), the kernel's side and alpha being Right and 1. X has columns to spare up to a
/// multiple of 8, of zeros.
template <Scalar T, TriangularKernel<T> Kernel>
void apply(const Kernel& kernel, Tile<const T> a, Tile<T> x) {
  using Leaf = SmallTriangle<T, Kernel>;
  if (a.rows <= Leaf::order) return Leaf(kernel, a).apply(x);
  const TriangularHalves<T> half(Side::Right, kernel.uplo, kernel.op, a, x, Leaf::order);
  if constexpr (std::same_as<Kernel, trsm<T>>) {
    apply<T>(kernel, half.a_first, half.b_first);
    vendor::gemm<T>(Op::no_trans, kernel.op, T(-1), half.b_first, half.off, T(1), half.b_second);
    apply<T>(kernel, half.a_second, half.b_second);
  } else {
    apply<T>(kernel, half.a_second, half.b_second);
    vendor::gemm<T>(Op::no_trans, kernel.op, T(1), half.b_first, half.off, T(1), half.b_second);
    apply<T>(kernel, half.a_first, half.b_first);
  }
}

/// Triangles up to this order are applied in strips.
inline constexpr Index strip_order = 192;

/// The kernel for A up to order strip_order, some columns (Left) or rows (Right) of B at a time: in a copy of which the
/// columns begin in different cache sets, and which is transposed on the left. Tiles have leading dimensions of powers
/// of two, with which gemm loses half of its rate and more on narrow operands; in the copy it keeps it.
template <Scalar T, TriangularKernel<T> Kernel>
void apply_in_strips(const Kernel& kernel, Tile<const T> a, Tile<T> b) {
  constexpr Index lanes = 96, ld = lanes + 8;
  alignas(64) T strip[ld * strip_order];
  const bool left = kernel.side == Side::Left;
  const Op op_x = !left ? Op::no_trans : kernel.op == Op::conj_trans ? Op::conj_trans : Op::trans;
  const Op op_a = !left ? kernel.op : kernel.op == Op::no_trans ? Op::trans : Op::no_trans;
  const Kernel from_right{Side::Right, kernel.uplo, op_a, kernel.diag, T(1)};
  const Index order = a.rows, others = left ? b.cols : b.rows;
  const Index num_strips = (others + lanes - 1) / lanes;
  const Index width =
      (others + num_strips * 16 - 1) / (num_strips * 16) * 16;  // about equal, and whole vectors
  for (Index i = 0; i < others; i += width) {
    const Index count = std::min(width, others - i);
    const Tile<T> x{strip, count, order, ld};
    const Tile<T> part = left ? b.block(0, i, order, count) : b.block(i, 0, count, order);
    copy<T>(op_x, part, x);
    scale(op_x == Op::conj_trans ? conjugate(kernel.alpha) : kernel.alpha, x);
    for (Index j = order; j % SmallTriangle<T, Kernel>::order != 0; ++j)
      std::fill_n(strip + j * ld, count, T(0));
    apply<T>(from_right, a, x);
    copy<T>(op_x, x, part);
  }
}

}  // namespace tessera::kernel
