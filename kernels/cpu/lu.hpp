// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// LU factorisation in memory, which the kernels of LU share.

namespace tessera::kernel {

/// A = L U or P A = L U, any shape: L unit lower trapezoidal, U upper trapezoidal, as LAPACK stores them. Recursive in
/// the columns, so that almost all of the work is gemm's (Toledo, SIAM J. Matrix Anal. Appl. 18(4), 1997).
///
/// A column whose pivot is exactly zero is not scaled, and the factorisation goes on, as in LAPACK.
///
/// \param pivots  min(m, n) numbers: row r was interchanged with row pivots[r] >= r, counted from 0. The pivot is the
///                first entry of the largest |Re| + |Im|, LAPACK's (izamax); it is in range also when there are NaNs.
///                Null: no rows are interchanged.
/// \returns 0, or the 1-based index of the first pivot that is exactly zero
template <Scalar T>
Index factor_lu(Tile<T> a, Index* pivots);

}  // namespace tessera::kernel
