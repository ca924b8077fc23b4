// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/potrf.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/cpu/triangle.hpp"
#include "kernels/cpu/vectorize.hpp"
#include "kernels/herk.hpp"
#include "kernels/trsm.hpp"

namespace tessera::kernel {

namespace {

/// Tiles up to this order are factored in panels of columns.
constexpr Index leaf = 32;

/// Tiles up to this order are factored in scratch memory, larger ones where they are.
constexpr Index block = 256;

/// y = y - L(:, j) conj(L(k, j)) for j = first, ..., first + count - 1, where y is column k of `l`, in rows first_row and
/// below.
template <Index count, Scalar T>
[[gnu::always_inline]] inline void update_column(Tile<T> l, Index k, Index first, Index first_row) {
  using Real = real_t<T>;
  constexpr Index parts = is_complex<T> ? 2 : 1;
  Real* const y = reinterpret_cast<Real*>(&l(0, k));
  const Real* const x = reinterpret_cast<const Real*>(&l(0, first));
  const Index rows = l.rows, ld = parts * l.ld;
  Real re[count], im[count];
  for (Index j = 0; j < count; ++j) {
    re[j] = x[parts * k + j * ld];
    im[j] = is_complex<T> ? x[parts * k + parts - 1 + j * ld] : 0;
  }
  TESSERA_INDEPENDENT
  for (Index i = first_row; i < rows; ++i) {
    Real r = y[parts * i], s = y[parts * i + parts - 1];
#pragma GCC unroll 8
    for (Index j = 0; j < count; ++j) {
      const Real* const xj = x + parts * i + j * ld;
      r -= re[j] * xj[0];
      if constexpr (is_complex<T>) {
        r -= im[j] * xj[1];
        s -= re[j] * xj[1];
        s += im[j] * xj[0];
      }
    }
    y[parts * i] = r;
    if constexpr (is_complex<T>) y[parts * i + 1] = s;
  }
}

/// A = L L^H, in panels of some columns. Rows are taken in whole vectors: nothing depends on what stands above the
/// diagonal.
template <Scalar T>
Index factor_panels(Tile<T> a) {
  using Real = real_t<T>;
  constexpr Index width = 8, parts = is_complex<T> ? 2 : 1;
  const Index n = a.rows;
  Index info = 0;
  vectorized([&](auto) {
    for (Index first = 0; first < n; first += width) {
      const Index end = std::min(n, first + width);
      for (Index j = first; j < end; ++j) {
        Real* const x = reinterpret_cast<Real*>(&a(0, j));
        Real& diagonal = x[parts * j];
        if (!(diagonal > 0)) {  // also a NaN
          info = j + 1;
          return;
        }
        const Real pivot = std::sqrt(diagonal), inverse = 1 / pivot;
        for (Index i = parts * first; i < parts * n; ++i) x[i] *= inverse;
        a(j, j) = pivot;
        for (Index k = j + 1; k < end; ++k) update_column<1>(a, k, j, first);
      }
      for (Index k = end; k < n; ++k) update_column<width>(a, k, first, k / width * width);
    }
  });
  return info;
}

/// A = L L^H in memory where all of the square may be written.
template <Scalar T>
Index factor(Tile<T> a) {
  if (a.rows <= leaf) return factor_panels(a);
  const auto [a11, off, a22] = split(Uplo::Lower, a, leaf);
  if (const Index info = factor(a11)) return info;
  apply<T>(trsm<T>{Side::Right, Uplo::Lower, Op::conj_trans, Diag::NonUnit, T(1)}, a11, off);
  herk<T>{Uplo::Lower, Op::no_trans, -1, 1}.cpu(off, a22);
  const Index info = factor(a22);
  return info == 0 ? 0 : a11.rows + info;
}

}  // namespace

template <Scalar T>
Index potrf<T>::cpu(Tile<T> a) const {
  if (a.rows == 0) return 0;
  const bool lower = uplo == Uplo::Lower;
  if (a.rows <= block) {
    constexpr Index ld = block + 8;  // columns begin in different cache sets
    thread_local std::vector<T> memory(static_cast<std::size_t>(ld * block));
    const Tile<T> l{memory.data(), a.rows, a.rows, ld};
    const Op op = lower ? Op::no_trans : Op::conj_trans;
    copy_triangle<T>(uplo, op, a, l);
    const Index info = factor(l);
    copy_triangle<T>(Uplo::Lower, op, l, a);
    return info == 0 ? 0 : first_row + info;
  }
  const auto [a11, off, a22] = split(uplo, a, leaf);
  if (const Index info = cpu(a11)) return info;
  trsm<T>{lower ? Side::Right : Side::Left, uplo, Op::conj_trans, Diag::NonUnit, T(1)}.cpu(a11, off);
  herk<T>{uplo, lower ? Op::no_trans : Op::conj_trans, -1, 1}.cpu(off, a22);
  return potrf{uplo, first_row + a11.rows}.cpu(a22);
}

template struct potrf<float>;
template struct potrf<double>;
template struct potrf<std::complex<float>>;
template struct potrf<std::complex<double>>;

}  // namespace tessera::kernel
