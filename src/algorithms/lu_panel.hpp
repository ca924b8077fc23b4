// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/getrf.hpp"
#include "kernels/tournament.hpp"
#include "src/algorithms/row_exchange.hpp"
#include "src/tile_operations.hpp"
#include "tessera/distributions/single_owner.hpp"

/// \file
/// The panels of LU: tiles (k, k), (k+1, k), ... of step k. docs/architecture.md compares the designs.

namespace tessera::detail {

/// No pivoting: the rest of the panel is divided by U.
template <Scalar T>
void factor_panel_without_pivots(Sequence& seq, const TaskOptions& at, Index k, const TileMatrix<T>& A,
                                 const TileMatrix<Index>& ipiv) {
  seq.submit(kernel::getrf_nopiv<T>{A.tiling().first_row(k)}, at, A(k, k), ipiv(k, 0));
  for (Index i = k + 1; i < A.mt(); ++i) seq.submit(kernel::trsm_ordered<T>{}, at, A(k, k), A(i, k));
}

/// Partial pivoting: the rank of the diagonal tile copies the panel into one tall tile, factors that, and copies it
/// back. A tile of another rank comes and goes home once.
template <Scalar T>
void factor_gathered_panel(Sequence& seq, const TaskOptions& options, Index k, const TileMatrix<T>& A,
                           const TileMatrix<Index>& ipiv) {
  const Tiling& tiling = A.tiling();
  const Index first = tiling.first_row(k), rows = A.m() - first, cols = tiling.cols(k);
  const Rank here = A.owner(k, k);
  const TaskOptions at{options.priority, {}, here};
  const auto panel =
      TileMatrix<T>::scratch(A, Tiling(rows, cols, rows, cols), std::make_shared<SingleOwner>(here));
  seq.keep(panel.storage());
  for (Index i = k; i < A.mt(); ++i) {
    const RowCopy copy{.dst_row = tiling.first_row(i) - first, .rows = tiling.rows(i), .overwrites = i == k};
    copy_rows(seq, at, copy, A(i, k), panel(0, 0));
  }
  seq.submit(kernel::getrf<T>{first}, at, panel(0, 0), ipiv(k, 0));
  for (Index i = k; i < A.mt(); ++i) {
    copy_rows(seq, at, {.src_row = tiling.first_row(i) - first, .rows = tiling.rows(i)}, panel(0, 0),
              A(i, k));
    seq.release(A(i, k).argument());  // from where it lies it goes to those who need it
  }
  seq.release(panel(0, 0).argument());
}

/// Tournament pivoting.
template <Scalar T>
class Tournament {
 public:
  Tournament(Sequence& sequence, const TileMatrix<T>& A)
      : seq_(sequence),
        A_(A),
        rows_(scratch_like<T>(A, A.tiling())),
        numbers_(scratch_like<Index>(A, Tiling(A.m(), A.nt(), A.mb(), 1))) {
    seq_.keep(rows_.storage());
    seq_.keep(numbers_.storage());
  }

  /// Finds the pivots of panel k.
  void hold(const TaskOptions& options, Index k, const TileMatrix<Index>& ipiv) {
    const TaskOptions at{options.priority, {}, {}};
    for (Index i = k; i < A_.mt(); ++i) {
      const kernel::nominate<T> nominate{A_.tiling().first_row(i)};
      seq_.submit(nominate, at, A_(i, k), rows_(i, k), numbers_(i, k));
    }
    std::vector<Index> champions;
    for (const auto& tiles : tiles_by_rank(k)) champions.push_back(knock_out(at, k, tiles));
    knock_out(at, k, champions);
    seq_.submit(kernel::crown{A_.tiling().first_row(k)}, at, numbers_(k, k), ipiv(k, 0));
    release(k, k);
  }

 private:
  /// Tile rows of the panel by rank, each rank's in order, ranks in the order of their first tile: a tile of fewer rows
  /// than columns, which is the last one, is then always the guest of one with enough.
  std::vector<std::vector<Index>> tiles_by_rank(Index k) const {
    std::vector<std::vector<Index>> tiles;
    std::map<Rank, std::size_t> position;
    for (Index i = k; i < A_.mt(); ++i) {
      const auto [entry, is_new] = position.try_emplace(A_.owner(i, k), tiles.size());
      if (is_new) tiles.emplace_back();
      tiles[entry->second].push_back(i);
    }
    return tiles;
  }

  /// A binary tree of matches, which all tiles leave but the first. \return its row
  Index knock_out(const TaskOptions& at, Index k, const std::vector<Index>& tiles) {
    for (std::size_t distance = 1; distance < tiles.size(); distance *= 2) {
      for (std::size_t x = 0; x + distance < tiles.size(); x += 2 * distance) {
        const Index host = tiles[x], guest = tiles[x + distance];
        seq_.submit(kernel::play<T>{}, at, rows_(guest, k), numbers_(guest, k), rows_(host, k),
                    numbers_(host, k));
        release(guest, k);
      }
    }
    return tiles.front();
  }

  void release(Index i, Index k) {
    seq_.release(rows_(i, k).argument());
    seq_.release(numbers_(i, k).argument());
  }

  Sequence& seq_;
  TileMatrix<T> A_;
  TileMatrix<T> rows_;         // the candidates of the tiles,
  TileMatrix<Index> numbers_;  // and their rows in A
};

/// L and U of a panel of which the rows are in the order of their pivots.
template <Scalar T>
void factor_ordered_panel(Sequence& seq, const TaskOptions& at, Index k, const TileMatrix<T>& A) {
  seq.submit(kernel::getrf_ordered<T>{}, at, A(k, k));
  for (Index i = k + 1; i < A.mt(); ++i) seq.submit(kernel::trsm_ordered<T>{}, at, A(k, k), A(i, k));
}

}  // namespace tessera::detail
