// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/block_cyclic_1d.hpp"

#include <string>

#include "distributions/kinds.hpp"
#include "tessera/error.hpp"

namespace tessera {

Cyclic1D::Cyclic1D(Lines lines, Rank num_ranks) : lines_(lines), num_ranks_(num_ranks) {
  if (num_ranks < 1) throw ArgumentError("1d", "P", std::to_string(num_ranks), "must be positive");
}

std::string Cyclic1D::name() const {
  return std::string("1d:") + (lines_ == Lines::rows ? "rows" : "columns") +
         ",P=" + std::to_string(num_ranks_);
}

namespace {

DistributionPtr make(const Text& text, std::optional<Rank> num_ranks) {
  text.allow_only({"", "P"});
  const auto lines = text.choice("", "rows", Cyclic1D::Lines::rows, "columns", Cyclic1D::Lines::columns);
  return std::make_shared<Cyclic1D>(lines, text.ranks_from(num_ranks));
}

// The grids P x 1 and 1 x P of 2dbc are the same.
std::vector<std::string> candidates(Rank /*num_ranks*/) { return {}; }

}  // namespace

constinit const Kind kinds::block_cyclic_1d = {"1d", make, candidates};

}  // namespace tessera
