// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// C = alpha A op(B) + beta C (Left) or alpha op(B) A + beta C (Right), A Hermitian with one triangle stored; the
/// other one is not read, nor are the imaginary parts of the diagonal. beta = 0: C is not read; alpha = 0: A and B
/// are not read. BLAS's hemm for complex types, symm for real ones; BLAS has no op(B).
template <Scalar T>
struct hemm {
  static constexpr std::string_view name = is_complex<T> ? "hemm" : "symm";
  Side side = Side::Left;
  Uplo uplo = Uplo::Lower;
  Op op_b = Op::no_trans;
  T alpha = 1;
  T beta = 0;

  /// \param a  m x m (Left) or n x n (Right)
  /// \param b  op(B) is m x n
  /// \param c  m x n, overwritten
  void cpu(Tile<const T> a, Tile<const T> b, Tile<T> c) const;

  double flops(Tile<const T> /*a*/, Tile<const T> /*b*/, Tile<T> c) const {
    return flops::hemm<T>(side, c.rows, c.cols);
  }
};

}  // namespace tessera::kernel
