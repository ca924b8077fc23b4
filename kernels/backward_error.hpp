// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// What the componentwise backward error of a solution is made of: max_i |b - A x|_i / (|A| |x| + |b|)_i, where |x| of
/// a complex number is |re| + |im|, as LAPACK has it. (LAPACK: xGERFS, xPORFS.)

namespace tessera::kernel {

/// B = |op(A)|, element by element.
template <Scalar T>
struct moduli {
  static constexpr std::string_view name = "moduli";
  Op op = Op::no_trans;
  bool real_diagonal = false;  ///< the tile stands on the diagonal of a Hermitian matrix

  /// \param a  op(A) is m x n
  /// \param b  m x n
  void cpu(Tile<const T> a, OutTile<real_t<T>> b) const;
};

/// w (1 x n) = the largest |r| / s of each column, element by element. NaN stays NaN; 0 / 0 is 0: an equation that holds
/// is no error, whatever its terms (LAPACK has 1 there).
template <Scalar T>
struct largest_ratios {
  static constexpr std::string_view name = "largest_ratios";
  double tiny;  ///< is added to both where s is no larger than tiny/eps: n+1 times the smallest normal number

  /// \param r  residuals, m x n
  /// \param s  |A| |x| + |b|, m x n
  void cpu(Tile<const T> r, Tile<const real_t<T>> s, OutTile<double> w) const;
};

}  // namespace tessera::kernel
