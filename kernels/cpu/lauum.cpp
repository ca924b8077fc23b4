// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/lauum.hpp"

#include "kernels/cpu/lapack.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/herk.hpp"
#include "kernels/trmm.hpp"

namespace tessera::kernel {

namespace {

constexpr Index leaf = 16;

/// The product by its definition, row by row of L (column by column of U = L^H).
template <Scalar T>
void multiply_small(Uplo uplo, Tile<T> a) {
  const bool lower = uplo == Uplo::Lower;
  const auto L = [&](Index i, Index j) { return lower ? a(i, j) : conjugate(a(j, i)); };
  for (Index i = 0; i < a.rows; ++i) {
    for (Index j = 0; j <= i; ++j) {
      T sum{};
      for (Index k = i; k < a.rows; ++k) sum += conjugate(L(k, i)) * L(k, j);
      if (i == j) sum = T(real_part(sum));
      (lower ? a(i, j) : a(j, i)) = lower ? sum : conjugate(sum);
    }
  }
}

/// Complex tiles do not go to the vendor: OpenBLAS 0.3.21 takes dot products of rows there, and its zdotc and cdotc
/// read beyond the end of a vector with a stride, which ends the process when the tile ends at a page's end.
template <Scalar T>
void multiply_complex(Uplo uplo, Tile<T> a) {
  if (a.rows <= leaf) return multiply_small(uplo, a);
  const auto [a11, off, a22] = split(uplo, a, leaf);
  const bool lower = uplo == Uplo::Lower;
  multiply_complex(uplo, a11);
  herk<T>{uplo, lower ? Op::conj_trans : Op::no_trans, 1, 1}.cpu(off, a11);
  trmm<T>{lower ? Side::Left : Side::Right, uplo, Op::conj_trans, Diag::NonUnit, T(1)}.cpu(a22, off);
  multiply_complex(uplo, a22);
}

}  // namespace

template <Scalar T>
void lauum<T>::cpu(Tile<T> a) const {
  if (a.rows == 0) return;
  if constexpr (is_complex<T>) {
    multiply_complex(uplo, a);
  } else {
    vendor::lauum<T>(uplo, a);
  }
}

template struct lauum<float>;
template struct lauum<double>;
template struct lauum<std::complex<float>>;
template struct lauum<std::complex<double>>;

}  // namespace tessera::kernel
