// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <utility>

#include "tessera/distribution.hpp"

namespace tessera {

/// Symmetric block-cyclic (SBC), for matrices of which one triangle is stored: a symmetric r x r pattern in
/// which each rank holds the cells (a, b) and (b, a) of one pair. A tile of a Cholesky factor is then sent
/// along a row and a column that hold the same ranks, where a 2D grid has two sets of them: sqrt(2) less
/// communication.
///
///            r = 4:   * 0 1 3      extended: the diagonal's tiles go to ranks of their own row, another one
///                     0 * 2 4      in each block;
///                     1 2 * 5      basic: r/2 further ranks own them, here 6 7 6 7.
///                     3 4 5 *
///
/// Off the diagonal, the rank is hi(hi-1)/2 + lo with hi = max(a, b), lo = min(a, b). The extended diagonal
/// cell a of block (I, J) of the lower triangle belongs to the rank of {a, a + l mod r}; the offset l follows
/// from a and from the variant, I(I+1)/2 + J modulo the number of variants, so that every rank is on the
/// diagonal equally often. For odd r there are (r-1)/2 variants, l = v+1. For even r = 2h there are r-1: l =
/// v+1 for v < h-1; the others, t = v-(h-1), shift around the offset h, which only half of the cells can use:
/// l = t for a < h (h for t = 0) and l = t+1 for a >= h (h for t = h-1).
///
/// Ranks: r(r-1)/2 (extended, r >= 3), r^2/2 (basic, r even). Tiles sent by a Cholesky factorisation of n x n
/// tiles, S = n(n+1)/2:  V = S(r-2) - O(r^3) (extended), S(r-1) - O(r^3) (basic). Extended sends less on as
/// many ranks.
///
/// Source: Beaumont, Duchon, Eyraud-Dubois, Langou, Verite, Symmetric Block-Cyclic Distribution: Fewer
/// Communications Leads to Faster Dense Cholesky Factorization, SC'22. The variant of a block depends on the
/// block alone, and not on n as there.
class SymmetricBlockCyclic final : public Distribution {
 public:
  enum class Version { extended, basic };

  /// \param r  order of the pattern, at least 3 (extended) or even (basic)
  /// \throws ArgumentError when it is not, or when there would be 2^31 ranks
  explicit SymmetricBlockCyclic(Index r, Version version = Version::extended);

  Index r() const noexcept { return r_; }
  Version version() const noexcept { return version_; }

  Rank owner(Index i, Index j) const override {
    if (i < j) std::swap(i, j);
    const Index a = i % r_, b = j % r_;
    return a == b ? diagonal_owner(a, i / r_, j / r_) : owner_of_pair(a, b);
  }
  Rank num_ranks() const override;
  /// "sbc:r=5", "sbc:r=4,kind=basic"
  std::string name() const override;

 private:
  static Rank owner_of_pair(Index a, Index b) {
    const auto [lo, hi] = std::minmax(a, b);
    return static_cast<Rank>(hi * (hi - 1) / 2 + lo);
  }
  /// The owner of the tile on diagonal cell a of block (I, J), I >= J.
  Rank diagonal_owner(Index a, Index I, Index J) const;

  Index r_;
  Version version_;
};

}  // namespace tessera
