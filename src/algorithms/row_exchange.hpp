// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>
#include <utility>

#include "kernels/lacpy.hpp"
#include "kernels/laswp.hpp"
#include "src/workspace.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"

namespace tessera::detail {

/// B(dst_row + r, c) = A(src_row + r, c) for `rows` rows; what B held before counts as unread (B is overwritten), or
/// stays where it is not copied to (otherwise).
struct RowCopy {
  Index src_row = 0, dst_row = 0, rows = 0;
  bool overwrites = true;
};
template <Scalar T>
void copy_rows(Sequence& seq, const TaskOptions& at, const RowCopy& copy, const TileRef<T>& A,
               const TileRef<T>& B) {
  const kernel::lacpy<T> kernel{Op::no_trans, {}, copy.src_row, 0, copy.dst_row, 0, copy.rows, A.cols()};
  if (copy.overwrites) {
    seq.submit(Overwriting<kernel::lacpy<T>>{kernel}, at, A, B);
  } else {
    seq.submit(kernel, at, A, B);
  }
}

/// The row interchanges of a factorisation as tasks on the tiles of a matrix, or the same on its columns. No task waits
/// for a pivot to be submitted: see kernels/laswp.hpp, also for why each tile has only to do with the top one.
///
/// Each rank puts the rows of its tiles that move up into a partial sum of its own; so per panel and tile column, the
/// top tile goes to each rank of the column and one tile comes back from it, however many tiles and rows it has.
template <Scalar T>
class RowExchange {
 public:
  /// P A; or P^-1 A, for which panels are taken from the last to the first.
  enum class Order { forward, backward };

  /// \param side  Left: rows of A; Right: columns
  /// \param A     not transposed, square tiles in the direction of the exchange
  /// \param ipiv  pivots in tiles of A's size
  RowExchange(Sequence& sequence, Side side, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
              Order order)
      : seq_(sequence),
        side_(side),
        tiling_(side == Side::Left ? A.tiling() : A.tiling().transposed()),
        A_(A),
        ipiv_(ipiv),
        backward_(order == Order::backward),
        moves_(scratch_like<Index>(ipiv, Tiling(2 * ipiv.m(), 2, 2 * ipiv.mb(), 2))),
        new_top_(scratch_like<T>(A, A.tiling())) {
    seq_.keep(moves_.storage());
    seq_.keep(new_top_.storage());
  }

  /// Reads the pivots of panel k.
  void begin(Index k, int priority) {
    const Index first = tiling_.first_row(k);
    seq_.submit(kernel::find_moves{first, tiling_.m() - first, backward_}, {priority, {}, {}}, ipiv_(k, 0),
                moves_(k, 0));
  }

  /// Exchanges the rows of tile column j.
  void exchange(Index k, Index j, int priority) {
    const TileRef<T> top = tile(A_, k, j), new_top = tile(new_top_, k, j);
    seq_.submit(kernel::laswp_top<T>{side_}, {priority, {}, {}}, top, moves_(k, 0), new_top);
    for (Index i = k + 1; i < tiling_.mt(); ++i) {
      const Index below = tiling_.first_row(i) - tiling_.first_row(k);
      const Rank here = side_ == Side::Left ? A_.owner(i, j) : A_.owner(j, i);
      seq_.accumulate(kernel::laswp<T>{side_, below}, {priority, {}, here}, top, moves_(k, 0), tile(A_, i, j),
                      new_top);
    }
    copy_rows(seq_, {priority, {}, {}}, {.rows = top.rows()}, new_top, top);
    seq_.release(new_top.argument());
    seq_.release(top.argument());
  }

  /// The moves of panel k will not be used again.
  void end(Index k) { seq_.release(moves_(k, 0).argument()); }

 private:
  TileRef<T> tile(const TileMatrix<T>& A, Index i, Index j) const {
    return side_ == Side::Left ? A(i, j) : A(j, i);
  }

  Sequence& seq_;
  Side side_;
  Tiling tiling_;  // of A, or of A^T
  TileMatrix<T> A_;
  TileMatrix<Index> ipiv_;
  bool backward_;
  TileMatrix<Index> moves_;
  TileMatrix<T> new_top_;
};

/// All interchanges of a factorisation on the rows of B (on its columns for Right).
template <Scalar T>
void exchange_all_rows(Sequence& seq, typename RowExchange<T>::Order order, Side side,
                       const TileMatrix<Index>& ipiv, const TileMatrix<T>& B, int priority) {
  RowExchange<T> exchange(seq, side, B, ipiv, order);
  const Index columns = side == Side::Left ? B.nt() : B.mt();
  for (Index step = 0; step < ipiv.mt(); ++step) {
    const Index k = order == RowExchange<T>::Order::forward ? step : ipiv.mt() - 1 - step;
    exchange.begin(k, priority);
    for (Index j = 0; j < columns; ++j) exchange.exchange(k, j, priority);
    exchange.end(k);
  }
}

}  // namespace tessera::detail
