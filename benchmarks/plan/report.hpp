// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/bench/operation.hpp"
#include "tessera/plan.hpp"

namespace tessera::plan {

/// What was asked for.
struct Question {
  std::string operation;
  Index tiles = 0;            ///< per dimension
  std::optional<Index> cols;  ///< tile columns of the operands without a triangle
  Stationary stationary = Stationary::automatic;
  Pivoting pivoting = Pivoting::partial;
  std::string tree = "auto";   ///< reduction tree of QR
  std::string distribution_b;  ///< of them; empty: as the operation has it
};

/// What the same layers send when results stay at the home asked for (diagonal where the base is), and when they return
/// to the ranks of the base.
struct Layers {
  Index tiles_when_results_stay;
  Index tiles_when_they_return;
};

/// A prediction with what it is compared with.
struct Answer {
  Prediction prediction;
  std::optional<bench::Bounds> bounds;
  std::optional<Layers> layers = {};
};

/// For people: totals, the ratio to the bounds, and each rank.
std::string volume_report(const Question& question, const Answer& answer);
/// For people: one line per distribution, cheapest first.
std::string comparison_report(const Question& question, const std::vector<Answer>& answers,
                              const PlanOptions& weights);

/// Always the same keys; null for what is not known.
nlohmann::ordered_json to_json(const Question& question, const Answer& answer);

}  // namespace tessera::plan
