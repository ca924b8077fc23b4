// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/algorithms/qr.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// Residuals: how far a result is from what it claims to be, in units of the rounding error. All are blocking and
/// collective, computed by tasks where the tiles lie, and give the same value on every rank. No operand is changed.
///
/// eps is LAPACK's: 2^-53 (d, z), 2^-24 (s, c). A result is right when
///
///     residual < residual_threshold
///
/// so that NaN fails, which is what a result with a NaN gives; an exact result gives 0 and passes. A matrix A of
/// zeros gives 1 / eps, unless it is empty, which gives 0 (as in LAPACK's testers).
///
/// All throw ArgumentError on every rank when a matrix belongs to another runtime, shapes or tiles do not conform
/// or `uplo` is General.

namespace tessera {

/// LAPACK's limit for the residuals of its linear-equation testers (TESTING/dtest.in).
inline constexpr double residual_threshold = 30;

/// ||A - L L^H||_1 / (n ||A||_1 eps), or with U^H U.
/// \param uplo  the triangle of A and of F that is read
/// \param A     n x n Hermitian, square tiles: the matrix before potrf
/// \param F     n x n, tiles as A's: what potrf made of it
/// Cost: n^3/3 flops; memory for one more triangle. Source: LAPACK's dpot01.
template <Scalar T>
double cholesky_residual(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& F);

/// max_j ||b_j - A x_j||_1 / (||A||_1 ||x_j||_1 eps) over the right-hand sides; 0 without any.
/// \param uplo  the triangle of A that is read
/// \param A     n x n Hermitian, square tiles
/// \param X     n x nrhs, row tiles as A's
/// \param B     n x nrhs, tiles as X's
/// A column with x_j = 0 gives 1 / eps, or 0 if b_j = 0 too.
/// Cost: 2 n^2 nrhs flops; memory for one more B. Source: LAPACK's dpot02.
template <Scalar T>
double solve_residual(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& X,
                      const TileMatrix<T>& B);

/// ||I - A V||_1 / (n ||A||_1 ||V||_1 eps).
/// \param uplo  the triangle of A and of V that is read
/// \param A     n x n Hermitian, square tiles
/// \param V     n x n, tiles as A's: the Hermitian inverse of A
/// A matrix V of zeros gives 1 / eps.
/// Cost: 2 n^3 flops; memory for one n x n matrix. Source: LAPACK's dpot03.
template <Scalar T>
double inverse_residual(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& V);

// ---- General matrices ------------------------------------------------------------------------------------------

/// ||P A - L U||_1 / (n ||A||_1 eps).
/// \param A     m x n, square tiles: the matrix before getrf
/// \param F     m x n, tiles as A's: what getrf made of it
/// \param ipiv  its pivots
/// Cost: as getrf; memory for one more A, for three if its tiles are not square. Source: LAPACK's dget01.
template <Scalar T>
double lu_residual(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& F,
                   const TileMatrix<Index>& ipiv);

/// max_j ||b_j - op(A) x_j||_1 / (||op(A)||_1 ||x_j||_1 eps), as above, for an n x n matrix A.
/// Source: LAPACK's dget02.
template <Scalar T>
double solve_residual(Runtime& runtime, Op op, const TileMatrix<T>& A, const TileMatrix<T>& X,
                      const TileMatrix<T>& B);

/// ||I - A V||_1 / (n ||A||_1 ||V||_1 eps), as above, for n x n matrices A and V. Source: LAPACK's dget03.
template <Scalar T>
double inverse_residual(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& V);

// ---- QR --------------------------------------------------------------------------------------------------------

/// The larger of ||A - Q R||_1 / (max(m, n) ||A||_1 eps) and ||I - Q^H Q||_1 / (m eps), for the first min(m, n) columns
/// of Q. For A = L Q, that of conj_trans(A) and conj_trans(F).
/// \param A  m x n, square tiles: the matrix before geqrf
/// \param F  m x n, tiles as A's: what geqrf made of it
/// \param Q  its reflectors
/// Cost: 6 m n^2 flops for m >= n; memory for two more A. Source: LAPACK's dqrt01.
template <Scalar T>
double qr_residual(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& F, const Reflectors<T>& Q);

}  // namespace tessera
