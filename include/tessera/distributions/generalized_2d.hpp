// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/distribution.hpp"

namespace tessera {

/// Generalised 2D block-cyclic (G-2DBC): for any number of ranks, nearly as good as a square grid; for LU and
/// other operations on whole matrices.
///
///            P = 7, a = 3, b = 3, c = 2:     0 1 2 0 1 2 0       the grid   0 1 2
///                                            3 4 5 3 4 5 3       of ranks   3 4 5
///                                            6 1 2 6 1 2 6                  6 . .   two holes
///                                            0 1 2 0 1 2 0
///                                            3 4 5 3 4 5 3
///                                            6 4 5 6 4 5 6
///
/// The ranks stand row by row in a grid of b rows and a columns, a = ceil(sqrt(P)), b = ceil(P/a), whose last
/// row lacks c = ab - P ranks. The pattern has b(b-1) rows and P columns: block row I = 0 .. b-2 is b-1 times
/// the grid with its holes filled from row I, and then its first a-c columns once more. Each rank has b(b-1)
/// cells, each row a distinct ranks, and a column b - c(b-1)/P on average. Without holes it is the plain b x
/// a grid.
///
/// Ranks: any P. Tiles sent by an LU factorisation (no pivoting) of n x n tiles, S = n(n+1)/2:
///     V = S(T-2) + O(n),  T = a + b - c(b-1)/P <= 2 sqrt(P) + 1/sqrt(P)
///
/// Source: after Beaumont, Collin, Eyraud-Dubois, Verite, Data Distribution Schemes for Dense Linear Algebra
/// Factorizations on Any Number of Nodes, IPDPS'23.
class Generalized2D final : public Distribution {
 public:
  /// \throws ArgumentError unless num_ranks >= 1
  explicit Generalized2D(Rank num_ranks);

  Rank owner(Index i, Index j) const override;
  Rank num_ranks() const override { return num_ranks_; }
  /// "g2dbc:P=23"
  std::string name() const override;

  /// The ranks that the grid's last row lacks; with 0 this is 2dbc.
  Index holes() const noexcept { return b_ * a_ - num_ranks_; }

 private:
  Rank num_ranks_;
  Index a_;  // columns of the grid
  Index b_;  // rows
};

}  // namespace tessera
