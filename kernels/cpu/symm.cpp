// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/symm.hpp"

#include "kernels/cpu/symmetric.hpp"

namespace tessera::kernel {

template <Scalar T>
void symm<T>::cpu(Tile<const T> a, Tile<const T> b, Tile<T> c) const {
  if (c.rows == 0 || c.cols == 0) return;
  if (is_product_by_gemm<T>(op_b, a.rows)) {
    multiply_symmetric<Symmetry::symmetric, T>(side, uplo, op_b, alpha, a, b, beta, c);
  } else {
    vendor::symm<T>(side, uplo, alpha, a, b, beta, c);
  }
}

template struct symm<float>;
template struct symm<double>;
template struct symm<std::complex<float>>;
template struct symm<std::complex<double>>;

}  // namespace tessera::kernel
