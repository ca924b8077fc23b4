// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "tessera/distribution.hpp"

namespace tessera {

/// A distribution given by a function of the tile indices: a user's own rule, or tiles that must lie where
/// others lie. It has no text name.
///
///     auto checkers = std::make_shared<FunctionDistribution>(
///         2, "checkers", [](Index i, Index j) { return static_cast<Rank>((i + j) % 2); });
class FunctionDistribution final : public Distribution {
 public:
  using Owner = std::function<Rank(Index i, Index j)>;

  /// \param num_ranks  ranks that own tiles
  /// \param name       equal on all ranks; no distribution can be made again from it
  /// \param owner      O(1), pure, equal on all ranks, with values in 0 .. num_ranks-1; called by many
  ///                   threads
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
