// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/pattern.hpp"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "tessera/error.hpp"

namespace tessera {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& reason) {
  throw ArgumentError("Pattern", "rows", name, reason);
}

/// How many of the indices 0 .. end-1 are `a` modulo r.
Index count_congruent(Index end, Index a, Index r) { return (end + r - 1 - a) / r; }

// Work of tile (i, j) of a Cholesky factorisation in nb^3/3 flops. Below the diagonal: j gemm (2 nb^3) and a
// trsm (nb^3); on it: j syrk (nb^3) and a potrf (nb^3/3).
Index work_below_diagonal(Index j) { return 3 * (2 * j + 1); }
Index work_on_diagonal(Index j) { return 3 * j + 1; }

}  // namespace

struct Pattern::FreeTile {
  Index i;
  Index j;

  Index work() const { return i == j ? work_on_diagonal(j) : work_below_diagonal(j); }
  auto order() const { return std::tuple(-work(), i, j); }
};

Pattern::Pattern(std::string name, Rank num_ranks, const Rows& rows, bool symmetric)
    : name_(std::move(name)),
      num_ranks_(num_ranks),
      symmetric_(symmetric),
      rows_(static_cast<Index>(rows.size())),
      columns_(rows.empty() ? 0 : static_cast<Index>(rows.front().size())) {
  if (rows_ == 0 || columns_ == 0) fail(name_, "the table is empty");
  if (symmetric && rows_ != columns_) fail(name_, "a symmetric table must be square");
  cells_.reserve(static_cast<std::size_t>(rows_ * columns_));
  for (const auto& row : rows) {
    if (static_cast<Index>(row.size()) != columns_) {
      fail(name_, "row " + std::to_string(&row - rows.data() + 1) + " has " + std::to_string(row.size()) +
                      " cells, the first one " + std::to_string(columns_));
    }
    cells_.insert(cells_.end(), row.begin(), row.end());
  }
  if (symmetric_) colrows_.resize(rows.size());
  for (Index a = 0; a < rows_; ++a) {
    for (Index b = 0; b < columns_; ++b) {
      const Rank rank = cell(a, b);
      const std::string place = "row " + std::to_string(a + 1) + ", column " + std::to_string(b + 1) + ": ";
      if (rank == free_cell && symmetric_ && a == b) {
        has_free_cells_ = true;
        continue;
      }
      if (rank == free_cell) fail(name_, place + "only a diagonal cell of a symmetric table may be free");
      if (rank < 0 || rank >= num_ranks) {
        fail(name_,
             place + std::to_string(rank) + " is not one of the " + std::to_string(num_ranks) + " ranks");
      }
      if (!symmetric_) continue;
      colrows_[static_cast<std::size_t>(a)].push_back(rank);
      colrows_[static_cast<std::size_t>(b)].push_back(rank);
    }
  }
  for (auto& ranks : colrows_) {
    if (ranks.empty()) fail(name_, "row 1, column 1: the cell is free, but no rank is in its row and column");
    std::ranges::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  }
}

Rank Pattern::owner(Index i, Index j) const {
  if (symmetric_ && i < j) std::swap(i, j);
  const Index a = i % rows_;
  const Rank rank = cell(a, j % columns_);
  if (rank != free_cell) return rank;
  const Index I = i / rows_, J = j / rows_;
  const std::size_t at = position(a, I, J);
  return at < fitted_.size() ? fitted_[at] : in_turn(a, I, J);
}

Rank Pattern::in_turn(Index a, Index I, Index J) const {
  const auto& ranks = colrow(a);
  return ranks[static_cast<std::size_t>(I * (I + 1) / 2 + J) % ranks.size()];
}

std::vector<Index> Pattern::fixed_work(Index n) const {
  std::vector<Index> work(static_cast<std::size_t>(num_ranks_));
  for (Index j = 0; j < n; ++j) {
    const Index b = j % rows_;
    for (Index a = 0; a < rows_; ++a) {
      if (cell(a, b) == free_cell) continue;
      const Index below = count_congruent(n, a, rows_) - count_congruent(j + 1, a, rows_);
      work[static_cast<std::size_t>(cell(a, b))] += below * work_below_diagonal(j);
      if (a == b) work[static_cast<std::size_t>(cell(a, b))] += work_on_diagonal(j);
    }
  }
  return work;
}

std::vector<Pattern::FreeTile> Pattern::free_tiles(Index n) const {
  std::vector<FreeTile> tiles;
  for (Index i = 0; i < n; ++i) {
    if (cell(i % rows_, i % rows_) != free_cell) continue;
    for (Index j = i % rows_; j <= i; j += rows_) tiles.push_back({i, j});
  }
  std::ranges::sort(tiles, {}, &FreeTile::order);
  return tiles;
}

std::shared_ptr<const Distribution> Pattern::fitted(Index mt, Index nt) const {
  const Index n = std::max(mt, nt);
  const Index blocks = (n + rows_ - 1) / rows_;
  const bool too_large = blocks >= Index{1} << 20 || position(0, blocks, 0) > std::size_t{1} << 26;
  if (!has_free_cells_ || too_large) return nullptr;

  const auto result = std::make_shared<Pattern>(*this);  // of a derived class, all that counts is here
  result->fitted_.resize(position(0, blocks, 0));
  for (Index I = 0; I < blocks; ++I) {
    for (Index J = 0; J <= I; ++J) {
      for (Index a = 0; a < rows_; ++a) result->fitted_[position(a, I, J)] = in_turn(a, I, J);
    }
  }
  std::vector<Index> work = fixed_work(n);
  const auto work_of = [&](Rank rank) -> Index& { return work[static_cast<std::size_t>(rank)]; };
  for (const FreeTile& tile : free_tiles(n)) {
    const Index a = tile.i % rows_;
    const Rank rank = *std::ranges::min_element(colrow(a), {}, work_of);
    work_of(rank) += tile.work();
    result->fitted_[position(a, tile.i / rows_, tile.j / rows_)] = rank;
  }
  return result;
}

double Pattern::zbar() const {
  std::size_t ranks = 0;
  for (const auto& colrow : colrows_) ranks += colrow.size();
  return static_cast<double>(ranks) / static_cast<double>(rows_);
}

}  // namespace tessera
