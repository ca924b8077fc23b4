// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string>
#include <vector>

#include "tessera/distribution.hpp"

namespace tessera {

/// A table of ranks that is repeated over the tiles: tile (i, j) lies on the rank of cell (i mod rows, j mod
/// columns).
///
///            0 1 2                   0 1 2 0 1 2
///            2 0 1   repeated:       2 0 1 2 0 1
///                                    0 1 2 0 1 2
///
/// A *symmetric* pattern is for a matrix of which one triangle is stored: the table, square of order r, rules
/// the lower triangle, and tile (i, j) of the upper triangle lies with tile (j, i). Row a and column a of the
/// table are its *colrow* a: a tile of a Cholesky factor is sent to ranks of one colrow. Diagonal cells may
/// then be free: any rank of the colrow may own the tile without a tile sent more, so these tiles balance the
/// load.
///
///            * 0 1
///            0 * 2   symmetric, three free cells: ranks 0 and 1 may own tile (0, 0), 0 and 2 tile (1, 1)
///            1 2 *
///
/// Free cells are given to the ranks of the colrow in turn, r x r block by block, row by row of the lower
/// triangle; or, in fitted(), one by one, most work first, to the rank of the colrow that has least work.
/// Work of a tile of a Cholesky factorisation in nb^3 flops: 2j+1 below the diagonal, j+1/3 on it.
///
/// Tiles sent by a Cholesky factorisation of n x n tiles, S = n(n+1)/2: V = S (zbar - 1) + O(n), see zbar();
/// a little less, as the last tile columns do not meet the whole pattern.
class Pattern : public Distribution {
 public:
  using Rows = std::vector<std::vector<Rank>>;

  /// Marks a diagonal cell that any rank of its colrow may own.
  static constexpr Rank free_cell = -1;

  /// \param name       what name() returns; other ranks compare it
  /// \param num_ranks  larger than every rank in the table
  /// \param rows       the table, one vector per row, all equally long
  /// \param symmetric  whether the table rules the lower triangle alone and may have free diagonal cells
  /// \throws ArgumentError naming row and column (from 1) of the first wrong cell: no rank, or free where it
  ///         must not be; or saying that the table is empty, ragged, or not square although symmetric
  Pattern(std::string name, Rank num_ranks, const Rows& rows, bool symmetric = false);

  Rank owner(Index i, Index j) const override;
  Rank num_ranks() const override { return num_ranks_; }
  std::string name() const override { return name_; }

  /// The same pattern with its free cells balanced for a Cholesky factorisation of n x n tiles, n = max(mt,
  /// nt); tiles beyond go in turn. Null without free cells, and for more than 2^26 tiles on them: no
  /// factorisation is as large. Cost: O(n r + T log T) for the T = n^2/2r tiles on free cells; one integer of
  /// memory for each.
  std::shared_ptr<const Distribution> fitted(Index mt, Index nt) const override;

  /// Rows and columns of the table.
  Index rows() const noexcept { return rows_; }
  Index columns() const noexcept { return columns_; }

  /// The rank of cell (a, b), or free_cell.
  Rank cell(Index a, Index b) const { return cells_[static_cast<std::size_t>(a * columns_ + b)]; }

  /// The distinct ranks of row a and column a of a symmetric pattern, ascending.
  const std::vector<Rank>& colrow(Index a) const { return colrows_[static_cast<std::size_t>(a)]; }

  /// How many distinct ranks a colrow of a symmetric pattern has, on average.
  double zbar() const;

 private:
  struct FreeTile;

  /// The owner of a lower tile on free cell a of block (I, J) when nothing is fitted: in turn.
  Rank in_turn(Index a, Index I, Index J) const;
  /// Work of each rank in the tiles of the lower triangle of n x n tiles that are not free; units of nb^3/3
  /// flops.
  std::vector<Index> fixed_work(Index n) const;
  /// The lower triangle's tiles on free cells, most work first.
  std::vector<FreeTile> free_tiles(Index n) const;
  /// Where the tile on free cell a of block (I, J) stands in fitted_.
  std::size_t position(Index a, Index I, Index J) const {
    return static_cast<std::size_t>((I * (I + 1) / 2 + J) * rows_ + a);
  }

  std::string name_;
  Rank num_ranks_;
  bool symmetric_;
  bool has_free_cells_ = false;
  Index rows_;
  Index columns_;
  std::vector<Rank> cells_;
  std::vector<std::vector<Rank>> colrows_;  // of a symmetric pattern
  std::vector<Rank> fitted_;  // owners of tiles on the pattern's diagonal, see position(); or empty
};

}  // namespace tessera
