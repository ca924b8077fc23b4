// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "benchmarks/bench/letters.hpp"
#include "benchmarks/bench/operation.hpp"
#include "benchmarks/bench/parse.hpp"
#include "benchmarks/plan/draw.hpp"
#include "benchmarks/plan/report.hpp"
#include "tessera/distributions/registry.hpp"
#include "tessera/distributions/replicated_2_5d.hpp"
#include "tessera/error.hpp"
#include "tessera/version.hpp"

/// \file
/// tessera-plan: what an operation would cost on a distribution, by unrolling it without running it. Needs no MPI and
/// no memory for the matrix.

namespace {

using namespace tessera;
using namespace tessera::plan;
using bench::UsageError;

enum ExitStatus { done = 0, failed = 1, wrong_usage = 2 };

constexpr const char* footer = R"(
Examples:
  tessera-plan volume potrf --tiles 96 --dist sbc:r=9
  tessera-plan volume symm --tiles 96 --cols 8 --dist sbc:r=9 --alg a
  tessera-plan compare potrf --tiles 96 --ranks 23
  tessera-plan compare potrf --tiles 96 --ranks 30 --layers 5 --memory 64
  tessera-plan volume potrf --tiles 96 --dist 2.5d:c=3/sbc:r=5
  tessera-plan draw --tiles 24 --dist tbc:q=3,plane=affine --svg map.svg

Tiles sent: versions of tiles times ranks they go to, each at most once (owner computes). Exit status: 0; 1 when it could not be done; 2 for a wrong command line.)";

struct Options {
  Question question;
  std::optional<Index> nb;
  char type = 'd';
  Op op_a = Op::no_trans;
  Op op_b = Op::no_trans;
  Side side = Side::Left;
  Uplo uplo = Uplo::Lower;
  std::string distribution;
  std::optional<Rank> ranks;
  PlanOptions weights;
  std::optional<double> gigabytes;  ///< of memory
  std::string json;                 ///< file, or "-" for standard output
  std::string svg;
};

/// Tiles so large that only the nb^3 of their operations count: the unit of all theory.
constexpr Index large_tile = Index{1} << 20;
/// A tile as it is used, for the cost, which weighs operations against bytes.
constexpr Index usual_tile = 500;

void write(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) throw Error(fmt::format("{} cannot be written", path));
}

/// On the right of B, the symmetric or triangular matrix leaves B's rows free.
void set_columns(const Options& options, bench::Case& c, Index columns) {
  Index bench::Case::*extent = bench::columns_of(options.question.operation);
  if (extent == &bench::Case::n && options.side == Side::Right) extent = &bench::Case::m;
  if (extent != nullptr) c.*extent = columns;
}

bench::Case case_of(const Options& options) {
  bench::Case c;
  c.type = options.type;
  c.nb = options.nb.value_or(large_tile);
  c.m = c.n = c.k = options.question.tiles * c.nb;
  c.nrhs = c.nb;
  if (options.question.cols) set_columns(options, c, *options.question.cols * c.nb);
  c.op_a = options.op_a;
  c.op_b = options.op_b;
  c.side = options.side;
  c.uplo = options.uplo;
  c.stationary = options.question.stationary;
  c.pivoting = options.question.pivoting;
  c.tree = bench::parse_tree(options.question.tree);
  if (!options.question.distribution_b.empty()) {
    c.distribution_b = make_distribution(options.question.distribution_b, options.ranks);
  }
  return c;
}

PlannedCall call_of(const Options& options) {
  return bench::planned_call(options.question.operation, case_of(options));
}

Answer answer(const Options& options, Prediction prediction) {
  RuntimeOptions recording;
  recording.backend = BackendKind::recording;
  recording.recorded_ranks = static_cast<Rank>(prediction.loads.size());
  Runtime runtime(recording);
  bench::Case c = case_of(options);
  c.distribution = prediction.distribution;
  const auto operation = bench::make_operation(options.question.operation, runtime, c);
  return {std::move(prediction), operation->bounds(c.distribution->num_ranks())};
}

/// The distribution asked for; `auto` is chosen for the operation.
DistributionPtr distribution_of(const Options& options) {
  if (options.distribution != "auto") return make_distribution(options.distribution, options.ranks);
  if (!options.ranks) throw UsageError("--dist: auto needs --ranks");
  Options weighed = options;
  weighed.nb = options.nb.value_or(usual_tile);
  const Choice choice = choose_distribution(*options.ranks, call_of(weighed), options.weights);
  fmt::print(stderr, "auto: {}\n", choice.reason);
  return choice.distribution;
}

void volume(const Options& options) {
  const DistributionPtr distribution = distribution_of(options);
  const DistributionPtr of_b = case_of(options).distribution_b;
  const Rank ranks = std::max(distribution->num_ranks(), of_b ? of_b->num_ranks() : 1);
  Answer result = answer(options, predict(distribution, ranks, call_of(options)));
  if (const auto* layered = dynamic_cast<const Replicated25D*>(distribution.get())) {
    const auto sent = [&](Replicated25D::Home home) {
      const auto other = std::make_shared<Replicated25D>(layered->layers(), layered->base(), home);
      return predict(other, ranks, call_of(options)).tiles_sent();
    };
    using Home = Replicated25D::Home;
    result.layers =
        Layers{sent(layered->home() == Home::base ? Home::diagonal : layered->home()), sent(Home::base)};
  }
  if (options.json != "-") fmt::print("{}", volume_report(options.question, result));
  if (!options.json.empty()) write(options.json, to_json(options.question, result).dump(2) + "\n");
}

void compare(const Options& options) {
  std::vector<Answer> answers;
  for (Prediction& p : compare_distributions(*options.ranks, call_of(options), options.weights)) {
    answers.push_back(answer(options, std::move(p)));
  }
  if (options.json != "-") {
    fmt::print("{}", comparison_report(options.question, answers, options.weights));
  }
  if (options.json.empty()) return;
  auto json = nlohmann::ordered_json::array();
  for (const Answer& a : answers) json.push_back(to_json(options.question, a));
  write(options.json, json.dump(2) + "\n");
}

void draw(const Options& options) {
  DistributionPtr distribution = make_distribution(options.distribution, options.ranks);
  const Index n = options.question.tiles;
  constexpr Index largest_map = 1000;  // 40 MB of squares
  if (n > largest_map)
    throw UsageError(fmt::format("--tiles: a map has at most {} x {} tiles", largest_map, largest_map));
  if (auto fitted = distribution->fitted(n, n)) distribution = fitted;
  write(options.svg, draw_map(*distribution, n, options.uplo));
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Predicts what an operation sends, computes and holds on a distribution.", "tessera-plan");
  app.footer(footer);
  app.set_version_flag("--version", "tessera-plan " TESSERA_VERSION_STRING);
  app.require_subcommand(1);
  app.option_defaults()->always_capture_default();

  // An option whose words stand for values.
  const auto words = [](CLI::App* command, const char* name, auto& value, const auto& meanings,
                        const char* by_default, const std::string& help) {
    command->add_option(name, value, help)
        ->transform(CLI::CheckedTransformer(meanings))
        ->default_str(by_default);
  };
  const std::map<std::string, Uplo> parts = {{"L", Uplo::Lower}, {"U", Uplo::Upper}, {"G", Uplo::General}};
  const auto tiles = [&](CLI::App* command) {
    command->add_option("--tiles", options.question.tiles, "tiles in each dimension of the matrix")
        ->required()
        ->check(CLI::Range(Index{1}, Index{1} << 15));
  };
  const auto distribution = [&](CLI::App* command, const char* more) {
    command->add_option("--dist", options.distribution, fmt::format("distribution, e.g. sbc:r=9{}", more))
        ->required();
    command->add_option("--ranks", options.ranks, "number of ranks, where the distribution does not say it")
        ->check(CLI::PositiveNumber);
  };
  const auto operation = [&](CLI::App* command) {
    command
        ->add_option("OP", options.question.operation,
                     fmt::format("operation: {}", fmt::join(bench::operation_names(), ", ")))
        ->required()
        ->check(CLI::IsMember(bench::operation_names()));
    tiles(command);
    command
        ->add_option(
            "--cols", options.question.cols,
            "tile columns of the other operands, those without a triangle; of gemm's B and C; of what geqrf "
            "factors (default: as --tiles; right-hand sides: 1)")
        ->check(CLI::PositiveNumber);
    command
        ->add_option(
            "--nb", options.nb,
            fmt::format("elements of a tile's side (default: {} for costs; otherwise only the nb^3 of all "
                        "operations count)",
                        usual_tile))
        ->check(CLI::Range(Index{1}, large_tile));
    command->add_option("--type", options.type, "element type: s, d, c or z")
        ->check(CLI::IsMember({"s", "d", "c", "z"}));
    words(command, "--op-a", options.op_a, bench::ops, "N", "op of A, and of B in syr2k and her2k");
    words(command, "--op-b", options.op_b, bench::ops, "N", "op of gemm's B");
    words(command, "--side", options.side, bench::sides, "L", "side of the symmetric or triangular matrix");
    words(command, "--uplo", options.uplo, bench::triangles, "L", "stored triangle, L or U");
    words(command, "--alg", options.question.stationary, bench::variants, "auto",
          "operand of a product that stays where it is");
    words(command, "--pivoting", options.question.pivoting, bench::pivotings, "partial",
          "how LU chooses its pivots: partial, tournament or none");
    command->add_option(
        "--tree", options.question.tree,
        "reduction tree of QR and LQ: flat, flat:triangles, binary, greedy, fibonacci, hierarchical, "
        "hierarchical:N with domains of N tiles, or auto");
    command->add_option(
        "--dist-b", options.question.distribution_b,
        "distribution of the operands without a triangle; of gemm's B (default: as --dist; for symm and "
        "hemm with --alg a on a symmetric one, on the ranks of A's tile rows and columns)");
    command
        ->add_option("--flops-per-byte", options.weights.flops_per_byte,
                     "operations of a rank in the time of a byte on its link, for the cost")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--json", options.json,
                        "write JSON to this file; -: to standard output, and nothing else");
  };

  CLI::App* volume_command =
      app.add_subcommand("volume", "tiles sent, tasks, balance and memory of one distribution");
  operation(volume_command);
  distribution(volume_command, ", or auto with --ranks");
  CLI::App* compare_command =
      app.add_subcommand("compare", "all distributions over P and some fewer ranks, cheapest first");
  operation(compare_command);
  compare_command->add_option("--ranks", options.ranks, "number of ranks P")
      ->required()
      ->check(CLI::PositiveNumber);
  compare_command->add_option("--spare", options.weights.spare, "ranks that may stay without tiles")
      ->check(CLI::NonNegativeNumber);
  for (CLI::App* command : {volume_command, compare_command}) {
    command
        ->add_option("--layers", options.weights.layers,
                     "how many copies of the matrix there may be: up to so many layers of 2.5D are "
                     "considered (volume: "
                     "with --dist auto)")
        ->check(CLI::Range(1, 1 << 10));
    command
        ->add_option("--memory", options.gigabytes,
                     "memory of a rank for tiles in GB: layers that need more are left out")
        ->check(CLI::PositiveNumber);
  }
  CLI::App* draw_command = app.add_subcommand("draw", "a picture of who owns which tile");
  tiles(draw_command);
  distribution(draw_command, "");
  words(draw_command, "--part", options.uplo, parts, "L",
        "tiles to draw: L(ower triangle), U(pper triangle), G (all)");
  draw_command->add_option("--svg", options.svg, "file; -: standard output")->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) throw UsageError(e.what());
    return app.exit(e);  // help or version
  }
  if (options.gigabytes) options.weights.bytes_per_rank = *options.gigabytes * 1e9;
  if (*volume_command) volume(options);
  if (*compare_command) {
    options.nb = options.nb.value_or(usual_tile);
    compare(options);
  }
  if (*draw_command) draw(options);
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const UsageError& e) {
    fmt::print(stderr, "tessera-plan: {} (--help shows all options)\n", e.what());
    return wrong_usage;
  } catch (const tessera::ArgumentError& e) {
    fmt::print(stderr, "tessera-plan: {}\n", e.what());
    return wrong_usage;
  } catch (const std::exception& e) {
    fmt::print(stderr, "tessera-plan: {}\n", e.what());
    return failed;
  }
}
