// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/trtri.hpp"

#include <tuple>

#include "kernels/cpu/lapack.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/trmm.hpp"
#include "kernels/trsm.hpp"

namespace tessera::kernel {

namespace {

/// The vendor's trtri inverts tiles up to this order, from which on OpenBLAS's is several times slower
/// (benchmarks/kernels.cpp).
constexpr Index leaf = 32;

/// As LAPACK's blocked trtri: one factor of the off-diagonal block by the inverse that is already there, the other
/// one by a solve; this way A^-1 A - I is small (Du Croz and Higham, IMA J. Numer. Anal. 12, 1992).
template <Scalar T>
void invert(Uplo uplo, Diag diag, Tile<T> a) {
  if (a.rows <= leaf) {
    vendor::trtri<T>(uplo, diag, a);
    return;
  }
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
