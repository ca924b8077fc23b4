// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/lauum.hpp"

#include "kernels/cpu/lapack.hpp"

namespace tessera::kernel {

template <Scalar T>
void lauum<T>::cpu(Tile<T> a) const {
  if (a.rows == 0) return;
  vendor::lauum<T>(uplo, a);
}

template struct lauum<float>;
template struct lauum<double>;
template struct lauum<std::complex<float>>;
template struct lauum<std::complex<double>>;

}  // namespace tessera::kernel
