// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <vector>

#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// Norms of matrices. All are collective and blocking, give the same value on every rank and may be taken of
/// sub-matrices and transposes:
///
///     Norm::max        max |a_ij|  (not a consistent matrix norm)
///     Norm::one        max_j sum_i |a_ij|
///     Norm::inf        max_i sum_j |a_ij|
///     Norm::frobenius  sqrt(sum_ij |a_ij|^2)
///
/// |a| is the modulus of a complex number. An empty matrix has norm 0. If a referenced entry is NaN (for
/// complex types: if one of its parts is, even beside an infinite one) the norm is NaN; else, if one is
/// infinite, Inf. Sums are taken in double, also for s and c; the Frobenius norm overflows or underflows only
/// if its value does.
///
/// All throw ArgumentError for a matrix of another runtime and for arguments that differ between ranks, and
/// RuntimeError on a recording runtime, whose matrices have no entries.
///
/// Cost: m n (or a triangle's) entries are read once, by one task per tile on the tile's owner; no tile is
/// sent. Between the ranks one reduction of at most n (one), m (inf) or 3 (Frobenius) doubles.

namespace tessera {

/// Norm of a general matrix. (LAPACK: xLANGE.)
/// \param A  m x n
template <Scalar T>
real_t<T> lange(Runtime& runtime, Norm norm, const TileMatrix<T>& A);

/// The 1-norm of each column, sum_i |a_ij|. NaN and Inf as above.
/// \param A  m x n, not transposed
/// \return n numbers, the same on every rank
/// \throws ArgumentError for a transposed view
template <Scalar T>
std::vector<double> column_norms(Runtime& runtime, const TileMatrix<T>& A);

/// Norm of a symmetric matrix of which one triangle is stored; the other is not read. (LAPACK: xLANSY.)
/// \param uplo  Lower or Upper: the triangle of A (after its op) that is read
/// \param A     n x n, in tiles of any shape
/// \throws ArgumentError if A is not square or uplo is General
template <Scalar T>
real_t<T> lansy(Runtime& runtime, Norm norm, Uplo uplo, const TileMatrix<T>& A);

/// The same for a Hermitian matrix: imaginary parts on the diagonal are not read. For real types, lansy().
/// (LAPACK: xLANHE.)
template <Scalar T>
real_t<T> lanhe(Runtime& runtime, Norm norm, Uplo uplo, const TileMatrix<T>& A);

/// Norm of a triangular or trapezoidal matrix; the entries on the other side of the diagonal count as zeros
/// and are not read. (LAPACK: xLANTR.)
/// \param uplo  Lower or Upper: the part of A (after its op) that is read
/// \param diag  Unit: the min(m, n) diagonal entries count as ones and are not read
/// \param A     m x n
/// \throws ArgumentError if uplo is General
template <Scalar T>
real_t<T> lantr(Runtime& runtime, Norm norm, Uplo uplo, Diag diag, const TileMatrix<T>& A);

}  // namespace tessera
