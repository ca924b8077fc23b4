// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// Sets the imaginary parts on the diagonal of A to zero, as BLAS does with every Hermitian matrix that it updates.
template <Scalar T>
struct real_diagonal {
  static constexpr std::string_view name = "real_diagonal";

  /// \param a  n x n
  void cpu(Tile<T> a) const;
};

}  // namespace tessera::kernel
