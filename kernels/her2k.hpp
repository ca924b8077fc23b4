// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// C = alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C in one triangle of a Hermitian C; the other one is
/// neither read nor written. op(A) and op(B), each with its own op, are the tile or its conjugate transpose (for
/// complex types, trans is none of BLAS's). The diagonal of C gets zero imaginary parts. beta = 0: C is not read;
/// alpha = 0 or k = 0: A and B are not read. BLAS's her2k, which has one op for both, for complex types; syr2k for
/// real ones.
template <Scalar T>
struct her2k {
  static constexpr std::string_view name = is_complex<T> ? "her2k" : "syr2k";
  Uplo uplo = Uplo::Lower;
  Op op_a = Op::no_trans;
  Op op_b = Op::no_trans;
  T alpha = 1;
  real_t<T> beta = 0;

  /// \param a  op(A) is n x k
  /// \param b  op(B) is n x k
  /// \param c  n x n, one triangle overwritten
  void cpu(Tile<const T> a, Tile<const T> b, Tile<T> c) const;

  Uplo written() const noexcept { return uplo; }

  double flops(Tile<const T> a, Tile<const T> /*b*/, Tile<T> c) const {
    return flops::her2k<T>(c.rows, op_a == Op::no_trans ? a.cols : a.rows);
  }
};

}  // namespace tessera::kernel
