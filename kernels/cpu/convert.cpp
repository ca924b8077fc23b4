// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/convert.hpp"

#include <complex>

namespace tessera::kernel {

template <Scalar From, Scalar To>
void convert<From, To>::cpu(Tile<const From> a, OutTile<To> b) const {
  const bool plain = op == Op::no_trans;
  for (Index j = 0; j < b.cols; ++j) {
    for (Index i = 0; i < b.rows; ++i) {
      const From x = plain ? a(i, j) : a(j, i);
      b(i, j) = static_cast<To>(op == Op::conj_trans ? conjugate(x) : x);
    }
  }
}

template struct convert<double, float>;
template struct convert<float, double>;
template struct convert<std::complex<double>, std::complex<float>>;
template struct convert<std::complex<float>, std::complex<double>>;

}  // namespace tessera::kernel
