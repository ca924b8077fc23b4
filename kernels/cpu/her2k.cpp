// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/her2k.hpp"

#include "kernels/cpu/symmetric.hpp"
#include "kernels/herk.hpp"

namespace tessera::kernel {

template <Scalar T>
void her2k<T>::cpu(Tile<const T> a, Tile<const T> b, Tile<T> c) const {
  if (c.rows == 0) return;
  const Index k = op_a == Op::no_trans ? a.cols : a.rows;
  if (k == 0 || alpha == T(0)) return herk<T>{uplo, op_a, 0, beta}.cpu(a, c);  // beta C
  if (op_a == op_b && !is_fast_by_gemm<T>(op_a, c.rows)) {
    for_each_slice(op_a, k, beta, [&](Index first, Index count, real_t<T> slice_beta) {
      vendor::her2k<T>(uplo, op_a, alpha, slice(op_a, a, first, count), slice(op_a, b, first, count),
                       slice_beta, c);
    });
  } else {
    update_rank_2k<Symmetry::hermitian, T>(uplo, op_a, op_b, alpha, a, b, beta, c);
  }
  make_diagonal_real(c);
}

template struct her2k<float>;
template struct her2k<double>;
template struct her2k<std::complex<float>>;
template struct her2k<std::complex<double>>;

}  // namespace tessera::kernel
