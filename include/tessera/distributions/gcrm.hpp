// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/distributions/pattern.hpp"

namespace tessera {

/// Greedy colrow & matching (GCR&M): for any number of ranks, for matrices of which one triangle is stored.
/// Each rank has a set of colrows, every two colrows are together in some set, and the rank owns cells of its
/// colrows.
///
///            P = 5, r = 6,   * 0 0 1 4 4       rank 0 has colrows 0 1 2, rank 1 has 0 2 3 5, ...; the
///            seed = 1:       0 * 0 2 2 4       free cells *: see Pattern
///                            0 0 * 1 3 3
///                            1 2 1 * 2 1
///                            4 2 3 2 * 3
///                            4 4 3 1 3 *
///
/// The table of order r, made from a seed: (1) greedy: in random order, rank t gets colrow t mod r; then, in
/// turn, each rank gets the colrow that makes most pairs, not yet covered, with its own (of these the least
/// used, of these a random one) until all pairs are covered. (2) Matching: a largest matching of the cells
/// off the diagonal with the ranks that have both colrows, floor(r(r-1)/P) cells for a rank, then one more;
/// what is left goes to the ranks with fewest cells. (3) The diagonal is free and evens out the load, see
/// Pattern.
///
/// Ranks: any P up to max_ranks. Tiles sent by a Cholesky factorisation of n x n tiles, S = n(n+1)/2:
///     V = S (zbar - 1) + O(n),  zbar within a few percent of sqrt(3P/2) for the patterns that are shipped
///
/// Source: after Beaumont, Collin, Eyraud-Dubois, Verite, Data Distribution Schemes for Dense Linear Algebra
/// Factorizations on Any Number of Nodes, IPDPS'23.
class GreedyColrowMatching final : public Pattern {
 public:
  static constexpr Rank max_ranks = 512;

  /// A good pattern: the best one of a long search for P <= 64 (`tessera-gcrm` has made the list), of a short
  /// one, below a second, for more ranks.
  /// \throws ArgumentError unless 1 <= num_ranks <= max_ranks
  explicit GreedyColrowMatching(Rank num_ranks);

  /// The pattern of order r from this seed.
  /// \throws ArgumentError when r is larger than 256 or the pattern cannot be balanced: ceil(r(r-1)/P) >
  ///         r^2/P, or a rank gets less than floor(r(r-1)/P) cells off the diagonal
  GreedyColrowMatching(Rank num_ranks, Index r, Rank seed);
};

}  // namespace tessera
