// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/bench/operation.hpp"
#include "tessera/types.hpp"

namespace tessera::bench {

/// What the ranks sent each other in a run, in order of rank.
struct Communication {
  std::vector<Index> rank_tiles;
  std::vector<Index> rank_bytes;
  std::optional<Index> transport_bytes;  ///< of all ranks, as StarPU-MPI counts them

  Index tiles() const { return std::accumulate(rank_tiles.begin(), rank_tiles.end(), Index{0}); }
  Index bytes() const { return std::accumulate(rank_bytes.begin(), rank_bytes.end(), Index{0}); }
  Index max_rank_bytes() const { return *std::ranges::max_element(rank_bytes); }
};

/// One repetition: what was run and what came out. Times in seconds, of the slowest rank.
struct Record {
  std::string operation;
  char type = 'd';
  Uplo uplo = Uplo::Lower;
  Shape shape;
  Index nb = 0;
  Stationary stationary = Stationary::automatic;
  Pivoting pivoting = Pivoting::partial;
  std::string distribution;
  std::optional<std::string> distribution_b;
  std::string backend;
  Rank ranks = 1;
  int workers = 1;  ///< per rank
  int gpus = 0;     ///< per rank
  std::string scheduler;
  std::uint64_t seed = 0;
  int repetition = 1;

  double flops = 0;
  double submit_s = 0;
  double time_s = 0;
  std::optional<double> residual;
  double threshold = 0;
  Index info = 0;
  std::optional<Communication> communication;
  std::optional<Index> peak_rss_bytes;  ///< of the rank with the largest
  std::optional<double> vendor_time_s;
  std::optional<double> gemm_gflops_per_core;

  double gflops() const { return rate(time_s); }
  std::optional<double> vendor_gflops() const {
    return vendor_time_s ? std::optional(rate(*vendor_time_s)) : std::nullopt;
  }
  /// Rate over that of gemm on all workers.
  std::optional<double> peak_share() const {
    return gemm_gflops_per_core ? std::optional(gflops() / (*gemm_gflops_per_core * workers * ranks))
                                : std::nullopt;
  }
  /// NaN fails; an exact result passes whatever the threshold.
  bool failed() const { return info != 0 || (residual && !(*residual < threshold || *residual == 0)); }
  const char* status() const { return failed() ? "FAIL" : residual ? "PASS" : "UNCHECKED"; }

 private:
  double rate(double seconds) const { return flops == 0 ? 0 : flops / seconds / 1e9; }
};

/// The record as it is written to files: always the same keys in the same order; null for what was not measured,
/// and for NaN and infinity, which JSON has not.
nlohmann::ordered_json to_json(const Record& record);

}  // namespace tessera::bench
