// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <type_traits>

#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// Copy, set, scale and add matrices, and move them between tiles and a column-major buffer.
///
/// Every matrix may be a transposed view. `uplo` says which part of the written matrix is meant: a triangle
/// (trapezoid, for m != n) with its diagonal, or all of it; the rest is neither read nor written.
/// \throws ArgumentError, everywhere below and on every rank, when matrices belong to another runtime, do not
///         have the shapes asked for, share tiles with each other, or are such views that the routine would
///         have to conjugate without transposing; nothing has been submitted then

namespace tessera {

// ---- Algorithms -------------------------------------------------------------------------------------------

/// B = A, for any tilings and distributions of the two.
/// \param A  m x n, read
/// \param B  m x n, written in its part `uplo`
/// \note Cost: one task per pair of tiles of A and B that overlap; each tile of A is sent at most once to
///       each other rank that owns a tile of B overlapping with it. Source: LAPACK xLACPY, ScaLAPACK
///       PxGEMR2D.
template <Scalar T>
void lacpy(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B);

/// A block in each of two matrices, in elements counted from 0: it need not begin or end on a tile's
/// boundary.
struct CopyBlock {
  Index rows = 0;
  Index cols = 0;
  Index a_row = 0;  ///< its first row and column in A
  Index a_col = 0;
  Index b_row = 0;  ///< its first row and column in B
  Index b_col = 0;
};

/// The same for a block: B(b_row + i, b_col + j) = A(a_row + i, a_col + j). `uplo` is a triangle of the
/// block.
/// \throws ArgumentError also when the block reaches beyond A or B. Blocks of one matrix may be copied onto
///         each other when no tile has elements of both.
template <Scalar T>
void lacpy(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
           const CopyBlock& block);

/// A = `diagonal` on its diagonal, `off_diagonal` elsewhere in its part `uplo`.
/// \param A  m x n, written
/// \note Cost: one task per tile, nothing is sent. Source: LAPACK xLASET.
template <Scalar T>
void laset(Sequence& sequence, Uplo uplo, std::type_identity_t<T> off_diagonal,
           std::type_identity_t<T> diagonal, const TileMatrix<T>& A);

/// A = alpha A; alpha = 0 sets zeros whatever A held, NaN included.
/// \param A  m x n, read and written in its part `uplo`
/// \note Cost: m n flops, one task per tile, nothing is sent.
template <Scalar T>
void lascal(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A);

/// B = alpha A + beta B; alpha = 0 does not read A, beta = 0 does not read B.
/// \param A  m x n, read
/// \param B  m x n with tiles of the same size as those of A (after their ops), read and written
/// \note Cost: 3 m n flops, one task per tile; each tile of A is sent to the owner of B's. Source: PBLAS
///        PxGEADD.
template <Scalar T>
void geadd(Sequence& sequence, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           std::type_identity_t<T> beta, const TileMatrix<T>& B);

/// The same in the part `uplo` of A and B. Source: PBLAS PxTRADD.
template <Scalar T>
void tradd(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           std::type_identity_t<T> beta, const TileMatrix<T>& B);

// ---- Blocking forms ---------------------------------------------------------------------------------------

template <Scalar T>
void lacpy(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B) {
  (void)run(runtime, [&](Sequence& sequence) { lacpy(sequence, uplo, A, B); });
}

template <Scalar T>
void lacpy(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
           const CopyBlock& block) {
  (void)run(runtime, [&](Sequence& sequence) { lacpy(sequence, uplo, A, B, block); });
}

template <Scalar T>
void laset(Runtime& runtime, Uplo uplo, std::type_identity_t<T> off_diagonal,
           std::type_identity_t<T> diagonal, const TileMatrix<T>& A) {
  (void)run(runtime, [&](Sequence& sequence) { laset(sequence, uplo, off_diagonal, diagonal, A); });
}

template <Scalar T>
void lascal(Runtime& runtime, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A) {
  (void)run(runtime, [&](Sequence& sequence) { lascal(sequence, uplo, alpha, A); });
}

template <Scalar T>
void geadd(Runtime& runtime, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           std::type_identity_t<T> beta, const TileMatrix<T>& B) {
  (void)run(runtime, [&](Sequence& sequence) { geadd(sequence, alpha, A, beta, B); });
}

template <Scalar T>
void tradd(Runtime& runtime, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           std::type_identity_t<T> beta, const TileMatrix<T>& B) {
  (void)run(runtime, [&](Sequence& sequence) { tradd(sequence, uplo, alpha, A, beta, B); });
}

/// buffer = A: the matrix in one column-major buffer on rank `root`. Collective.
/// \param A       m x n, read
/// \param buffer  m x n elements with leading dimension ld on `root`, overwritten; not looked at on other
///        ranks
/// \throws ArgumentError on every rank for a null buffer (unless A is empty), ld < max(1, m), or no such root
/// \note Cost: one task per tile; each tile that `root` does not own is sent to it once.
template <Scalar T>
void gather(Runtime& runtime, const TileMatrix<T>& A, std::type_identity_t<T>* buffer, Index ld,
            Rank root = 0);

/// A = buffer: the converse of gather(). Collective.
/// \param buffer  m x n elements with leading dimension ld on `root`, read
/// \param A       m x n, overwritten
template <Scalar T>
void scatter(Runtime& runtime, const std::type_identity_t<T>* buffer, Index ld, const TileMatrix<T>& A,
             Rank root = 0);

}  // namespace tessera
