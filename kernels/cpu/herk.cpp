// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/herk.hpp"

#include "kernels/cpu/blas.hpp"

namespace tessera::kernel {

template <Scalar T>
void herk<T>::cpu(Tile<const T> a, Tile<T> c) const {
  if (c.rows == 0) return;
  vendor::herk<T>(uplo, op, alpha, a, beta, c);
}

template struct herk<float>;
template struct herk<double>;
template struct herk<std::complex<float>>;
template struct herk<std::complex<double>>;

}  // namespace tessera::kernel
