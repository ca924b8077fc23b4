// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/replicated_2_5d.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "distributions/kinds.hpp"
#include "tessera/distributions/registry.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

using Home = Replicated25D::Home;

/// The layer of tile (i, j) is line(i, j) mod c.
struct HomeRule {
  Home home;
  std::string_view name;
  Index (*line)(Index i, Index j);
};

constexpr HomeRule home_rules[] = {
    {Home::diagonal, "diagonal", [](Index i, Index j) { return std::min(i, j); }},
    {Home::base, "base", [](Index, Index) { return Index{0}; }},
    {Home::rows, "rows", [](Index i, Index) { return i; }},
    {Home::columns, "columns", [](Index, Index j) { return j; }},
    {Home::spread, "spread", [](Index i, Index j) { return i + j; }},  // until it is fitted
};

const HomeRule& rule(Home home) { return *std::ranges::find(home_rules, home, &HomeRule::home); }

}  // namespace

Replicated25D::Replicated25D(int layers, DistributionPtr base, Home home)
    : layers_(layers), base_(std::move(base)), home_(home) {
  const auto require = [](bool ok, const char* argument, const std::string& value, const char* reason) {
    if (!ok) throw ArgumentError("2.5d", argument, value, reason);
  };
  require(layers >= 2, "c", std::to_string(layers), "must be at least 2");
  require(base_ != nullptr, "base", "null", "must be a distribution");
  require(base_->layers() == 1, "base", base_->name(), "has layers itself");
  require(base_->num_ranks() <= std::numeric_limits<Rank>::max() / layers, "c", std::to_string(layers),
          "makes more ranks than can be counted");
}

Rank Replicated25D::owner(Index i, Index j) const {
  return static_cast<Rank>(home_layer(i, j)) * base_->num_ranks() + base_->owner(i, j);
}

Rank Replicated25D::executor(Index i, Index j, Index step) const {
  return static_cast<Rank>(step % layers_) * base_->num_ranks() + base_->owner(i, j);
}

Index Replicated25D::home_layer(Index i, Index j) const {
  if (!spread_.empty()) return spread_[static_cast<std::size_t>(i + j * mt_)];
  return rule(home_).line(i, j) % layers_;
}

std::shared_ptr<const Distribution> Replicated25D::fitted(Index mt, Index nt) const {
  const auto base = base_->fitted(mt, nt);
  if (!base && home_ != Home::spread) return nullptr;
  const auto made = std::make_shared<Replicated25D>(layers_, base ? base : base_, home_);
  made->mt_ = mt;
  if (home_ == Home::spread) made->spread_ = made->spread_over(mt, nt);
  return made;
}

/// In turns for each rank of the base: a formula as (i + j) mod c would put all tiles of a rank on one layer when its
/// tiles are c apart.
std::vector<int> Replicated25D::spread_over(Index mt, Index nt) const {
  std::vector<int> layer(static_cast<std::size_t>(mt * nt));
  std::vector<int> next(static_cast<std::size_t>(base_->num_ranks()));
  for (Index j = 0; j < nt; ++j) {
    for (Index i = 0; i < mt; ++i) {
      int& turn = next[static_cast<std::size_t>(base_->owner(i, j))];
      layer[static_cast<std::size_t>(i + j * mt)] = turn;
      turn = (turn + 1) % layers_;
    }
  }
  return layer;
}

std::string Replicated25D::name() const {
  const std::string home = home_ == Home::diagonal ? "" : ",home=" + std::string(rule(home_).name);
  return "2.5d:c=" + std::to_string(layers_) + home + "/" + base_->name();
}

DistributionPtr with_home(const DistributionPtr& distribution, Home home) {
  const auto* layered = dynamic_cast<const Replicated25D*>(distribution.get());
  if (layered == nullptr || layered->home() == Home::base) return distribution;
  return std::make_shared<Replicated25D>(layered->layers(), layered->base(), home);
}

namespace {

DistributionPtr make(const Text& text, std::optional<Rank> num_ranks) {
  const auto slash = text.rest().find('/');
  if (slash == std::string_view::npos) text.fail("lacks /BASE, the distribution of each layer");
  const std::string own = "2.5d:" + std::string(text.rest().substr(0, slash));
  const Text parameters(own);
  parameters.allow_only({"c", "home"});
  const Rank layers = parameters.number("c");
  if (num_ranks && *num_ranks % layers != 0) {
    text.fail(std::to_string(*num_ranks) + " ranks cannot be divided into " + std::to_string(layers) +
              " layers");
  }
  Home home = Home::diagonal;
  if (parameters.has("home")) {
    const auto found = std::ranges::find(home_rules, parameters.word("home"), &HomeRule::name);
    if (found == std::end(home_rules)) text.fail("home must be diagonal, base, rows, columns or spread");
    home = found->home;
  }
  const auto base_ranks = num_ranks ? std::optional(*num_ranks / layers) : std::nullopt;
  return std::make_shared<Replicated25D>(layers, make_distribution(text.rest().substr(slash + 1), base_ranks),
                                         home);
}

/// None of its own: whoever allows copies puts layers over the candidates for a part of the ranks.
std::vector<std::string> candidates(Rank /*num_ranks*/) { return {}; }

}  // namespace

constinit const Kind kinds::replicated_2_5d = {"2.5d", make, candidates};

}  // namespace tessera
