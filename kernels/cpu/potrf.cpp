// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/potrf.hpp"

#include "kernels/cpu/lapack.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/herk.hpp"
#include "kernels/trsm.hpp"

namespace tessera::kernel {

namespace {

/// The vendor's potrf factors tiles up to this order, from which on OpenBLAS's is slower (benchmarks/kernels.cpp).
template <Scalar T>
constexpr Index leaf = is_complex<T> ? 64 : 32;

/// LAPACK's potrf, and the test of every pivot that OpenBLAS leaves out: its potrf returns 0 for NaN.
template <Scalar T>
Index factor(Uplo uplo, Tile<T> a) {
  const Index info = vendor::potrf<T>(uplo, a);
  const Index num_pivots = info > 0 ? info - 1 : a.rows;
  for (Index i = 0; i < num_pivots; ++i) {
    if (!(real_part(a(i, i)) > 0)) return i + 1;
  }
  return info;
}

}  // namespace

template <Scalar T>
Index potrf<T>::cpu(Tile<T> a) const {
  if (a.rows == 0) return 0;
  if (a.rows <= leaf<T>) {
    const Index info = factor(uplo, a);
    return info == 0 ? 0 : first_row + info;
  }
  const auto [a11, off, a22] = split(uplo, a, leaf<T>);
  if (const Index info = cpu(a11)) return info;
  const bool lower = uplo == Uplo::Lower;
  trsm<T>{lower ? Side::Right : Side::Left, uplo, Op::conj_trans, Diag::NonUnit, T(1)}.cpu(a11, off);
  herk<T>{uplo, lower ? Op::no_trans : Op::conj_trans, -1, 1}.cpu(off, a22);
  return potrf{uplo, first_row + a11.rows}.cpu(a22);
}

template struct potrf<float>;
template struct potrf<double>;
template struct potrf<std::complex<float>>;
template struct potrf<std::complex<double>>;

}  // namespace tessera::kernel
