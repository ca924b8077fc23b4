// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "kernels/region.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// A = `diagonal` on the matrix's diagonal and `off_diagonal` elsewhere, in the region. (LAPACK: xLASET.)
template <Scalar T>
struct laset {
  static constexpr std::string_view name = "laset";

  Region region;
  T off_diagonal{};
  T diagonal{};

  void cpu(Tile<T> a) const;
};

}  // namespace tessera::kernel
