// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "tessera/types.hpp"

/// \file
/// Matrices whose norms are known exactly, and the norms by their definition.

namespace tessera::test {

inline constexpr Norm all_norms[] = {Norm::max, Norm::one, Norm::inf, Norm::frobenius};

/// The norm that A^T has where A has `norm`.
constexpr Norm transposed(Norm norm) {
  return norm == Norm::one ? Norm::inf : norm == Norm::inf ? Norm::one : norm;
}

/// An integer in -5 .. 5, for complex types times a number of modulus 5 with integer parts: every modulus is
/// an integer, so that max, one and inf norms and sums of squares are exact in any order of summation.
template <Scalar T>
T integer_entry(Index i, Index j) {
  const Index k = (7 * i + 3 * j + i * j) % 11 - 5;
  const auto integer = static_cast<real_t<T>>(k);
  if constexpr (is_complex<T>) {
    constexpr T units[] = {{3, 4}, {-4, 3}, {0, 5}, {5, 0}, {-3, -4}, {4, -3}};
    return units[(i + 2 * j) % 6] * integer;
  } else {
    return integer;
  }
}

/// Modulus by the definition; NaN if a part is.
template <Scalar T>
long double modulus(T x) {
  if constexpr (is_complex<T>) {
    const long double re = x.real(), im = x.imag();
    return std::isnan(re) || std::isnan(im) ? std::numeric_limits<long double>::quiet_NaN()
                                            : std::hypot(re, im);
  } else {
    return std::abs(static_cast<long double>(x));
  }
}

/// The norm of the m x n matrix of which magnitude(i, j) is |a_ij|, by its definition in long double (whose
/// range holds the squares of all doubles), rounded to double. For finite entries.
template <class Magnitude>
double norm_by_definition(Norm norm, Index m, Index n, Magnitude magnitude) {
  std::vector<long double> columns(static_cast<std::size_t>(n)), rows(static_cast<std::size_t>(m));
  long double largest = 0, squares = 0;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < m; ++i) {
      const long double x = magnitude(i, j);
      largest = std::max(largest, x);
      squares += x * x;
      columns[static_cast<std::size_t>(j)] += x;
      rows[static_cast<std::size_t>(i)] += x;
    }
  }
  if (m == 0 || n == 0) return 0;
  switch (norm) {
    case Norm::max:
      return static_cast<double>(largest);
    case Norm::one:
      return static_cast<double>(std::ranges::max(columns));
    case Norm::inf:
      return static_cast<double>(std::ranges::max(rows));
    default:
      return static_cast<double>(std::sqrt(squares));
  }
}

}  // namespace tessera::test
