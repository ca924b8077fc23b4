// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tessera/types.hpp"

/// \file
/// Divisions by one number as products with its reciprocal, and where that will not do.

namespace tessera::kernel {

/// The larger of |Re x| and |Im x|.
template <Scalar T>
real_t<T> largest_part(T x) {
  if constexpr (is_complex<T>) {
    return std::max(std::abs(x.real()), std::abs(x.imag()));
  } else {
    return std::abs(x);
  }
}

/// Whether 1 / x has all its digits: it is no subnormal number, nor does it or what it is made of overflow.
template <Scalar T>
bool has_normal_reciprocal(T x) {
  constexpr real_t<T> smallest = 4 * std::numeric_limits<real_t<T>>::min(), largest = 1 / smallest;
  const real_t<T> size = largest_part(x);
  return size >= smallest && size <= largest;
}

/// A power of two by which a number can be multiplied without an error to have a normal reciprocal, and which is less
/// than that reciprocal in modulus: what overflows when multiplied by it also does when divided by the number.
template <Scalar T>
real_t<T> scale_for_reciprocal(T x) {
  if (has_normal_reciprocal(x)) return 1;
  using Limits = std::numeric_limits<real_t<T>>;
  return std::ldexp(real_t<T>(1), largest_part(x) < 1 ? Limits::max_exponent - 6 : -8);
}

/// 1 / x by R. L. Smith's algorithm (CACM 5(8), 1962), for an x that has a normal reciprocal.
template <Scalar T>
T reciprocal(T x) {
  if constexpr (is_complex<T>) {
    using std::abs;
    const bool real_is_larger = abs(x.real()) >= abs(x.imag());
    const auto large = real_is_larger ? x.real() : x.imag(), small = real_is_larger ? x.imag() : x.real();
    const auto ratio = small / large, scaled = 1 / (large + small * ratio);
    return real_is_larger ? T(scaled, -ratio * scaled) : T(ratio * scaled, -scaled);
  } else {
    return 1 / x;
  }
}

}  // namespace tessera::kernel
