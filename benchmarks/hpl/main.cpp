// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/bench/parse.hpp"
#include "benchmarks/bench/program.hpp"
#include "benchmarks/bench/system.hpp"
#include "tessera/tessera.hpp"

/// \file
/// tessera-hpl: the High-Performance Linpack benchmark by its rules (netlib.org/benchmark/hpl): a dense system of order N
/// with uniformly distributed entries in [-0.5, 0.5), solved in double precision; the time of factorisation and solve;
/// (2/3 N^3 + 3/2 N^2) / time; and a test of the residual, ||Ax-b|| / (eps (||A|| ||x|| + ||b||) N) < 16 in the infinity
/// norm.

namespace {

using namespace tessera;
using namespace tessera::bench;

/// The command line: every combination is run, as HPL.dat has it.
struct Options {
  std::vector<Index> n;
  std::vector<Index> nb;
  std::vector<std::string> distributions;
  Pivoting pivoting = Pivoting::partial;
  std::uint64_t seed = 1;
  double threshold = 16;
  RuntimeOptions runtime;
};

constexpr const char* footer = R"(
Examples:
  tessera-hpl --n 4000 --nb 256
  mpirun -n 6 --bind-to none tessera-hpl --n 8000,12000 --nb 192,256 --p 2 --q 3
  mpirun -n 7 --bind-to none tessera-hpl --n 8000 --dist g2dbc --pivoting tournament

T/V is W (wall time), R (ranks row by row in the grid) and the pivoting, P(artial), T(ournament) or N(one). Exit status:
0 when all tests passed; 1 when one did not; 2 for a wrong command line.

P and Q are "-" for distributions that are no grid. HPL's rules ask for partial pivoting: results with tournament or without
pivoting are no HPL results, and the output says so.)";

constexpr const char* pivoting_note =
    "# not by HPL's rules, which ask for partial pivoting: no result of this run is an HPL result";

void require_positive(std::string_view option, const std::vector<Index>& sizes) {
  for (const Index size : sizes) {
    if (size < 1) throw UsageError(fmt::format("{}: {} must be positive", option, size));
  }
}

std::optional<Options> parse(int argc, char** argv, bool print) {
  Options options;
  std::string n = "4000", nb = "256";
  std::optional<Index> p, q;
  CLI::App app("The Linpack benchmark by HPL's rules, on any distribution.", "tessera-hpl");
  app.footer(footer);
  app.set_version_flag("--version", "tessera-hpl " TESSERA_VERSION_STRING);
  app.option_defaults()->always_capture_default();
  app.add_option("--n", n, "orders of the system: a list of values and ranges first:last:step");
  app.add_option("--nb", nb, "tile sizes, likewise");
  auto* rows = app.add_option("--p", p, "rows of the process grid")->check(CLI::PositiveNumber);
  auto* columns = app.add_option("--q", q, "columns of the process grid")->check(CLI::PositiveNumber);
  rows->needs(columns);
  columns->needs(rows);
  app.add_option("--dist", options.distributions,
                 "distribution instead of a grid, e.g. g2dbc; may be given several times (default: 2dbc)")
      ->allow_extra_args(false)
      ->excludes(rows)
      ->excludes(columns);
  app.add_option("--pivoting", options.pivoting, "partial, tournament or none")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Pivoting>{
          {"partial", Pivoting::partial}, {"tournament", Pivoting::tournament}, {"none", Pivoting::none}}))
      ->default_str("partial");
  app.add_option("--threshold", options.threshold, "a test passes if its residual is smaller")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--seed", options.seed, "of the random matrix")->check(CLI::NonNegativeNumber);
  app.add_option("--workers", options.runtime.workers, "CPU workers per rank; 0: one per core");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) throw UsageError(e.what());
    if (print) app.exit(e);  // help or version
    return {};
  }
  options.n = parse_sizes("--n", n);
  options.nb = parse_sizes("--nb", nb);
  require_positive("--n", options.n);
  require_positive("--nb", options.nb);
  if (!std::isfinite(options.threshold)) throw UsageError("--threshold: must be a finite number");
  if (p) options.distributions = {fmt::format("2dbc:p={},q={}", *p, *q)};
  if (options.distributions.empty()) options.distributions = {"2dbc"};
  return options;
}

/// Prints on the first rank.
class Report {
 public:
  explicit Report(bool silent) : silent_(silent) {}

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) const {
    if (!silent_) fmt::print("{}\n", fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  void rule(char stroke) const { line("{}", std::string(80, stroke)); }

 private:
  bool silent_;
};

struct Test {
  Index n, nb;
  DistributionPtr distribution;
};

struct Result {
  double seconds;
  double residual;  ///< NaN where there is no solution
};

/// ||Ax-b||_oo / (eps (||A||_oo ||x||_oo + ||b||_oo) N), for A and b by their generators.
template <class GeneratorA, class GeneratorB>
double residual(Runtime& runtime, const GeneratorA& a, const GeneratorB& b, const TileMatrix<double>& A,
                const TileMatrix<double>& x) {
  fill(runtime, A, a);
  const TileMatrix<double> r(runtime, x.m(), 1, x.mb(), x.nb(), x.storage()->distribution_ptr());
  fill(runtime, r, b);
  const auto norm = [&](const TileMatrix<double>& M) { return lange(runtime, Norm::inf, M); };
  const double norm_b = norm(r);
  gemm(runtime, -1.0, A, x, 1.0, r);
  constexpr double eps = std::numeric_limits<double>::epsilon() / 2;
  return norm(r) / (eps * (norm(A) * norm(x) + norm_b) * static_cast<double>(A.n()));
}

Result run_test(Runtime& runtime, const Options& options, const Test& test) {
  const auto a = generate::uniform<double>(options.seed), b = generate::uniform<double>(options.seed + 1);
  const TileMatrix<double> A(runtime, test.n, test.n, test.nb, test.distribution);
  const TileMatrix<double> x(runtime, test.n, 1, test.nb, test.nb, test.distribution);
  const TileMatrix<Index> ipiv = make_pivots(runtime, A);
  fill(runtime, A, a);
  fill(runtime, x, b);
  (void)runtime.all_gather(0);  // all start together
  const auto start = std::chrono::steady_clock::now();
  const Info info = tessera::run(runtime, [&](Sequence& sequence) {  // without a barrier before the solve
    gesv(sequence, A, ipiv, x, {.pivoting = options.pivoting});
  });
  (void)runtime.all_gather(0);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const bool solved = info.ok();
  return {time.count(), solved ? residual(runtime, a, b, A, x) : std::numeric_limits<double>::quiet_NaN()};
}

/// P and Q where the ranks lie row by row in a block-cyclic grid; "-" for other distributions.
std::pair<std::string, std::string> grid_of(const Distribution& distribution) {
  const Rank ranks = distribution.num_ranks();
  Rank q = 1;
  while (q < ranks && distribution.owner(0, q) == q) ++q;
  const Rank p = ranks / q;
  for (Index i = 0; i < 2 * ranks; ++i) {
    for (Index j = 0; j < 2 * ranks; ++j) {
      if (distribution.owner(i, j) != i % p * q + j % q) return {"-", "-"};
    }
  }
  return {std::to_string(p), std::to_string(q)};
}

/// A system that does not fit in memory would be killed without a word.
void require_memory(const Runtime& runtime, const std::vector<Index>& orders) {
  const double available = memory_for_a_matrix(runtime);
  for (const Index n : orders) {
    const double needed = static_cast<double>(n) * static_cast<double>(n) * sizeof(double);
    if (needed <= available) continue;
    throw UsageError(
        fmt::format("--n: a system of order {} needs {:.1f} GB of memory, of which {:.1f} are available", n,
                    needed * 1e-9, available * 1e-9));
  }
}

/// \return whether the test passed
bool report_test(const Report& report, const Options& options, const Test& test, const Result& result) {
  const auto n = static_cast<double>(test.n);
  const auto [p, q] = grid_of(*test.distribution);
  const std::string variant = fmt::format("WR{}", static_cast<char>(options.pivoting));
  const bool passed = result.residual < options.threshold;
  report.rule('=');
  report.line("T/V                N    NB     P     Q               Time                 Gflops");
  report.rule('-');
  report.line("{:<9}{:>11} {:>5} {:>5} {:>5} {:>18.2f} {:>22.4e}", variant, test.n, test.nb, p, q,
              result.seconds, n * n * (2 * n / 3 + 1.5) / result.seconds * 1e-9);
  report.line("distribution {}", test.distribution->name());
  report.rule('-');
  report.line("||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= {:>15.8f} ...... {}", result.residual,
              passed ? "PASSED" : "FAILED");
  return passed;
}

ExitStatus run(int argc, char** argv, bool first) {
  const auto options = parse(argc, argv, first);
  if (!options) return all_passed;
  Runtime runtime(options->runtime);
  const Report report(runtime.rank() != 0);
  for (const std::string& line : context_lines(runtime, argc, argv)) report.line("# {}", line);
  if (options->pivoting != Pivoting::partial) report.line(pivoting_note);
  require_memory(runtime, options->n);
  Index tests = 0, passed = 0;
  for (const std::string& text : options->distributions) {
    const DistributionPtr distribution = make_distribution(runtime, text);
    for (const Index n : options->n) {
      for (const Index nb : options->nb) {
        const Test test{n, nb, distribution};
        ++tests;
        if (report_test(report, *options, test, run_test(runtime, *options, test))) ++passed;
      }
    }
  }
  report.rule('=');
  report.line("\nFinished {:>6} tests with the following results:", tests);
  report.line("         {:>6} tests completed and passed residual checks,", passed);
  report.line("         {:>6} tests completed and failed residual checks.", tests - passed);
  return passed == tests ? all_passed : something_failed;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("tessera-hpl", argv, [&](bool first) { return run(argc, argv, first); });
}
