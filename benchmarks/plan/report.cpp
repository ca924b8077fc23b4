// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/plan/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "benchmarks/bench/letters.hpp"

namespace tessera::plan {
namespace {

std::string title(const Question& q) {
  std::string text = fmt::format("{}, {} x {} tiles", q.operation, q.tiles, q.tiles);
  if (q.cols) text += fmt::format(", {} tile columns of the other operands", *q.cols);
  return text;
}

/// Operations of a rank if all had the same; a share is that of a rank over it.
double mean_flops(const Prediction& p) {
  const double sum = std::accumulate(p.loads.begin(), p.loads.end(), 0.0,
                                     [](double s, const RankLoad& load) { return s + load.flops; });
  return sum > 0 ? sum / static_cast<double>(p.loads.size()) : 1;
}

std::string bound_line(const char* name, double bound, Index volume) {
  if (bound <= 0) return fmt::format("  {:<42} {:>12}\n", name, "none");
  return fmt::format("  {:<42} {:>12.0f}   ratio {:.3f}\n", name, bound, static_cast<double>(volume) / bound);
}

/// Whether layers pay, where they are allowed: the cheapest of them beside the cheapest without.
std::string verdict_on_layers(const std::vector<Answer>& answers, const PlanOptions& weights) {
  if (weights.layers == 1) return {};
  const auto first = [&](bool layered) {
    return std::ranges::find_if(
        answers, [=](const Answer& a) { return (a.prediction.distribution->layers() > 1) == layered; });
  };
  const auto layered = first(true), flat = first(false);
  if (layered == answers.end() || flat == answers.end()) {
    return fmt::format("2.5D does not pay: no 2 to {} equal layers of these ranks, within their memory\n",
                       weights.layers);
  }
  const Prediction &with = layered->prediction, &without = flat->prediction;
  const auto ratio = [](auto x, auto y) {
    return static_cast<double>(x) / static_cast<double>(std::max(y, decltype(y){1}));
  };
  const double cost = ratio(with.cost(weights.flops_per_byte), without.cost(weights.flops_per_byte));
  return fmt::format(
      "2.5D {}: the best is c = {}, {}: {:.3f} times the cost of {}, {:.3f} times its tiles sent, {:.2f} "
      "times its memory\n",
      cost < 1 ? "pays" : "does not pay", with.distribution->layers(), with.distribution->name(), cost,
      without.distribution->name(), ratio(with.tiles_sent(), without.tiles_sent()),
      ratio(with.max_tiles_held(), without.max_tiles_held()));
}

}  // namespace

std::string volume_report(const Question& question, const Answer& answer) {
  const Prediction& p = answer.prediction;
  const auto ranks = static_cast<double>(p.loads.size());
  const Index volume = p.tiles_sent();
  Index tasks = 0, owned = 0;
  for (const RankLoad& load : p.loads) {
    tasks += load.tasks;
    owned += load.tiles_owned;
  }
  std::string text =
      fmt::format("{} on {} ranks, {}\n", title(question), p.loads.size(), p.distribution->name());
  const auto line = [&](const char* name, Index total, Index most) {
    text += fmt::format("  {:<20} {:>12} in total {:>14.1f} per rank {:>10} at most\n", name, total,
                        static_cast<double>(total) / ranks, most);
  };
  line("tiles sent", volume, p.max_tiles_sent());
  line("tiles received", volume, p.max_tiles_received());
  line("tasks", tasks, p.max_tasks());
  line("tiles owned", owned, std::ranges::max(p.loads, {}, &RankLoad::tiles_owned).tiles_owned);
  text += fmt::format("  {:<20} {:>53} at most\n", "tiles in memory", p.max_tiles_held());
  if (answer.layers) {
    text += fmt::format(
        "  tiles sent when results stay on the layers {}, when they return to the base's ranks {}\n",
        answer.layers->tiles_when_results_stay, answer.layers->tiles_when_they_return);
  }
  text += fmt::format("  flop imbalance (largest over mean) {:.4f}\n", p.flops_imbalance());
  if (answer.bounds) {
    text += "lower bounds for the tiles sent (leading terms)\n";
    text += bound_line("one copy, owner computes, balanced", answer.bounds->owner_computes, volume);
    text += bound_line("memory of one copy", answer.bounds->memory_dependent, volume);
    text += bound_line("any memory", answer.bounds->memory_independent, volume);
  }
  text += fmt::format("{:>6} {:>10} {:>10} {:>10} {:>8} {:>8} {:>12}\n", "rank", "sent", "received", "tasks",
                      "owned", "held", "flop share");
  const double mean = mean_flops(p);
  for (std::size_t r = 0; r < p.loads.size(); ++r) {
    const RankLoad& load = p.loads[r];
    text += fmt::format("{:>6} {:>10} {:>10} {:>10} {:>8} {:>8} {:>12.4f}\n", r, load.traffic.tiles_sent,
                        load.traffic.tiles_received, load.tasks, load.tiles_owned, load.tiles_held,
                        load.flops / mean);
  }
  return text;
}

std::string comparison_report(const Question& question, const std::vector<Answer>& answers,
                              const PlanOptions& weights) {
  std::string text = fmt::format("{}\n{:>3} {:<28} {:>5} {:>12} {:>6} {:>9} {:>9} {:>9} {:>9} {:>8} {:>8}\n",
                                 title(question), "#", "dist", "ranks", "tiles sent", "ratio", "max sent",
                                 "max recv", "max tasks", "imbalance", "memory", "cost");
  const auto sent = [](const Answer& a) { return a.prediction.tiles_sent(); };
  const auto least = static_cast<double>(sent(std::ranges::min(answers, {}, sent)));
  const double cheapest = answers.front().prediction.cost(weights.flops_per_byte);
  int place = 0;
  for (const Answer& answer : answers) {
    const Prediction& p = answer.prediction;
    text += fmt::format("{:>3} {:<28} {:>5} {:>12} {:>6.3f} {:>9} {:>9} {:>9} {:>9.4f} {:>8} {:>8.3f}\n",
                        ++place, p.distribution->name(), p.distribution->num_ranks(), p.tiles_sent(),
                        least == 0 ? 1 : static_cast<double>(p.tiles_sent()) / least, p.max_tiles_sent(),
                        p.max_tiles_received(), p.max_tasks(), p.flops_imbalance(), p.max_tiles_held(),
                        p.cost(weights.flops_per_byte) / cheapest);
  }
  return text +
         "ratio: tiles sent over the fewest here; cost: of the busiest rank, operations and bytes, over the "
         "cheapest's\n" +
         verdict_on_layers(answers, weights);
}

nlohmann::ordered_json to_json(const Question& question, const Answer& answer) {
  const Prediction& p = answer.prediction;
  nlohmann::ordered_json json = {
      {"op", question.operation},
      {"alg", bench::word_for(question.stationary, bench::variants)},
      {"pivoting", bench::word_for(question.pivoting, bench::pivotings)},
      {"tree", question.tree},
      {"dist", p.distribution->name()},
      {"dist_b", question.distribution_b.empty() ? nlohmann::ordered_json()
                                                 : nlohmann::ordered_json(question.distribution_b)},
      {"ranks", p.distribution->num_ranks()},
      {"tiles", question.tiles},
      {"cols", question.cols ? nlohmann::ordered_json(*question.cols) : nlohmann::ordered_json()},
      {"volume_tiles", p.tiles_sent()},
      {"sent_max_tiles", p.max_tiles_sent()},
      {"recv_max_tiles", p.max_tiles_received()},
      {"tasks_max", p.max_tasks()},
      {"flops_imbalance", p.flops_imbalance()},
      {"memory_max_tiles", p.max_tiles_held()},
      {"memory_max_bytes", p.max_bytes_held()},
      {"volume_stay_tiles", nullptr},
      {"volume_return_tiles", nullptr},
      {"bound_tiles", nullptr},
      {"bound_memory_tiles", nullptr},
      {"bound_any_memory_tiles", nullptr},
  };
  if (answer.layers) {
    json["volume_stay_tiles"] = answer.layers->tiles_when_results_stay;
    json["volume_return_tiles"] = answer.layers->tiles_when_they_return;
  }
  if (answer.bounds) {
    json["bound_tiles"] = answer.bounds->owner_computes;
    json["bound_memory_tiles"] = answer.bounds->memory_dependent;
    json["bound_any_memory_tiles"] = answer.bounds->memory_independent;
  }
  const double mean = mean_flops(p);
  auto& per_rank = json["per_rank"] = nlohmann::ordered_json::array();
  for (const RankLoad& load : p.loads) {
    per_rank.push_back({{"sent_tiles", load.traffic.tiles_sent},
                        {"recv_tiles", load.traffic.tiles_received},
                        {"tasks", load.tasks},
                        {"owned_tiles", load.tiles_owned},
                        {"memory_tiles", load.tiles_held},
                        {"flop_share", load.flops / mean}});
  }
  return json;
}

}  // namespace tessera::plan
