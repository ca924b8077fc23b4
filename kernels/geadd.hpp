// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "kernels/region.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// B = alpha * op(A) + beta * B in the region (of B). alpha = 0 does not read A, beta = 0 does not read B.
/// (PBLAS: PxGEADD and PxTRADD.)
template <Scalar T>
struct geadd {
  static constexpr std::string_view name = "geadd";

  Op op = Op::no_trans;
  Region region;
  T alpha{};
  T beta{};

  void cpu(Tile<const T> a, Tile<T> b) const;
};

}  // namespace tessera::kernel
