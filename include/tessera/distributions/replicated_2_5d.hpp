// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tessera/distribution.hpp"

namespace tessera {

/// 2.5D: c layers of ranks, each with the base distribution's pattern; rank r of layer l is l P2 + r, where P2 is the
/// number of the base's ranks.
///
/// Step k of an algorithm runs on layer k mod c. Every layer adds up its own updates of a tile, in memory that exists
/// from the first update to the sum, and the sums meet just before the tile is used. That trades memory (up to c
/// copies) for messages: with the base's volume V, Cholesky of n x n tiles sends V + sum_j (n-j) min(j, c-1).
///
/// Where a tile lies in between is free; each choice suits something else:
///
///     diagonal   layer min(i, j) mod c, which finishes it in a factorisation: factors stay where they fall
///     base       layer 0: the base's ranks own the matrix, the others help; results go home, one message for each
///                tile of another layer
///     rows       layer i mod c
///     columns    layer j mod c: an operand A(i, k) of a product, on the layer that uses it (B(k, j): rows)
///     spread     over the layers in turns, for each of the base's ranks: the result of a product
///
/// Source: Beaumont et al., "Symmetric Block-Cyclic Distribution", SC'22, section IV; Solomonik and Demmel,
/// "Communication-optimal parallel 2.5D matrix multiplication and LU factorization algorithms", Euro-Par 2011.
class Replicated25D final : public Distribution {
 public:
  enum class Home : char { diagonal, base, rows, columns, spread };

  /// \param layers  c >= 2
  /// \param base    2D: a base with layers is refused
  /// \throws ArgumentError for other arguments, and for more ranks than a Rank can count
  Replicated25D(int layers, DistributionPtr base, Home home = Home::diagonal);

  Rank owner(Index i, Index j) const override;
  Rank num_ranks() const override { return layers_ * base_->num_ranks(); }
  int layers() const override { return layers_; }
  Rank executor(Index i, Index j, Index step) const override;
  std::shared_ptr<const Distribution> fitted(Index mt, Index nt) const override;
  std::string name() const override;

  const DistributionPtr& base() const { return base_; }
  Home home() const { return home_; }

 private:
  Index home_layer(Index i, Index j) const;
  std::vector<int> spread_over(Index mt, Index nt) const;

  int layers_;
  DistributionPtr base_;
  Home home_;
  Index mt_ = 0;             // tile rows of the matrix that it is fitted to
  std::vector<int> spread_;  // Home::spread, fitted: the layer of tile (i, j) at i + j mt
};

/// The same layers with tiles at home elsewhere; a distribution without layers, or one whose tiles live on the base's
/// ranks, stays what it is.
DistributionPtr with_home(const DistributionPtr& distribution, Replicated25D::Home home);

}  // namespace tessera
