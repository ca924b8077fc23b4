// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/backward_error.hpp"

#include <cmath>
#include <complex>
#include <limits>

#include "kernels/norm.hpp"

namespace tessera::kernel {
namespace {

template <Scalar T>
real_t<T> modulus(T x) {
  if constexpr (is_complex<T>) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else {
    return std::abs(x);
  }
}

}  // namespace

template <Scalar T>
void moduli<T>::cpu(Tile<const T> a, OutTile<real_t<T>> b) const {
  for (Index j = 0; j < b.cols; ++j) {
    for (Index i = 0; i < b.rows; ++i) b(i, j) = modulus(op == Op::no_trans ? a(i, j) : a(j, i));
  }
  if (!real_diagonal) return;
  for (Index i = 0; i < b.rows; ++i) b(i, i) = std::abs(real_part(a(i, i)));
}

template <Scalar T>
void largest_ratios<T>::cpu(Tile<const T> r, Tile<const real_t<T>> s, OutTile<double> w) const {
  constexpr double eps = static_cast<double>(std::numeric_limits<real_t<T>>::epsilon()) / 2;
  for (Index j = 0; j < r.cols; ++j) {
    double largest = 0;
    for (Index i = 0; i < r.rows; ++i) {
      const auto numerator = static_cast<double>(modulus(r(i, j)));
      if (numerator == 0) continue;
      const auto denominator = static_cast<double>(s(i, j));
      const double shift = denominator > tiny / eps ? 0 : tiny;
      largest = max_or_nan(largest, (numerator + shift) / (denominator + shift));
    }
    w(0, j) = largest;
  }
}

template struct moduli<float>;
template struct moduli<double>;
template struct moduli<std::complex<float>>;
template struct moduli<std::complex<double>>;

template struct largest_ratios<float>;
template struct largest_ratios<double>;
template struct largest_ratios<std::complex<float>>;
template struct largest_ratios<std::complex<double>>;

}  // namespace tessera::kernel
