// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// A = A^-1, A triangular; its other triangle is neither read nor written, nor is its diagonal when it is taken
/// as ones.
template <Scalar T>
struct trtri {
  static constexpr std::string_view name = "trtri";
  Uplo uplo = Uplo::Lower;
  Diag diag = Diag::NonUnit;
  Index first_row = 0;  ///< global index of the tile's first row, from 0

  /// \param a  n x n, overwritten; unchanged after a failure
  /// \returns 0, or the global 1-based index of the first zero on the diagonal
  Index cpu(Tile<T> a) const;

  double flops(Tile<T> a) const { return flops::trtri<T>(a.rows); }
};

}  // namespace tessera::kernel
