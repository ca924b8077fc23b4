// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/syr2k.hpp"

#include "kernels/cpu/symmetric.hpp"
#include "kernels/syrk.hpp"

namespace tessera::kernel {

template <Scalar T>
void syr2k<T>::cpu(Tile<const T> a, Tile<const T> b, Tile<T> c) const {
  if (c.rows == 0) return;
  const Index k = op_a == Op::no_trans ? a.cols : a.rows;
  if (k == 0 || alpha == T(0)) return syrk<T>{uplo, op_a, T(0), beta}.cpu(a, c);  // beta C
  if (op_a == op_b && !is_fast_by_gemm<T>(op_a, c.rows)) {
    for_each_slice(op_a, k, beta, [&](Index first, Index count, const T& slice_beta) {
      vendor::syr2k<T>(uplo, op_a, alpha, slice(op_a, a, first, count), slice(op_a, b, first, count),
                       slice_beta, c);
    });
  } else {
    update_rank_2k<Symmetry::symmetric, T>(uplo, op_a, op_b, alpha, a, b, beta, c);
  }
}

template struct syr2k<float>;
template struct syr2k<double>;
template struct syr2k<std::complex<float>>;
template struct syr2k<std::complex<double>>;

}  // namespace tessera::kernel
