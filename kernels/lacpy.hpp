// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "kernels/region.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// B(dst_row + r, dst_col + c) = op(A)(src_row + r, src_col + c) for the elements (r, c) of the region of a
/// rows x cols block. The rest of B is not touched, the rest of A not read. (LAPACK: xLACPY.)
template <Scalar T>
struct lacpy {
  static constexpr std::string_view name = "lacpy";

  Op op = Op::no_trans;
  Region region;
  Index src_row = 0;  ///< in op(A)
  Index src_col = 0;
  Index dst_row = 0;
  Index dst_col = 0;
  Index rows = 0;
  Index cols = 0;

  void cpu(Tile<const T> a, Tile<T> b) const;
};

}  // namespace tessera::kernel
