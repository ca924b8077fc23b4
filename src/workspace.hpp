// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>

#include "tessera/distributions/function.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"

namespace tessera::detail {

/// A matrix of zeros with as many tiles as A (after its op), each on the rank of A's tile, cut by `tiling`: a place
/// for results per tile that need not travel. Collective.
template <class Result = double, class T>
TileMatrix<Result> workspace_like(Runtime& runtime, const TileMatrix<T>& A, const Tiling& tiling) {
  auto like_A = std::make_shared<FunctionDistribution>(A.distribution().num_ranks(), "workspace",
                                                       [A](Index i, Index j) { return A.owner(i, j); });
  return {runtime, tiling.m(), tiling.n(), tiling.mb(), tiling.nb(), std::move(like_A)};
}

}  // namespace tessera::detail
