// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tessera/distributions/pattern.hpp"

namespace tessera {

/// What a pattern of GreedyColrowMatching is made from, besides the number of ranks.
struct GcrmChoice {
  Index r;
  Rank seed;
};

/// The largest order that a pattern may have: its table is made in a second.
inline constexpr Index gcrm_max_order = 256;

/// Whether a pattern of order r can be balanced: every rank gets a cell, and ceil(r(r-1)/P) <= r^2/P, so that
/// the diagonal can even out the load.
bool gcrm_admits_order(Rank num_ranks, Index r);

/// The table of GreedyColrowMatching; empty when a rank gets less than floor(r(r-1)/P) of its cells.
/// The same on every machine. Cost: O(r^3); 1 ms for r = 40.
/// \param choice  with an order that gcrm_admits_order(), and any seed
std::optional<Pattern::Rows> gcrm_table(Rank num_ranks, const GcrmChoice& choice);

/// Largest work of a rank over the average, in a Cholesky factorisation of n x n tiles fitted to n.
double gcrm_imbalance(const Pattern& pattern, Index n);

/// The best of the patterns for seeds 1 .. `seeds` and all orders up to 6 sqrt(P), but at most 128. Best: (1)
/// no rank has more than r^2/P cells, so that the load evens out as the matrix grows, if there is such a
/// pattern; (2) of these an imbalance of at most 1.16, or 2 % above the smallest one; (3) of these a zbar
/// within half a percent of the smallest; (4) of these the best balance. That is the one at n = 96 tiles, or
/// 12 sqrt(P) if more. The same on every machine.
/// \throws ArgumentError when there is none: too many ranks
GcrmChoice gcrm_search(Rank num_ranks, Rank seeds);

}  // namespace tessera
