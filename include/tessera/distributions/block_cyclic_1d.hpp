// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/distribution.hpp"

namespace tessera {

/// 1D cyclic: whole tile rows, or whole tile columns, dealt to the ranks in turn.
///
///            3 ranks, rows:   0 0 0 0       columns:   0 1 2 0
///                             1 1 1 1                  0 1 2 0
///                             2 2 2 2                  0 1 2 0
///                             0 0 0 0                  0 1 2 0
///
/// Nothing is sent along a row (a column): for tall (wide) matrices and blocks of right-hand sides. Ranks:
/// any P. Tiles sent by a Cholesky factorisation of n x n tiles, n >= P, S = n(n+1)/2, as for the 2D grids P
/// x 1 and 1 x P:
///     V = S(P-1) - n P(P-1)/2 + P(P-1)(P-2)/6
class Cyclic1D final : public Distribution {
 public:
  /// What is dealt.
  enum class Lines { rows, columns };

  /// \throws ArgumentError unless num_ranks >= 1
  Cyclic1D(Lines lines, Rank num_ranks);

  Rank owner(Index i, Index j) const override {
    return static_cast<Rank>((lines_ == Lines::rows ? i : j) % num_ranks_);
  }
  Rank num_ranks() const override { return num_ranks_; }
  /// "1d:rows,P=6"
  std::string name() const override;

 private:
  Lines lines_;
  Rank num_ranks_;
};

}  // namespace tessera
