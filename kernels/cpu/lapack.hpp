// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <complex>

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

#include "kernels/cpu/vendor.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// The LAPACK routines of the machine on tiles, one function for s, d, c and z; they return LAPACK's info.
/// The `_work` functions neither scan for NaN nor allocate.

namespace tessera::vendor {

inline char lapack(Uplo uplo) { return static_cast<char>(uplo); }
inline char lapack(Diag diag) { return static_cast<char>(diag); }

/// A = L L^H or U^H U.
template <Scalar T>
Index potrf(Uplo uplo, Tile<T> a) {
  return routine<T>(LAPACKE_spotrf_work, LAPACKE_dpotrf_work, LAPACKE_cpotrf_work, LAPACKE_zpotrf_work)(
      LAPACK_COL_MAJOR, lapack(uplo), to_int(a.rows), a.data, to_int(a.ld));
}

/// P A = L U with partial pivoting. \param ipiv  min(m, n) numbers, 1-based
template <Scalar T>
Index getrf(Tile<T> a, int* ipiv) {
  return routine<T>(LAPACKE_sgetrf_work, LAPACKE_dgetrf_work, LAPACKE_cgetrf_work, LAPACKE_zgetrf_work)(
      LAPACK_COL_MAJOR, to_int(a.rows), to_int(a.cols), a.data, to_int(a.ld), ipiv);
}

/// A = A^-1, A triangular.
template <Scalar T>
Index trtri(Uplo uplo, Diag diag, Tile<T> a) {
  return routine<T>(LAPACKE_strtri_work, LAPACKE_dtrtri_work, LAPACKE_ctrtri_work, LAPACKE_ztrtri_work)(
      LAPACK_COL_MAJOR, lapack(uplo), lapack(diag), to_int(a.rows), a.data, to_int(a.ld));
}

/// A = L^H L or U U^H.
template <Scalar T>
Index lauum(Uplo uplo, Tile<T> a) {
  return routine<T>(LAPACKE_slauum_work, LAPACKE_dlauum_work, LAPACKE_clauum_work, LAPACKE_zlauum_work)(
      LAPACK_COL_MAJOR, lapack(uplo), to_int(a.rows), a.data, to_int(a.ld));
}

/// The op of a Q, which a real matrix's LAPACK calls T.
template <Scalar T>
char lapack_q(Op op) {
  return op == Op::no_trans ? 'N' : is_complex<T> ? 'C' : 'T';
}

/// A = Q R in blocks of `ib` columns. \param work  ib n numbers
template <Scalar T>
Index geqrt(Index ib, Tile<T> a, Tile<T> t, T* work) {
  return routine<T>(LAPACKE_sgeqrt_work, LAPACKE_dgeqrt_work, LAPACKE_cgeqrt_work, LAPACKE_zgeqrt_work)(
      LAPACK_COL_MAJOR, to_int(a.rows), to_int(a.cols), to_int(ib), a.data, to_int(a.ld), t.data,
      to_int(t.ld), work);
}

/// C = op(Q) C or C op(Q) for k reflectors of geqrt. \param work  ib times C's other extent
template <Scalar T>
Index gemqrt(Side side, Op op, Index k, Index ib, Tile<const T> v, Tile<const T> t, Tile<T> c, T* work) {
  return routine<T>(LAPACKE_sgemqrt_work, LAPACKE_dgemqrt_work, LAPACKE_cgemqrt_work, LAPACKE_zgemqrt_work)(
      LAPACK_COL_MAJOR, static_cast<char>(side), lapack_q<T>(op), to_int(c.rows), to_int(c.cols), to_int(k),
      to_int(ib), v.data, to_int(v.ld), t.data, to_int(t.ld), c.data, to_int(c.ld), work);
}

/// [R; B] = Q [R'; 0] with a rectangular B, column by column, and the T of Q = I - V T V^H.
template <Scalar T>
Index tpqrt2(Tile<T> r, Tile<T> b, Tile<T> t) {
  return routine<T>(LAPACKE_stpqrt2_work, LAPACKE_dtpqrt2_work, LAPACKE_ctpqrt2_work, LAPACKE_ztpqrt2_work)(
      LAPACK_COL_MAJOR, to_int(b.rows), to_int(b.cols), 0, r.data, to_int(r.ld), b.data, to_int(b.ld), t.data,
      to_int(t.ld));
}

}  // namespace tessera::vendor
