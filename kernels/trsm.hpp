// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// B = alpha op(A)^-1 B (Left) or alpha B op(A)^-1 (Right), A triangular; its other triangle is not read, nor is its
/// diagonal when it is taken as ones. alpha = 0: B = 0, and neither A nor B is read.
template <Scalar T>
struct trsm {
  static constexpr std::string_view name = "trsm";
  Side side = Side::Left;
  Uplo uplo = Uplo::Lower;
  Op op = Op::no_trans;
  Diag diag = Diag::NonUnit;
  T alpha = 1;

  /// \param a  m x m (Left) or n x n (Right); of a larger tile, its leading block
  /// \param b  m x n, overwritten
  void cpu(Tile<const T> a, Tile<T> b) const;

  double flops(Tile<const T> /*a*/, Tile<T> b) const { return flops::trsm<T>(side, b.rows, b.cols); }
};

}  // namespace tessera::kernel
