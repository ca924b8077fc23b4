// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/scale_columns.hpp"

#include <cmath>
#include <complex>

namespace tessera::kernel {
namespace {

template <Scalar T>
T times_power_of_two(T x, int exponent) {
  if constexpr (is_complex<T>) {
    return {std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent)};
  } else {
    return std::ldexp(x, exponent);
  }
}

}  // namespace

template <Scalar T>
void scale_columns<T>::cpu(Tile<T> a) const {
  for (Index j = 0; j < a.cols; ++j) {
    const int exponent = (*exponents)[static_cast<std::size_t>(first_col + j)];
    for (Index i = 0; i < a.rows; ++i) a(i, j) = times_power_of_two(a(i, j), exponent);
  }
}

template struct scale_columns<double>;
template struct scale_columns<std::complex<double>>;

}  // namespace tessera::kernel
