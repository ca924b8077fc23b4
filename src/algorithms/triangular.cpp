// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "src/algorithms/triangular.hpp"

#include "src/tile_operations.hpp"

namespace tessera::detail {

template <Scalar T>
void solve_left(Sequence& seq, Uplo uplo, Diag diag, T alpha, const TileMatrix<T>& A, const TileMatrix<T>& B,
                int priority) {
  using namespace tile_op;
  const Index nt = A.nt();
  const bool forward = uplo == Uplo::Lower;
  for (Index step = 0; step < nt; ++step) {
    const Index k = forward ? step : nt - 1 - step;
    // The row solved next is the most urgent one to update.
    const auto at = [&](Index i) {
      return TaskOptions{priority - static_cast<int>(step + std::abs(i - k)), step};
    };
    const T factor = step == 0 ? alpha : T{1};
    for (Index j = 0; j < B.nt(); ++j) {
      trsm(seq, at(k), Side::Left, uplo, diag, factor, A(k, k), B(k, j));
    }
    for (Index i = forward ? k + 1 : 0; i < (forward ? nt : k); ++i) {
      for (Index j = 0; j < B.nt(); ++j) gemm(seq, at(i), T{-1}, A(i, k), B(k, j), factor, B(i, j));
    }
    release_all(seq, A.sub(0, k, nt, 1));
    release_all(seq, B.sub(k, 0, 1, B.nt()));
  }
}

template <Scalar T>
void invert_lower(Sequence& seq, Diag diag, const TileMatrix<T>& A, int priority) {
  using namespace tile_op;
  const Index nt = A.nt();
  for (Index k = 0; k < nt; ++k) {
    const TaskOptions at{priority - static_cast<int>(k), k};
    for (Index i = k + 1; i < nt; ++i) trsm(seq, at, Side::Right, Uplo::Lower, diag, T{-1}, A(k, k), A(i, k));
    for (Index i = k + 1; i < nt; ++i) {
      for (Index j = 0; j < k; ++j) gemm(seq, at, T{1}, A(i, k), A(k, j), T{1}, A(i, j));
    }
    for (Index j = 0; j < k; ++j) trsm(seq, at, Side::Left, Uplo::Lower, diag, T{1}, A(k, k), A(k, j));
    trtri(seq, at, Uplo::Lower, diag, A.tiling().first_row(k), A(k, k));
  }
}

template <Scalar T>
void multiply_lower(Sequence& seq, const TileMatrix<T>& A, int priority) {
  using namespace tile_op;
  const Index nt = A.nt();
  for (Index k = 0; k < nt; ++k) {
    const TaskOptions at{priority - static_cast<int>(k), k};
    for (Index j = 0; j < k; ++j) {
      herk<T>(seq, at, Uplo::Lower, 1, conj_trans(A(k, j)), 1, A(j, j));
      for (Index i = j + 1; i < k; ++i) gemm(seq, at, T{1}, conj_trans(A(k, i)), A(k, j), T{1}, A(i, j));
    }
    for (Index j = 0; j < k; ++j) {
      trmm(seq, at, Side::Left, Uplo::Upper, Diag::NonUnit, T{1}, conj_trans(A(k, k)), A(k, j));
    }
    lauum(seq, at, A(k, k));
  }
}

#define TESSERA_INSTANTIATE(T)                                                                         \
  template void solve_left(Sequence&, Uplo, Diag, T, const TileMatrix<T>&, const TileMatrix<T>&, int); \
  template void invert_lower(Sequence&, Diag, const TileMatrix<T>&, int);                              \
  template void multiply_lower(Sequence&, const TileMatrix<T>&, int);

TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)

}  // namespace tessera::detail
