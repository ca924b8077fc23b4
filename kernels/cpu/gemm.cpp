// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/gemm.hpp"

#include "kernels/cpu/blas.hpp"

namespace tessera::kernel {

template <Scalar T>
void gemm<T>::cpu(Tile<const T> a, Tile<const T> b, Tile<T> c) const {
  if (c.rows == 0 || c.cols == 0) return;
  vendor::gemm<T>(op_a, op_b, alpha, a, b, beta, c);
}

template struct gemm<float>;
template struct gemm<double>;
template struct gemm<std::complex<float>>;
template struct gemm<std::complex<double>>;

}  // namespace tessera::kernel
