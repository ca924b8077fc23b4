// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// C = alpha A A^T + beta C (no_trans) or alpha A^T A + beta C (trans) in one triangle of a symmetric C (for complex
/// types, too); the other one is neither read nor written. beta = 0: C is not read; alpha = 0 or k = 0: A is not
/// read. For real types conj_trans is trans.
template <Scalar T>
struct syrk {
  static constexpr std::string_view name = "syrk";
  Uplo uplo = Uplo::Lower;
  Op op = Op::no_trans;
  T alpha = 1;
  T beta = 0;

  /// \param a  n x k (no_trans) or k x n
  /// \param c  n x n, one triangle overwritten
  void cpu(Tile<const T> a, Tile<T> c) const;

  Uplo written() const noexcept { return uplo; }

  double flops(Tile<const T> a, Tile<T> c) const {
    return flops::syrk<T>(c.rows, op == Op::no_trans ? a.cols : a.rows);
  }
};

}  // namespace tessera::kernel
