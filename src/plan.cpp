// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "tessera/distributions/registry.hpp"
#include "tessera/distributions/replicated_2_5d.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

template <class Part>
auto largest(const std::vector<RankLoad>& loads, Part part) {
  auto value = part(loads.front());
  for (const RankLoad& load : loads) value = std::max(value, part(load));
  return value;
}

std::string describe(const Prediction& p) {
  return fmt::format("{} sends {} tiles, flop imbalance {:.3f}", p.distribution->name(), p.tiles_sent(),
                     p.flops_imbalance());
}

/// Over `ranks` ranks, with up to so many layers.
std::vector<DistributionPtr> candidates(Rank ranks, int layers) {
  std::vector<DistributionPtr> all;
  for (int c = 1; c <= layers && c <= ranks; ++c) {
    if (ranks % c != 0) continue;
    for (const std::string& text : distribution_candidates(ranks / c)) {
      const DistributionPtr base = make_distribution(text, ranks / c);
      all.push_back(c == 1 ? base : std::make_shared<Replicated25D>(c, base));
    }
  }
  return all;
}

}  // namespace

Index Prediction::tiles_sent() const {
  return std::accumulate(loads.begin(), loads.end(), Index{0},
                         [](Index sum, const RankLoad& load) { return sum + load.traffic.tiles_sent; });
}
Index Prediction::max_tiles_sent() const {
  return largest(loads, [](const RankLoad& load) { return load.traffic.tiles_sent; });
}
Index Prediction::max_tiles_received() const {
  return largest(loads, [](const RankLoad& load) { return load.traffic.tiles_received; });
}
Index Prediction::max_tiles_held() const {
  return largest(loads, [](const RankLoad& load) { return load.tiles_held; });
}
Index Prediction::max_bytes_held() const {
  return largest(loads, [](const RankLoad& load) { return load.bytes_held; });
}
Index Prediction::max_tasks() const {
  return largest(loads, [](const RankLoad& load) { return load.tasks; });
}

double Prediction::flops_imbalance() const {
  const double sum = std::accumulate(loads.begin(), loads.end(), 0.0,
                                     [](double s, const RankLoad& load) { return s + load.flops; });
  const double most = largest(loads, [](const RankLoad& load) { return load.flops; });
  return sum == 0 ? 1 : most * distribution->num_ranks() / sum;
}

double Prediction::cost(double flops_per_byte) const {
  return largest(loads, [&](const RankLoad& load) {
    const Index bytes = std::max(load.traffic.bytes_sent, load.traffic.bytes_received);
    return load.flops + flops_per_byte * static_cast<double>(bytes);
  });
}

Prediction predict(const DistributionPtr& distribution, Rank num_ranks, const PlannedCall& call) {
  if (!distribution) throw ArgumentError("predict", "distribution", "null", "must be one");
  RuntimeOptions options;
  options.backend = BackendKind::recording;
  options.recorded_ranks = num_ranks;
  options.record_tasks = false;
  Runtime plan(options);
  call(plan, distribution);
  return {distribution, plan.graph().loads()};
}

std::vector<Prediction> compare_distributions(Rank num_ranks, const PlannedCall& call,
                                              const PlanOptions& options) {
  const auto require = [](bool ok, const char* argument, std::string value, const char* reason) {
    if (!ok) throw ArgumentError("compare_distributions", argument, std::move(value), reason);
  };
  require(num_ranks >= 1, "num_ranks", std::to_string(num_ranks), "must be positive");
  require(options.spare >= 0, "spare", std::to_string(options.spare), "must not be negative");
  require(options.layers >= 1, "layers", std::to_string(options.layers), "must be positive");
  require(options.flops_per_byte >= 0 && options.flops_per_byte < std::numeric_limits<double>::infinity(),
          "flops_per_byte", std::to_string(options.flops_per_byte), "must be a number >= 0");
  std::vector<Prediction> predictions;
  const Rank fewest = num_ranks - std::min(options.spare, num_ranks - 1);
  for (Rank ranks = num_ranks; ranks >= fewest; --ranks) {
    for (const DistributionPtr& distribution : candidates(ranks, options.layers)) {
      Prediction p = predict(distribution, num_ranks, call);
      const bool fits = static_cast<double>(p.max_bytes_held()) <= options.bytes_per_rank;
      if (fits || distribution->layers() == 1) predictions.push_back(std::move(p));
    }
  }
  std::ranges::stable_sort(predictions, {},
                           [&](const Prediction& p) { return p.cost(options.flops_per_byte); });
  return predictions;
}

Choice choose_distribution(Rank num_ranks, const PlannedCall& call, const PlanOptions& options) {
  PlanOptions considered = options;
  considered.spare = std::min(options.spare, num_ranks / 4);
  const auto predictions = compare_distributions(num_ranks, call, considered);
  const Prediction& best = predictions.front();
  std::string reason =
      fmt::format("cheapest of {} for {} ranks: {}", predictions.size(), num_ranks, describe(best));
  const auto grid = std::ranges::find_if(
      predictions, [](const Prediction& p) { return p.distribution->name().starts_with("2dbc:"); });
  if (grid != predictions.end() && grid != predictions.begin()) reason += "; " + describe(*grid);
  if (options.layers > 1) {
    const auto with =
        std::ranges::find_if(predictions, [](const Prediction& p) { return p.distribution->layers() > 1; });
    if (with == predictions.end()) reason += "; no layers fit";
    if (with != predictions.end() && with != predictions.begin())
      reason += "; layers do not pay: " + describe(*with);
  }
  return {best.distribution, reason};
}

}  // namespace tessera
