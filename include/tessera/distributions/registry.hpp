// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/distribution.hpp"

namespace tessera {

/// A distribution from its text name: `kind`, `kind:argument` or `kind:key=value,...`.
///
///     2dbc:p=2,q=3              2D block-cyclic; 2dbc alone: the most square grid
///     1d:rows,P=6               tile rows dealt out cyclically; 1d:columns,P=6; without P: all ranks
///     sbc:r=5                   symmetric block-cyclic, extended; sbc:r=4,kind=basic; sbc alone: r from the ranks
///     tbc:q=4,plane=projective  triangle block-cyclic; plane=affine; tbc alone: from the ranks
///     g2dbc:P=23                generalised 2D block-cyclic for any number of ranks
///     gcrm:P=23                 greedy colrow & matching, up to 512 ranks; gcrm:P=23,r=21,seed=5
///     2.5d:c=3/sbc:r=5          three layers over a base; 2.5d:c=3,home=base/sbc:r=5: Replicated25D::Home
///     table:FILE                a pattern in a text file
///     rank:0                    all tiles on one rank
///
/// \param num_ranks  the ranks that the distribution must have; empty: as many as the text says
/// \throws ArgumentError naming the text and what is wrong with it: unknown kind or key, a value that is not a
///         number, a number of ranks for which there is no such distribution, or other than `num_ranks`
DistributionPtr make_distribution(std::string_view text, std::optional<Rank> num_ranks = {});

/// The kinds that make_distribution() knows, sorted.
std::vector<std::string> distribution_kinds();

/// The text names of all distributions over exactly `num_ranks` ranks that are worth a comparison.
std::vector<std::string> distribution_candidates(Rank num_ranks);

}  // namespace tessera
