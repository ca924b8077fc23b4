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

}  // namespace tessera::vendor
