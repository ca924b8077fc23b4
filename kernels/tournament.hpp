// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// Tournament pivoting: rows of a panel compete for being its pivot rows. (Grigori, Demmel, Xiang, CALU: a
/// communication optimal LU factorization algorithm, SIAM J. Matrix Anal. Appl. 32(4), 2011.)
///
/// The candidates of some tiles of a panel of n columns are the n rows that Gaussian elimination with partial pivoting
/// of these tiles picks, in this order (or all rows, if there are fewer): their values in A, and their global numbers
/// from 0. They lie in the first rows of two tiles, which may have more rows.

namespace tessera::kernel {

/// The candidates of one tile.
template <Scalar T>
struct nominate {
  static constexpr std::string_view name = "nominate";
  Index first_row = 0;  ///< global index of the tile's first row, from 0

  /// \param a        m x n
  /// \param rows     m x n
  /// \param numbers  m x 1
  void cpu(Tile<const T> a, OutTile<T> rows, OutTile<Index> numbers) const;

  double flops(Tile<const T> a, OutTile<T> /*rows*/, OutTile<Index> /*numbers*/) const {
    return flops::getrf<T>(a.rows, a.cols);
  }
};

/// A match: the candidates of two sets of tiles become those of both.
template <Scalar T>
struct play {
  static constexpr std::string_view name = "play";

  /// \param guest_rows  m1 x n with its numbers
  /// \param rows        m x n with its numbers, m >= n; both are overwritten
  void cpu(Tile<const T> guest_rows, Tile<const Index> guest_numbers, Tile<T> rows,
           Tile<Index> numbers) const;

  double flops(Tile<const T> guest_rows, Tile<const Index> /*guest_numbers*/, Tile<T> rows,
               Tile<Index> /*numbers*/) const {
    const Index n = rows.cols;
    return flops::getrf<T>(std::min(guest_rows.rows, n) + std::min(rows.rows, n), n);
  }
};

/// The winners as interchanges: row first_row + r with row ipiv(r), for r = 0, 1, ...
struct crown {
  static constexpr std::string_view name = "crown";
  Index first_row = 0;  ///< global index of the panel's first row, from 0

  /// \param numbers  the first p rows are the winners, in their order
  /// \param ipiv     p x 1, global and 1-based
  void cpu(Tile<const Index> numbers, OutTile<Index> ipiv) const;
};

}  // namespace tessera::kernel
