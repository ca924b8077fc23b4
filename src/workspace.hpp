// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>

#include "tessera/distributions/function.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"

namespace tessera::detail {

/// Each tile on the rank of A's tile (after its op).
template <class T>
DistributionPtr owners_of(const TileMatrix<T>& A) {
  return std::make_shared<FunctionDistribution>(A.distribution().num_ranks(), "workspace",
                                                [A](Index i, Index j) { return A.owner(i, j); });
}

/// A matrix of zeros with as many tiles as A (after its op), each on the rank of A's tile, cut by `tiling`: a place
/// for results per tile that need not travel. Collective.
template <class Result = double, class T>
TileMatrix<Result> workspace_like(Runtime& runtime, const TileMatrix<T>& A, const Tiling& tiling) {
  return {runtime, tiling.m(), tiling.n(), tiling.mb(), tiling.nb(), owners_of(A)};
}

/// The same without memory: tiles that only tasks use, see TileStorage::scratch(). To be kept until the sequence ends.
template <class Result, class T>
TileMatrix<Result> scratch_like(const TileMatrix<T>& A, const Tiling& tiling) {
  return TileMatrix<Result>::scratch(A, tiling, owners_of(A));
}

}  // namespace tessera::detail
