// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// Row interchanges, tile by tile. (LAPACK: xLASWP.)
///
/// The interchanges of one panel, r with ipiv(r) for the rows r = 0, 1, ... of its top tile, are one permutation. It
/// brings rows from anywhere into the top tile; a row further down, however, only ever receives one that was in the
/// top tile: by induction, what row r of the top holds when its turn comes was in the top from the start. The same
/// is true of the inverse. So each tile has only to do with the top tile, whatever the pivots are, and the tasks can
/// be submitted before anybody knows them.

namespace tessera::kernel {

/// The interchanges of a panel as a list of moves: row moves(x, 0) becomes what row moves(x, 1) was. Rows are counted
/// from the first one of the top tile; a move with negative rows does nothing; a row without a move stays.
struct find_moves {
  static constexpr std::string_view name = "find_moves";
  Index first_row = 0;    ///< global index of the top tile's first row, from 0
  Index num_rows = 0;     ///< of the matrix, from first_row on
  bool backward = false;  ///< the interchanges are undone: from the last one to the first

  /// \param ipiv   p x 1: row first_row + r is interchanged with row ipiv(r), which is global and 1-based; one that is
  ///               not below that row or beyond the matrix means no interchange
  /// \param moves  2 p x 2
  void cpu(Tile<const Index> ipiv, OutTile<Index> moves) const;
};

/// What the top tile itself gives to its new version; the rows that come from elsewhere become -0, to which
/// they are added as they are.
/// Read "column" for "row" when the side is Right.
template <Scalar T>
struct laswp_top {
  static constexpr std::string_view name = "laswp_top";
  Side side = Side::Left;

  void cpu(Tile<const T> top, Tile<const Index> moves, OutTile<T> new_top) const;
};

/// A tile below the top one puts its rows that move up into the new top, and takes the top's old rows that move down.
template <Scalar T>
struct laswp {
  static constexpr std::string_view name = "laswp";
  Side side = Side::Left;
  Index first_row = 0;  ///< of the tile, from the top tile's first row on
  T beta = 1;           ///< 0: what the new top held is not read; otherwise its other rows stay

  /// \param top      m x n as it was before the interchanges
  /// \param moves    of find_moves
  /// \param a        the tile
  /// \param new_top  as `top`; each row is put there by one tile, the others leave it alone or add -0
  void cpu(Tile<const T> top, Tile<const Index> moves, Tile<T> a, Tile<T> new_top) const;
};

}  // namespace tessera::kernel
