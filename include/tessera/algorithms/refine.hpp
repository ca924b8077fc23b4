// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <complex>
#include <optional>

#include "tessera/algorithms/lu.hpp"
#include "tessera/error.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// Iterative refinement: better solutions from a factor that is at hand, and solutions from a factor in half the
/// precision, which takes half the memory and, where n is large, about half the time: gesv_mixed was 1.2, 1.7 to 1.9 and
/// 2.0 times as fast as gesv for n = 2000, 4000 and 8000 on two cores, posv_mixed 0.9, 1.5 and 2.0 times as fast as posv.
///
/// All are blocking, because the number of steps depends on the residual, and collective. All throw ArgumentError, on
/// every rank and before anything is submitted, for matrices whose shapes or tiles do not agree, that belong to another
/// runtime or share tiles, and for arguments that differ between ranks.

namespace tessera {

/// How a refined solution came about.
struct Refinement {
  /// Of the factorisation, or of the factor that was given: LAPACK's info. Not ok: a pivot is zero, there is no solution.
  Info info;
  /// Corrections that are in X, the most over the columns.
  int iterations = 0;
  /// The correction in the lower precision did not converge, or could not be factored: X comes from a factor in the
  /// working precision.
  bool fell_back = false;
  /// Of X, as each routine says, NaN if it is NaN for a column; empty when it was not computed: after falling back, or
  /// without a solution.
  std::optional<double> backward_error;
};

/// Improves X until the componentwise backward error of each column, the smallest e with (A + E) x = b + f,
/// |E| <= e |A|, |f| <= e |b|, is no larger than the rounding unit or no longer halves, or until five corrections have
/// been computed. Each column becomes the best of its iterates.
/// \param uplo    triangle of A and of the factor that is stored
/// \param A       n x n, as it was before potrf
/// \param factor  from potrf
/// \param B       n x nrhs
/// \param X       n x nrhs, a solution by potrs; improved
/// \return info (a zero on the diagonal of the factor: X is left as it was), iterations, and the componentwise backward
///         error, the largest over the columns
/// \note Memory: |A| and four matrices like B. Cost of a step: 6 n^2 nrhs flops. Source: LAPACK porfs (without the
///       forward error).
template <Scalar T>
Refinement porfs(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& factor,
                 const TileMatrix<T>& B, const TileMatrix<T>& X);

/// The same for a general matrix and op(A) X = B.
/// \param op       A, A^T or A^H
/// \param A        n x n, as it was before getrf
/// \param factor   from getrf
/// \param ipiv     its pivots
/// \param options  of the solves, as for getrs
/// Source: LAPACK gerfs (without the forward error).
template <Scalar T>
Refinement gerfs(Runtime& runtime, Op op, const TileMatrix<T>& A, const TileMatrix<T>& factor,
                 const TileMatrix<Index>& ipiv, const TileMatrix<T>& B, const TileMatrix<T>& X,
                 const LuOptions& options = {});

/// Solves A X = B with a Cholesky factor in single precision and corrections in double, until the residual of each
/// column is |r| <= max(4, sqrt(n)) eps |A| |x| in the 1-norm, eps = 2^-53; after 30 corrections, or when they no longer make it smaller, or
/// when there is no factor in single precision, by posv in double: then A is overwritten by the factor.
/// \tparam T  double or std::complex<double>
/// \param A  n x n, not changed unless it fell back
/// \param B  n x nrhs, not changed; may be of any size: single precision sees multiples of it and of the residuals
/// \param X  n x nrhs, overwritten by the solution
/// \return iterations, whether it fell back, and the backward error |r| / (|A| |x|), the largest over the columns
/// \note Memory: a triangle like A in single, two matrices like B. Source: LAPACK dsposv; Langou et al., Exploiting the
///       performance of 32 bit floating point arithmetic in obtaining 64 bit accuracy, SC'06.
template <Scalar T>
Refinement posv_mixed(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
                      const TileMatrix<T>& X);

/// The same for a general matrix, with an LU factor.
/// \param ipiv     n x 1 (make_pivots()); overwritten by the pivots of the factor that was used
/// \param options  of the factorisation
/// Source: LAPACK dsgesv.
template <Scalar T>
Refinement gesv_mixed(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
                      const TileMatrix<T>& B, const TileMatrix<T>& X, const LuOptions& options = {});

}  // namespace tessera
