// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <vector>

namespace tessera {

/// Arithmetic in GF(q), the field of q = p^d elements. An element is a number 0 .. q-1 whose digits to the
/// base p, lowest first, are the coefficients of a polynomial over the integers modulo p. Products are taken
/// modulo the monic irreducible polynomial of degree d whose lower coefficients are, so read, the smallest
/// number: x^2+x+1 for q = 4, x^3+x+1 for 8, x^2+1 for 9, x^4+x+1 for 16.
class GaloisField {
 public:
  /// Cost: O(q^2 d^2) per polynomial tried. \throws ArgumentError unless q is a prime power
  explicit GaloisField(int q);

  /// Whether there is a field of q elements: q = p^d, p prime, d >= 1.
  static bool exists(int q);

  int add(int a, int b) const { return sums_[index(a, b)]; }
  int multiply(int a, int b) const { return products_[index(a, b)]; }

 private:
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(q_) + static_cast<std::size_t>(b);
  }

  int q_;
  std::vector<int> sums_;
  std::vector<int> products_;
};

}  // namespace tessera
