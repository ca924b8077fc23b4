// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "tessera/tessera.hpp"

/// \file
/// Small dense matrices on which the tests know the right answer, and LAPACK's residuals by their definition.

namespace tessera::test {

using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;

/// A plain column-major matrix, with `ld - m` guard rows that nobody may touch.
template <class T>
class Dense {
 public:
  Dense(Index m, Index n, Index guard_rows = 0)
      : m_(m), n_(n), ld_(std::max<Index>(1, m + guard_rows)), values_(static_cast<std::size_t>(ld_ * n)) {}

  Index m() const { return m_; }
  Index n() const { return n_; }
  Index ld() const { return ld_; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T& operator()(Index i, Index j) { return values_[static_cast<std::size_t>(i + j * ld_)]; }
  const T& operator()(Index i, Index j) const { return values_[static_cast<std::size_t>(i + j * ld_)]; }

  /// Sets every entry to f(i, j), 0-based.
  template <class F>
  Dense& set(F f) {
    for (Index j = 0; j < n_; ++j) {
      for (Index i = 0; i < m_; ++i) (*this)(i, j) = f(i, j);
    }
    return *this;
  }

  /// To the bit, guard rows included.
  friend bool identical(const Dense& a, const Dense& b) {
    return a.m_ == b.m_ && a.n_ == b.n_ && a.ld_ == b.ld_ &&
           (a.values_.empty() || std::memcmp(a.data(), b.data(), a.values_.size() * sizeof(T)) == 0);
  }

 private:
  Index m_, n_, ld_;
  std::vector<T> values_;
};

/// LAPACK's unit roundoff (dlamch 'Epsilon').
template <Scalar T>
constexpr double eps = static_cast<double>(std::numeric_limits<real_t<T>>::epsilon()) / 2;

/// Threshold of LAPACK's test programs for factorisations and solves.
inline constexpr double lapack_threshold = 30;

constexpr bool in_triangle(Uplo uplo, Index i, Index j) { return uplo == Uplo::Lower ? i >= j : i <= j; }

/// min(i, j), 1-based: the Cholesky factor is all ones, the inverse tridiagonal.
template <Scalar T>
T minimum_entry(Index i, Index j) {
  return T(static_cast<real_t<T>>(std::min(i, j) + 1));
}

/// The whole Hermitian matrix of which `a` holds a triangle.
template <Scalar T>
Dense<T> hermitian(Uplo uplo, const Dense<T>& a) {
  Dense<T> full(a.m(), a.n());
  return full.set([&](Index i, Index j) { return in_triangle(uplo, i, j) ? a(i, j) : conjugate(a(j, i)); });
}

/// The lower factor L with A = L L^H of which `a` holds L (Lower) or L^H (Upper).
template <Scalar T>
Dense<T> lower_factor(Uplo uplo, const Dense<T>& a) {
  Dense<T> L(a.m(), a.n());
  return L.set([&](Index i, Index j) {
    return i < j ? T{} : uplo == Uplo::Lower ? a(i, j) : conjugate(a(j, i));
  });
}

template <Scalar T>
Dense<T> adjoint(const Dense<T>& a) {
  return Dense<T>(a.n(), a.m()).set([&](Index i, Index j) { return conjugate(a(j, i)); });
}

/// a b, summed in double.
template <Scalar T>
Dense<T> multiply(const Dense<T>& a, const Dense<T>& b) {
  using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;
  return Dense<T>(a.m(), b.n()).set([&](Index i, Index j) {
    Wide sum{};
    for (Index k = 0; k < a.n(); ++k) sum += Wide(a(i, k)) * Wide(b(k, j));
    return T(sum);
  });
}

template <Scalar T>
double norm_one(const Dense<T>& a) {
  double largest = 0;
  for (Index j = 0; j < a.n(); ++j) {
    double sum = 0;
    for (Index i = 0; i < a.m(); ++i) sum += std::abs(a(i, j));
    if (!(sum <= largest)) largest = sum;  // keeps NaN
  }
  return largest;
}

template <Scalar T>
Dense<T> subtract(const Dense<T>& a, const Dense<T>& b) {
  return Dense<T>(a.m(), a.n()).set([&](Index i, Index j) { return a(i, j) - b(i, j); });
}

/// ||A - L L^H||_1 / (n ||A||_1 eps): LAPACK's test of potrf.
template <Scalar T>
double factor_residual(const Dense<T>& A, const Dense<T>& L) {
  if (A.n() == 0) return 0;
  const auto error = subtract(A, multiply(L, adjoint(L)));
  return norm_one(error) / (static_cast<double>(A.n()) * norm_one(A) * eps<T>);
}

/// max_j ||b_j - A x_j||_1 / (||A||_1 ||x_j||_1 eps): LAPACK's test of a solve.
template <Scalar T>
double solve_residual(const Dense<T>& A, const Dense<T>& X, const Dense<T>& B) {
  const auto R = subtract(B, multiply(A, X));
  double largest = 0;
  for (Index j = 0; j < X.n(); ++j) {
    double r = 0, x = 0;
    for (Index i = 0; i < X.m(); ++i) {
      r += std::abs(R(i, j));
      x += std::abs(X(i, j));
    }
    const double residual = X.m() == 0 ? 0 : r / (norm_one(A) * x * eps<T>);
    if (!(residual <= largest)) largest = residual;
  }
  return largest;
}

/// ||I - A V||_1 / (n ||A||_1 ||V||_1 eps): LAPACK's test of an inverse.
template <Scalar T>
double inverse_residual(const Dense<T>& A, const Dense<T>& V) {
  if (A.n() == 0) return 0;
  auto error = multiply(A, V);
  for (Index i = 0; i < A.n(); ++i) error(i, i) -= T{1};
  return norm_one(error) / (static_cast<double>(A.n()) * norm_one(A) * norm_one(V) * eps<T>);
}

}  // namespace tessera::test
