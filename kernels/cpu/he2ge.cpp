// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/he2ge.hpp"

namespace tessera::kernel {

template <Scalar T>
void he2ge<T>::cpu(Tile<const T> a, OutTile<T> b) const {
  for (Index j = 0; j < a.cols; ++j) {
    b(j, j) = real_part(a(j, j));
    for (Index i = j + 1; i < a.rows; ++i) {
      b(i, j) = uplo == Uplo::Lower ? a(i, j) : conjugate(a(j, i));
      b(j, i) = conjugate(b(i, j));
    }
  }
}

template struct he2ge<float>;
template struct he2ge<double>;
template struct he2ge<std::complex<float>>;
template struct he2ge<std::complex<double>>;

}  // namespace tessera::kernel
