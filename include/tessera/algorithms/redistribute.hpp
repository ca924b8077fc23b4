// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/distribution.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// A matrix in another distribution, or in other tiles.

namespace tessera {

/// A new matrix with A's elements in tiles of mb x nb, dealt over the ranks by `distribution`. Collective; on
/// a Sequence it returns when the tasks are submitted, and the new matrix may be used by calls that follow.
/// \param A  m x n, read; any tiling, any distribution, any view: the result holds the view's elements
/// \param mb,nb  tile size of the result, elements; 0: as of A (after its op)
/// \param distribution  of the result; null: default_distribution()
/// \param uplo  the part to move; the rest of the result is zero, and of A neither read nor sent
/// \return the m x n matrix
/// \throws ArgumentError on every rank when A belongs to another runtime, for negative tile sizes, and as the
///         constructor of TileMatrix does for the distribution; nothing has been submitted then
/// \note Cost: one task per pair of overlapping tiles of A and the result. A tile of A is sent at most once
///       to each other rank that owns a tile overlapping with it; with A's tiling, exactly the tiles whose
///       owner changes, each once. Memory: both matrices, until A goes, and a few tiles that travel. Source: ScaLAPACK PxGEMR2D, PxTRMR2D.
template <Scalar T>
TileMatrix<T> redistribute(Sequence& sequence, const TileMatrix<T>& A, Index mb, Index nb,
                           DistributionPtr distribution, Uplo uplo = Uplo::General);

/// The same with A's tiles.
template <Scalar T>
TileMatrix<T> redistribute(Sequence& sequence, const TileMatrix<T>& A, DistributionPtr distribution,
                           Uplo uplo = Uplo::General) {
  return redistribute(sequence, A, 0, 0, std::move(distribution), uplo);
}

// ---- Blocking forms ---------------------------------------------------------------------------------------

template <Scalar T>
TileMatrix<T> redistribute(Runtime& runtime, const TileMatrix<T>& A, Index mb, Index nb,
                           DistributionPtr distribution, Uplo uplo = Uplo::General) {
  Sequence sequence(runtime);
  TileMatrix<T> result = redistribute(sequence, A, mb, nb, std::move(distribution), uplo);
  (void)sequence.wait();
  return result;
}

template <Scalar T>
TileMatrix<T> redistribute(Runtime& runtime, const TileMatrix<T>& A, DistributionPtr distribution,
                           Uplo uplo = Uplo::General) {
  return redistribute(runtime, A, 0, 0, std::move(distribution), uplo);
}

}  // namespace tessera
