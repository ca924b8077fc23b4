// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/herk.hpp"

#include "kernels/cpu/symmetric.hpp"

namespace tessera::kernel {

template <Scalar T>
void herk<T>::cpu(Tile<const T> a, Tile<T> c) const {
  if (c.rows == 0) return;
  const Index k = op == Op::no_trans ? a.cols : a.rows;
  if (is_fast_by_gemm<T>(op, c.rows))
    return update_rank_k<Symmetry::hermitian, T>(uplo, op, alpha, a, beta, c);
  for_each_slice(op, k, beta, [&](Index first, Index count, real_t<T> slice_beta) {
    vendor::herk<T>(uplo, op, alpha, slice(op, a, first, count), slice_beta, c);
  });
  make_diagonal_real(c);
}

template struct herk<float>;
template struct herk<double>;
template struct herk<std::complex<float>>;
template struct herk<std::complex<double>>;

}  // namespace tessera::kernel
