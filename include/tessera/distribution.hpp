// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>
#include <string>

#include "tessera/types.hpp"

namespace tessera {

/// Which rank owns which tile, and which rank runs which task. Every function is O(1), pure, deterministic
/// and equal on all ranks; i and j are tile indices (from 0) of the whole matrix, also in sub-matrix views.
class Distribution {
 public:
  virtual ~Distribution() = default;

  /// The rank whose memory holds tile (i, j); in 0 .. num_ranks()-1.
  virtual Rank owner(Index i, Index j) const = 0;

  /// How many ranks own tiles. A matrix may live on fewer ranks than its runtime has, not on more.
  virtual Rank num_ranks() const = 0;

  /// Number of layers that accumulate apart (2.5D); 1 for a 2D distribution. executor() repeats itself after so many
  /// steps.
  virtual int layers() const { return 1; }

  /// The rank that runs the tasks of step `step` (>= 0) that write tile (i, j). Owner computes, unless layered.
  virtual Rank executor(Index i, Index j, Index /*step*/) const { return owner(i, j); }

  /// This distribution with its free choices made for a matrix of mt x nt tiles, with the same name; null when it
  /// has none. A matrix asks once, when it is made, so that its load is balanced for its size.
  virtual std::shared_ptr<const Distribution> fitted(Index /*mt*/, Index /*nt*/) const { return nullptr; }

  /// Text that makes this distribution again, for example "2dbc:p=2,q=3".
  virtual std::string name() const = 0;
};

/// Distributions are immutable and shared between matrices.
using DistributionPtr = std::shared_ptr<const Distribution>;

}  // namespace tessera
