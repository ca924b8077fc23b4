// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "kernels/region.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// A = alpha * A in the region; alpha = 0 sets zeros and does not read A, so that no NaN survives.
/// (ScaLAPACK: PxLASCL without its guards against overflow; PBLAS: PxTRADD with a zero operand.)
template <Scalar T>
struct lascal {
  static constexpr std::string_view name = "lascal";

  Region region;
  T alpha{};

  void cpu(Tile<T> a) const;
};

}  // namespace tessera::kernel
