// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// C = alpha op(A) op(B) + beta C. beta = 0: C is not read; alpha = 0 or k = 0: A and B are not read.
template <Scalar T>
struct gemm {
  static constexpr std::string_view name = "gemm";
  Op op_a = Op::no_trans;
  Op op_b = Op::no_trans;
  T alpha = 1;
  T beta = 0;

  /// \param a  op(A) is m x k
  /// \param b  op(B) is k x n
  /// \param c  m x n, overwritten
  void cpu(Tile<const T> a, Tile<const T> b, Tile<T> c) const;

  double flops(Tile<const T> a, Tile<const T> /*b*/, Tile<T> c) const {
    return flops::gemm<T>(c.rows, c.cols, op_a == Op::no_trans ? a.cols : a.rows);
  }
};

}  // namespace tessera::kernel
