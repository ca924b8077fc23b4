// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/block_cyclic_2d.hpp"

#include <limits>
#include <string>

#include "distributions/kinds.hpp"
#include "tessera/error.hpp"

namespace tessera {

BlockCyclic2D::BlockCyclic2D(Rank p, Rank q) : p_(p), q_(q) {
  if (p < 1) throw ArgumentError("2dbc", "p", std::to_string(p), "must be positive");
  if (q < 1) throw ArgumentError("2dbc", "q", std::to_string(q), "must be positive");
  if (Index{p} * q > std::numeric_limits<Rank>::max()) {
    throw ArgumentError("2dbc", "q", std::to_string(q), "p*q must be below 2^31");
  }
}

DistributionPtr BlockCyclic2D::square(Rank num_ranks) {
  Rank p = 1;
  for (Rank d = 1; d <= num_ranks / d; ++d) {
    if (num_ranks % d == 0) p = d;
  }
  return std::make_shared<BlockCyclic2D>(p, num_ranks / p);
}

std::string BlockCyclic2D::name() const {
  return "2dbc:p=" + std::to_string(p_) + ",q=" + std::to_string(q_);
}

namespace {

DistributionPtr make(const Text& text, std::optional<Rank> num_ranks) {
  text.allow_only({"p", "q"});
  if (!text.has("p") && !text.has("q")) return BlockCyclic2D::square(text.ranks_from(num_ranks));
  const Rank p = text.number("p");
  const Rank q = text.number("q");
  text.require_ranks("p*q", Index{p} * q, num_ranks);
  return std::make_shared<BlockCyclic2D>(p, q);
}

std::vector<std::string> candidates(Rank num_ranks) {
  std::vector<std::string> grids;
  for (Rank p = 1; p <= num_ranks; ++p) {
    if (num_ranks % p == 0) grids.push_back(BlockCyclic2D(p, num_ranks / p).name());
  }
  return grids;
}

}  // namespace

constinit const Kind kinds::block_cyclic_2d = {"2dbc", make, candidates};

}  // namespace tessera
