// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/trtri.hpp"

#include <tuple>

#include "kernels/cpu/split.hpp"
#include "kernels/cpu/triangle.hpp"
#include "kernels/region.hpp"
#include "kernels/trmm.hpp"
#include "kernels/trsm.hpp"

namespace tessera::kernel {

namespace {

/// Tiles up to this order are inverted by a solve with the identity: three times the work, at a rate that pays for it.
constexpr Index leaf = 32;

/// A = A^-1 as the solution of X A = I.
template <Scalar T>
void invert_small(Uplo uplo, Diag diag, Tile<T> a) {
  constexpr Index ld = leaf + 8;
  alignas(64) T memory[ld * leaf]{};
  const Tile<T> x{memory, a.rows, a.rows, ld};
  for (Index i = 0; i < x.rows; ++i) x(i, i) = T(1);
  apply<T>(trsm<T>{Side::Right, uplo, Op::no_trans, diag, T(1)}, a, x);
  const Region stored{uplo, diag == Diag::NonUnit ? 0 : uplo == Uplo::Lower ? -1 : 1};
  for (Index j = 0; j < a.cols; ++j) {
    for (Index i = stored.begin(j, a.rows); i < stored.end(j, a.rows); ++i) a(i, j) = x(i, j);
  }
}

/// As LAPACK's blocked trtri: one factor of the off-diagonal block by the inverse that is already there, the other
/// one by a solve; this way A^-1 A - I is small (Du Croz and Higham, IMA J. Numer. Anal. 12, 1992).
template <Scalar T>
void invert(Uplo uplo, Diag diag, Tile<T> a) {
  if (a.rows <= leaf) return invert_small(uplo, diag, a);
  const auto [a11, off, a22] = split(uplo, a, leaf);
  const auto& [row, col] = uplo == Uplo::Lower ? std::tie(a22, a11) : std::tie(a11, a22);
  invert(uplo, diag, row);
  trmm<T>{Side::Left, uplo, Op::no_trans, diag, T(1)}.cpu(row, off);
  trsm<T>{Side::Right, uplo, Op::no_trans, diag, T(-1)}.cpu(col, off);
  invert(uplo, diag, col);
}

}  // namespace

template <Scalar T>
Index trtri<T>::cpu(Tile<T> a) const {
  if (a.rows == 0) return 0;
  for (Index i = 0; diag == Diag::NonUnit && i < a.rows; ++i) {
    if (a(i, i) == T(0)) return first_row + i + 1;
  }
  invert(uplo, diag, a);
  return 0;
}

template struct trtri<float>;
template struct trtri<double>;
template struct trtri<std::complex<float>>;
template struct trtri<std::complex<double>>;

}  // namespace tessera::kernel
