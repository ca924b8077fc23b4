// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/gcrm.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "distributions/gcrm_search.hpp"
#include "distributions/kinds.hpp"
#include "tessera/error.hpp"

namespace tessera {

namespace {

struct Shipped {
  Rank num_ranks;
  GcrmChoice choice;
};

constexpr auto shipped = std::to_array<Shipped>({
#include "distributions/gcrm_seeds.inc"
});

void require_ranks(Rank num_ranks) {
  if (num_ranks >= 1 && num_ranks <= GreedyColrowMatching::max_ranks) return;
  throw ArgumentError("gcrm", "P", std::to_string(num_ranks),
                      "must be from 1 to " + std::to_string(GreedyColrowMatching::max_ranks));
}

GcrmChoice default_choice(Rank num_ranks) {
  require_ranks(num_ranks);
  const auto known = std::ranges::find(shipped, num_ranks, &Shipped::num_ranks);
  return known != shipped.end() ? known->choice
                                : gcrm_search(num_ranks, /*seeds=*/std::clamp(600 / num_ranks, 2, 8));
}

std::string default_name(Rank num_ranks) { return "gcrm:P=" + std::to_string(num_ranks); }

Pattern::Rows checked_table(Rank num_ranks, const GcrmChoice& choice) {
  require_ranks(num_ranks);
  const auto require = [&](bool ok, const std::string& reason) {
    if (!ok) throw ArgumentError("gcrm", "r", std::to_string(choice.r), reason);
  };
  require(choice.r <= gcrm_max_order, "must be at most " + std::to_string(gcrm_max_order));
  require(gcrm_admits_order(num_ranks, choice.r), "cannot be balanced over " + std::to_string(num_ranks) +
                                                      " ranks: ceil(r(r-1)/P) > r^2/P or r(r-1) < P");
  auto table = gcrm_table(num_ranks, choice);
  require(table.has_value(), "seed " + std::to_string(choice.seed) + " gives a rank too few cells");
  return *std::move(table);
}

}  // namespace

GreedyColrowMatching::GreedyColrowMatching(Rank num_ranks)
    : Pattern(default_name(num_ranks), num_ranks, checked_table(num_ranks, default_choice(num_ranks)),
              /*symmetric=*/true) {}

GreedyColrowMatching::GreedyColrowMatching(Rank num_ranks, Index r, Rank seed)
    : Pattern(default_name(num_ranks) + ",r=" + std::to_string(r) + ",seed=" + std::to_string(seed),
              num_ranks, checked_table(num_ranks, {r, seed}), /*symmetric=*/true) {}

namespace {

DistributionPtr make(const Text& text, std::optional<Rank> num_ranks) {
  text.allow_only({"P", "r", "seed"});
  const Rank ranks = text.ranks_from(num_ranks);
  if (!text.has("r") && !text.has("seed")) return std::make_shared<GreedyColrowMatching>(ranks);
  return std::make_shared<GreedyColrowMatching>(ranks, text.number("r"), text.number("seed", 0));
}

// On one rank nothing is sent, on two every pattern sends the same.
std::vector<std::string> candidates(Rank num_ranks) {
  if (num_ranks < 3 || num_ranks > GreedyColrowMatching::max_ranks) return {};
  return {default_name(num_ranks)};
}

}  // namespace

constinit const Kind kinds::gcrm = {"gcrm", make, candidates};

}  // namespace tessera
