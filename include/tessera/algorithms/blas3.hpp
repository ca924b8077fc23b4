// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <type_traits>

#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// Products and triangular solves: BLAS's level 3, with its names and its meaning.
///
/// Every operand may be a transposed view, trans(A) or conj_trans(A), or a sub-matrix; that is how BLAS's trans
/// arguments are said. Operands may lie on different distributions; their tiles must conform, as the elements do.
/// beta = 0: C is not read. alpha = 0: A and B are not read. Of a symmetric, Hermitian or triangular matrix the
/// triangle `uplo` of the view is read, and of a Hermitian one the real part of its diagonal.
///
/// \throws ArgumentError, everywhere below and on every rank before anything is submitted, for sizes or tiles that do
///         not conform, matrices of other runtimes, operands that share tiles with the result, arguments that
///         differ between ranks, and views that would need a conjugate without transpose, which BLAS has not:
///         complex matrices of which one is trans() and another conj_trans() where they would have to be the same

namespace tessera {

/// Which operand stays where it lies, while the tiles of the others travel to it.
enum class Stationary : char {
  automatic = '?',  ///< the one for which least is sent
  a = 'A',  ///< tasks run where A lies: B travels, and sums of C come home. For a large A and few columns.
  b = 'B',
  c = 'C',  ///< tasks run where C lies: A and B travel
};

/// Options of a product.
struct ProductOptions {
  int priority = 0;  ///< shifts the priorities of its tasks; between -10^9 and 10^9
  Stationary stationary = Stationary::automatic;
};

// ---- Products ----------------------------------------------------------------------------------------------

/// C = alpha A B + beta C.
/// \param A  m x k, read
/// \param B  k x n, read
/// \param C  m x n, read (unless beta = 0) and written
/// \note Cost: 2 m n k flops (real), one task per triple of tiles. Sent, C stationary on a p x q grid of n x n tiles
///       each: n^2 (p + q - 2) tiles. Source: BLAS xGEMM; A and B stationary: Schatz, van de Geijn, Poulson,
///       Parallel matrix multiplication: a systematic journey, SIAM J. Sci. Comput. 38 (2016).
template <Scalar T>
void gemm(Sequence& sequence, std::type_identity_t<T> alpha, const TileMatrix<T>& A, const TileMatrix<T>& B,
          std::type_identity_t<T> beta, const TileMatrix<T>& C, const ProductOptions& options = {});

/// C = alpha A B + beta C (Left) or alpha B A + beta C (Right), A symmetric.
/// \param uplo  triangle of A that is stored
/// \param A     m x m (Left) or n x n (Right), square tiles, read
/// \param B     m x n, read
/// \param C     m x n, read (unless beta = 0) and written
/// \note Cost: 2 m m n flops (Left, real). Sent, A stationary with zbar ranks per tile colrow of A and B and C on them
///       (symmetric_operand()): 2 mt nt (zbar - 1) tiles. Source: BLAS xSYMM; Agullo et al., On the Arithmetic
///       Intensity of Distributed-Memory Dense Matrix Multiplication Involving a Symmetric Input Matrix, IPDPS'23.
template <Scalar T>
void symm(Sequence& sequence, Side side, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
          const TileMatrix<T>& B, std::type_identity_t<T> beta, const TileMatrix<T>& C,
          const ProductOptions& options = {});

/// The same with A Hermitian. For real types hemm is symm. Source: BLAS xHEMM.
template <Scalar T>
void hemm(Sequence& sequence, Side side, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
          const TileMatrix<T>& B, std::type_identity_t<T> beta, const TileMatrix<T>& C,
          const ProductOptions& options = {});

/// C = alpha A A^T + beta C in one triangle; the other one is neither read nor written.
/// \param uplo  triangle of C that is stored
/// \param A     n x k, read (for alpha A^T A: trans(A))
/// \param C     n x n, square tiles, read (unless beta = 0) and written in its triangle
/// \note Cost: n^2 k flops (real). Sent: nt kt (zbar - 1) tiles, zbar as above of C. Source: BLAS xSYRK.
template <Scalar T>
void syrk(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
          std::type_identity_t<T> beta, const TileMatrix<T>& C, const ProductOptions& options = {});

/// C = alpha A A^H + beta C, C Hermitian: alpha and beta are real, and the diagonal of C gets zero imaginary parts.
/// For real types herk is syrk. Source: BLAS xHERK.
template <Scalar T>
void herk(Sequence& sequence, Uplo uplo, std::type_identity_t<real_t<T>> alpha, const TileMatrix<T>& A,
          std::type_identity_t<real_t<T>> beta, const TileMatrix<T>& C, const ProductOptions& options = {});

/// C = alpha A B^T + alpha B A^T + beta C in one triangle.
/// \param A  n x k, read
/// \param B  n x k, read
/// \param C  n x n, square tiles, read (unless beta = 0) and written in its triangle `uplo`
/// \note Cost: 2 n^2 k flops (real). Source: BLAS xSYR2K.
template <Scalar T>
void syr2k(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           const TileMatrix<T>& B, std::type_identity_t<T> beta, const TileMatrix<T>& C,
           const ProductOptions& options = {});

/// C = alpha A B^H + conj(alpha) B A^H + beta C, C Hermitian, beta real. Source: BLAS xHER2K.
template <Scalar T>
void her2k(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           const TileMatrix<T>& B, std::type_identity_t<real_t<T>> beta, const TileMatrix<T>& C,
           const ProductOptions& options = {});

// ---- Triangular matrices -----------------------------------------------------------------------------------

/// B = alpha A B (Left) or alpha B A (Right), A triangular.
/// \param uplo  triangle of A; the other one is not read
/// \param diag  Unit: A has ones on its diagonal, which is not read
/// \param A     m x m (Left) or n x n (Right), square tiles, read
/// \param B     m x n, read and written
/// \note Cost: m m n flops (Left, real). Source: BLAS xTRMM.
template <Scalar T>
void trmm(Sequence& sequence, Side side, Uplo uplo, Diag diag, std::type_identity_t<T> alpha,
          const TileMatrix<T>& A, const TileMatrix<T>& B, const ProductOptions& options = {});

/// B = alpha A^-1 B (Left) or alpha B A^-1 (Right), A triangular; arguments as in trmm. A zero on the diagonal
/// gives infinities or NaN, as in BLAS.
/// \note Cost: m m n flops (Left, real). Sent, both on one p x q grid, n = mt, m = nt: about
///       (q-1) n(n+1)/2 + n m (p-1) tiles. Source: BLAS xTRSM.
template <Scalar T>
void trsm(Sequence& sequence, Side side, Uplo uplo, Diag diag, std::type_identity_t<T> alpha,
          const TileMatrix<T>& A, const TileMatrix<T>& B, const ProductOptions& options = {});

// ---- Where operands lie best -------------------------------------------------------------------------------

/// For B and C of a symm or hemm (Left) whose A stays where it is: tile (k, j) on a rank of A's tile row or column k,
/// cyclic in j. Then nothing is sent but 2 mt nt (zbar - 1) tiles.
/// \param A      the distribution of the symmetric matrix, as A.distribution() has it (fitted to its size)
/// \param mt     tile rows of A, B and C
/// \param uplo   the triangle of A that is stored
/// \throws ArgumentError for mt < 0 and for Uplo::General
/// \note Cost: O(mt^2) calls of executor() for each layer.
DistributionPtr symmetric_operand(const Distribution& A, Index mt, Uplo uplo);

// ---- Blocking forms ----------------------------------------------------------------------------------------

template <Scalar T>
void gemm(Runtime& runtime, std::type_identity_t<T> alpha, const TileMatrix<T>& A, const TileMatrix<T>& B,
          std::type_identity_t<T> beta, const TileMatrix<T>& C, const ProductOptions& options = {}) {
  (void)run(runtime, [&](Sequence& sequence) { gemm<T>(sequence, alpha, A, B, beta, C, options); });
}
template <Scalar T>
void symm(Runtime& runtime, Side side, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
          const TileMatrix<T>& B, std::type_identity_t<T> beta, const TileMatrix<T>& C,
          const ProductOptions& options = {}) {
  (void)run(runtime,
            [&](Sequence& sequence) { symm<T>(sequence, side, uplo, alpha, A, B, beta, C, options); });
}
template <Scalar T>
void hemm(Runtime& runtime, Side side, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
          const TileMatrix<T>& B, std::type_identity_t<T> beta, const TileMatrix<T>& C,
          const ProductOptions& options = {}) {
  (void)run(runtime,
            [&](Sequence& sequence) { hemm<T>(sequence, side, uplo, alpha, A, B, beta, C, options); });
}
template <Scalar T>
void syrk(Runtime& runtime, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
          std::type_identity_t<T> beta, const TileMatrix<T>& C, const ProductOptions& options = {}) {
  (void)run(runtime, [&](Sequence& sequence) { syrk<T>(sequence, uplo, alpha, A, beta, C, options); });
}
template <Scalar T>
void herk(Runtime& runtime, Uplo uplo, std::type_identity_t<real_t<T>> alpha, const TileMatrix<T>& A,
          std::type_identity_t<real_t<T>> beta, const TileMatrix<T>& C, const ProductOptions& options = {}) {
  (void)run(runtime, [&](Sequence& sequence) { herk<T>(sequence, uplo, alpha, A, beta, C, options); });
}
template <Scalar T>
void syr2k(Runtime& runtime, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           const TileMatrix<T>& B, std::type_identity_t<T> beta, const TileMatrix<T>& C,
           const ProductOptions& options = {}) {
  (void)run(runtime, [&](Sequence& sequence) { syr2k<T>(sequence, uplo, alpha, A, B, beta, C, options); });
}
template <Scalar T>
void her2k(Runtime& runtime, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           const TileMatrix<T>& B, std::type_identity_t<real_t<T>> beta, const TileMatrix<T>& C,
           const ProductOptions& options = {}) {
  (void)run(runtime, [&](Sequence& sequence) { her2k<T>(sequence, uplo, alpha, A, B, beta, C, options); });
}
template <Scalar T>
void trmm(Runtime& runtime, Side side, Uplo uplo, Diag diag, std::type_identity_t<T> alpha,
          const TileMatrix<T>& A, const TileMatrix<T>& B, const ProductOptions& options = {}) {
  (void)run(runtime, [&](Sequence& sequence) { trmm<T>(sequence, side, uplo, diag, alpha, A, B, options); });
}
template <Scalar T>
void trsm(Runtime& runtime, Side side, Uplo uplo, Diag diag, std::type_identity_t<T> alpha,
          const TileMatrix<T>& A, const TileMatrix<T>& B, const ProductOptions& options = {}) {
  (void)run(runtime, [&](Sequence& sequence) { trsm<T>(sequence, side, uplo, diag, alpha, A, B, options); });
}

}  // namespace tessera
