// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/tournament.hpp"

#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/cpu/lu.hpp"

namespace tessera::kernel {
namespace {

/// A column-major matrix of its own.
template <class T>
struct Buffer {
  Buffer(Index m, Index n) : values(static_cast<std::size_t>(m * n)), tile{values.data(), m, n, m} {}
  std::vector<T> values;
  Tile<T> tile;
};

template <class T>
void copy(Tile<const T> a, Tile<T> b) {
  for (Index j = 0; j < a.cols; ++j) {
    for (Index i = 0; i < a.rows; ++i) b(i, j) = a(i, j);
  }
}

/// The rows of `a` in the order in which partial pivoting picks them: the pivot rows, then the others.
template <Scalar T>
std::vector<Index> pivot_order(Tile<const T> a) {
  Buffer<T> factor(a.rows, a.cols);
  copy<T>(a, factor.tile);
  std::vector<Index> pivots(static_cast<std::size_t>(std::min(a.rows, a.cols)));
  factor_lu(factor.tile, pivots.data());
  std::vector<Index> order(static_cast<std::size_t>(a.rows));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t r = 0; r < pivots.size(); ++r)
    std::swap(order[r], order[static_cast<std::size_t>(pivots[r])]);
  order.resize(pivots.size());
  return order;
}

/// b(r, :) = a(order[r], :)
template <class T>
void pick_rows(const std::vector<Index>& order, Tile<const T> a, Tile<T> b) {
  for (Index j = 0; j < a.cols; ++j) {
    for (std::size_t r = 0; r < order.size(); ++r) b(static_cast<Index>(r), j) = a(order[r], j);
  }
}

/// The candidates of a tile of n columns, and those of a second one below.
template <class T>
Buffer<T> stacked(Index n, Tile<const T> a, Tile<const T> b) {
  const Index top = std::min(a.rows, n), bottom = std::min(b.rows, n);
  Buffer<T> both(top + bottom, a.cols);
  copy<T>(a.block(0, 0, top, a.cols), both.tile.block(0, 0, top, a.cols));
  copy<T>(b.block(0, 0, bottom, b.cols), both.tile.block(top, 0, bottom, b.cols));
  return both;
}

}  // namespace

template <Scalar T>
void nominate<T>::cpu(Tile<const T> a, OutTile<T> rows, OutTile<Index> numbers) const {
  const std::vector<Index> order = pivot_order(a);
  pick_rows<T>(order, a, rows);
  for (std::size_t r = 0; r < order.size(); ++r) numbers(static_cast<Index>(r), 0) = first_row + order[r];
}

template <Scalar T>
void play<T>::cpu(Tile<const T> guest_rows, Tile<const Index> guest_numbers, Tile<T> rows,
                  Tile<Index> numbers) const {
  const auto all_rows = stacked<T>(rows.cols, rows, guest_rows);
  const auto all_numbers = stacked<Index>(rows.cols, numbers, guest_numbers);
  const std::vector<Index> order = pivot_order<T>(all_rows.tile);
  pick_rows<T>(order, all_rows.tile, rows);
  pick_rows<Index>(order, all_numbers.tile, numbers);
}

void crown::cpu(Tile<const Index> numbers, OutTile<Index> ipiv) const {
  std::unordered_map<Index, Index> place,
      occupant;  // of rows that have moved; the others are where they were
  const auto at = [](const std::unordered_map<Index, Index>& map, Index row) {
    const auto found = map.find(row);
    return found == map.end() ? row : found->second;
  };
  for (Index r = 0; r < ipiv.rows; ++r) {
    const Index top = first_row + r, winner = numbers(r, 0), loser = at(occupant, top);
    const Index from = at(place, winner);
    ipiv(r, 0) = from + 1;
    place[winner] = top;
    occupant[top] = winner;
    place[loser] = from;
    occupant[from] = loser;
  }
}

#define TESSERA_INSTANTIATE(T) \
  template struct nominate<T>; \
  template struct play<T>;
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernel
