// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/trsm.hpp"

#include <algorithm>

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/cpu/substitution.hpp"

namespace tessera::kernel {

namespace {

/// Triangles up to this order are solved in a strip of scratch memory, larger ones where they are.
constexpr Index block = 192;

/// Right-hand sides in a strip.
constexpr Index lanes = 96;

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
    for (Index j = order; j % substitution_order != 0; ++j) std::fill_n(strip + j * ld, count, T(0));
    solve<T>(right, a, x);
    copy<T>(op_x, x, part);
  }
}

}  // namespace

template <Scalar T>
void trsm<T>::cpu(Tile<const T> a, Tile<T> b) const {
  if (b.rows == 0 || b.cols == 0) return;
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
