// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tessera/distribution.hpp"

namespace tessera {

/// A distribution from its text name: `kind:key=value,...`.
///     2dbc:p=2,q=3    2D block-cyclic; 2dbc alone takes the most square grid of `num_ranks`
///     rank:0          all tiles on one rank
/// \throws ArgumentError naming the text and what is wrong with it: unknown kind or key, a value that is not a
///         number, or a rank count other than `num_ranks`
DistributionPtr make_distribution(std::string_view text, Rank num_ranks);

/// The kinds that make_distribution() knows.
std::vector<std::string> distribution_kinds();

}  // namespace tessera
