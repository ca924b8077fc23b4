// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/qr.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/lapack.hpp"
#include "kernels/cpu/split.hpp"

namespace tessera::kernel {

namespace {

/// Columns that are reduced one by one, LAPACK's tpqrt2: wider blocks are halved, so that their work is gemm's.
constexpr Index leaf = 8;

/// What one use of scratch memory is for; each has memory of its own that lasts as long as the thread.
enum class Use { view, products, lapack };

template <Use use, Scalar T>
T* scratch(Index count) {
  thread_local std::vector<T> memory;
  if (memory.size() < static_cast<std::size_t>(count))
    memory = std::vector<T>(static_cast<std::size_t>(count));
  return memory.data();
}

template <Use use, Scalar T>
Tile<T> scratch_tile(Index rows, Index cols) {
  const Index ld = rows + 8;  // columns begin in different cache sets
  return {scratch<use, T>(ld * cols), rows, cols, ld};
}

/// The tile in the view: itself, or a transposed copy.
template <Scalar T>
Tile<const T> viewed(Op view, Tile<const T> a) {
  if (view == Op::no_trans) return a;
  const Tile<T> copied = scratch_tile<Use::view, T>(a.cols, a.rows);
  copy<T>(view, a, copied);
  return copied;
}

/// Calls f on a tile that is stored in the view, by way of a transposed copy if need be.
template <Scalar T, class F>
void in_view(Op view, Tile<T> a, F&& f) {
  if (view == Op::no_trans) return f(a);
  const Tile<T> copied = scratch_tile<Use::view, T>(a.cols, a.rows);
  copy<T>(view, a, copied);
  f(copied);
  copy<T>(view, copied, a);
}

/// Calls f(first, count) for the blocks of k columns, from the first or from the last.
template <class F>
void for_each_block(bool forward, Index k, Index ib, F&& f) {
  const Index blocks = (k + ib - 1) / ib;
  for (Index b = 0; b < blocks; ++b) {
    const Index first = (forward ? b : blocks - 1 - b) * ib;
    f(first, std::min(ib, k - first));
  }
}

/// The rows that the vectors of columns 0 .. end - 1 of a tile may fill.
Index filled_rows(Shape shape, Index rows, Index end) {
  return shape == Shape::square ? rows : std::min(rows, end);
}

/// [C1; C2] = op(Q) [C1; C2] or [C1 C2] = [C1 C2] op(Q) for Q = I - [I; V] T [I; V]^H.
template <Scalar T>
void reflect(Side side, Op op, Tile<const T> v, Tile<const T> t, Tile<T> c1, Tile<T> c2) {
  if (c1.rows == 0 || c1.cols == 0) return;
  const bool left = side == Side::Left;
  const Op inner = left ? Op::conj_trans : Op::no_trans, outer = left ? Op::no_trans : Op::conj_trans;
  const Tile<T> w = scratch_tile<Use::products, T>(c1.rows, c1.cols);
  copy<T>(Op::no_trans, c1, w);
  multiply<T>(side, inner, Op::no_trans, T(1), v, c2, T(1), w);
  vendor::trmm<T>(side, Uplo::Upper, op, Diag::NonUnit, T(1), t, w);
  for (Index j = 0; j < c1.cols; ++j) {
    for (Index i = 0; i < c1.rows; ++i) c1(i, j) -= w(i, j);
  }
  multiply<T>(side, outer, Op::no_trans, T(-1), v, w, T(1), c2);
}

/// [R; B] = Q [R'; 0] with one T, by halves of the columns (Elmroth and Gustavson, IBM J. Res. Dev. 44(4), 2000).
template <Scalar T>
void factor_block(Tile<T> r, Tile<T> b, Tile<T> t) {
  const Index n = b.cols;
  if (n <= leaf) {
    vendor::tpqrt2<T>(r, b, t);
    return;
  }
  const Index n1 = (n / 2 + leaf - 1) / leaf * leaf, n2 = n - n1;
  const auto [b1, b2] = cut(false, b, n1);
  const Tile<T> t11 = t.block(0, 0, n1, n1), t12 = t.block(0, n1, n1, n2), t22 = t.block(n1, n1, n2, n2);
  factor_block(r.block(0, 0, n1, n1), b1, t11);
  reflect<T>(Side::Left, Op::conj_trans, b1, t11, r.block(0, n1, n1, n2), b2);
  factor_block(r.block(n1, n1, n2, n2), b2, t22);
  vendor::gemm<T>(Op::conj_trans, Op::no_trans, T(-1), b1, b2, T(0), t12);
  vendor::trmm<T>(Side::Left, Uplo::Upper, Op::no_trans, Diag::NonUnit, T(1), t11, t12);
  vendor::trmm<T>(Side::Right, Uplo::Upper, Op::no_trans, Diag::NonUnit, T(1), t22, t12);
}

}  // namespace

template <Scalar T>
void geqrt<T>::cpu(Tile<T> a, OutTile<T> r, OutTile<T> t) const {
  in_view<T>(view, a, [&](Tile<T> x) {
    const Index k = std::min(x.rows, x.cols);
    const Index ib = std::min(t.rows, k);
    if (k == 0) return;
    vendor::geqrt<T>(ib, x, t, scratch<Use::lapack, T>(ib * x.cols));
    for (Index j = 0; j < x.cols; ++j) {
      const Index end = std::min(j + 1, r.rows);
      std::copy_n(&x(0, j), end, &r(0, j));
      std::fill_n(&r(0, j) + end, r.rows - end, T(0));
    }
  });
}

template <Scalar T>
void tpqrt<T>::cpu(Tile<T> r, Tile<T> b, OutTile<T> t) const {
  in_view<T>(view, b, [&](Tile<T> x) {
    for_each_block(true, x.cols, t.rows, [&](Index first, Index count) {
      const Index end = first + count, rest = x.cols - end, rows = filled_rows(shape, x.rows, end);
      const Tile<T> v = x.block(0, first, rows, count), t_block = t.block(0, first, count, count);
      factor_block(r.block(first, first, count, count), v, t_block);
      reflect<T>(Side::Left, Op::conj_trans, v, t_block, r.block(first, end, count, rest),
                 x.block(0, end, rows, rest));
    });
  });
}

template <Scalar T>
void gemqrt<T>::cpu(Tile<const T> v, Tile<const T> t, Tile<T> c) const {
  const Tile<const T> x = viewed<T>(view, v);
  const Index k = std::min(x.rows, x.cols), ib = std::min(t.rows, k);
  if (k == 0 || c.rows == 0 || c.cols == 0) return;
  vendor::gemqrt<T>(side, op, k, ib, x, t, c,
                    scratch<Use::lapack, T>(ib * (side == Side::Left ? c.cols : c.rows)));
}

template <Scalar T>
void tpmqrt<T>::cpu(Tile<const T> v, Tile<const T> t, Tile<T> c1, Tile<T> c2) const {
  const Tile<const T> x = viewed<T>(view, v);
  const bool left = side == Side::Left;
  for_each_block(left == (op == Op::conj_trans), t.cols, t.rows, [&](Index first, Index count) {
    const Index rows = filled_rows(shape, x.rows, first + count);
    reflect<T>(side, op, x.block(0, first, rows, count), t.block(0, first, count, count),
               left ? c1.block(first, 0, count, c1.cols) : c1.block(0, first, c1.rows, count),
               left ? c2.block(0, 0, rows, c2.cols) : c2.block(0, 0, c2.rows, rows));
  });
}

#define TESSERA_INSTANTIATE(T) \
  template struct geqrt<T>;    \
  template struct tpqrt<T>;    \
  template struct gemqrt<T>;   \
  template struct tpmqrt<T>;
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernel
