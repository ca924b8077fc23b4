// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/distribution.hpp"

namespace tessera {

/// 2D block-cyclic: ranks in a p x q grid, repeated over the tiles. ScaLAPACK's distribution, with tiles as blocks.
///
///            p = 2, q = 3:   0 1 2 0 1 2
///                            3 4 5 3 4 5
///                            0 1 2 0 1 2
///
/// Ranks: any P = p q. Tiles sent by a Cholesky factorisation of n x n tiles, n >= max(p, q), S = n(n+1)/2:
///     V = S(p+q-2) - n[p(p-1)+q(q-1)]/2 + [p(p-1)(p-2)+q(q-1)(q-2)]/6
class BlockCyclic2D final : public Distribution {
 public:
  /// \throws ArgumentError unless p, q >= 1
  BlockCyclic2D(Rank p, Rank q);

  /// The most square grid of all of `num_ranks` ranks, p <= q.
  static DistributionPtr square(Rank num_ranks);

  Rank p() const noexcept { return p_; }
  Rank q() const noexcept { return q_; }

  Rank owner(Index i, Index j) const override {
    return static_cast<Rank>(i % p_) * q_ + static_cast<Rank>(j % q_);
  }
  Rank num_ranks() const override { return p_ * q_; }
  /// "2dbc:p=2,q=3"
  std::string name() const override;

 private:
  Rank p_;
  Rank q_;
};

}  // namespace tessera
