// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

/// \file tessera-gcrm: searches good patterns of greedy colrow & matching and prints the list that the
/// library ships,
///     tessera-gcrm --ranks 1:64:1 --seeds 1000 > distributions/gcrm_seeds.inc

#include "distributions/gcrm_search.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "benchmarks/bench/parse.hpp"

namespace {

using namespace tessera;

void print_best(Rank num_ranks, Rank seeds) {
  const GcrmChoice best = gcrm_search(num_ranks, seeds);
  const Pattern pattern("best", num_ranks, *gcrm_table(num_ranks, best), /*symmetric=*/true);
  fmt::print("{{{}, {{{}, {}}}}},  // zbar {:.4f}, imbalance {:.4f}\n", num_ranks, best.r, best.seed,
             pattern.zbar(), gcrm_imbalance(pattern, 96));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Searches patterns of greedy colrow & matching and prints distributions/gcrm_seeds.inc.");
  std::string ranks = "1:64:1";
  Rank seeds = 40;
  app.add_option("--ranks", ranks, "Numbers of ranks: a list or FIRST:LAST:STEP")->capture_default_str();
  app.add_option("--seeds", seeds, "Seeds tried for each order of the pattern")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    const auto numbers = bench::parse_sizes("--ranks", ranks);
    fmt::print("// {{ranks, {{order, seed}}}}. Generated: tessera-gcrm --ranks {} --seeds {}\n", ranks,
               seeds);
    for (const Index num_ranks : numbers) print_best(static_cast<Rank>(num_ranks), seeds);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tessera-gcrm: {}\n", e.what());
    return 2;
  }
  return 0;
}
