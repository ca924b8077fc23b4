// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string>

#include "tessera/error.hpp"
#include "tessera/types.hpp"

namespace tessera {

/// An m x n matrix cut in mb x nb tiles: pure arithmetic, nothing else. The last tile row and column may be
/// smaller ("ragged"). An empty matrix has no tiles.
class Tiling {
 public:
  Tiling() = default;

  /// \param m,n    rows and columns, elements, >= 0
  /// \param mb,nb  rows and columns of a tile, elements, >= 1
  /// \throws ArgumentError naming the first argument that is out of range
  Tiling(Index m, Index n, Index mb, Index nb) : m_(m), n_(n), mb_(mb), nb_(nb) {
    require(m >= 0, "m", m, "must not be negative");
    require(n >= 0, "n", n, "must not be negative");
    require(mb >= 1, "mb", mb, "must be positive");
    require(nb >= 1, "nb", nb, "must be positive");
  }

  Index m() const noexcept { return m_; }
  Index n() const noexcept { return n_; }
  Index mb() const noexcept { return mb_; }
  Index nb() const noexcept { return nb_; }

  /// Tile rows and tile columns.
  Index mt() const noexcept { return tiles(m_, mb_); }
  Index nt() const noexcept { return tiles(n_, nb_); }

  /// Rows of the tiles in tile row i, columns of those in tile column j (elements).
  Index rows(Index i) const noexcept { return length(i, m_, mb_); }
  Index cols(Index j) const noexcept { return length(j, n_, nb_); }

  /// Global index of the first row of tile row i, of the first column of tile column j (elements, from 0).
  Index first_row(Index i) const noexcept { return i * mb_; }
  Index first_col(Index j) const noexcept { return j * nb_; }

  /// The tiling of the transposed matrix.
  Tiling transposed() const { return Tiling(n_, m_, nb_, mb_); }

  friend bool operator==(const Tiling&, const Tiling&) = default;

 private:
  static Index tiles(Index size, Index block) noexcept { return size == 0 ? 0 : (size - 1) / block + 1; }
  static Index length(Index t, Index size, Index block) noexcept {
    return size - t * block < block ? size - t * block : block;
  }
  static void require(bool ok, const char* argument, Index value, const char* reason) {
    if (!ok) throw ArgumentError("Tiling", argument, std::to_string(value), reason);
  }

  Index m_ = 0;
  Index n_ = 0;
  Index mb_ = 1;
  Index nb_ = 1;
};

}  // namespace tessera
