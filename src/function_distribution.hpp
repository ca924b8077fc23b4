// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "tessera/distribution.hpp"

namespace tessera {

/// A distribution given by a function of the tile indices, for tiles that must lie where others lie.
class FunctionDistribution final : public Distribution {
 public:
  using Owner = std::function<Rank(Index i, Index j)>;

  /// \param owner  pure, equal on all ranks, with values in 0 .. num_ranks-1
  /// \param name   equal on all ranks; no distribution can be made again from it
  FunctionDistribution(Rank num_ranks, std::string name, Owner owner)
      : num_ranks_(num_ranks), name_(std::move(name)), owner_(std::move(owner)) {}

  Rank owner(Index i, Index j) const override { return owner_(i, j); }
  Rank num_ranks() const override { return num_ranks_; }
  std::string name() const override { return name_; }

 private:
  Rank num_ranks_;
  std::string name_;
  Owner owner_;
};

}  // namespace tessera
