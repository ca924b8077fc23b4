// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/generalized_2d.hpp"

#include <string>

#include "distributions/kinds.hpp"
#include "tessera/error.hpp"

namespace tessera {

Generalized2D::Generalized2D(Rank num_ranks) : num_ranks_(num_ranks), a_(1) {
  if (num_ranks < 1) throw ArgumentError("g2dbc", "P", std::to_string(num_ranks), "must be positive");
  while (a_ * a_ < num_ranks) ++a_;
  b_ = (num_ranks + a_ - 1) / a_;
}

Rank Generalized2D::owner(Index i, Index j) const {
  const Index in_last_row = a_ - holes();
  const Index copies = (b_ - 1) * a_;  // columns of the whole copies of the grid
  Index y = i % b_;
  Index x = j % num_ranks_;
  if (holes() == 0 || x < copies) {
    x %= a_;
    if (y == b_ - 1 && x >= in_last_row) y = i / b_ % (b_ - 1);
  } else {
    x -= copies;
  }
  return static_cast<Rank>(y * a_ + x);
}

std::string Generalized2D::name() const { return "g2dbc:P=" + std::to_string(num_ranks_); }

namespace {

DistributionPtr make(const Text& text, std::optional<Rank> num_ranks) {
  text.allow_only({"P"});
  return std::make_shared<Generalized2D>(text.ranks_from(num_ranks));
}

std::vector<std::string> candidates(Rank num_ranks) {
  const Generalized2D made(num_ranks);
  if (made.holes() == 0) return {};  // one of the grids of 2dbc
  return {made.name()};
}

}  // namespace

constinit const Kind kinds::generalized_2d = {"g2dbc", make, candidates};

}  // namespace tessera
