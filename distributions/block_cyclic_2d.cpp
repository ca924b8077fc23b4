// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/block_cyclic_2d.hpp"

#include <limits>
#include <string>

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

SingleOwner::SingleOwner(Rank rank) : rank_(rank) {
  if (rank < 0) throw ArgumentError("rank", "rank", std::to_string(rank), "must not be negative");
}

std::string SingleOwner::name() const { return "rank:" + std::to_string(rank_); }

}  // namespace tessera
