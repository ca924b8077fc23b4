// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <utility>

#include "kernels/cpu/blas.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// How recursive kernels cut their operands, so that almost all of their work is gemm's (Elmroth, Gustavson,
/// Jonsson and Kagstrom, SIAM Review 46(1), 2004).

namespace tessera::kernel {

/// The stored parts of a triangular or Hermitian tile.
template <class T>
struct Triangle {
  Tile<T> a11;
  Tile<T> off;  ///< A21 of a lower triangle, A12 of an upper one
  Tile<T> a22;
};

/// Cuts a tile of order n > leaf near the middle, at a multiple of `leaf`.
template <class T>
Triangle<T> split(Uplo uplo, Tile<T> a, Index leaf) {
  const Index n1 = (a.rows / 2 + leaf - 1) / leaf * leaf;
  const Index n2 = a.rows - n1;
  return {a.block(0, 0, n1, n1), uplo == Uplo::Lower ? a.block(n1, 0, n2, n1) : a.block(0, n1, n1, n2),
          a.block(n1, n1, n2, n2)};
}

/// The first n1 rows (or columns) of a tile, and the others.
template <class T>
std::pair<Tile<T>, Tile<T>> cut(bool rows, Tile<T> a, Index n1) {
  if (rows) return {a.block(0, 0, n1, a.cols), a.block(n1, 0, a.rows - n1, a.cols)};
  return {a.block(0, 0, a.rows, n1), a.block(0, n1, a.rows, a.cols - n1)};
}

/// Whether op(A) X = B (Left) or X op(A) = B (Right) is solved from the first unknown to the last.
inline bool is_forward(Side side, Uplo uplo, Op op) {
  const bool lower = (uplo == Uplo::Lower) == (op == Op::no_trans);
  return lower == (side == Side::Left);
}

/// The operands of trsm and trmm in halves, in the order of substitution: in the solve, the second half of X
/// depends on the first one through `off`; in the product, the second half of the result on the first one of B.
template <class T>
struct TriangularHalves {
  Tile<const T> a_first;
  Tile<const T> off;
  Tile<const T> a_second;
  Tile<T> b_first;
  Tile<T> b_second;

  TriangularHalves(Side side, Uplo uplo, Op op, Tile<const T> a, Tile<T> b, Index leaf) {
    const auto [a11, a_off, a22] = split(uplo, a, leaf);
    const auto [b1, b2] = cut(side == Side::Left, b, a11.rows);
    const bool forward = is_forward(side, uplo, op);
    a_first = forward ? a11 : a22;
    off = a_off;
    a_second = forward ? a22 : a11;
    b_first = forward ? b1 : b2;
    b_second = forward ? b2 : b1;
  }
};

/// Y = alpha op(A) op(X) + beta Y (Left) or alpha op(X) op(A) + beta Y (Right).
template <Scalar T>
void multiply(Side side, Op op_a, Op op_x, const T& alpha, Tile<const T> a, Tile<const T> x, const T& beta,
              Tile<T> y) {
  if (side == Side::Left) {
    vendor::gemm<T>(op_a, op_x, alpha, a, x, beta, y);
  } else {
    vendor::gemm<T>(op_x, op_a, alpha, x, a, beta, y);
  }
}

}  // namespace tessera::kernel
