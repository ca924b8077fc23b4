// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/matrix.hpp"
#include "tessera/types.hpp"

/// \file
/// Transposed outputs. Where C is the view op(S), the statement C = X means S = op(X): `op` is applied to all that it
/// mentions.

namespace tessera::detail {

template <Scalar T>
TileMatrix<T> apply(Op op, const TileMatrix<T>& A) {
  return op == Op::no_trans ? A : op == Op::trans ? trans(A) : conj_trans(A);
}

template <Scalar T>
T apply(Op op, T x) {
  return op == Op::conj_trans ? conjugate(x) : x;
}

inline Uplo apply(Op op, Uplo uplo) { return op == Op::no_trans ? uplo : flip(uplo); }

}  // namespace tessera::detail
