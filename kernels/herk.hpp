// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// C = alpha A A^H + beta C (no_trans) or alpha A^H A + beta C (conj_trans) in one triangle; the other one is
/// neither read nor written. The diagonal of C gets zero imaginary parts. beta = 0: C is not read; alpha = 0 or
/// k = 0: A is not read. BLAS's herk for complex types, syrk for real ones (where trans is conj_trans).
template <Scalar T>
struct herk {
  static constexpr std::string_view name = is_complex<T> ? "herk" : "syrk";
  Uplo uplo = Uplo::Lower;
  Op op = Op::no_trans;
  real_t<T> alpha = 1;
  real_t<T> beta = 0;

  /// \param a  n x k (no_trans) or k x n
  /// \param c  n x n, one triangle overwritten
  void cpu(Tile<const T> a, Tile<T> c) const;

  Uplo written() const noexcept { return uplo; }

  double flops(Tile<const T> a, Tile<T> c) const {
    return flops::herk<T>(c.rows, op == Op::no_trans ? a.cols : a.rows);
  }
};

}  // namespace tessera::kernel
