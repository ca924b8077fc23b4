// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "benchmarks/bench/driver.hpp"
#include "benchmarks/bench/options.hpp"
#include "benchmarks/bench/output.hpp"
#include "benchmarks/bench/system.hpp"
#include "tessera/blas.hpp"
#include "tessera/runtime.hpp"

/// \file
/// tessera-bench: times Tessera's algorithms, checks their results, compares them with the machine's LAPACK.

namespace {

using namespace tessera;
using namespace tessera::bench;

enum ExitStatus { all_passed = 0, something_failed = 1, wrong_usage = 2 };

/// Whether this is the process that prints, before there is a Runtime to ask: the first one of a launcher.
bool is_first_process() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

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
  restart_with_best_blas_kernel(argv);
  const bool first = is_first_process();
  const auto report = [first](const std::string& what) {
    if (first) {
      fmt::print(stderr, "tessera-bench: {}\n", what);
    } else {
      // mpirun ends all processes as soon as one has failed: the first one shall have printed by then.
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
  };
  try {
    return run(argc, argv, first);
  } catch (const UsageError& e) {
    report(fmt::format("{} (--help shows all options)", e.what()));
    return wrong_usage;
  } catch (const ArgumentError& e) {
    report(e.what());
    return wrong_usage;
  } catch (const std::exception& e) {
    report(e.what());
    return something_failed;
  }
}
