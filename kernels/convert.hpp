// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// B = op(A), rounded to B's precision or widened to it; what is too large becomes infinite. (LAPACK: xLAG2y.)
template <Scalar From, Scalar To>
struct convert {
  static constexpr std::string_view name = "convert";
  Op op = Op::no_trans;

  /// \param a  op(A) is m x n
  /// \param b  m x n
  void cpu(Tile<const From> a, OutTile<To> b) const;
};

}  // namespace tessera::kernel
