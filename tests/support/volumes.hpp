// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "tessera/distribution.hpp"

/// \file
/// Tiles that factorisations send, counted from the sets of ranks that need each tile: no task, no graph.

namespace tessera::test {

/// A set of ranks that is quick also when the tests run slowly, in sanitizers.
class RankSet {
 public:
  explicit RankSet(Rank num_ranks) : has_(static_cast<std::size_t>(num_ranks)) {}

  void insert(Rank rank) {
    if (!std::exchange(has_[static_cast<std::size_t>(rank)], char{1})) ranks_.push_back(rank);
  }
  auto begin() const { return ranks_.begin(); }
  auto end() const { return ranks_.end(); }

 private:
  std::vector<char> has_;
  std::vector<Rank> ranks_;
};

/// Tiles that each rank sends and receives.
struct Volume {
  explicit Volume(Rank num_ranks) : sent(static_cast<std::size_t>(num_ranks)), received(sent) {}

  Index total() const { return std::accumulate(sent.begin(), sent.end(), Index{0}); }
  Index max_sent() const { return std::ranges::max(sent); }
  Index max_received() const { return std::ranges::max(received); }

  /// A tile goes from its owner to all consumers, once to each.
  void add(Rank owner, const RankSet& consumers) {
    for (const Rank consumer : consumers) {
      if (consumer == owner) continue;
      ++sent[static_cast<std::size_t>(owner)];
      ++received[static_cast<std::size_t>(consumer)];
    }
  }

  std::vector<Index> sent;
  std::vector<Index> received;
};

/// Cholesky factorisation of n x n tiles, lower: tile (i, k) updates row i, columns k+1 .. i, and column i,
/// rows i .. n-1; the diagonal tile (k, k) is needed in column k below.
inline Volume potrf_volume(const Distribution& d, Index n) {
  Volume volume(d.num_ranks());
  for (Index i = 0; i < n; ++i) {
    RankSet column(d.num_ranks());
    for (Index x = i + 1; x < n; ++x) column.insert(d.owner(x, i));
    volume.add(d.owner(i, i), column);
    column.insert(d.owner(i, i));
    for (Index k = i - 1; k >= 0; --k) {  // `column` grows into row i
      volume.add(d.owner(i, k), column);
      column.insert(d.owner(i, k));
    }
  }
  return volume;
}

/// LU factorisation of n x n tiles without pivoting: tile (i, k) of L updates row i, tile (k, j) of U column
/// j, both beyond k; the diagonal tile is needed in row k and column k.
inline Volume lu_volume(const Distribution& d, Index n) {
  Volume volume(d.num_ranks());
  for (Index i = 0; i < n; ++i) {
    RankSet row(d.num_ranks()), column(d.num_ranks());
    for (Index x = i + 1; x < n; ++x) {
      row.insert(d.owner(i, x));
      column.insert(d.owner(x, i));
    }
    RankSet both = row;
    for (const Rank rank : column) both.insert(rank);
    volume.add(d.owner(i, i), both);
    row.insert(d.owner(i, i));
    column.insert(d.owner(i, i));
    for (Index k = i - 1; k >= 0; --k) {
      volume.add(d.owner(i, k), row);
      volume.add(d.owner(k, i), column);
      row.insert(d.owner(i, k));
      column.insert(d.owner(k, i));
    }
  }
  return volume;
}

/// Largest over mean work of a rank in a Cholesky factorisation of n x n tiles, in flops.
inline double potrf_imbalance(const Distribution& d, Index n) {
  std::vector<double> work(static_cast<std::size_t>(d.num_ranks()));
  for (Index j = 0; j < n; ++j) {
    const auto updates = static_cast<double>(j);
    work[static_cast<std::size_t>(d.owner(j, j))] += updates + 1.0 / 3;
    for (Index i = j + 1; i < n; ++i) work[static_cast<std::size_t>(d.owner(i, j))] += 2 * updates + 1;
  }
  const double mean = std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(work.size());
  return std::ranges::max(work) / mean;
}

/// The distribution that a matrix of n x n tiles uses.
inline DistributionPtr fitted(const DistributionPtr& d, Index n) {
  auto better = d->fitted(n, n);
  return better ? better : d;
}

}  // namespace tessera::test
