// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/laswp.hpp"

#include <unordered_map>
#include <utility>
#include <vector>

namespace tessera::kernel {
namespace {

struct Move {
  Index to;
  Index from;
};

/// The moves from rows of one range to rows of another, which become counted from the first one of their range.
struct Range {
  Index first;
  Index count;
  bool has(Index row) const { return row >= first && row < first + count; }
};
std::vector<Move> moves_between(Tile<const Index> moves, Range from, Range to) {
  std::vector<Move> found;
  for (Index x = 0; x < moves.rows; ++x) {
    if (to.has(moves(x, 0)) && from.has(moves(x, 1)))
      found.push_back({moves(x, 0) - to.first, moves(x, 1) - from.first});
  }
  return found;
}

/// b(to, :) = a(from, :) for all moves; columns for Right.
template <Scalar T>
void move(Side side, const std::vector<Move>& moves, Tile<const T> a, Tile<T> b) {
  if (side == Side::Right) {
    for (const auto& [to, from] : moves) {
      for (Index i = 0; i < a.rows; ++i) b(i, to) = a(i, from);
    }
    return;
  }
  for (Index j = 0; j < a.cols; ++j) {
    for (const auto& [to, from] : moves) b(to, j) = a(from, j);
  }
}

/// new_top(to, :) = a(from, :) for the moves up, then a(to, :) = top(from, :) for those down: column by column, while it
/// is in the cache. Rows that are far apart have to be fetched ahead by hand, which makes it twice as fast.
template <Scalar T>
void exchange_rows(const std::vector<Move>& up, const std::vector<Move>& down, Tile<const T> top, Tile<T> a,
                   Tile<T> new_top) {
  constexpr Index ahead = 8;  // columns
  for (Index j = 0; j < a.cols; ++j) {
    for (const auto& [to, from] : up) {
      if (j + ahead < a.cols) __builtin_prefetch(&a(from, j + ahead), 1);
      new_top(to, j) = a(from, j);
    }
    for (const auto& [to, from] : down) a(to, j) = top(from, j);
  }
}

/// What may be added to any number, -0 included, and leaves it as it is.
template <Scalar T>
constexpr T nothing = [] {
  const real_t<T> zero = -0.0F;
  if constexpr (is_complex<T>) {
    return T(zero, zero);
  } else {
    return zero;
  }
}();

template <Scalar T>
void set_nothing(Tile<T> a) {
  for (Index j = 0; j < a.cols; ++j) {
    for (Index i = 0; i < a.rows; ++i) a(i, j) = nothing<T>;
  }
}

template <class T>
Index extent(Side side, Tile<T> a) {
  return side == Side::Left ? a.rows : a.cols;
}

}  // namespace

void find_moves::cpu(Tile<const Index> ipiv, OutTile<Index> moves) const {
  std::unordered_map<Index, Index> content;  // of the rows that an interchange has touched
  const auto now_in = [&](Index row) -> Index& { return content.try_emplace(row, row).first->second; };
  for (Index r = 0; r < ipiv.rows; ++r) {
    const Index pivot = ipiv(r, 0);  // any number, if nobody has computed it
    if (pivot <= first_row + 1 + r || pivot > first_row + num_rows) continue;
    std::swap(now_in(r), now_in(pivot - 1 - first_row));
  }
  Index x = 0;
  for (const auto& [row, held] : content) {
    moves(x, 0) = backward ? held : row;
    moves(x, 1) = backward ? row : held;
    ++x;
  }
  for (; x < moves.rows; ++x) moves(x, 0) = moves(x, 1) = -1;
}

template <Scalar T>
void laswp_top<T>::cpu(Tile<const T> top, Tile<const Index> moves, OutTile<T> new_top) const {
  const Range here{0, extent(side, top)};
  std::vector<Move> kept;
  std::vector<bool> replaced(static_cast<std::size_t>(here.count));
  for (Index x = 0; x < moves.rows; ++x) {
    if (here.has(moves(x, 0))) replaced[static_cast<std::size_t>(moves(x, 0))] = true;
  }
  for (Index r = 0; r < here.count; ++r) {
    if (!replaced[static_cast<std::size_t>(r)]) kept.push_back({r, r});
  }
  set_nothing<T>(new_top);
  move<T>(side, kept, top, new_top);
  move<T>(side, moves_between(moves, here, here), top, new_top);
}

template <Scalar T>
void laswp<T>::cpu(Tile<const T> top, Tile<const Index> moves, Tile<T> a, Tile<T> new_top) const {
  const Range above{0, extent(side, top)}, here{first_row, extent(side, a)};
  if (beta == T(0)) set_nothing(new_top);
  const std::vector<Move> up = moves_between(moves, here, above), down = moves_between(moves, above, here);
  if (side == Side::Left) {
    exchange_rows<T>(up, down, top, a, new_top);
  } else {
    move<T>(side, up, a, new_top);  // before they are overwritten
    move<T>(side, down, top, a);
  }
}

#define TESSERA_INSTANTIATE(T)  \
  template struct laswp_top<T>; \
  template struct laswp<T>;
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernel
