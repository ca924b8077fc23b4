// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/types.hpp"

/// \file
/// Floating-point operations of the BLAS-3 and LAPACK routines, as the field counts them: LAPACK Working Note 41,
/// appendix C. A complex multiplication is 6 operations, a complex addition 2. All counts are real operations in
/// double (an n^3 does not fit in 32 bits at n = 1291), exact up to 2^53; a size of 0 gives 0.

namespace tessera::flops {

/// An Index that computes in double.
class Dimension {
 public:
  constexpr Dimension(Index n) : value_(static_cast<double>(n)) {}
  constexpr operator double() const { return value_; }

 private:
  double value_;
};

/// Real operations of so many multiplications (divisions, roots) and additions in T.
template <Scalar T>
constexpr double count(double muls, double adds) {
  return is_complex<T> ? 6 * muls + 2 * adds : muls + adds;
}

/// C (m x n) += A (m x k) B (k x n).
template <Scalar T>
constexpr double gemm(Dimension m, Dimension n, Dimension k) {
  return count<T>(m * n * k, m * n * k);
}

/// C (m x n) += A B (Left) or B A (Right), A Hermitian or symmetric.
template <Scalar T>
constexpr double hemm(Side side, Dimension m, Dimension n) {
  return side == Side::Left ? gemm<T>(m, n, m) : gemm<T>(m, n, n);
}
template <Scalar T>
constexpr double symm(Side side, Dimension m, Dimension n) {
  return hemm<T>(side, m, n);
}

/// One triangle of C (n x n) += A A^H, A (n x k).
template <Scalar T>
constexpr double herk(Dimension n, Dimension k) {
  return count<T>(k * n * (n + 1) / 2, k * n * (n + 1) / 2);
}
template <Scalar T>
constexpr double syrk(Dimension n, Dimension k) {
  return herk<T>(n, k);
}

/// One triangle of C (n x n) += A B^H + B A^H, A and B (n x k).
template <Scalar T>
constexpr double her2k(Dimension n, Dimension k) {
  return count<T>(k * n * n, k * n * n);
}
template <Scalar T>
constexpr double syr2k(Dimension n, Dimension k) {
  return her2k<T>(n, k);
}

/// B (m x n) = A B (Left) or B A (Right), A triangular.
template <Scalar T>
constexpr double trmm(Side side, Dimension m, Dimension n) {
  if (side == Side::Right) return trmm<T>(Side::Left, n, m);
  return count<T>(n * m * (m + 1) / 2, n * m * (m - 1) / 2);
}
/// B (m x n) = A^-1 B (Left) or B A^-1 (Right), A triangular.
template <Scalar T>
constexpr double trsm(Side side, Dimension m, Dimension n) {
  return trmm<T>(side, m, n);
}

/// Cholesky factor of an n x n matrix.
template <Scalar T>
constexpr double potrf(Dimension n) {
  return count<T>(((n / 6 + 0.5) * n + 1.0 / 3) * n, (n * n - 1) * n / 6);
}
/// Solution with a Cholesky factor.
template <Scalar T>
constexpr double potrs(Dimension n, Dimension nrhs) {
  return count<T>(nrhs * n * (n + 1), nrhs * n * (n - 1));
}
/// Inverse from a Cholesky factor: trtri and lauum.
template <Scalar T>
constexpr double potri(Dimension n) {
  return count<T>(((n / 3 + 1) * n + 2.0 / 3) * n, ((n / 3 - 0.5) * n + 1.0 / 6) * n);
}
/// Inverse of an n x n triangular matrix.
template <Scalar T>
constexpr double trtri(Dimension n) {
  return count<T>(((n / 6 + 0.5) * n + 1.0 / 3) * n, ((n / 6 - 0.5) * n + 1.0 / 3) * n);
}
/// L^H L or U U^H of an n x n triangular matrix.
template <Scalar T>
constexpr double lauum(Dimension n) {
  return potri<T>(n) - trtri<T>(n);
}

/// LU factors of an m x n matrix.
template <Scalar T>
constexpr double getrf(Dimension m, Dimension n) {
  if (m < n) return getrf<T>(n, m);
  return count<T>(m * n * n / 2 - n * n * n / 6 + m * n / 2 - n * n / 2 + 2 * n / 3,
                  m * n * n / 2 - n * n * n / 6 - m * n / 2 + n / 6);
}
/// Solution with LU factors.
template <Scalar T>
constexpr double getrs(Dimension n, Dimension nrhs) {
  return count<T>(nrhs * n * n, nrhs * n * (n - 1));
}
/// Inverse from LU factors.
template <Scalar T>
constexpr double getri(Dimension n) {
  return count<T>(((2 * n / 3 + 0.5) * n + 5.0 / 6) * n, ((2 * n / 3 - 1.5) * n + 5.0 / 6) * n);
}

/// QR factors of an m x n matrix.
template <Scalar T>
constexpr double geqrf(Dimension m, Dimension n) {
  if (m >= n) {
    return count<T>(m * n * n - n * n * n / 3 + m * n + n * n / 2 + 23 * n / 6,
                    m * n * n - n * n * n / 3 + n * n / 2 + 5 * n / 6);
  }
  return count<T>(n * m * m - m * m * m / 3 + 2 * n * m - m * m / 2 + 23 * m / 6,
                  n * m * m - m * m * m / 3 + n * m - m * m / 2 + 5 * m / 6);
}
/// The first n columns (m x n) of the Q of k reflectors; orgqr for real types.
template <Scalar T>
constexpr double ungqr(Dimension m, Dimension n, Dimension k) {
  const double cubic = 2 * m * n * k - (m + n) * k * k + 2 * k * k * k / 3;
  return count<T>(cubic + 2 * n * k - k * k - 5 * k / 3, cubic + n * k - m * k + k / 3);
}
/// C (m x n) = op(Q) C (Left) or C op(Q) (Right), Q of k reflectors; ormqr for real types.
template <Scalar T>
constexpr double unmqr(Side side, Dimension m, Dimension n, Dimension k) {
  if (side == Side::Left) {
    return count<T>(2 * n * m * k - n * k * k + 2 * n * k, 2 * n * m * k - n * k * k + n * k);
  }
  return count<T>(2 * n * m * k - m * k * k + m * k + n * k - k * k / 2 + k / 2,
                  2 * n * m * k - m * k * k + m * k);
}

}  // namespace tessera::flops
