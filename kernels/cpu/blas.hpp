// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <cblas.h>

#include "kernels/cpu/vendor.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// The BLAS-3 routines of the machine on tiles, one function for s, d, c and z. Shapes as in the BLAS; the caller
/// has made sure that they fit together and that no dimension is 0 (OpenBLAS spends microseconds on such calls).

namespace tessera::vendor {

inline CBLAS_UPLO cblas(Uplo uplo) { return uplo == Uplo::Lower ? CblasLower : CblasUpper; }
inline CBLAS_SIDE cblas(Side side) { return side == Side::Left ? CblasLeft : CblasRight; }
inline CBLAS_DIAG cblas(Diag diag) { return diag == Diag::Unit ? CblasUnit : CblasNonUnit; }

/// A real matrix has one transpose only.
template <Scalar T>
CBLAS_TRANSPOSE cblas(Op op) {
  if (op == Op::no_trans) return CblasNoTrans;
  return is_complex<T> && op == Op::conj_trans ? CblasConjTrans : CblasTrans;
}

/// CBLAS takes real scalars by value and complex ones by address.
template <Scalar T>
auto scalar(const T& x) {
  if constexpr (is_complex<T>) {
    return static_cast<const void*>(&x);
  } else {
    return x;
  }
}

/// C = alpha op(A) op(B) + beta C. With alpha = 0 nothing is summed: OpenBLAS's kernels for small matrices would
/// multiply the products by it, and 0 * NaN is not 0.
template <Scalar T>
void gemm(Op op_a, Op op_b, const T& alpha, Tile<const T> a, Tile<const T> b, const T& beta, Tile<T> c) {
  const Index k = alpha == T(0) ? 0 : op_a == Op::no_trans ? a.cols : a.rows;
  routine<T>(cblas_sgemm, cblas_dgemm, cblas_cgemm, cblas_zgemm)(
      CblasColMajor, cblas<T>(op_a), cblas<T>(op_b), to_int(c.rows), to_int(c.cols), to_int(k), scalar(alpha),
      a.data, to_int(a.ld), b.data, to_int(b.ld), scalar(beta), c.data, to_int(c.ld));
}

/// C = alpha A A^H + beta C (no_trans) or alpha A^H A + beta C, one triangle; syrk for real types.
template <Scalar T>
void herk(Uplo uplo, Op op, real_t<T> alpha, Tile<const T> a, real_t<T> beta, Tile<T> c) {
  const Index k = op == Op::no_trans ? a.cols : a.rows;
  routine<T>(cblas_ssyrk, cblas_dsyrk, cblas_cherk, cblas_zherk)(CblasColMajor, cblas(uplo), cblas<T>(op),
                                                                 to_int(c.rows), to_int(k), alpha, a.data,
                                                                 to_int(a.ld), beta, c.data, to_int(c.ld));
}

/// C = alpha A A^T + beta C (no_trans) or alpha A^T A + beta C, one triangle.
template <Scalar T>
void syrk(Uplo uplo, Op op, const T& alpha, Tile<const T> a, const T& beta, Tile<T> c) {
  const Index k = op == Op::no_trans ? a.cols : a.rows;
  routine<T>(cblas_ssyrk, cblas_dsyrk, cblas_csyrk, cblas_zsyrk)(
      CblasColMajor, cblas(uplo), cblas<T>(op), to_int(c.rows), to_int(k), scalar(alpha), a.data,
      to_int(a.ld), scalar(beta), c.data, to_int(c.ld));
}

/// C = alpha A B^H + conj(alpha) B A^H + beta C (no_trans) or alpha A^H B + conj(alpha) B^H A + beta C, one triangle;
/// syr2k for real types.
template <Scalar T>
void her2k(Uplo uplo, Op op, const T& alpha, Tile<const T> a, Tile<const T> b, real_t<T> beta, Tile<T> c) {
  const Index k = op == Op::no_trans ? a.cols : a.rows;
  routine<T>(cblas_ssyr2k, cblas_dsyr2k, cblas_cher2k, cblas_zher2k)(
      CblasColMajor, cblas(uplo), cblas<T>(op), to_int(c.rows), to_int(k), scalar(alpha), a.data,
      to_int(a.ld), b.data, to_int(b.ld), beta, c.data, to_int(c.ld));
}

/// C = alpha (A B^T + B A^T) + beta C (no_trans) or alpha (A^T B + B^T A) + beta C, one triangle.
template <Scalar T>
void syr2k(Uplo uplo, Op op, const T& alpha, Tile<const T> a, Tile<const T> b, const T& beta, Tile<T> c) {
  const Index k = op == Op::no_trans ? a.cols : a.rows;
  routine<T>(cblas_ssyr2k, cblas_dsyr2k, cblas_csyr2k, cblas_zsyr2k)(
      CblasColMajor, cblas(uplo), cblas<T>(op), to_int(c.rows), to_int(k), scalar(alpha), a.data,
      to_int(a.ld), b.data, to_int(b.ld), scalar(beta), c.data, to_int(c.ld));
}

/// C = alpha A B + beta C (Left) or alpha B A + beta C, one triangle of A; symm for real types.
template <Scalar T>
void hemm(Side side, Uplo uplo, const T& alpha, Tile<const T> a, Tile<const T> b, const T& beta, Tile<T> c) {
  routine<T>(cblas_ssymm, cblas_dsymm, cblas_chemm, cblas_zhemm)(
      CblasColMajor, cblas(side), cblas(uplo), to_int(c.rows), to_int(c.cols), scalar(alpha), a.data,
      to_int(a.ld), b.data, to_int(b.ld), scalar(beta), c.data, to_int(c.ld));
}

/// C = alpha A B + beta C (Left) or alpha B A + beta C, one triangle of a symmetric A.
template <Scalar T>
void symm(Side side, Uplo uplo, const T& alpha, Tile<const T> a, Tile<const T> b, const T& beta, Tile<T> c) {
  routine<T>(cblas_ssymm, cblas_dsymm, cblas_csymm, cblas_zsymm)(
      CblasColMajor, cblas(side), cblas(uplo), to_int(c.rows), to_int(c.cols), scalar(alpha), a.data,
      to_int(a.ld), b.data, to_int(b.ld), scalar(beta), c.data, to_int(c.ld));
}

/// B = alpha op(A) B (Left) or alpha B op(A), A triangular.
template <Scalar T>
void trmm(Side side, Uplo uplo, Op op, Diag diag, const T& alpha, Tile<const T> a, Tile<T> b) {
  routine<T>(cblas_strmm, cblas_dtrmm, cblas_ctrmm, cblas_ztrmm)(
      CblasColMajor, cblas(side), cblas(uplo), cblas<T>(op), cblas(diag), to_int(b.rows), to_int(b.cols),
      scalar(alpha), a.data, to_int(a.ld), b.data, to_int(b.ld));
}

/// B = alpha op(A)^-1 B (Left) or alpha B op(A)^-1, A triangular.
template <Scalar T>
void trsm(Side side, Uplo uplo, Op op, Diag diag, const T& alpha, Tile<const T> a, Tile<T> b) {
  routine<T>(cblas_strsm, cblas_dtrsm, cblas_ctrsm, cblas_ztrsm)(
      CblasColMajor, cblas(side), cblas(uplo), cblas<T>(op), cblas(diag), to_int(b.rows), to_int(b.cols),
      scalar(alpha), a.data, to_int(a.ld), b.data, to_int(b.ld));
}

}  // namespace tessera::vendor
