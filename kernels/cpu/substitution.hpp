// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/cpu/vectorize.hpp"
#include "kernels/trsm.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// The solve with small triangles, from the right.

namespace tessera::kernel {

/// Triangles up to this order are solved by substitution in registers.
inline constexpr Index substitution_order = 8;

/// 1 / x by R. L. Smith's algorithm (CACM 5(8), 1962), which does not overflow before the result does.
template <Scalar T>
T reciprocal(T x) {
  if constexpr (is_complex<T>) {
    using std::abs;
    const bool real_is_larger = abs(x.real()) >= abs(x.imag());
    const auto large = real_is_larger ? x.real() : x.imag(), small = real_is_larger ? x.imag() : x.real();
    const auto ratio = small / large, scaled = 1 / (large + small * ratio);
    return real_is_larger ? T(scaled, -ratio * scaled) : T(ratio * scaled, -scaled);
  } else {
    return 1 / x;
  }
}

/// Columns of X in X op(A) = B for an A up to the order of a substitution_order: for j = 0, 1, ...
/// x(j) = (x(j) - sum over k < j of factor[j][k] x(k)) * inverse[j].
/// Backward substitution takes the columns in reverse. A smaller triangle is filled up with the identity, for which
/// X needs columns to spare.
template <Scalar T>
class Substitution {
 public:
  Substitution(const trsm<T>& t, Tile<const T> a, bool forward) : forward_(forward) {
    for (Index j = 0; j < substitution_order; ++j) {
      inverse_[j] = T(1);
      for (Index k = 0; k <= j; ++k) {
        const Index row = forward ? k : substitution_order - 1 - k,
                    col = forward ? j : substitution_order - 1 - j;
        if (std::max(row, col) >= a.rows) {
          factor_[j][k] = T(0);
        } else if (k < j) {
          const T entry = t.op == Op::no_trans ? a(row, col) : a(col, row);
          factor_[j][k] = t.op == Op::conj_trans ? conjugate(entry) : entry;
        } else if (t.diag == Diag::NonUnit) {
          inverse_[j] = reciprocal(t.op == Op::conj_trans ? conjugate(a(row, row)) : a(row, row));
        }
      }
    }
  }

  /// Complex numbers are taken apart for the compiler to find vectors of them.
  void solve(Tile<T> x) const {
    using Real = real_t<T>;
    constexpr Index parts = is_complex<T> ? 2 : 1;
    const Index stride = parts * (forward_ ? x.ld : -x.ld), count = x.rows;
    Real* const first = reinterpret_cast<Real*>(&x(0, forward_ ? 0 : substitution_order - 1));
    vectorized([&](auto) {
#pragma GCC ivdep
      for (Index i = 0; i < count; ++i) {
        Real re[substitution_order], im[substitution_order];
#pragma GCC unroll 8
        for (Index j = 0; j < substitution_order; ++j) {
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

 private:
  bool forward_;
  T factor_[substitution_order][substitution_order];
  T inverse_[substitution_order];
};

/// X op(A) = B with X in place of B, for an A of an order up to some hundreds. X has columns to spare up to a multiple of
/// the substitution_order's order.
template <Scalar T>
void solve(const trsm<T>& t, Tile<const T> a, Tile<T> x) {
  if (a.rows <= substitution_order)
    return Substitution<T>(t, a, is_forward(Side::Right, t.uplo, t.op)).solve(x);
  const TriangularHalves<T> half(Side::Right, t.uplo, t.op, a, x, substitution_order);
  solve(t, half.a_first, half.b_first);
  vendor::gemm<T>(Op::no_trans, t.op, T(-1), half.b_first, half.off, T(1), half.b_second);
  solve(t, half.a_second, half.b_second);
}

}  // namespace tessera::kernel
