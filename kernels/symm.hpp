// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// C = alpha A op(B) + beta C (Left) or alpha op(B) A + beta C (Right), A symmetric (for complex types, too) with
/// one triangle stored; the other one is not read. beta = 0: C is not read; alpha = 0: A and B are not read. BLAS
/// has no op(B).
template <Scalar T>
struct symm {
  static constexpr std::string_view name = "symm";
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
    return flops::symm<T>(side, c.rows, c.cols);
  }
};

}  // namespace tessera::kernel
