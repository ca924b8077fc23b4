// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <algorithm>
#include <optional>
#include <string>

#include "benchmarks/bench/driver.hpp"
#include "benchmarks/bench/options.hpp"
#include "benchmarks/bench/output.hpp"
#include "benchmarks/bench/program.hpp"
#include "benchmarks/bench/system.hpp"
#include "tessera/runtime.hpp"

/// \file
/// tessera-bench: times Tessera's algorithms, checks their results, compares them with the machine's LAPACK.

namespace {

using namespace tessera;
using namespace tessera::bench;

/// "true on every rank", told to all. Collective.
bool everywhere(const Runtime& runtime, bool here) {
  const auto all = runtime.all_gather(here ? 1 : 0);
  return std::ranges::count(all, 0.0) == 0;
}

/// Output on the first rank; that it cannot be opened is an error on all.
std::optional<Output> open_output(const Runtime& runtime, const Options& options) {
  std::optional<Output> output;
  std::optional<UsageError> error;
  try {
    output.emplace(options, runtime.rank() != 0);
  } catch (const UsageError& e) {
    error = e;
  }
  if (!everywhere(runtime, !error)) throw error.value_or(UsageError("the output cannot be opened"));
  return output;
}

ExitStatus run(int argc, char** argv, bool first) {
  const auto options = parse_options(argc, argv, first);
  if (!options) return all_passed;
  Runtime runtime(options->runtime);
  auto output = open_output(runtime, *options);
  for (const std::string& line : context_lines(runtime, argc, argv)) output->context(line);
  const bool passed = run_all(runtime, *options, *output);
  if (!everywhere(runtime, output->good())) throw RuntimeError("the records could not be written completely");
  return passed ? all_passed : something_failed;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("tessera-bench", argv, [&](bool first) { return run(argc, argv, first); });
}
