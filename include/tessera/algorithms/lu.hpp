// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/error.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// General matrices: factor, solve, invert.
///
/// Each routine has an asynchronous form on a Sequence, which returns once the tasks are submitted (the status comes
/// from Sequence::wait()), and a blocking form on a Runtime. Both are collective over the ranks.
///
/// All throw ArgumentError, on every rank and before anything is submitted, when a matrix is not square where it must
/// be, a matrix is a transposed view, A's tiles are not square (but for getrf), shapes or tiles of A, ipiv and B do not agree, a matrix
/// belongs to another runtime, or arguments differ between ranks.

namespace tessera {

/// How rows are chosen for the pivots.
enum class Pivoting : char {
  /// The largest entry of the column, as LAPACK does. Each panel is gathered on one rank.
  partial = 'P',
  /// The winners of a tournament between the tiles of the panel, which sends one tile per rank and round. Nearly as
  /// stable as partial pivoting. (Grigori, Demmel, Xiang, CALU, SIAM J. Matrix Anal. Appl. 32(4), 2011)
  tournament = 'T',
  /// None: for matrices that are known to need none, such as diagonally dominant ones.
  none = 'N',
};

/// Options of one call. Priorities of its tasks are shifted by `priority`, which is between -10^9 and 10^9.
struct LuOptions {
  int priority = 0;
  Pivoting pivoting = Pivoting::partial;
};

/// Room for the pivots of A: min(m, n) x 1, in tiles as long as the shorter side of A's, each on the rank that has A's
/// tile on the diagonal (spread over all ranks if A's tiles are not square). Collective.
/// \throws ArgumentError when A belongs to another runtime
template <Scalar T>
TileMatrix<Index> make_pivots(Runtime& runtime, const TileMatrix<T>& A);

/// LU factorisation P A = L U with row interchanges: L is unit lower trapezoidal, U upper trapezoidal.
/// \param A     m x n; overwritten by L (without its diagonal) and U. Tiles that are not square, such as those chosen by
///              default for m != n, are factored in a copy with square ones, dealt over all ranks.
/// \param ipiv  min(m, n) x 1, as by make_pivots(); overwritten: row i was interchanged with row ipiv(i), 1-based, in the
///              order of i, as in LAPACK. Partial pivoting gives LAPACK's pivots unless there are ties within rounding.
///              In range also when A has NaNs. Without pivoting, ipiv(i) = i.
/// \return ok, or the 1-based index of the first pivot that is exactly zero. The factorisation has then been completed,
///         but U is singular. Without pivoting, the column below a zero pivot has been left undivided, as LAPACK does with
///         a column of zeros; where it has others, P A = L U does not hold.
/// Cost: mn^2 - n^3/3 flops for m >= n; about nt^3/3 updates, and as many exchanges of rows if there are pivots. Sent:
///       docs/architecture.md. Source: LAPACK getrf.
template <Scalar T>
void getrf(Sequence& sequence, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const LuOptions& options = {});
template <Scalar T>
Info getrf(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const LuOptions& options = {});

/// Solves op(A) X = B with the factor from getrf.
/// \param op    A, A^T or A^H
/// \param A     n x n factor; not changed
/// \param ipiv  its pivots; not looked at when options.pivoting is none
/// \param B     n x nrhs, row tiles as A's; overwritten by X
/// \return ok, or the 1-based index of the first zero on U's diagonal. The blocking form then leaves B as it was; after
///         the asynchronous one it is undefined.
/// Cost: 2 n^2 nrhs flops. Source: LAPACK getrs.
template <Scalar T>
void getrs(Sequence& sequence, Op op, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const TileMatrix<T>& B, const LuOptions& options = {});
template <Scalar T>
Info getrs(Runtime& runtime, Op op, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const TileMatrix<T>& B, const LuOptions& options = {});

/// Solves A X = B: getrf and getrs, in the asynchronous form without a barrier between them.
/// \param A     n x n; overwritten by its factor
/// \param ipiv  n x 1; overwritten by the pivots
/// \param B     n x nrhs; overwritten by X. If A is singular, the blocking form leaves it as it was; after the
///              asynchronous one it is undefined (parts of the solve overlap with the factorisation).
/// \return as getrf
/// Source: LAPACK gesv.
template <Scalar T>
void gesv(Sequence& sequence, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv, const TileMatrix<T>& B,
          const LuOptions& options = {});
template <Scalar T>
Info gesv(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv, const TileMatrix<T>& B,
          const LuOptions& options = {});

/// Inverse from the factor of getrf.
/// \param A     n x n factor; overwritten by the inverse
/// \param ipiv  its pivots
/// \return as getrs: the blocking form leaves the factor of a singular matrix as it was
/// Cost: 4 n^3/3 flops; memory for half of A more, where A lies. Source: LAPACK getri.
template <Scalar T>
void getri(Sequence& sequence, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const LuOptions& options = {});
template <Scalar T>
Info getri(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const LuOptions& options = {});

}  // namespace tessera
