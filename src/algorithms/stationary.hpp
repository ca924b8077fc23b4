// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/copy.hpp"
#include "tessera/matrix.hpp"

/// \file
/// Which operand of a product stays where it is. Counts what each choice sends from who owns what; the same on all
/// ranks, and O(tiles) where the product has O(tiles^1.5) tasks.

namespace tessera::detail {

using RankSet = std::set<Rank>;

/// Rows or columns of tiles.
enum class Lines { rows, columns };

/// The ranks that work on each line of tiles of a matrix, in each step of the algorithm: all steps of one layer alike.
class LineRanks {
 public:
  LineRanks(Index lines, Index layers)
      : layers_(layers), lines_(lines), ranks_(static_cast<std::size_t>(layers * lines)) {}

  RankSet& at(Index line, Index step) { return ranks_[position(line, step)]; }
  const RankSet& at(Index line, Index step) const { return ranks_[position(line, step)]; }

 private:
  std::size_t position(Index line, Index step) const {
    return static_cast<std::size_t>(step % layers_ * lines_ + line);
  }

  Index layers_;
  Index lines_;
  std::vector<RankSet> ranks_;
};

/// The layers of X that have work in an algorithm of so many steps.
template <class T>
Index busy_layers(const TileMatrix<T>& X, Index steps) {
  return std::min<Index>(X.distribution().layers(), steps);
}

template <class T, class Visit>
void for_each_executor(const TileMatrix<T>& X, Index steps, bool lower, Visit&& visit) {
  for (Index layer = 0; layer < busy_layers(X, steps); ++layer) {
    for (Index j = 0; j < X.nt(); ++j) {
      for (Index i = lower ? j : 0; i < X.mt(); ++i) visit(i, j, layer, X.executor(i, j, layer));
    }
  }
}

template <class T>
LineRanks line_ranks(Lines lines, const TileMatrix<T>& X, Index steps) {
  LineRanks ranks(lines == Lines::rows ? X.mt() : X.nt(), busy_layers(X, steps));
  for_each_executor(X, steps, false, [&](Index i, Index j, Index layer, Rank rank) {
    ranks.at(lines == Lines::rows ? i : j, layer).insert(rank);
  });
  return ranks;
}
/// By row and column alike, where a lower triangle stands for a symmetric matrix.
template <class T>
LineRanks colrow_ranks(const TileMatrix<T>& lower, Index steps) {
  LineRanks ranks(lower.mt(), busy_layers(lower, steps));
  for_each_executor(lower, steps, true, [&](Index i, Index j, Index layer, Rank rank) {
    ranks.at(i, layer).insert(rank);
    ranks.at(j, layer).insert(rank);
  });
  return ranks;
}

/// Ranks other than `owner`.
inline Index others(const RankSet& ranks, Rank owner) {
  return static_cast<Index>(ranks.size() - ranks.count(owner));
}

/// Tiles that travel between the tiles of X and the ranks of another matrix's lines: to them (an operand), or from
/// them (sums). Tile (i, j) meets line i in step j, or line j in step i.
template <class T>
Index sent_along(Lines lines, const TileMatrix<T>& X, const LineRanks& ranks) {
  Index sum = 0;
  for (Index j = 0; j < X.nt(); ++j) {
    for (Index i = 0; i < X.mt(); ++i) {
      sum += others(lines == Lines::rows ? ranks.at(i, j) : ranks.at(j, i), X.owner(i, j));
    }
  }
  return sum;
}
/// The same for the stored tiles of a symmetric matrix, which are needed in the row and in the column they stand in.
template <class T>
Index sent_by_colrow(const TileMatrix<T>& lower, const LineRanks& ranks) {
  Index sum = 0;
  for (Index j = 0; j < lower.nt(); ++j) {
    for (Index i = j; i < lower.mt(); ++i) {
      RankSet both = ranks.at(i, j);
      both.insert(ranks.at(j, i).begin(), ranks.at(j, i).end());
      sum += others(both, lower.owner(i, j));
    }
  }
  return sum;
}
/// Between the owner of each tile of the matrix that stays and the other layers that work on it.
template <class T>
Index sent_between_layers(const TileMatrix<T>& X, Index steps, bool lower = false) {
  Index sum = 0;
  for_each_executor(X, steps, lower,
                    [&](Index i, Index j, Index, Rank rank) { sum += rank != X.owner(i, j) ? 1 : 0; });
  return sum;
}

/// The choice with the smallest number of tiles; of equal ones C, then A, which need fewer sums.
inline Stationary least(Index sent_a, Index sent_b, Index sent_c) {
  const Index sent = std::min({sent_a, sent_b, sent_c});
  return sent == sent_c ? Stationary::c : sent == sent_a ? Stationary::a : Stationary::b;
}

/// Tasks that add to C run where it lies, and can then do C = beta C on the way: gives beta for the first of them. Else
/// does C = beta C before, at home, and gives 1.
template <Scalar T>
T scale_unless_at_home(Sequence& sequence, Stationary stationary, T beta, const TileMatrix<T>& C) {
  if (stationary == Stationary::c && C.distribution().layers() == 1) return beta;
  if (beta != T{1}) lascal(sequence, Uplo::General, beta, C);
  return T{1};
}

}  // namespace tessera::detail
