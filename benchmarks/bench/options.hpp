// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/bench/parse.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/lu.hpp"
#include "tessera/plan.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

namespace tessera::bench {

/// The command line.
struct Options {
  std::string operation;
  std::vector<Index> n;
  std::vector<Index> m;   ///< empty: n
  std::vector<Index> k;   ///< empty: n
  std::vector<Index> nb;  ///< 0: chosen
  Index nrhs = 1;
  std::vector<char> types;
  Op op_a = Op::no_trans;
  Op op_b = Op::no_trans;
  Side side = Side::Left;
  Uplo uplo = Uplo::Lower;
  Diag diag = Diag::NonUnit;
  Stationary stationary = Stationary::automatic;
  Pivoting pivoting = Pivoting::partial;
  TreePtr tree;                            ///< null: chosen
  Index ib = 0;                            ///< 0: chosen
  std::vector<std::string> distributions;  ///< text names; auto: chosen for each run
  PlanOptions plan;                        ///< for auto
  std::string distribution_b;              ///< empty: as the operation has it
  RuntimeOptions runtime;
  std::uint64_t seed = 1;
  int repeat = 1;
  std::optional<int> warmup;  ///< untimed runs of each configuration; unless given, see warmup_runs()
  bool check = false;
  bool vendor = false;
  bool peak = false;
  double threshold = 0;
  std::string json;  ///< file, "-" for standard output, or empty
  std::string csv;

  /// A first run finds cold caches and sleeping workers, which only matters when it is short.
  int warmup_runs(Index size) const { return warmup.value_or(size <= 2000 ? 1 : 0); }
  bool stdout_is_taken() const { return json == "-" || csv == "-"; }
};

/// \return nothing when the command line only asked for help or the version, which has then been printed
/// \throws UsageError
std::optional<Options> parse_options(int argc, char** argv, bool print);

}  // namespace tessera::bench
