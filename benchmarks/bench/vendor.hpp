// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "kernels/cpu/lapack.hpp"
#include "tessera/matrix.hpp"

/// \file
/// The machine's LAPACK on whole matrices.

namespace tessera::bench {

/// An m x n column-major matrix in memory that is not touched before it is filled.
template <Scalar T>
class ColumnMajor {
 public:
  ColumnMajor(Index m, Index n) : m_(m), n_(n) {
    data_.reset(
        static_cast<T*>(std::calloc(static_cast<std::size_t>(ld() * std::max<Index>(n, 1)), sizeof(T))));
    if (data_ == nullptr) throw std::bad_alloc();
  }

  Tile<T> tile() const { return {data_.get(), m_, n_, ld()}; }
  /// The same memory for algorithms, to be filled in parallel.
  TileMatrix<T> tiles(Runtime& runtime) const {
    return TileMatrix<T>::wrap(runtime, m_, n_, data_.get(), ld());
  }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  Index ld() const { return std::max<Index>(m_, 1); }

  Index m_, n_;
  std::unique_ptr<T, Free> data_;
};

}  // namespace tessera::bench

namespace tessera::vendor {

/// Solves A X = B; A becomes its Cholesky factor, B becomes X.
template <Scalar T>
Index posv(Uplo uplo, Tile<T> a, Tile<T> b) {
  return routine<T>(LAPACKE_sposv_work, LAPACKE_dposv_work, LAPACKE_cposv_work, LAPACKE_zposv_work)(
      LAPACK_COL_MAJOR, lapack(uplo), to_int(a.rows), to_int(b.cols), a.data, to_int(a.ld), b.data,
      to_int(b.ld));
}

/// A Cholesky factor becomes a triangle of the inverse.
template <Scalar T>
Index potri(Uplo uplo, Tile<T> a) {
  return routine<T>(LAPACKE_spotri_work, LAPACKE_dpotri_work, LAPACKE_cpotri_work, LAPACKE_zpotri_work)(
      LAPACK_COL_MAJOR, lapack(uplo), to_int(a.rows), a.data, to_int(a.ld));
}

/// Solves op(A) X = B with the factor of getrf; B becomes X.
template <Scalar T>
Index getrs(Op op, Tile<T> a, const int* ipiv, Tile<T> b) {
  return routine<T>(LAPACKE_sgetrs_work, LAPACKE_dgetrs_work, LAPACKE_cgetrs_work, LAPACKE_zgetrs_work)(
      LAPACK_COL_MAJOR, static_cast<char>(op), to_int(a.rows), to_int(b.cols), a.data, to_int(a.ld), ipiv,
      b.data, to_int(b.ld));
}

/// The factor of getrf becomes the inverse. \param work  n x n
template <Scalar T>
Index getri(Tile<T> a, const int* ipiv, Tile<T> work) {
  return routine<T>(LAPACKE_sgetri_work, LAPACKE_dgetri_work, LAPACKE_cgetri_work, LAPACKE_zgetri_work)(
      LAPACK_COL_MAJOR, to_int(a.rows), a.data, to_int(a.ld), ipiv, work.data,
      to_int(std::min<Index>(work.ld * work.cols, std::numeric_limits<int>::max())));
}

/// LAPACK's answer to how large `work` should be, of a routine called as call(work, lwork).
template <Scalar T, class Call>
Index with_best_work(Call&& call) {
  T size{};
  call(&size, -1);
  std::vector<T> work(static_cast<std::size_t>(real_part(size)) + 1);
  return call(work.data(), to_int(static_cast<Index>(work.size())));
}

/// A = Q R. \param tau  min(m, n) numbers
template <Scalar T>
Index geqrf(Tile<T> a, T* tau) {
  return with_best_work<T>([=](T* work, int size) {
    return routine<T>(LAPACKE_sgeqrf_work, LAPACKE_dgeqrf_work, LAPACKE_cgeqrf_work, LAPACKE_zgeqrf_work)(
        LAPACK_COL_MAJOR, to_int(a.rows), to_int(a.cols), a.data, to_int(a.ld), tau, work, size);
  });
}

/// A = L Q. \param tau  min(m, n) numbers
template <Scalar T>
Index gelqf(Tile<T> a, T* tau) {
  return with_best_work<T>([=](T* work, int size) {
    return routine<T>(LAPACKE_sgelqf_work, LAPACKE_dgelqf_work, LAPACKE_cgelqf_work, LAPACKE_zgelqf_work)(
        LAPACK_COL_MAJOR, to_int(a.rows), to_int(a.cols), a.data, to_int(a.ld), tau, work, size);
  });
}

/// The first a.cols columns of Q from geqrf, of which A has k <= a.cols vectors.
template <Scalar T>
Index orgqr(Index k, Tile<T> a, const T* tau) {
  return with_best_work<T>([=](T* work, int size) {
    return routine<T>(LAPACKE_sorgqr_work, LAPACKE_dorgqr_work, LAPACKE_cungqr_work, LAPACKE_zungqr_work)(
        LAPACK_COL_MAJOR, to_int(a.rows), to_int(a.cols), to_int(k), a.data, to_int(a.ld), tau, work, size);
  });
}

/// C = op(Q) C or C op(Q) for the k vectors of geqrf in A.
template <Scalar T>
Index ormqr(Side side, Op op, Index k, Tile<T> a, const T* tau, Tile<T> c) {
  return with_best_work<T>([=](T* work, int size) {
    return routine<T>(LAPACKE_sormqr_work, LAPACKE_dormqr_work, LAPACKE_cunmqr_work, LAPACKE_zunmqr_work)(
        LAPACK_COL_MAJOR, static_cast<char>(side), lapack_q<T>(op), to_int(c.rows), to_int(c.cols), to_int(k),
        a.data, to_int(a.ld), tau, c.data, to_int(c.ld), work, size);
  });
}

/// Least squares or least norm; B becomes X.
template <Scalar T>
Index gels(Op op, Tile<T> a, Tile<T> b) {
  return with_best_work<T>([=](T* work, int size) {
    return routine<T>(LAPACKE_sgels_work, LAPACKE_dgels_work, LAPACKE_cgels_work, LAPACKE_zgels_work)(
        LAPACK_COL_MAJOR, lapack_q<T>(op), to_int(a.rows), to_int(a.cols), to_int(b.cols), a.data,
        to_int(a.ld), b.data, to_int(b.ld), work, size);
  });
}

}  // namespace tessera::vendor
