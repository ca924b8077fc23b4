// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/lauum.hpp"

#include "kernels/cpu/lapack.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/herk.hpp"
#include "kernels/trmm.hpp"

namespace tessera::kernel {

namespace {

/// The vendor's lauum multiplies tiles up to this order.
constexpr Index leaf = 64;

}  // namespace

template <Scalar T>
void lauum<T>::cpu(Tile<T> a) const {
  if (a.rows == 0) return;
  if (a.rows <= leaf) {
    vendor::lauum<T>(uplo, a);
    return;
  }
  const auto [a11, off, a22] = split(uplo, a, leaf);
  const bool lower = uplo == Uplo::Lower;
  cpu(a11);
  herk<T>{uplo, lower ? Op::conj_trans : Op::no_trans, 1, 1}.cpu(off, a11);
  trmm<T>{lower ? Side::Left : Side::Right, uplo, Op::conj_trans, Diag::NonUnit, T(1)}.cpu(a22, off);
  cpu(a22);
}

template struct lauum<float>;
template struct lauum<double>;
template struct lauum<std::complex<float>>;
template struct lauum<std::complex<double>>;

}  // namespace tessera::kernel
