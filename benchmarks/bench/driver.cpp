// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

#include "benchmarks/bench/operation.hpp"
#include "benchmarks/bench/progress.hpp"
#include "benchmarks/bench/system.hpp"
#include "tessera/blas.hpp"
#include "tessera/distributions/registry.hpp"
#include "tessera/matrix.hpp"

namespace tessera::bench {
namespace {

/// Seconds since it was made.
class Timer {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Largest value of all ranks.
double largest(const Runtime& runtime, double value) {
  const auto all = runtime.all_gather(value);
  return *std::ranges::max_element(all);
}

void wait_for_all_ranks(const Runtime& runtime) { (void)runtime.all_gather(0); }

/// As many BLAS threads as workers while it lives.
class VendorThreads {
 public:
  explicit VendorThreads(int threads) : before_(blas_threads()) { set_blas_threads(threads); }
  ~VendorThreads() { set_blas_threads(before_); }
  VendorThreads(const VendorThreads&) = delete;
  VendorThreads& operator=(const VendorThreads&) = delete;

 private:
  int before_;
};

/// Every rank's value, in order of rank.
std::vector<Index> gather(const Runtime& runtime, Index value) {
  const auto all = runtime.all_gather(static_cast<double>(value));  // exact up to 2^53
  return {all.begin(), all.end()};
}

/// What has been sent since `before` and `transport_before`.
Communication communication_since(const Runtime& runtime, const Traffic& before,
                                  std::optional<Index> transport_before) {
  const Traffic traffic = runtime.traffic() - before;
  Communication c{gather(runtime, traffic.tiles_sent), gather(runtime, traffic.bytes_sent), {}};
  if (transport_before) {
    const auto all = gather(runtime, runtime.transport_bytes_sent().value_or(0) - *transport_before);
    c.transport_bytes = std::accumulate(all.begin(), all.end(), Index{0});
  }
  return c;
}

/// One run: its times, info, memory and communication go into the record.
void run_once(Runtime& runtime, Operation& operation, Record& record) {
  operation.prepare();
  reset_peak_rss();
  wait_for_all_ranks(runtime);
  const Traffic traffic = runtime.traffic();
  const auto transport_bytes = runtime.transport_bytes_sent();
  Sequence sequence(runtime);
  const Timer timer;
  operation.submit(sequence);
  const double submitted = timer.seconds();
  const Info info = sequence.wait();
  const double finished = timer.seconds();
  record.submit_s = largest(runtime, submitted);
  record.time_s = largest(runtime, finished);
  record.info = info.index();
  record.communication = communication_since(runtime, traffic, transport_bytes);
  if (const auto peak = peak_rss()) record.peak_rss_bytes = static_cast<Index>(largest(runtime, *peak));
}

double run_vendor_once(const Runtime& runtime, Operation& operation) {
  const VendorThreads threads(runtime.num_workers());
  operation.prepare_vendor();
  const Timer timer;
  const Index info = operation.run_vendor();
  const double seconds = timer.seconds();
  if (info != 0) throw RuntimeError(fmt::format("--vendor: LAPACK gives info {}", info));
  return seconds;
}

class Driver {
 public:
  Driver(Runtime& runtime, const Options& options, Output& output)
      : rt_(runtime), options_(options), output_(output) {}

  /// All repetitions of one configuration. \return whether all passed
  bool run(const Case& c) {
    const auto operation = make_operation(options_.operation, rt_, c);
    const Record description = describe(c, *operation);
    for (int k = 0; k < options_.warmup_runs(c.n); ++k) (void)measure(*operation, description, false);
    bool passed = true;
    for (int repetition = 1; repetition <= options_.repeat; ++repetition) {
      Record record = measure(*operation, description, options_.check);
      record.repetition = repetition;
      output_.record(record);
      passed = passed && !record.failed();
    }
    return passed;
  }

 private:
  /// One repetition, with the vendor's when it is asked for.
  Record measure(Operation& operation, Record record, bool check) {
    const Progress progress(rt_.rank() == 0,
                            fmt::format("{} {} n={}", record.operation, record.type, record.shape.n));
    run_once(rt_, operation, record);
    // A failed factorisation leaves nothing to check.
    if (check && record.info == 0) record.residual = operation.residual();
    if (options_.vendor) record.vendor_time_s = run_vendor_once(rt_, operation);
    return record;
  }

  Record describe(const Case& c, const Operation& operation) {
    Record r;
    r.operation = options_.operation;
    r.type = c.type;
    r.uplo = c.uplo;
    r.shape = operation.shape();
    r.nb = operation.tile_size();
    r.stationary = c.stationary;
    r.pivoting = c.pivoting;
    r.distribution = c.distribution->name();
    if (c.distribution_b) r.distribution_b = c.distribution_b->name();
    r.backend = rt_.backend_kind() == BackendKind::starpu ? "starpu" : "sequential";
    r.ranks = rt_.num_ranks();
    r.gpus = rt_.num_gpus();
    r.workers = rt_.num_workers();
    r.scheduler = rt_.scheduler();
    r.seed = c.seed;
    r.flops = operation.flops();
    r.threshold = options_.threshold;
    if (options_.peak) r.gemm_gflops_per_core = peak(c.type, r.nb);
    return r;
  }

  double peak(char type, Index nb) {
    const auto [entry, added] = peaks_.try_emplace({type, nb}, 0);
    if (added) entry->second = gemm_rate(type, nb);
    return entry->second;
  }

  Runtime& rt_;
  const Options& options_;
  Output& output_;
  std::map<std::pair<char, Index>, double> peaks_;
};

/// Unrolling more tiles than that takes longer and says the same.
constexpr Index planned_tiles = 80;

class Distributions {
 public:
  /// Names that are none are found out before anything runs.
  Distributions(Runtime& runtime, const Options& options, Output& output)
      : rt_(runtime), options_(options), output_(output) {
    for (const std::string& text : options.distributions) {
      if (text != automatic) by_name_.emplace(text, make("--dist", text));
    }
    if (!options.distribution_b.empty()) of_b_ = make("--dist-b", options.distribution_b);
  }

  /// That of --dist-b; null without.
  const DistributionPtr& of_b() const { return of_b_; }

  /// The distribution that a name of the command line means for this case.
  DistributionPtr of(const std::string& text, Case c) {
    if (text != automatic) return by_name_.at(text);
    const Index largest_extent = std::max({c.m, c.n, c.k});
    const Index nb = c.nb > 0 ? c.nb : default_tile_size(rt_, largest_extent);
    c.nb = std::max(nb, (largest_extent + planned_tiles - 1) / planned_tiles);
    const Choice choice =
        choose_distribution(rt_.num_ranks(), planned_call(options_.operation, c), options_.plan);
    output_.context(fmt::format("auto, n={}: {}", c.n, choice.reason));
    return choice.distribution;
  }

 private:
  static constexpr std::string_view automatic = "auto";

  DistributionPtr make(std::string_view option, const std::string& text) const {
    try {
      return make_distribution(rt_, text);
    } catch (const ArgumentError& e) {
      throw UsageError(fmt::format("{}: {}", option, e.what()));
    }
  }

  Runtime& rt_;
  const Options& options_;
  Output& output_;
  std::map<std::string, DistributionPtr> by_name_;
  DistributionPtr of_b_;
};

/// All combinations of the command line's lists but the distributions, which may depend on the case.
std::vector<Case> cases(const Options& options) {
  std::vector<Case> all;
  for (const char type : options.types) {
    for (const Index n : options.n) {
      for (const Index m : options.m.empty() ? std::vector{n} : options.m) {
        for (const Index k : options.k.empty() ? std::vector{n} : options.k) {
          for (const Index nb : options.nb) {
            all.push_back({.type = type,
                           .m = m,
                           .n = n,
                           .k = k,
                           .nrhs = options.nrhs,
                           .nb = nb,
                           .op_a = options.op_a,
                           .op_b = options.op_b,
                           .side = options.side,
                           .uplo = options.uplo,
                           .diag = options.diag,
                           .stationary = options.stationary,
                           .pivoting = options.pivoting,
                           .tree = options.tree,
                           .ib = options.ib,
                           .distribution = {},
                           .distribution_b = {},
                           .seed = options.seed});
          }
        }
      }
    }
  }
  return all;
}

}  // namespace

bool run_all(Runtime& runtime, const Options& options, Output& output) {
  if (options.vendor && runtime.num_ranks() > 1) {
    throw UsageError(
        fmt::format("--vendor: the machine's LAPACK runs on one rank only, not on {}", runtime.num_ranks()));
  }
  Driver driver(runtime, options, output);
  Distributions distributions(runtime, options, output);
  bool passed = true;
  for (const std::string& text : options.distributions) {
    for (Case c : cases(options)) {
      c.distribution_b = distributions.of_b();
      c.distribution = distributions.of(text, c);
      passed = driver.run(c) && passed;
    }
  }
  return passed;
}

}  // namespace tessera::bench
