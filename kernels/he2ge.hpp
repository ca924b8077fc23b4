// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// B = A in full, for a Hermitian A of which the triangle `uplo` is stored; the imaginary parts on its diagonal are
/// not read. Both n x n.
template <Scalar T>
struct he2ge {
  static constexpr std::string_view name = "he2ge";

  Uplo uplo = Uplo::Lower;

  void cpu(Tile<const T> a, OutTile<T> b) const;
};

}  // namespace tessera::kernel
