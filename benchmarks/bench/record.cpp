// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/record.hpp"

#include <cmath>

#include "benchmarks/bench/letters.hpp"

namespace tessera::bench {
namespace {

nlohmann::ordered_json value_or_null(const auto& optional) {
  return optional ? nlohmann::ordered_json(*optional) : nlohmann::ordered_json();
}

nlohmann::ordered_json finite_or_null(const std::optional<double>& x) {
  return x && std::isfinite(*x) ? nlohmann::ordered_json(*x) : nlohmann::ordered_json();
}

}  // namespace

nlohmann::ordered_json to_json(const Record& r) {
  nlohmann::ordered_json tiles, bytes, max_bytes, transport_bytes, rank_bytes;
  if (r.communication) {
    tiles = r.communication->tiles();
    bytes = r.communication->bytes();
    max_bytes = r.communication->max_rank_bytes();
    transport_bytes = value_or_null(r.communication->transport_bytes);
    rank_bytes = r.communication->rank_bytes;
  }
  return {
      {"op", r.operation},
      {"type", std::string(1, r.type)},
      {"uplo", std::string(1, static_cast<char>(r.uplo))},
      {"m", r.shape.m},
      {"n", r.shape.n},
      {"k", value_or_null(r.shape.k)},
      {"nb", r.nb},
      {"alg", word_for(r.stationary, variants)},
      {"pivoting", word_for(r.pivoting, pivotings)},
      {"dist", r.distribution},
      {"dist_b", value_or_null(r.distribution_b)},
      {"backend", r.backend},
      {"ranks", r.ranks},
      {"workers", r.workers},
      {"gpus", r.gpus},
      {"scheduler", r.scheduler},
      {"seed", r.seed},
      {"repetition", r.repetition},
      {"submit_s", r.submit_s},
      {"time_s", r.time_s},
      {"gflops", r.gflops()},
      {"residual", finite_or_null(r.residual)},
      {"threshold", r.threshold},
      {"info", r.info},
      {"status", r.status()},
      {"comm_tiles", tiles},
      {"comm_bytes", bytes},
      {"comm_max_rank_bytes", max_bytes},
      {"comm_transport_bytes", transport_bytes},
      {"comm_rank_bytes", rank_bytes},
      {"peak_rss_bytes", value_or_null(r.peak_rss_bytes)},
      {"vendor_time_s", finite_or_null(r.vendor_time_s)},
      {"vendor_gflops", finite_or_null(r.vendor_gflops())},
      {"gemm_gflops_per_core", finite_or_null(r.gemm_gflops_per_core)},
      {"peak_share", finite_or_null(r.peak_share())},
  };
}

}  // namespace tessera::bench
