// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/error.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// Hermitian positive definite matrices: factor, solve, invert. For real types Hermitian means symmetric.
///
/// Each routine has an asynchronous form on a Sequence, which returns once the tasks are submitted (the status
/// comes from Sequence::wait()), and a blocking form on a Runtime. Both are collective over the ranks. Only the
/// triangle `uplo` of A is referenced; the other is neither read nor written.
///
/// All throw ArgumentError, on every rank and before anything is submitted, when a matrix is not square where it
/// must be, is a complex A^T view, its tiles are not square, shapes or tiles of A and B do not agree, `uplo` is General, a matrix
/// belongs to another runtime, or arguments differ between ranks.

namespace tessera {

/// Options of one call. Priorities of its tasks are shifted by `priority`: of two calls in flight, the one with
/// the larger value goes first. Between -10^9 and 10^9.
struct CallOptions {
  int priority = 0;
};

/// Cholesky factorisation A = L L^H (Lower) or A = U^H U (Upper).
/// \param uplo  triangle of A that is stored
/// \param A     n x n, square tiles; the triangle is overwritten by the factor
/// \return ok, or the order of the first leading minor that is not positive definite (a pivot that is NaN counts
///         as not positive); the factor is then incomplete
/// Cost: n^3/3 flops; nt(nt+1)(nt+2)/6 tasks for nt x nt tiles; tiles sent: see the distribution.
/// Source: LAPACK potrf; tile algorithm of Buttari, Langou, Kurzak, Dongarra, Parallel Computing 35 (2009).
template <Scalar T>
void potrf(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options = {});
template <Scalar T>
Info potrf(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options = {});

/// Solves A X = B with the factor from potrf.
/// \param A  n x n factor; not changed
/// \param B  n x nrhs, row tiles as A's; overwritten by X
/// Cost: 2 n^2 nrhs flops. Source: LAPACK potrs.
template <Scalar T>
void potrs(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
           const CallOptions& options = {});
template <Scalar T>
void potrs(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
           const CallOptions& options = {});

/// Solves A X = B: potrf and potrs without a barrier between them.
/// \param A  n x n; overwritten by the factor
/// \param B  n x nrhs; overwritten by X if A is positive definite, otherwise undefined (parts of the solve
///           overlap with the factorisation)
/// \return as potrf
/// Source: LAPACK posv.
template <Scalar T>
void posv(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
          const CallOptions& options = {});
template <Scalar T>
Info posv(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
          const CallOptions& options = {});

/// Inverse of a triangular matrix, in place.
/// \param A  n x n triangular, square tiles; overwritten by its inverse
/// \return ok, or the index of the first diagonal entry that is exactly zero: A has then no inverse, and its
///         content is undefined (LAPACK's looks at the whole diagonal first)
/// Cost: n^3/3 flops. Source: LAPACK trtri.
template <Scalar T>
void trtri(Sequence& sequence, Uplo uplo, Diag diag, const TileMatrix<T>& A, const CallOptions& options = {});
template <Scalar T>
Info trtri(Runtime& runtime, Uplo uplo, Diag diag, const TileMatrix<T>& A, const CallOptions& options = {});

/// Product of a triangular factor with its conjugate transpose, in place: L^H L (Lower) or U U^H (Upper).
/// Cost: n^3/3 flops. Source: LAPACK lauum.
template <Scalar T>
void lauum(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options = {});
template <Scalar T>
void lauum(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options = {});

/// Inverse from the factor of potrf.
/// \param A  n x n factor; overwritten by the triangle `uplo` of the inverse
/// \return ok, or the index of the first diagonal entry of the factor that is exactly zero
/// Cost: 2 n^3/3 flops. Source: LAPACK potri.
template <Scalar T>
void potri(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options = {});
template <Scalar T>
Info potri(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options = {});

/// Inverse of a Hermitian positive definite matrix: potrf and potri without a barrier between them.
/// \param A  n x n; overwritten by the triangle `uplo` of its inverse
/// \return as potrf
/// Cost: n^3 flops.
template <Scalar T>
void poinv(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options = {});
template <Scalar T>
Info poinv(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options = {});

/// log det A = 2 sum log L(i,i) from the factor of potrf (either triangle). Blocking, collective; the same value on
/// every rank, accumulated in double.
template <Scalar T>
double logdet(Runtime& runtime, const TileMatrix<T>& A);

}  // namespace tessera
