// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

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

/// One run: its times, info and memory go into the record.
void run_once(Runtime& runtime, Operation& operation, Record& record) {
  operation.prepare();
  reset_peak_rss();
  wait_for_all_ranks(runtime);
  Sequence sequence(runtime);
  const Timer timer;
  operation.submit(sequence);
  const double submitted = timer.seconds();
  const Info info = sequence.wait();
  const double finished = timer.seconds();
  record.submit_s = largest(runtime, submitted);
  record.time_s = largest(runtime, finished);
  record.info = info.index();
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
    r.distribution = c.distribution->name();
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

std::vector<DistributionPtr> make_distributions(const Runtime& runtime, const Options& options) {
  if (options.distributions.empty()) return {default_distribution(runtime)};
  std::vector<DistributionPtr> distributions;
  for (const std::string& text : options.distributions) {
    try {
      distributions.push_back(make_distribution(text, runtime.num_ranks()));
    } catch (const ArgumentError& e) {
      throw UsageError(fmt::format("--dist: {}", e.what()));
    }
  }
  return distributions;
}

}  // namespace

bool run_all(Runtime& runtime, const Options& options, Output& output) {
  if (options.vendor && runtime.num_ranks() > 1) {
    throw UsageError(
        fmt::format("--vendor: the machine's LAPACK runs on one rank only, not on {}", runtime.num_ranks()));
  }
  Driver driver(runtime, options, output);
  bool passed = true;
  for (const DistributionPtr& distribution : make_distributions(runtime, options)) {
    for (const char type : options.types) {
      for (const Index n : options.n) {
        for (const Index nb : options.nb) {
          const Case c{type, n, options.nrhs, nb, options.uplo, distribution, options.seed};
          passed = driver.run(c) && passed;
        }
      }
    }
  }
  return passed;
}

}  // namespace tessera::bench
