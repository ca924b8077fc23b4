// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <map>

#include "benchmarks/bench/letters.hpp"
#include "benchmarks/bench/operation.hpp"
#include "tessera/algorithms/check.hpp"
#include "tessera/version.hpp"

namespace tessera::bench {
namespace {

constexpr const char* footer = R"(
Examples:
  tessera-bench potrf --n 1000,4000,8000 --check --vendor
  tessera-bench gemm --n 8000 --k 64,512 --op-a T --check
  mpirun -n 6 tessera-bench symm --m 20000 --n 1000 --dist sbc:r=4 --alg a
  tessera-bench geqrf --m 200000 --n 256 --tree hierarchical:16 --check --vendor
  tessera-bench posv --n 1000:5000:1000 --nrhs 100 --type s,d --json results.json
  mpirun -n 6 tessera-bench potrf --n 10000 --dist 2dbc:p=2,q=3 --dist sbc:r=4 --dist auto

One row per repetition. submit_s: seconds until the last task was submitted; time_s: until all had run (the slowest
rank). Gflop/s: 10^9 operations (as LAPACK Working Note 41 counts them) per second. sent, bytes: tiles that the ranks
sent each other; agrees: whether StarPU-MPI counts as many bytes. Exit status: 0; 1 when a check
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
  std::vector<Index> sizes;
  for (const std::string& item : split_list("--nb", text)) {
    const auto more = item == "auto" ? std::vector<Index>{0} : parse_sizes("--nb", item);
    sizes.insert(sizes.end(), more.begin(), more.end());
  }
  return sizes;
}

/// The value that a word stands for.
template <class Value>
Value choose(std::string_view option, const std::string& word, const std::map<std::string, Value>& values) {
  const auto found = values.find(word);
  if (found != values.end()) return found->second;
  std::string known;
  for (const auto& [name, value] : values) known += " " + name;
  throw UsageError(fmt::format("{}: '{}' is not one of{}", option, word, known));
}

void require(bool ok, std::string_view option, Index value, std::string_view reason) {
  if (!ok) throw UsageError(fmt::format("{}: {} {}", option, value, reason));
}

void check_numbers(const Options& options) {
  require(options.ib >= 0, "--ib", options.ib, "must be positive, or 0 for a choice");
  require(options.nrhs >= 0, "--nrhs", options.nrhs, "must not be negative");
  require(options.runtime.workers >= 0, "--workers", options.runtime.workers,
          "must be positive, or 0 for all cores");
  require(options.plan.layers >= 1, "--layers", options.plan.layers, "must be positive");
  if (!(options.plan.bytes_per_rank > 0)) throw UsageError("--memory: must be positive");
  require(options.repeat >= 1, "--repeat", options.repeat, "must be positive");
  require(options.warmup.value_or(0) >= 0, "--warmup", options.warmup.value_or(0), "must not be negative");
  if (options.json == "-" && options.csv == "-") {
    throw UsageError("--csv: '-' cannot be standard output, which --json takes");
  }
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, bool print) {
  Options options;
  options.threshold = residual_threshold;
  std::string n = "1000", m, k, nb = "auto", types = "d", backend = "starpu";
  std::string op_a = "N", op_b = "N", side = "L", uplo = "L", diag = "N", alg = "auto", pivoting = "partial",
              tree = "auto";

  std::optional<double> gigabytes;

  CLI::App app(
      "Times Tessera's algorithms, checks their results and compares them with the machine's LAPACK.",
      "tessera-bench");
  app.footer(footer);
  app.set_version_flag("--version", "tessera-bench " TESSERA_VERSION_STRING);
  app.option_defaults()->always_capture_default();
  app.add_option("OP", options.operation, fmt::format("operation: {}", fmt::join(operation_names(), ", ")))
      ->required();
  app.add_option("--n", n, "orders of the matrix: a list of values and ranges first:last:step");
  app.add_option("--m", m,
                 "rows of products, of what is multiplied or solved, and of what getrf, geqrf and gelqf "
                 "factor: a list (default: n)");
  app.add_option("--k", k, "inner extent of gemm, syrk, herk, syr2k, her2k: a list (default: n)");
  app.add_option("--nb", nb, "tile sizes, a list as for --n; auto or 0: chosen");
  app.add_option("--nrhs", options.nrhs, "right-hand sides");
  app.add_option("--type", types, "element types: a list of s, d, c, z");
  app.add_option("--op-a", op_a, "op of A, and of B in syr2k and her2k: N, T or C");
  app.add_option("--op-b", op_b, "op of gemm's B");
  app.add_option("--side", side, "side of the symmetric or triangular matrix, L or R");
  app.add_option("--uplo", uplo, "stored triangle, L or U");
  app.add_option("--diag", diag, "diagonal of a triangular matrix: N, or U for ones");
  app.add_option("--pivoting", pivoting, "how LU chooses its pivots: partial, tournament or none");
  app.add_option(
      "--tree", tree,
      "reduction tree of QR and LQ: flat, flat:triangles, binary, greedy, fibonacci, hierarchical, "
      "hierarchical:N with domains of N tiles, or auto");
  app.add_option("--ib", options.ib, "inner block of QR and LQ, columns; 0: chosen");
  app.add_option("--alg", alg, "operand of a product that stays where it is: a, b, c or auto");
  app.add_option(
         "--dist", options.distributions,
         "distribution, e.g. 2dbc:p=2,q=3 or sbc:r=4, or auto: what the planner finds cheapest; may be "
         "given several times (default: 2dbc, as square as possible)")
      ->allow_extra_args(false);
  app.add_option("--layers", options.plan.layers,
                 "for --dist auto: how many copies of the matrix there may be (2.5D)");
  app.add_option("--memory", gigabytes,
                 "for --dist auto: memory of a rank for tiles in GB (default: no bound)");
  app.add_option(
      "--dist-b", options.distribution_b,
      "distribution of the operands without a triangle; of gemm's B (default: as --dist; for symm and "
      "hemm with --alg a on a symmetric one, on the ranks of A's tile rows and columns)");
  app.add_option("--backend", backend, "who runs the tasks, starpu or sequential");
  app.add_option("--workers", options.runtime.workers, "CPU workers per rank; 0: one per core");
  app.add_option("--scheduler", options.runtime.scheduler, "StarPU's scheduler (default: chosen)");
  app.add_option("--seed", options.seed, "of the random matrices");
  app.add_option("--repeat", options.repeat, "timed runs of each configuration");
  app.add_option("--warmup", options.warmup,
                 "untimed runs of each configuration before (default: 1 for n <= 2000, else 0)");
  app.add_flag("--check", options.check, "compute the residual of every run");
  app.add_option("--threshold", options.threshold,
                 "a check fails unless residual < threshold or residual = 0");
  app.add_flag("--vendor", options.vendor,
               "alternate every run with the machine's LAPACK on as many threads as workers (one rank only)");
  app.add_flag("--peak", options.peak,
               "measure gemm on one core at the same tile size; gives the share of peak");
  app.add_option("--json", options.json,
                 "write all records to this file; -: to standard output, and nothing else");
  app.add_option("--csv", options.csv, "likewise");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) throw UsageError(e.what());
    if (print) app.exit(e);  // help or version
    return {};
  }
  const auto names = operation_names();
  if (std::ranges::find(names, options.operation) == names.end()) {
    throw UsageError(fmt::format("OP: '{}' is not one of {}", options.operation, fmt::join(names, " ")));
  }
  if (options.distributions.empty()) options.distributions = {"2dbc"};
  options.n = parse_sizes("--n", n);
  if (!m.empty()) options.m = parse_sizes("--m", m);
  if (!k.empty()) options.k = parse_sizes("--k", k);
  options.nb = parse_tile_sizes(nb);
  options.types = parse_types(types);
  options.op_a = choose("--op-a", op_a, ops);
  options.op_b = choose("--op-b", op_b, ops);
  options.side = choose("--side", side, sides);
  options.uplo = choose("--uplo", uplo, triangles);
  options.diag = choose("--diag", diag, diagonals);
  options.stationary = choose("--alg", alg, variants);
  if (gigabytes) options.plan.bytes_per_rank = *gigabytes * 1e9;
  options.pivoting = choose("--pivoting", pivoting, pivotings);
  options.tree = parse_tree(tree);
  options.runtime.backend = choose<BackendKind>(
      "--backend", backend, {{"starpu", BackendKind::starpu}, {"sequential", BackendKind::sequential}});
  // Each of mpirun's processes would run, print and write files for itself.
  const char* launched = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (options.runtime.backend == BackendKind::sequential && launched != nullptr &&
      std::string(launched) != "1") {
    throw UsageError("--backend: sequential runs on one rank, not under mpirun -n " + std::string(launched));
  }
  options.runtime.transport_statistics = true;
  check_numbers(options);
  return options;
}

}  // namespace tessera::bench
