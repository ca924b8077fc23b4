// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "distributions/gcrm_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <tuple>

#include "tessera/error.hpp"

namespace tessera {

namespace {

/// Random numbers that are the same everywhere; the distributions of the standard library are not.
class Random {
 public:
  explicit Random(Rank seed) : engine_(static_cast<std::uint64_t>(seed)) {}

  /// One of 0 .. end-1.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }

 private:
  std::mt19937_64 engine_;
};

/// 0 .. n-1 in random order (Fisher and Yates).
std::vector<std::size_t> permutation(std::size_t n, Random& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = n; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
  return order;
}

/// A square table of flags.
class Flags {
 public:
  explicit Flags(std::size_t n) : n_(n), flags_(n * n) {}
  char& operator()(std::size_t a, std::size_t b) { return flags_[a * n_ + b]; }
  char operator()(std::size_t a, std::size_t b) const { return flags_[a * n_ + b]; }

 private:
  std::size_t n_;
  std::vector<char> flags_;
};

using Sets = std::vector<std::vector<std::size_t>>;

/// The greedy part: gives every rank a set of colrows, until each two colrows are together in some set.
class Greedy {
 public:
  Greedy(std::size_t num_ranks, std::size_t r, Random& random)
      : r_(r), random_(random), uncovered_(r * (r - 1) / 2), covered_(r), users_(r), sets_(num_ranks) {
    const auto order = permutation(num_ranks, random);
    for (std::size_t t = 0; t < num_ranks; ++t) add(order[t], t % r);
    while (uncovered_ > 0) {
      for (const std::size_t rank : order) grow(rank);
    }
  }

  Sets sets() && { return std::move(sets_); }

 private:
  /// How many pairs that are not covered yet colrow c makes with those of the set; 0 for a colrow of the set.
  std::size_t gain(const std::vector<std::size_t>& set, std::size_t c) const {
    if (std::ranges::find(set, c) != set.end()) return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(set, [&](std::size_t s) { return !covered_(s, c); }));
  }

  /// Gives the rank the colrow with the largest gain, among these the least used, among these a random one.
  void grow(std::size_t rank) {
    std::vector<std::size_t> best;
    std::size_t best_gain = 1, fewest_users = 0;
    for (std::size_t c = 0; c < r_; ++c) {
      const std::size_t gained = gain(sets_[rank], c);
      if (gained < best_gain || (gained == best_gain && !best.empty() && users_[c] > fewest_users)) continue;
      if (gained > best_gain || users_[c] < fewest_users) best.clear();
      best.push_back(c);
      best_gain = gained;
      fewest_users = users_[c];
    }
    if (!best.empty()) add(rank, best[random_.below(best.size())]);
  }

  void add(std::size_t rank, std::size_t c) {
    for (const std::size_t s : sets_[rank]) {
      if (!covered_(s, c)) --uncovered_;
      covered_(s, c) = covered_(c, s) = 1;
    }
    sets_[rank].push_back(c);
    ++users_[c];
  }

  std::size_t r_;
  Random& random_;
  std::size_t uncovered_;  // pairs of colrows
  Flags covered_;
  std::vector<std::size_t> users_;  // sets with this colrow
  Sets sets_;                       // of each rank
};

/// The matching part: gives every cell off the diagonal to a rank that has both its colrows.
class Matching {
 public:
  Matching(const Sets& sets, std::size_t r)
      : r_(r), admissible_(r * r), owner_(r * r, nobody), cells_(sets.size()) {
    for (std::size_t rank = 0; rank < sets.size(); ++rank) {
      for (const std::size_t a : sets[rank]) {
        for (const std::size_t b : sets[rank]) admissible_[a * r + b].push_back(rank);
      }
    }
    const std::size_t share = r * (r - 1) / sets.size();
    match(share);
    match(share + 1);
    for_each_free_cell([this](std::size_t cell) {
      give(cell, *std::ranges::min_element(admissible_[cell], {},
                                           [this](auto rank) { return cells_[rank].size(); }));
    });
    balanced_ = std::ranges::all_of(cells_, [&](const auto& cells) { return cells.size() >= share; });
  }

  /// Whether no rank has less than its share, rounded down.
  bool balanced() const { return balanced_; }

  Pattern::Rows rows() const {
    Pattern::Rows rows(r_, std::vector<Rank>(r_, Pattern::free_cell));
    for (std::size_t cell = 0; cell < owner_.size(); ++cell) {
      if (owner_[cell] != nobody) rows[cell / r_][cell % r_] = static_cast<Rank>(owner_[cell]);
    }
    return rows;
  }

 private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  template <class Action>
  void for_each_free_cell(Action action) {
    for (std::size_t cell = 0; cell < owner_.size(); ++cell) {
      if (cell / r_ != cell % r_ && owner_[cell] == nobody) action(cell);
    }
  }

  /// Matches as many more cells as possible, at most `capacity` for each rank: augmenting paths. Ranks that
  /// led nowhere once are full and hold only cells of each other, so they never will.
  void match(std::size_t capacity) {
    visited_.assign(cells_.size(), 0);
    for_each_free_cell([&](std::size_t cell) {
      if (augment(cell, capacity)) visited_.assign(cells_.size(), 0);
    });
  }

  bool augment(std::size_t cell, std::size_t capacity) {
    for (const std::size_t rank : admissible_[cell]) {
      if (visited_[rank]) continue;
      visited_[rank] = 1;
      if (cells_[rank].size() < capacity) {
        give(cell, rank);
        return true;
      }
      for (std::size_t k = 0; k < cells_[rank].size(); ++k) {
        if (!augment(cells_[rank][k], capacity)) continue;
        cells_[rank].erase(cells_[rank].begin() + static_cast<std::ptrdiff_t>(k));  // it has moved on
        give(cell, rank);
        return true;
      }
    }
    return false;
  }

  void give(std::size_t cell, std::size_t rank) {
    owner_[cell] = rank;
    cells_[rank].push_back(cell);
  }

  std::size_t r_;
  Sets admissible_;                 // of each cell: the ranks that have both its colrows
  std::vector<std::size_t> owner_;  // of each cell
  Sets cells_;                      // of each rank
  std::vector<char> visited_;       // ranks on the paths that have been tried
  bool balanced_ = false;
};

/// A pattern that has been found, and what speaks for it.
struct Found {
  GcrmChoice choice;
  double zbar;
  double imbalance;  // at the size for which patterns are compared
  bool evens_out;    // the load, the better the larger the matrix
};

/// Whether no rank has more than its share of all r^2 cells off the diagonal: the diagonal could not make it
/// good.
bool evens_out(const Pattern& pattern) {
  std::vector<Index> cells(static_cast<std::size_t>(pattern.num_ranks()));
  for (Index a = 0; a < pattern.rows(); ++a) {
    for (Index b = 0; b < pattern.rows(); ++b) {
      if (a != b) ++cells[static_cast<std::size_t>(pattern.cell(a, b))];
    }
  }
  return std::ranges::max(cells) * pattern.num_ranks() <= pattern.rows() * pattern.rows();
}

std::vector<Found> all_patterns(Rank num_ranks, Rank seeds) {
  const double root = std::sqrt(num_ranks);
  const auto n = std::max<Index>(96, static_cast<Index>(12 * root));
  const auto largest_order = std::min<Index>(128, static_cast<Index>(6 * root));
  std::vector<Found> found;
  for (Index r = 2; r <= largest_order; ++r) {
    if (!gcrm_admits_order(num_ranks, r)) continue;
    for (Rank seed = 1; seed <= seeds; ++seed) {
      const auto table = gcrm_table(num_ranks, {r, seed});
      if (!table) continue;
      const Pattern pattern("gcrm", num_ranks, *table, /*symmetric=*/true);
      found.push_back({{r, seed}, pattern.zbar(), gcrm_imbalance(pattern, n), evens_out(pattern)});
    }
  }
  return found;
}

}  // namespace

bool gcrm_admits_order(Rank num_ranks, Index r) {
  const Index most_cells = (r * (r - 1) + num_ranks - 1) / num_ranks;
  return r * (r - 1) >= num_ranks && most_cells * num_ranks <= r * r;
}

std::optional<Pattern::Rows> gcrm_table(Rank num_ranks, const GcrmChoice& choice) {
  Random random(choice.seed);
  const auto r = static_cast<std::size_t>(choice.r);
  const Matching matching(Greedy(static_cast<std::size_t>(num_ranks), r, random).sets(), r);
  if (!matching.balanced()) return {};
  return matching.rows();
}

double gcrm_imbalance(const Pattern& pattern, Index n) {
  const auto fitted = pattern.fitted(n, n);
  std::vector<Index> work(static_cast<std::size_t>(pattern.num_ranks()));  // in nb^3/3 flops
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) work[static_cast<std::size_t>(fitted->owner(i, j))] += 3 * (2 * j + 1);
    work[static_cast<std::size_t>(fitted->owner(i, i))] += 3 * i + 1;
  }
  const Index total = std::accumulate(work.begin(), work.end(), Index{0});
  return static_cast<double>(std::ranges::max(work) * pattern.num_ranks()) / static_cast<double>(total);
}

GcrmChoice gcrm_search(Rank num_ranks, Rank seeds) {
  auto found = all_patterns(num_ranks, seeds);
  if (found.empty()) throw ArgumentError("gcrm", "P", std::to_string(num_ranks), "no pattern was found");
  if (std::ranges::any_of(found, &Found::evens_out)) {
    std::erase_if(found, [](const Found& f) { return !f.evens_out; });
  }
  const double most_even = std::ranges::min_element(found, {}, &Found::imbalance)->imbalance;
  std::erase_if(found, [&](const Found& f) { return f.imbalance > std::max(1.16, 1.02 * most_even); });
  const double smallest = std::ranges::min_element(found, {}, &Found::zbar)->zbar;
  std::erase_if(found, [&](const Found& f) { return f.zbar > 1.005 * smallest; });
  const auto order = [](const Found& f) {
    return std::tuple(f.imbalance, f.zbar, f.choice.r, f.choice.seed);
  };
  return std::ranges::min_element(found, {}, order)->choice;
}

}  // namespace tessera
