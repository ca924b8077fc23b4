// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tessera/distribution.hpp"
#include "tessera/runtime.hpp"
#include "tessera/storage.hpp"
#include "tessera/tile.hpp"
#include "tessera/tiling.hpp"

namespace tessera {

/// op1 applied to op2(A), as one op. \throws ArgumentError for the conjugate without transpose, which BLAS
/// cannot express.
Op compose(Op outer, Op inner, bool complex);

/// A tile size that suits an extent of `extent` elements on this runtime's workers: even cuts of at most 800
/// elements. A function of the extent and the workers alone, so operands that conform get tiles that conform.
Index default_tile_size(const Runtime& runtime, Index extent);

/// make_distribution() for all ranks of the runtime (tessera/distributions/registry.hpp), the same on all or an
/// ArgumentError on all: a rank may find another table in its file than the others, or none. Collective.
DistributionPtr make_distribution(const Runtime& runtime, std::string_view text);

/// Tiles over all ranks of the runtime in the most square p x q grid (2D block-cyclic).
DistributionPtr default_distribution(const Runtime& runtime);

/// One tile of a matrix, as submit() takes it: a name, not memory. `op` says how the stored tile is to be read.
template <class T>
class TileRef {
 public:
  TileRef(TileStorage* storage, Index i, Index j, Op op) : storage_(storage), i_(i), j_(j), op_(op) {}

  Op op() const noexcept { return op_; }
  /// op applied on top of the view.
  TileRef with_op(Op op) const { return {storage_, i_, j_, compose(op, op_, is_complex<T>)}; }
  /// The tile as it is stored.
  TileRef stored() const noexcept { return {storage_, i_, j_, Op::no_trans}; }

  /// Rows and columns as stored.
  Index rows() const noexcept { return storage_->tiling().rows(i_); }
  Index cols() const noexcept { return storage_->tiling().cols(j_); }

  /// The tile for submit(). \throws ArgumentError when it is transposed: kernels work on tiles as stored.
  detail::TaskArgument argument() const {
    if (op_ != Op::no_trans)
      throw ArgumentError("submit", "op", std::string(1, static_cast<char>(op_)),
                          "kernels take tiles as stored: use stored()");
    return {storage_, i_, j_};
  }

 private:
  TileStorage* storage_;
  Index i_;
  Index j_;
  Op op_;
};

/// A matrix of tiles: Tiling + Distribution + storage. A TileMatrix is a light view; copies, sub-matrices and
/// transposes share the tiles, and the last one that goes frees them (after the tasks that still use them).
///
/// Making one is collective, and so is letting the last one go where tiles may be elsewhere: with layers, or after tasks
/// that ran on another executor. Every rank then does it at the same place among its calls, all of them before or all
/// after Sequence::wait(), which brings such tiles home; otherwise ranks wait for messages that nobody sends.
template <class T>
class TileMatrix {
 public:
  using value_type = T;

  /// An m x n matrix of zeros in square tiles of nb, dealt over the ranks. Collective.
  /// \param nb  tile size, elements; 0: chosen by default_tile_size() for each dimension
  /// \param distribution  null: default_distribution(). Its owner() is called once per tile, to check it.
  /// \throws ArgumentError on every rank for negative sizes, nb < 0, a distribution over more ranks than there
  ///         are, with an owner that is no rank, that throws, or with other owners on other ranks; for
  ///         arguments that differ between ranks; for more memory than a rank has
  TileMatrix(Runtime& runtime, Index m, Index n, Index nb = 0, DistributionPtr distribution = {})
      : TileMatrix(TileStorage::allocate(runtime, m, n, nb, nb, std::move(distribution), sizeof(T))) {}

  /// The same with tiles of mb x nb.
  TileMatrix(Runtime& runtime, Index m, Index n, Index mb, Index nb, DistributionPtr distribution)
      : TileMatrix(TileStorage::allocate(runtime, m, n, mb, nb, std::move(distribution), sizeof(T))) {}

  /// The caller's m x n column-major buffer as a matrix, without a copy. On several ranks the buffer lies on
  /// `root`, which owns all tiles, and the other ranks' pointers are not looked at. The buffer must outlive the
  /// matrix. Tasks on two matrices over one buffer are not ordered against each other: wait in between. Collective.
  /// \param a   m x n elements with leading dimension lda
  /// \param nb  tile size; 0: chosen, as above
  /// \throws ArgumentError on every rank for a null buffer (unless empty), negative sizes, lda < max(1, m)
  static TileMatrix wrap(Runtime& runtime, Index m, Index n, T* a, Index lda, Index nb = 0, Rank root = 0) {
    return TileMatrix(TileStorage::wrap(runtime, m, n, nb, nb, sizeof(T), a, lda, root));
  }
  /// The same with tiles of mb x nb.
  static TileMatrix wrap(Runtime& runtime, Index m, Index n, T* a, Index lda, Index mb, Index nb, Rank root) {
    return TileMatrix(TileStorage::wrap(runtime, m, n, mb, nb, sizeof(T), a, lda, root));
  }

  /// A ScaLAPACK matrix, spread over the ranks in block-cyclic local arrays, without a copy: its blocks become
  /// the tiles, and each stays on the rank that has it. Ranks p*q and beyond own nothing; their `local` and lld
  /// are not looked at. The arrays must outlive the matrix; rows of padding in them are not touched.
  ///
  /// redistribute() brings such a matrix into another distribution, lacpy() takes the result back. Collective.
  /// \param local  this rank's part: LOCr(M_) x LOCc(N_) elements (NUMROC counts them), leading dimension LLD_
  /// \param desc   descriptor as of DESCINIT: DTYPE_ = 1, CTXT_ (not looked at), M_, N_, MB_, NB_, RSRC_, CSRC_,
  ///               LLD_; all but CTXT_ and LLD_ equal on all ranks, those outside the grid included
  /// \param grid   the grid of the descriptor's context; its processes are ranks 0 .. p*q-1 of the runtime
  /// \throws ArgumentError on every rank for a descriptor that makes no sense, a grid of more processes than
  ///         there are ranks; on any rank lld < max(1, LOCr(M_)), a column of 2^31 bytes or more, or a null
  ///         pointer where there are elements
  /// \note Cost: nothing is sent. Source: ScaLAPACK Users' Guide (1997), section 4.3, array descriptors.
  static TileMatrix wrap_block_cyclic(Runtime& runtime, T* local, std::span<const int, 9> desc,
                                      const ProcessGrid& grid) {
    return TileMatrix(TileStorage::wrap_block_cyclic(runtime, sizeof(T), local, desc, grid));
  }

  /// Tiles that only tasks read and write, on the runtime of `like`: see TileStorage::scratch().
  template <class Other>
  static TileMatrix scratch(const TileMatrix<Other>& like, const Tiling& tiling,
                            DistributionPtr distribution) {
    return TileMatrix(TileStorage::scratch(*like.storage(), tiling, std::move(distribution), sizeof(T)));
  }

  /// Sizes of the view, in elements and tiles, after its op.
  Index m() const noexcept { return tiling().m(); }
  Index n() const noexcept { return tiling().n(); }
  Index mb() const noexcept { return tiling().mb(); }
  Index nb() const noexcept { return tiling().nb(); }
  Index mt() const noexcept { return tiling().mt(); }
  Index nt() const noexcept { return tiling().nt(); }
  const Tiling& tiling() const noexcept { return tiling_; }
  Op op() const noexcept { return op_; }
  const Distribution& distribution() const noexcept { return storage_->distribution(); }
  const std::shared_ptr<TileStorage>& storage() const noexcept { return storage_; }

  /// Tile (i, j) of the view, to be submitted.
  TileRef<T> operator()(Index i, Index j) const noexcept {
    const auto [r, c] = position(i, j);
    return {storage_.get(), r, c, op_};
  }

  /// The rank that owns tile (i, j) of the view.
  Rank owner(Index i, Index j) const noexcept {
    const auto [r, c] = position(i, j);
    return distribution().owner(r, c);
  }

  /// The rank that runs the tasks of step `step` that write tile (i, j) of the view: the owner, unless the distribution
  /// has layers.
  Rank executor(Index i, Index j, Index step) const {
    const auto [r, c] = position(i, j);
    return distribution().executor(r, c, step);
  }

  /// Memory of tile (i, j) of the view, as stored (not transposed); `data` is null where this rank does not own
  /// it. Touch it only when no task that uses the tile is in flight.
  Tile<T> tile(Index i, Index j) const noexcept {
    const auto [r, c] = position(i, j);
    const TileBuffer b = storage_->tile(r, c);
    return {static_cast<T*>(b.data), b.rows, b.cols, b.ld};
  }

  /// The sub-matrix of mt x nt tiles whose first tile is (i, j).
  /// \throws ArgumentError when it reaches beyond the matrix
  TileMatrix sub(Index i, Index j, Index mt, Index nt) const;

  /// A^H and A^T as views; for real matrices they are the same.
  friend TileMatrix conj_trans(const TileMatrix& A) { return A.with_op(Op::conj_trans); }
  friend TileMatrix trans(const TileMatrix& A) { return A.with_op(Op::trans); }

 private:
  explicit TileMatrix(std::shared_ptr<TileStorage> storage)
      : storage_(std::move(storage)), tiling_(storage_->tiling()) {}

  std::pair<Index, Index> position(Index i, Index j) const noexcept {
    return op_ == Op::no_trans ? std::pair{row_ + i, col_ + j} : std::pair{row_ + j, col_ + i};
  }
  TileMatrix with_op(Op op) const {
    TileMatrix result = *this;
    result.op_ = compose(op, op_, is_complex<T>);
    result.tiling_ = tiling_.transposed();
    return result;
  }

  std::shared_ptr<TileStorage> storage_;
  Tiling tiling_;  // of the view, after op_
  Op op_ = Op::no_trans;
  Index row_ = 0;  // first tile of the view, as stored
  Index col_ = 0;
};

}  // namespace tessera
