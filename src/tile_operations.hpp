// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <utility>

#include "kernels/gemm.hpp"
#include "kernels/hemm.hpp"
#include "kernels/her2k.hpp"
#include "kernels/herk.hpp"
#include "kernels/lauum.hpp"
#include "kernels/potrf.hpp"
#include "kernels/symm.hpp"
#include "kernels/syr2k.hpp"
#include "kernels/syrk.hpp"
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
/// (A B)^H = B^H A^H and (A B)^T = B^T A^T; an operand's view becomes the kernel's op.
///
/// BLAS has no conjugate without transpose. Where a view would need one of an operand (conj_trans(A) for a result
/// trans(C), of complex type), with_op() throws. Hermitian tiles are taken to stand in the equation as themselves or
/// as conj_trans, symmetric ones as themselves or as trans, and likewise the C of hemm and symm: the algorithms refuse
/// other views of complex matrices before they submit anything.

namespace tessera::tile_op {

/// A^H of a tile.
template <Scalar T>
TileRef<T> conj_trans(const TileRef<T>& A) {
  return A.with_op(Op::conj_trans);
}

/// The scalar factor x of an equation to which op has been applied: (x A)^H = conj(x) A^H.
template <Scalar T>
T factor(Op op, T x) {
  return op == Op::conj_trans ? conjugate(x) : x;
}

/// The triangle of the stored tile that shows as `uplo` through the view.
template <Scalar T>
Uplo stored_triangle(Uplo uplo, const TileRef<T>& A) {
  return A.op() == Op::no_trans ? uplo : flip(uplo);
}

/// Submits a kernel C <- ... + beta C; with beta = 1 as an accumulation, which may run on any rank.
template <class K, class... Tiles>
void submit_sum(Sequence& sequence, const K& kernel, const TaskOptions& options, const Tiles&... tiles) {
  if (kernel.beta == decltype(kernel.beta){1}) {
    sequence.accumulate(kernel, options, tiles...);
  } else {
    sequence.submit(kernel, options, tiles...);
  }
}

/// C <- alpha A B + beta C
template <Scalar T>
void gemm(Sequence& sequence, const TaskOptions& options, T alpha, const TileRef<T>& A, const TileRef<T>& B,
          T beta, const TileRef<T>& C) {
  if (const Op op = C.op(); op != Op::no_trans) {
    gemm(sequence, options, factor(op, alpha), B.with_op(op), A.with_op(op), factor(op, beta), C.stored());
    return;
  }
  submit_sum(sequence, kernel::gemm<T>{A.op(), B.op(), alpha, beta}, options, A.stored(), B.stored(), C);
}

/// What hemm and symm share: A is its own transpose, of the kind that K multiplies by.
template <template <class> class K, Scalar T>
void multiply_by_mirrored(Sequence& sequence, const TaskOptions& options, Side side, Uplo uplo, T alpha,
                          const TileRef<T>& A, const TileRef<T>& B, T beta, const TileRef<T>& C) {
  if (const Op op = C.op(); op != Op::no_trans) {
    multiply_by_mirrored<K>(sequence, options, flip(side), uplo, factor(op, alpha), A, B.with_op(op),
                            factor(op, beta), C.stored());
    return;
  }
  submit_sum(sequence, K<T>{side, stored_triangle(uplo, A), B.op(), alpha, beta}, options, A.stored(),
             B.stored(), C);
}

/// C <- alpha A B + beta C (Left) or alpha B A + beta C (Right) for a Hermitian tile A = A^H with the triangle `uplo`.
template <Scalar T>
void hemm(Sequence& sequence, const TaskOptions& options, Side side, Uplo uplo, T alpha, const TileRef<T>& A,
          const TileRef<T>& B, T beta, const TileRef<T>& C) {
  multiply_by_mirrored<kernel::hemm>(sequence, options, side, uplo, alpha, A, B, beta, C);
}

/// C <- alpha A B + beta C (Left) or alpha B A + beta C (Right) for a symmetric tile A = A^T with the triangle `uplo`.
template <Scalar T>
void symm(Sequence& sequence, const TaskOptions& options, Side side, Uplo uplo, T alpha, const TileRef<T>& A,
          const TileRef<T>& B, T beta, const TileRef<T>& C) {
  multiply_by_mirrored<kernel::symm>(sequence, options, side, uplo, alpha, A, B, beta, C);
}

/// C <- alpha A A^H + beta C for the triangle `uplo` of a Hermitian tile.
template <Scalar T>
void herk(Sequence& sequence, const TaskOptions& options, Uplo uplo, real_t<T> alpha, const TileRef<T>& A,
          real_t<T> beta, const TileRef<T>& C) {
  submit_sum(sequence, kernel::herk<T>{stored_triangle(uplo, C), A.op(), alpha, beta}, options, A.stored(),
             C.stored());
}

/// C <- alpha A A^T + beta C for the triangle `uplo` of a symmetric tile.
template <Scalar T>
void syrk(Sequence& sequence, const TaskOptions& options, Uplo uplo, T alpha, const TileRef<T>& A, T beta,
          const TileRef<T>& C) {
  submit_sum(sequence, kernel::syrk<T>{stored_triangle(uplo, C), A.op(), alpha, beta}, options, A.stored(),
             C.stored());
}

/// C <- alpha A B^H + conj(alpha) B A^H + beta C for the triangle `uplo` of a Hermitian tile.
template <Scalar T>
void her2k(Sequence& sequence, const TaskOptions& options, Uplo uplo, T alpha, const TileRef<T>& A,
           const TileRef<T>& B, real_t<T> beta, const TileRef<T>& C) {
  submit_sum(sequence, kernel::her2k<T>{stored_triangle(uplo, C), A.op(), B.op(), alpha, beta}, options,
             A.stored(), B.stored(), C.stored());
}

/// C <- alpha A B^T + alpha B A^T + beta C for the triangle `uplo` of a symmetric tile.
template <Scalar T>
void syr2k(Sequence& sequence, const TaskOptions& options, Uplo uplo, T alpha, const TileRef<T>& A,
           const TileRef<T>& B, T beta, const TileRef<T>& C) {
  submit_sum(sequence, kernel::syr2k<T>{stored_triangle(uplo, C), A.op(), B.op(), alpha, beta}, options,
             A.stored(), B.stored(), C.stored());
}

/// B <- alpha A^-1 B (Left) or alpha B A^-1 (Right), A triangular.
template <Scalar T>
void trsm(Sequence& sequence, const TaskOptions& options, Side side, Uplo uplo, Diag diag, T alpha,
          const TileRef<T>& A, const TileRef<T>& B) {
  if (const Op op = B.op(); op != Op::no_trans) {
    trsm(sequence, options, flip(side), flip(uplo), diag, factor(op, alpha), A.with_op(op), B.stored());
    return;
  }
  sequence.submit(kernel::trsm<T>{side, stored_triangle(uplo, A), A.op(), diag, alpha}, options, A.stored(),
                  B);
}

/// B <- alpha A B (Left) or alpha B A (Right), A triangular.
template <Scalar T>
void trmm(Sequence& sequence, const TaskOptions& options, Side side, Uplo uplo, Diag diag, T alpha,
          const TileRef<T>& A, const TileRef<T>& B) {
  if (const Op op = B.op(); op != Op::no_trans) {
    trmm(sequence, options, flip(side), flip(uplo), diag, factor(op, alpha), A.with_op(op), B.stored());
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
template <class T>
void release(Sequence& sequence, const TileRef<T>& A) {
  sequence.release(A.stored().argument());
}

/// The same for all tiles of a matrix.
template <Scalar T>
void release_all(Sequence& sequence, const TileMatrix<T>& A) {
  for (Index j = 0; j < A.nt(); ++j) {
    for (Index i = 0; i < A.mt(); ++i) release(sequence, A(i, j));
  }
}

}  // namespace tessera::tile_op
