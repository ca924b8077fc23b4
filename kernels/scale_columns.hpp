// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// A(:, j) = 2^exponents[j] A(:, j): exact, but where a result is subnormal or overflows.
template <Scalar T>
struct scale_columns {
  static constexpr std::string_view name = "scale_columns";
  std::shared_ptr<const std::vector<int>> exponents;  ///< of all columns of the matrix
  Index first_col = 0;                                ///< of the tile

  void cpu(Tile<T> a) const;
};

}  // namespace tessera::kernel
