// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>

#include "tessera/types.hpp"

namespace tessera::kernel {

/// Which part of a block of a matrix is referenced, when of the matrix only a triangle is.
///
/// `shift` is the matrix's row index of the block's first row less the column index of its first column.
/// Element (r, c) of the block lies on the matrix's diagonal iff r + shift == c; it belongs to Lower iff
/// r + shift >= c, to Upper iff r + shift <= c. A tile on the diagonal of a matrix with square tiles has shift
/// 0; the blocks of a matrix with mb != nb, or cut at other places, have any.
struct Region {
  Uplo uplo = Uplo::General;
  Index shift = 0;

  /// The row of column c that lies on the diagonal; it may be outside the block.
  constexpr Index diagonal(Index c) const noexcept { return c - shift; }

  /// The rows of column c that belong to the region, in a block of `rows` rows, are begin(c, rows), ...,
  /// end(c, rows) - 1.
  constexpr Index begin(Index c, Index rows) const noexcept {
    return uplo == Uplo::Lower ? std::clamp(diagonal(c), Index{0}, rows) : 0;
  }
  constexpr Index end(Index c, Index rows) const noexcept {
    return uplo == Uplo::Upper ? std::clamp(diagonal(c) + 1, Index{0}, rows) : rows;
  }

  /// Whether every element of a rows x cols block belongs to the region; the farthest corner decides.
  constexpr bool whole(Index rows, Index cols) const noexcept {
    return rows == 0 || cols == 0 || (begin(cols - 1, rows) == 0 && end(0, rows) == rows);
  }

  /// Whether no element of a rows x cols block belongs to the region; the nearest corner decides.
  constexpr bool empty(Index rows, Index cols) const noexcept {
    return rows == 0 || cols == 0 || begin(0, rows) == rows || end(cols - 1, rows) == 0;
  }
};

}  // namespace tessera::kernel
