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

/// The ranks that own tiles of each row (column) of A, and of row and column where a lower triangle stands for a
/// symmetric matrix.
template <class T>
std::vector<RankSet> row_ranks(const TileMatrix<T>& A) {
  std::vector<RankSet> ranks(static_cast<std::size_t>(A.mt()));
  for (Index j = 0; j < A.nt(); ++j) {
    for (Index i = 0; i < A.mt(); ++i) ranks[static_cast<std::size_t>(i)].insert(A.owner(i, j));
  }
  return ranks;
}
template <class T>
std::vector<RankSet> column_ranks(const TileMatrix<T>& A) {
  std::vector<RankSet> ranks(static_cast<std::size_t>(A.nt()));
  for (Index j = 0; j < A.nt(); ++j) {
    for (Index i = 0; i < A.mt(); ++i) ranks[static_cast<std::size_t>(j)].insert(A.owner(i, j));
  }
  return ranks;
}
template <class T>
std::vector<RankSet> colrow_ranks(const TileMatrix<T>& lower) {
  std::vector<RankSet> ranks(static_cast<std::size_t>(lower.mt()));
  for (Index j = 0; j < lower.nt(); ++j) {
    for (Index i = j; i < lower.mt(); ++i) {
      ranks[static_cast<std::size_t>(i)].insert(lower.owner(i, j));
      ranks[static_cast<std::size_t>(j)].insert(lower.owner(i, j));
    }
  }
  return ranks;
}

/// Ranks other than `owner`.
inline Index others(const RankSet& ranks, Rank owner) {
  return static_cast<Index>(ranks.size() - ranks.count(owner));
}

/// Tiles that travel between the tiles of X and the ranks of their row: to them (an operand), or from them (sums).
template <class T>
Index sent_by_row(const TileMatrix<T>& X, const std::vector<RankSet>& ranks) {
  Index sum = 0;
  for (Index j = 0; j < X.nt(); ++j) {
    for (Index i = 0; i < X.mt(); ++i) sum += others(ranks[static_cast<std::size_t>(i)], X.owner(i, j));
  }
  return sum;
}
template <class T>
Index sent_by_column(const TileMatrix<T>& X, const std::vector<RankSet>& ranks) {
  Index sum = 0;
  for (Index j = 0; j < X.nt(); ++j) {
    for (Index i = 0; i < X.mt(); ++i) sum += others(ranks[static_cast<std::size_t>(j)], X.owner(i, j));
  }
  return sum;
}
/// The same for the stored tiles of a symmetric matrix, which are needed in the row and in the column they stand in.
template <class T>
Index sent_by_colrow(const TileMatrix<T>& lower, const std::vector<RankSet>& ranks) {
  Index sum = 0;
  for (Index j = 0; j < lower.nt(); ++j) {
    for (Index i = j; i < lower.mt(); ++i) {
      RankSet both = ranks[static_cast<std::size_t>(i)];
      both.insert(ranks[static_cast<std::size_t>(j)].begin(), ranks[static_cast<std::size_t>(j)].end());
      sum += others(both, lower.owner(i, j));
    }
  }
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
