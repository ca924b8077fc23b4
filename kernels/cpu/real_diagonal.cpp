// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/real_diagonal.hpp"

#include "kernels/cpu/symmetric.hpp"

namespace tessera::kernel {

template <Scalar T>
void real_diagonal<T>::cpu(Tile<T> a) const {
  make_diagonal_real(a);
}

template struct real_diagonal<float>;
template struct real_diagonal<double>;
template struct real_diagonal<std::complex<float>>;
template struct real_diagonal<std::complex<double>>;

}  // namespace tessera::kernel
