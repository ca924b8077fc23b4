// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// A = L L^H (Lower) or U^H U (Upper) in one triangle of a Hermitian A; the other one is neither read nor written,
/// the imaginary parts of the diagonal are not read.
template <Scalar T>
struct potrf {
  static constexpr std::string_view name = "potrf";
  Uplo uplo = Uplo::Lower;
  Index first_row = 0;  ///< global index of the tile's first row, from 0

  /// \param a  n x n, overwritten; after a failure only the columns (rows for Upper) before it are the factor's
  /// \returns 0, or the global 1-based index of the first pivot that is not positive (a NaN is not)
  Index cpu(Tile<T> a) const;

  double flops(Tile<T> a) const { return flops::potrf<T>(a.rows); }
};

}  // namespace tessera::kernel
