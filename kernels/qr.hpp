// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <string_view>

#include "tessera/flops.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// QR factorisations of tiles, and the Q they leave: LAPACK's geqrt, tpqrt, gemqrt and tpmqrt, with their compact WY
/// blocks Q = (I - V_1 T_1 V_1^H) (I - V_2 T_2 V_2^H) ... of ib columns each. Block b of a tile t of T's is its columns
/// from b ib on, upper triangular.
///
/// Every kernel has a `view`: how the tiles are stored that belong to the factored matrix, as themselves or as their
/// conjugate transposes. A = L Q is factored as A^H = Q^H L^H, and so the texts for QR serve LQ too.

namespace tessera::kernel {

/// Whether the tile of a second set of rows is a whole one or an upper triangle (or trapezoid) with zeros below.
enum class Shape : char { square = 'S', triangle = 'T' };

/// A = Q R.
template <Scalar T>
struct geqrt {
  static constexpr std::string_view name = "geqrt";
  Op view = Op::no_trans;

  /// \param a  m x n in the view; overwritten by the vectors below the diagonal, and R
  /// \param r  at least min(m, n) x n; becomes R with zeros below
  /// \param t  ib x n; its first min(m, n) columns become the T's
  void cpu(Tile<T> a, OutTile<T> r, OutTile<T> t) const;

  double flops(Tile<T> a, OutTile<T> /*r*/, OutTile<T> /*t*/) const {
    return flops::geqrf<T>(view == Op::no_trans ? a.rows : a.cols, view == Op::no_trans ? a.cols : a.rows);
  }
};

/// [R; B] = Q [R'; 0].
template <Scalar T>
struct tpqrt {
  static constexpr std::string_view name = "tpqrt";
  Shape shape = Shape::square;
  Op view = Op::no_trans;  ///< of b

  /// \param r  at least n x n, upper triangular; becomes R'
  /// \param b  m x n in the view, of the shape; overwritten by the vectors, of the same shape
  /// \param t  ib x n; becomes the T's
  void cpu(Tile<T> r, Tile<T> b, OutTile<T> t) const;

  /// 2 m n^2 for a square, a third of it for a triangle (as published for tile QR; LAPACK Working Note 41 has none).
  double flops(Tile<T> /*r*/, Tile<T> b, OutTile<T> t) const {
    const double m = static_cast<double>(b.rows * b.cols) / static_cast<double>(std::max<Index>(t.cols, 1));
    const double n = static_cast<double>(t.cols);
    const double pairs = m * n * n / (shape == Shape::square ? 1 : 3);
    return flops::count<T>(pairs, pairs);
  }
};

/// C = op(Q) C (Left) or C op(Q) (Right) for the Q of geqrt.
template <Scalar T>
struct gemqrt {
  static constexpr std::string_view name = "gemqrt";
  Side side;
  Op op;                   ///< no_trans, or conj_trans for Q^H
  Op view = Op::no_trans;  ///< of v

  /// \param v  the vectors, m x n in the view
  /// \param t  their T's
  /// \param c  with m rows (Left) or columns (Right)
  void cpu(Tile<const T> v, Tile<const T> t, Tile<T> c) const;

  double flops(Tile<const T> v, Tile<const T> /*t*/, Tile<T> c) const {
    return flops::unmqr<T>(side, c.rows, c.cols, std::min(v.rows, v.cols));
  }
};

/// [C1; C2] = op(Q) [C1; C2] (Left) or [C1 C2] = [C1 C2] op(Q) (Right) for the Q of tpqrt.
template <Scalar T>
struct tpmqrt {
  static constexpr std::string_view name = "tpmqrt";
  Side side;
  Op op;  ///< no_trans, or conj_trans for Q^H
  Shape shape = Shape::square;
  Op view = Op::no_trans;  ///< of v

  /// \param v   the vectors, m x n in the view
  /// \param t   their T's, ib x n
  /// \param c1  of which the first n rows (Left) or columns (Right) change
  /// \param c2  with m rows (Left) or columns (Right)
  void cpu(Tile<const T> v, Tile<const T> t, Tile<T> c1, Tile<T> c2) const;

  /// 4 m n k for a square of k columns, half of it for a triangle.
  double flops(Tile<const T> /*v*/, Tile<const T> t, Tile<T> /*c1*/, Tile<T> c2) const {
    const double pairs = 2.0 * static_cast<double>(c2.rows * c2.cols) * static_cast<double>(t.cols) /
                         (shape == Shape::square ? 1 : 2);
    return flops::count<T>(pairs, pairs);
  }
};

}  // namespace tessera::kernel
