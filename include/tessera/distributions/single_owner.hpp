// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/distribution.hpp"

namespace tessera {

/// All tiles on one rank: where a caller's own buffer lies.
class SingleOwner final : public Distribution {
 public:
  /// \throws ArgumentError unless rank >= 0
  explicit SingleOwner(Rank rank);

  Rank owner(Index /*i*/, Index /*j*/) const override { return rank_; }
  Rank num_ranks() const override { return rank_ + 1; }
  /// "rank:0"
  std::string name() const override;

 private:
  Rank rank_;
};

}  // namespace tessera
