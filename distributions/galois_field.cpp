// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "distributions/galois_field.hpp"

#include <algorithm>
#include <string>

#include "tessera/error.hpp"

namespace tessera {

namespace {

/// Coefficients modulo p, lowest first; always d of them.
using Polynomial = std::vector<int>;

/// The smallest prime factor of q >= 2.
int smallest_factor(int q) {
  for (int p = 2; p <= q / p; ++p) {
    if (q % p == 0) return p;
  }
  return q;
}

Polynomial to_polynomial(int number, int p, int d) {
  Polynomial coefficients;
  for (int k = 0; k < d; ++k, number /= p) coefficients.push_back(number % p);
  return coefficients;
}

int to_number(const Polynomial& a, int p) {
  int number = 0;
  for (std::size_t k = a.size(); k-- > 0;) number = number * p + a[k];
  return number;
}

/// x a modulo p and the monic polynomial with the lower coefficients `modulus`.
Polynomial times_x(const Polynomial& a, const Polynomial& modulus, int p) {
  Polynomial result(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    const int shifted = k == 0 ? 0 : a[k - 1];
    result[k] = (shifted + (p - a.back()) * modulus[k]) % p;
  }
  return result;
}

/// a b, by Horner's rule.
Polynomial product(const Polynomial& a, const Polynomial& b, const Polynomial& modulus, int p) {
  Polynomial result(a.size());
  for (std::size_t k = b.size(); k-- > 0;) {
    result = times_x(result, modulus, p);
    for (std::size_t l = 0; l < a.size(); ++l) result[l] = (result[l] + b[k] * a[l]) % p;
  }
  return result;
}

}  // namespace

bool GaloisField::exists(int q) {
  if (q < 2) return false;
  const int p = smallest_factor(q);
  while (q % p == 0) q /= p;
  return q == 1;
}

GaloisField::GaloisField(int q) : q_(q) {
  if (!exists(q)) throw ArgumentError("GaloisField", "q", std::to_string(q), "must be a prime power");
  const int p = smallest_factor(q);
  int d = 0;
  for (int power = 1; power < q; power *= p) ++d;

  std::vector<Polynomial> elements;
  for (int a = 0; a < q; ++a) elements.push_back(to_polynomial(a, p, d));
  for (const auto& a : elements) {
    for (const auto& b : elements) {
      Polynomial sum(a);
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = (sum[k] + b[k]) % p;
      sums_.push_back(to_number(sum, p));
    }
  }
  // A polynomial is irreducible exactly when no two non-zero elements have the product zero; there always is
  // one.
  for (const auto& modulus : elements) {
    products_.clear();
    for (const auto& a : elements) {
      for (const auto& b : elements) products_.push_back(to_number(product(a, b, modulus, p), p));
    }
    if (std::ranges::count(products_, 0) == 2 * q - 1) return;  // those of zero itself
  }
}

}  // namespace tessera
