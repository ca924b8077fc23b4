// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// C = alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C in one triangle of a symmetric C (for complex types, too);
/// the other one is neither read nor written. op(A) and op(B), each with its own op, are the tile or its transpose
/// (for complex types, conj_trans is none of BLAS's). beta = 0: C is not read; alpha = 0 or k = 0: A and B are not
/// read. BLAS has one op for both.
template <Scalar T>
struct syr2k {
  static constexpr std::string_view name = "syr2k";
  Uplo uplo = Uplo::Lower;
  Op op_a = Op::no_trans;
  Op op_b = Op::no_trans;
  T alpha = 1;
  T beta = 0;

  /// \param a  op(A) is n x k
  /// \param b  op(B) is n x k
  /// \param c  n x n, one triangle overwritten
  void cpu(Tile<const T> a, Tile<const T> b, Tile<T> c) const;

  Uplo written() const noexcept { return uplo; }

  double flops(Tile<const T> a, Tile<const T> /*b*/, Tile<T> c) const {
    return flops::syr2k<T>(c.rows, op_a == Op::no_trans ? a.cols : a.rows);
  }
};

}  // namespace tessera::kernel
