// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string_view>

#include "kernels/region.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// One tile's share of a norm: max_abs, column_sums, row_sums, symmetric_sums, sum_squares. All read the
/// entries of `entries`, accumulate in double, and keep NaN (a complex entry with a NaN part is NaN) and Inf.
/// (LAPACK: xLANGE, xLANSY, xLANHE, xLANTR.)

namespace tessera::kernel {

/// How the entries on the matrix's diagonal are taken. Only `stored` goes with Uplo::General.
enum class DiagonalEntry : char {
  stored,  ///< as they are
  real,    ///< by their real parts; the imaginary parts are not read (Hermitian)
  one,     ///< as ones; not read (unit triangular)
};

/// The entries of a tile that count.
struct Entries {
  Region region;
  DiagonalEntry diagonal = DiagonalEntry::stored;
};

/// The larger of two magnitudes; NaN if one of them is (std::max and MPI_MAX may drop it).
constexpr double max_or_nan(double a, double b) noexcept { return (b > a) | (b != b) ? b : a; }

/// A sum of squares that neither overflows nor loses small entries: three plain sums, of the squares of small
/// entries scaled up, of middling ones, and of large ones scaled down (J. L. Blue, ACM TOMS 4(1), 1978).
/// NaN and Inf are in `large`. Sums of tiles and of ranks add up entry by entry.
struct SumOfSquares {
  double small = 0;
  double middling = 0;
  double large = 0;

  SumOfSquares& operator+=(const SumOfSquares& other) noexcept;
  friend SumOfSquares operator*(double weight, const SumOfSquares& s) noexcept {
    return {weight * s.small, weight * s.middling, weight * s.large};
  }
  /// Root of the sum.
  double root() const noexcept;
};

/// w (1 x 1) = the largest magnitude.
template <Scalar T>
struct max_abs {
  static constexpr std::string_view name = "max_abs";
  Entries entries;
  void cpu(Tile<const T> a, OutTile<double> w) const;
};

/// w (1 x cols) = the sums of the columns' magnitudes.
template <Scalar T>
struct column_sums {
  static constexpr std::string_view name = "column_sums";
  Entries entries;
  void cpu(Tile<const T> a, OutTile<double> w) const;
};

/// w (rows x 1) = the sums of the rows' magnitudes.
template <Scalar T>
struct row_sums {
  static constexpr std::string_view name = "row_sums";
  Entries entries;
  void cpu(Tile<const T> a, OutTile<double> w) const;
};

/// Both for a triangle that stands for a symmetric matrix. The matrix's diagonal is in `columns` (1 x cols)
/// only: what is in `rows` (rows x 1) is the share of the mirror images.
template <Scalar T>
struct symmetric_sums {
  static constexpr std::string_view name = "symmetric_sums";
  Entries entries;
  void cpu(Tile<const T> a, OutTile<double> columns, OutTile<double> rows) const;
};

/// w (3 x 1) = a SumOfSquares, in the order of its members.
template <Scalar T>
struct sum_squares {
  static constexpr std::string_view name = "sum_squares";
  Entries entries;
  double weight = 1;  ///< of entries off the matrix's diagonal: 2 when they stand for their mirror images too
  void cpu(Tile<const T> a, OutTile<double> w) const;
};

}  // namespace tessera::kernel
