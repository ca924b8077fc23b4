// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/single_owner.hpp"

#include <string>

#include "distributions/kinds.hpp"
#include "tessera/error.hpp"

namespace tessera {

SingleOwner::SingleOwner(Rank rank) : rank_(rank) {
  if (rank < 0) throw ArgumentError("rank", "rank", std::to_string(rank), "must not be negative");
}

std::string SingleOwner::name() const { return "rank:" + std::to_string(rank_); }

namespace {

DistributionPtr make(const Text& text, std::optional<Rank> num_ranks) {
  text.allow_only({""});
  const Rank rank = text.number("", 0);
  if (num_ranks && rank >= *num_ranks) {
    text.fail("is not one of the " + std::to_string(*num_ranks) + " ranks");
  }
  return std::make_shared<SingleOwner>(rank);
}

std::vector<std::string> candidates(Rank /*num_ranks*/) { return {}; }

}  // namespace

constinit const Kind kinds::single_owner = {"rank", make, candidates};

}  // namespace tessera
