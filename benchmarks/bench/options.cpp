// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "benchmarks/bench/operation.hpp"
#include "tessera/algorithms/check.hpp"
#include "tessera/version.hpp"

namespace tessera::bench {
namespace {

constexpr const char* footer = R"(
Examples:
  tessera-bench potrf --n 1000,4000,8000 --check --vendor
  tessera-bench posv --n 1000:5000:1000 --nrhs 100 --type s,d --json results.json
  mpirun -n 4 tessera-bench potri --n 10000 --dist 2dbc:p=2,q=2 --dist 2dbc:p=4,q=1

One row per repetition. submit_s: seconds until the last task was submitted; time_s: until all had run (the slowest
rank). Gflop/s: 10^9 operations (as LAPACK Working Note 41 counts them) per second. Exit status: 0; 1 when a check
failed or a run could not be carried out; 2 for a wrong command line.)";

std::vector<char> parse_types(const std::string& text) {
  std::vector<char> types;
  for (const std::string& item : split_list("--type", text)) {
    if (item.size() != 1 || !is_type(item[0])) {
      throw UsageError(fmt::format("--type: '{}' is not one of s d c z", item));
    }
    types.push_back(item[0]);
  }
  return types;
}

std::vector<Index> parse_tile_sizes(const std::string& text) {
  return text == "auto" ? std::vector<Index>{0} : parse_sizes("--nb", text);
}

void require_one_stdout(const Options& options) {
  if (options.json == "-" && options.csv == "-") {
    throw UsageError("--csv: '-' cannot be standard output, which --json takes");
  }
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, bool print) {
  Options options;
  options.threshold = residual_threshold;
  std::string n = "1000", nb = "auto", types = "d";
  int warmup = -1;

  CLI::App app("Times Tessera's algorithms, checks their results and compares them with the machine's LAPACK.",
               "tessera-bench");
  app.footer(footer);
  app.set_version_flag("--version", "tessera-bench " TESSERA_VERSION_STRING);
  app.add_option("OP", options.operation, "operation: " + fmt::format("{}", fmt::join(operation_names(), ", ")))
      ->required()
      ->check(CLI::IsMember(operation_names()));
  app.add_option("--n", n, "orders of the matrix: a list of values and ranges first:last:step")->capture_default_str();
  app.add_option("--nb", nb, "tile sizes, a list as for --n; auto or 0: chosen")->capture_default_str();
  app.add_option("--nrhs", options.nrhs, "right-hand sides")->check(CLI::NonNegativeNumber)->capture_default_str();
  app.add_option("--type", types, "element types: a list of s, d, c, z")->capture_default_str();
  app.add_option("--uplo", options.uplo, "stored triangle, L or U")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, Uplo>{{"L", Uplo::Lower}, {"U", Uplo::Upper}, {"lower", Uplo::Lower}, {"upper", Uplo::Upper}},
          CLI::ignore_case))
      ->default_str("L");
  app.add_option("--dist", options.distributions,
                 "distribution, e.g. 2dbc:p=2,q=3; may be given several times (default: 2dbc, as square as possible)")
      ->allow_extra_args(false);
  app.add_option("--backend", options.runtime.backend, "who runs the tasks, starpu or sequential")
      ->transform(CLI::CheckedTransformer(std::map<std::string, BackendKind>{{"starpu", BackendKind::starpu},
                                                                             {"sequential", BackendKind::sequential}}))
      ->default_str("starpu");
  app.add_option("--workers", options.runtime.workers, "CPU workers per rank; 0: one per core")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--scheduler", options.runtime.scheduler, "StarPU's scheduler (default: chosen)");
  app.add_option("--seed", options.seed, "of the random matrices")->capture_default_str();
  app.add_option("--repeat", options.repeat, "timed runs of each configuration")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--warmup", warmup, "untimed runs of each configuration before (default: 1 for n <= 2000, else 0)")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--check", options.check, "compute the residual of every run");
  app.add_option("--threshold", options.threshold, "a check fails unless residual < threshold, or residual = 0")
      ->capture_default_str();
  app.add_flag("--vendor", options.vendor,
               "alternate every run with the machine's LAPACK on as many threads as workers (one rank only)");
  app.add_flag("--peak", options.peak, "measure gemm on one core at the same tile size; gives the share of peak");
  app.add_option("--json", options.json, "write all records to this file; -: to standard output, and nothing else");
  app.add_option("--csv", options.csv, "likewise");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) throw UsageError(e.what());
    if (print) app.exit(e);  // help or version
    return {};
  }
  options.n = parse_sizes("--n", n);
  options.nb = parse_tile_sizes(nb);
  options.types = parse_types(types);
  if (warmup >= 0) options.warmup = warmup;
  require_one_stdout(options);
  return options;
}

}  // namespace tessera::bench
