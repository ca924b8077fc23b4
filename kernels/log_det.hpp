// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// s = 2 sum_i log |L(i,i)|: the share of one diagonal tile in log det A, A = L L^H.
template <Scalar T>
struct log_det {
  static constexpr std::string_view name = "log_det";

  /// \param l  n x n; only the diagonal is read
  /// \param s  1 x 1, overwritten
  void cpu(Tile<const T> l, OutTile<double> s) const;
};

}  // namespace tessera::kernel
