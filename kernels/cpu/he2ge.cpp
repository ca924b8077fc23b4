// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/he2ge.hpp"

#include "kernels/cpu/symmetric.hpp"

namespace tessera::kernel {

template <Scalar T>
void he2ge<T>::cpu(Tile<const T> a, OutTile<T> b) const {
  expand<Symmetry::hermitian, T>(uplo, a, b);
}

template struct he2ge<float>;
template struct he2ge<double>;
template struct he2ge<std::complex<float>>;
template struct he2ge<std::complex<double>>;

}  // namespace tessera::kernel
