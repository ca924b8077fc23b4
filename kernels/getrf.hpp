// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// LU factorisations of tiles. None fails on a zero pivot: its column is not scaled, and the factorisation goes on, as in
/// LAPACK. find_zero_pivot() tells afterwards.

namespace tessera::kernel {

/// P A = L U of a whole panel with partial pivoting.
template <Scalar T>
struct getrf {
  static constexpr std::string_view name = "getrf";
  Index first_row = 0;  ///< global index of the panel's first row and column, from 0

  /// \param a     m x n, overwritten by L and U
  /// \param ipiv  min(m, n) x 1: row first_row + r was interchanged with row ipiv(r), which is global and 1-based; in
  ///              range also where A has NaNs
  void cpu(Tile<T> a, OutTile<Index> ipiv) const;

  double flops(Tile<T> a, OutTile<Index> /*ipiv*/) const { return flops::getrf<T>(a.rows, a.cols); }
};

/// A = L U of a tile of which the rows are in the order of their pivots. A column whose pivot is zero is not scaled.
template <Scalar T>
struct getrf_ordered {
  static constexpr std::string_view name = "getrf_ordered";

  void cpu(Tile<T> a) const;

  double flops(Tile<T> a) const { return flops::getrf<T>(a.rows, a.cols); }
};

/// A = L U without pivoting, for matrices that need none.
template <Scalar T>
struct getrf_nopiv {
  static constexpr std::string_view name = "getrf_nopiv";
  Index first_row = 0;  ///< global index of the tile's first row and column, from 0

  /// \param a     m x n, overwritten by L and U
  /// \param ipiv  min(m, n) x 1, becomes the identity
  void cpu(Tile<T> a, OutTile<Index> ipiv) const;

  double flops(Tile<T> a, OutTile<Index> /*ipiv*/) const { return flops::getrf<T>(a.rows, a.cols); }
};

/// B = B U^-1 for the factor U of getrf_ordered or getrf_nopiv, where a zero on its diagonal counts as a one: the column of a zero
/// pivot is not scaled.
template <Scalar T>
struct trsm_ordered {
  static constexpr std::string_view name = "trsm_ordered";

  /// \param a  at least n x n; its upper triangle is read
  /// \param b  m x n, overwritten
  void cpu(Tile<const T> a, Tile<T> b) const;

  double flops(Tile<const T> /*a*/, Tile<T> b) const { return flops::trsm<T>(Side::Right, b.rows, b.cols); }
};

/// Finds a zero on the diagonal of a tile of U.
template <Scalar T>
struct find_zero_pivot {
  static constexpr std::string_view name = "find_zero_pivot";
  Index first_row = 0;  ///< global index of the tile's first row and column, from 0

  /// \returns 0, or the global 1-based index of the first entry of the diagonal that is exactly zero
  Index cpu(Tile<const T> a) const;
};

}  // namespace tessera::kernel
