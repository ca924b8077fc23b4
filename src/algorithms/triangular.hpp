// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>

#include "kernels/getrf.hpp"
#include "tessera/algorithms/cholesky.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"

namespace tessera::detail {

/// B <- alpha A^-1 B with a triangular view A (lower: forward, upper: backward substitution), without checks.
template <Scalar T>
void solve_left(Sequence& sequence, Uplo uplo, Diag diag, T alpha, const TileMatrix<T>& A,
                const TileMatrix<T>& B, int priority);

/// A <- A^-1 for a lower view, without checks.
template <Scalar T>
void invert_lower(Sequence& sequence, Diag diag, const TileMatrix<T>& A, int priority);

/// A <- L^H L for a lower view, without checks.
template <Scalar T>
void multiply_lower(Sequence& sequence, const TileMatrix<T>& A, int priority);

/// The first zero on the diagonal of a factor becomes the status of the sequence: one task per tile, in order.
template <Scalar T>
void report_zero_pivots(Sequence& sequence, const TileMatrix<T>& A, int priority) {
  for (Index k = 0; k < std::min(A.mt(), A.nt()); ++k) {
    sequence.submit(kernel::find_zero_pivot<T>{A.tiling().first_row(k)}, {priority, {}, {}},
                    A(k, k).stored());
  }
}

/// The triangle `uplo` of A as a lower view: U = L^H, so one text serves both.
template <class T>
TileMatrix<T> lower_view(Uplo uplo, const TileMatrix<T>& A) {
  return uplo == Uplo::Lower ? A : conj_trans(A);
}

}  // namespace tessera::detail
