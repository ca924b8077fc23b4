// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/cpu/lu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/product.hpp"
#include "kernels/cpu/reciprocal.hpp"
#include "kernels/trsm.hpp"

namespace tessera::kernel {
namespace {

/// So many columns are factored one by one.
constexpr Index leaf = 8;

template <Scalar T>
real_t<T> magnitude(T x) {
  if constexpr (is_complex<T>) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else {
    return std::abs(x);
  }
}

/// The first entry of the largest magnitude, NaNs not counted; \p first if there is none. The maximum is searched in so
/// many interleaved parts, which the compiler does at once.
template <Scalar T>
Index find_pivot(const T* column, Index first, Index last) {
  constexpr Index lanes = 16;
  std::array<real_t<T>, lanes> largest;
  largest.fill(-1);
  const auto take = [&](Index lane, Index i) {
    const real_t<T> x = magnitude(column[i]);
    real_t<T>& so_far = largest[static_cast<std::size_t>(lane)];
    so_far = x > so_far ? x : so_far;
  };
  Index i = first;
  for (; i + lanes <= last; i += lanes) {
    for (Index lane = 0; lane < lanes; ++lane) take(lane, i + lane);
  }
  for (; i < last; ++i) take(0, i);
  const real_t<T> pivot = *std::ranges::max_element(largest);
  for (i = first; i < last; ++i) {
    if (magnitude(column[i]) == pivot) return i;
  }
  return first;
}

/// Divides x[0 .. count-1] by the pivot; by its reciprocal where that is as good (LAPACK's getf2).
template <Scalar T>
void divide(T* x, Index count, T pivot) {
  if (has_normal_reciprocal(pivot)) {
    const T factor = reciprocal(pivot);
    for (Index i = 0; i < count; ++i) x[i] = product(factor, x[i]);
  } else {
    for (Index i = 0; i < count; ++i) x[i] /= pivot;
  }
}

template <Scalar T>
Index factor_leaf(Tile<T> a, Index* pivots) {
  Index first_zero = 0;
  for (Index k = 0; k < std::min(a.rows, a.cols); ++k) {
    T* const column = &a(0, k);
    if (pivots != nullptr) {
      pivots[k] = find_pivot(column, k, a.rows);
      for (Index j = 0; j < a.cols && pivots[k] != k; ++j) std::swap(a(k, j), a(pivots[k], j));
    }
    if (column[k] != T(0)) {
      divide(column + k + 1, a.rows - k - 1, column[k]);
    } else if (first_zero == 0) {
      first_zero = k + 1;
    }
    for (Index j = k + 1; j < a.cols; ++j) {
      T* const updated = &a(0, j);
      const T factor = updated[k];
      for (Index i = k + 1; i < a.rows; ++i) updated[i] -= product(column[i], factor);
    }
  }
  return first_zero;
}

template <Scalar T>
void interchange_rows(Tile<T> a, const Index* pivots, Index count) {
  for (Index j = 0; pivots != nullptr && j < a.cols; ++j) {
    T* const column = &a(0, j);
    for (Index r = 0; r < count; ++r) {
      if (pivots[r] != r) std::swap(column[r], column[pivots[r]]);
    }
  }
}

}  // namespace

template <Scalar T>
Index factor_lu(Tile<T> a, Index* pivots) {
  const Index k = std::min(a.rows, a.cols);
  if (a.cols <= leaf) return factor_leaf(a, pivots);
  if (k == 0) return 0;
  const Index n1 = std::min(k, ((k + 1) / 2 + leaf - 1) / leaf * leaf);
  const Tile<T> left = a.block(0, 0, a.rows, n1), right = a.block(0, n1, a.rows, a.cols - n1);
  const Index zero_left = factor_lu(left, pivots);
  interchange_rows(right, pivots, n1);
  const Tile<T> a12 = right.block(0, 0, n1, right.cols);
  trsm<T>{Side::Left, Uplo::Lower, Op::no_trans, Diag::Unit, T(1)}.cpu(left.block(0, 0, n1, n1), a12);
  if (a.rows == n1) return zero_left;

  const Tile<T> a21 = left.block(n1, 0, a.rows - n1, n1), a22 = right.block(n1, 0, a.rows - n1, right.cols);
  vendor::gemm<T>(Op::no_trans, Op::no_trans, T(-1), a21, a12, T(1), a22);
  Index* const below = pivots == nullptr ? nullptr : pivots + n1;
  const Index zero_right = factor_lu(a22, below);
  interchange_rows(a21, below, k - n1);
  for (Index r = n1; pivots != nullptr && r < k; ++r) pivots[r] += n1;
  return zero_left != 0 || zero_right == 0 ? zero_left : n1 + zero_right;
}

template Index factor_lu(Tile<float>, Index*);
template Index factor_lu(Tile<double>, Index*);
template Index factor_lu(Tile<std::complex<float>>, Index*);
template Index factor_lu(Tile<std::complex<double>>, Index*);

}  // namespace tessera::kernel
