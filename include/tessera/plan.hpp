// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tessera/distribution.hpp"
#include "tessera/runtime.hpp"
#include "tessera/task_graph.hpp"
#include "tessera/types.hpp"

/// \file
/// What a call would cost on a distribution, and which distribution suits it best, by unrolling the call itself.

namespace tessera {

/// The call in question: makes its matrices on `plan`, a recording runtime, over `distribution`, and works on them.
///
///     [&](Runtime& plan, const DistributionPtr& distribution) {
///       const TileMatrix<double> A(plan, n, n, nb, distribution);
///       (void)potrf(plan, Uplo::Lower, A);
///     }
using PlannedCall = std::function<void(Runtime& plan, const DistributionPtr& distribution)>;

/// What a call costs each rank when its matrices lie as `distribution` says.
struct Prediction {
  DistributionPtr distribution;
  std::vector<RankLoad> loads;  ///< one per rank of the runtime, also those that own nothing

  Index tiles_sent() const;
  Index max_tiles_sent() const;      ///< by one rank
  Index max_tiles_received() const;  ///< by one rank
  Index max_tiles_held() const;      ///< by one rank: owned, copies and partial sums
  Index max_bytes_held() const;      ///< the same in bytes
  Index max_tasks() const;           ///< of one rank
  /// Largest over mean number of operations of the distribution's ranks; 1 is perfect.
  double flops_imbalance() const;
  /// Of the busiest rank, in operations: what it computes, and its sent or received bytes (the larger) as the
  /// operations it could do in their time.
  double cost(double flops_per_byte) const;
};

/// Unrolls the call on `num_ranks` ranks; no memory for the matrices, no MPI.
/// \throws ArgumentError for no distribution or one over more than `num_ranks` ranks, and whatever the call throws
/// \note Cost: about 0.2 microseconds per task.
Prediction predict(const DistributionPtr& distribution, Rank num_ranks, const PlannedCall& call);

/// How choose_distribution() weighs.
struct PlanOptions {
  /// Operations that a rank can do in the time of sending one byte: 100 stands for 1 Tflop/s and 10 Gbyte/s.
  double flops_per_byte = 100;
  /// How many ranks may stay without tiles, for the sake of a distribution that exists for fewer. (A choice leaves at
  /// most a quarter idle, a comparison shows them all.)
  Rank spare = 3;
  /// Up to how many copies of the matrix there may be: layers of 2.5D (Replicated25D). 1: none.
  int layers = 1;
  /// Memory of a rank for matrices and copies: layers that need more are left out.
  double bytes_per_rank = std::numeric_limits<double>::infinity();
};

/// All distributions over num_ranks to num_ranks - spare ranks (distribution_candidates()), and with layers over those of
/// a part of the ranks, the cheapest first.
/// \throws ArgumentError for num_ranks < 1, spare < 0, layers < 1, and flops_per_byte that is no number >= 0
/// \note Cost: a prediction for each, some 5 to 10 per number of ranks. A hundred tile rows tell as much as more.
std::vector<Prediction> compare_distributions(Rank num_ranks, const PlannedCall& call,
                                              const PlanOptions& options = {});

/// The cheapest of them, and why: what a caller asks for by `auto`.
struct Choice {
  DistributionPtr distribution;
  std::string reason;  ///< one line: what it sends and how it balances, beside the best 2D block-cyclic one
};
Choice choose_distribution(Rank num_ranks, const PlannedCall& call, const PlanOptions& options = {});

}  // namespace tessera
