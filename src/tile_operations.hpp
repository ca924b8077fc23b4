// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <utility>

#include "kernels/gemm.hpp"
#include "kernels/herk.hpp"
#include "kernels/lauum.hpp"
#include "kernels/potrf.hpp"
#include "kernels/trmm.hpp"
#include "kernels/trsm.hpp"
#include "kernels/trtri.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"

/// \file
/// Tile operations on tiles as an algorithm sees them: possibly transposed views. They submit the kernel that does
/// the same to the tiles as they are stored, so that a text written for the lower triangle also serves the upper
/// one (through conj_trans(A)).
///
/// The rule is the same everywhere: an operation whose result is a transposed tile is carried out transposed,
/// (A B)^H = B^H A^H; an operand's view becomes the kernel's op.

namespace tessera::tile_op {

/// A^H of a tile.
template <Scalar T>
TileRef<T> conj_trans(const TileRef<T>& A) {
  return A.with_op(Op::conj_trans);
}

/// The triangle of the stored tile that shows as `uplo` through the view.
template <Scalar T>
Uplo stored_triangle(Uplo uplo, const TileRef<T>& A) {
  return A.op() == Op::no_trans ? uplo : flip(uplo);
}

/// C <- alpha A B + beta C
template <Scalar T>
void gemm(Sequence& sequence, const TaskOptions& options, T alpha, const TileRef<T>& A, const TileRef<T>& B,
          T beta, const TileRef<T>& C) {
  if (C.op() != Op::no_trans) {
    gemm(sequence, options, conjugate(alpha), conj_trans(B), conj_trans(A), conjugate(beta), C.stored());
    return;
  }
  sequence.submit(kernel::gemm<T>{A.op(), B.op(), alpha, beta}, options, A.stored(), B.stored(), C);
}

/// C <- alpha A A^H + beta C for the triangle `uplo` of a Hermitian tile.
template <Scalar T>
void herk(Sequence& sequence, const TaskOptions& options, Uplo uplo, real_t<T> alpha, const TileRef<T>& A,
          real_t<T> beta, const TileRef<T>& C) {
  sequence.submit(kernel::herk<T>{stored_triangle(uplo, C), A.op(), alpha, beta}, options, A.stored(),
                  C.stored());
}

/// B <- alpha A^-1 B (Left) or alpha B A^-1 (Right), A triangular.
template <Scalar T>
void trsm(Sequence& sequence, const TaskOptions& options, Side side, Uplo uplo, Diag diag, T alpha,
          const TileRef<T>& A, const TileRef<T>& B) {
  if (B.op() != Op::no_trans) {
    trsm(sequence, options, flip(side), flip(uplo), diag, conjugate(alpha), conj_trans(A), B.stored());
    return;
  }
  sequence.submit(kernel::trsm<T>{side, stored_triangle(uplo, A), A.op(), diag, alpha}, options, A.stored(),
                  B);
}

/// B <- alpha A B (Left) or alpha B A (Right), A triangular.
template <Scalar T>
void trmm(Sequence& sequence, const TaskOptions& options, Side side, Uplo uplo, Diag diag, T alpha,
          const TileRef<T>& A, const TileRef<T>& B) {
  if (B.op() != Op::no_trans) {
    trmm(sequence, options, flip(side), flip(uplo), diag, conjugate(alpha), conj_trans(A), B.stored());
    return;
  }
  sequence.submit(kernel::trmm<T>{side, stored_triangle(uplo, A), A.op(), diag, alpha}, options, A.stored(),
                  B);
}

/// A <- L with A = L L^H for a lower view; a failure is reported as `first_row` + its place in the tile.
template <Scalar T>
void potrf(Sequence& sequence, const TaskOptions& options, Index first_row, const TileRef<T>& A) {
  sequence.submit(kernel::potrf<T>{stored_triangle(Uplo::Lower, A), first_row}, options, A.stored());
}

/// A <- A^-1, A triangular.
template <Scalar T>
void trtri(Sequence& sequence, const TaskOptions& options, Uplo uplo, Diag diag, Index first_row,
           const TileRef<T>& A) {
  sequence.submit(kernel::trtri<T>{stored_triangle(uplo, A), diag, first_row}, options, A.stored());
}

/// A <- L^H L for a lower view.
template <Scalar T>
void lauum(Sequence& sequence, const TaskOptions& options, const TileRef<T>& A) {
  sequence.submit(kernel::lauum<T>{stored_triangle(Uplo::Lower, A)}, options, A.stored());
}

/// Copies of the tile on ranks that do not own it are not needed any more.
template <Scalar T>
void release(Sequence& sequence, const TileRef<T>& A) {
  sequence.release(A.stored().argument());
}

}  // namespace tessera::tile_op
