// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/log_det.hpp"

#include <cmath>
#include <complex>

namespace tessera::kernel {

template <Scalar T>
void log_det<T>::cpu(Tile<const T> l, OutTile<double> s) const {
  double sum = 0;
  for (Index i = 0; i < l.rows; ++i) sum += std::log(static_cast<double>(std::abs(l(i, i))));
  s(0, 0) = 2 * sum;
}

template struct log_det<float>;
template struct log_det<double>;
template struct log_det<std::complex<float>>;
template struct log_det<std::complex<double>>;

}  // namespace tessera::kernel
