// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/syrk.hpp"

#include "kernels/cpu/symmetric.hpp"

namespace tessera::kernel {

template <Scalar T>
void syrk<T>::cpu(Tile<const T> a, Tile<T> c) const {
  if (c.rows == 0) return;
  const Index k = op == Op::no_trans ? a.cols : a.rows;
  if (is_fast_by_gemm<T>(op, c.rows))
    return update_rank_k<Symmetry::symmetric, T>(uplo, op, alpha, a, beta, c);
  for_each_slice(op, k, beta, [&](Index first, Index count, const T& slice_beta) {
    vendor::syrk<T>(uplo, op, alpha, slice(op, a, first, count), slice_beta, c);
  });
}

template struct syrk<float>;
template struct syrk<double>;
template struct syrk<std::complex<float>>;
template struct syrk<std::complex<double>>;

}  // namespace tessera::kernel
