// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// A = L^H L (Lower) or U U^H (Upper) in the triangle of A, a factor with a real diagonal; the other triangle is
/// neither read nor written.
template <Scalar T>
struct lauum {
  static constexpr std::string_view name = "lauum";
  Uplo uplo = Uplo::Lower;

  /// \param a  n x n, overwritten
  void cpu(Tile<T> a) const;

  double flops(Tile<T> a) const { return flops::lauum<T>(a.rows); }
};

}  // namespace tessera::kernel
