// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/copy.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/geadd.hpp"
#include "kernels/lacpy.hpp"
#include "kernels/lascal.hpp"
#include "kernels/laset.hpp"
#include "kernels/region.hpp"
#include "src/argument_check.hpp"
#include "src/views.hpp"

namespace tessera {
namespace {

using detail::apply;
using detail::ArgumentCheck;
using detail::require_disjoint;
using kernel::Region;

// ---- Transposed outputs -----------------------------------------------------------------------------------
CopyBlock apply(Op op, const CopyBlock& b) {
  return op == Op::no_trans ? b : CopyBlock{b.cols, b.rows, b.a_col, b.a_row, b.b_col, b.b_row};
}

// ---- Tiles ------------------------------------------------------------------------------------------------

/// Calls f(i, j, region) for every tile of A that has elements in the part `uplo` of A.
template <Scalar T, class F>
void for_each_tile(Uplo uplo, const TileMatrix<T>& A, F&& f) {
  const Tiling& t = A.tiling();
  for (Index j = 0; j < t.nt(); ++j) {
    for (Index i = 0; i < t.mt(); ++i) {
      const Region region{uplo, t.first_row(i) - t.first_col(j)};
      if (!region.empty(t.rows(i), t.cols(j))) f(i, j, region);
    }
  }
}

/// The tiles of A that hold elements of a rows x cols block.
template <Scalar T>
TileMatrix<T> tiles_of_block(const TileMatrix<T>& A, Index row, Index col, Index rows, Index cols) {
  const auto count = [](Index first, Index length, Index size) {
    return length == 0 ? 0 : (first + length - 1) / size - first / size + 1;
  };
  return A.sub(row / A.mb(), col / A.nb(), count(row, rows, A.mb()), count(col, cols, A.nb()));
}

/// A stretch of a block's rows (or columns) that lies in one tile of A and in one tile of B.
struct Stretch {
  Index first;  // counted from the block's first row
  Index length;
  Index a_tile, a_offset;
  Index b_tile, b_offset;
};

/// Cuts a block, which begins at a_first in A and at b_first in B, at the tile boundaries of both.
std::vector<Stretch> cut(Index length, Index a_first, Index a_tile_size, Index b_first, Index b_tile_size) {
  std::vector<Stretch> result;
  for (Index first = 0; first < length; first += result.back().length) {
    const Index a = a_first + first, a_offset = a % a_tile_size;
    const Index b = b_first + first, b_offset = b % b_tile_size;
    const Index until_boundary = std::min({length - first, a_tile_size - a_offset, b_tile_size - b_offset});
    result.push_back({first, until_boundary, a / a_tile_size, a_offset, b / b_tile_size, b_offset});
  }
  return result;
}

/// Calls f with the stretches that lie in the same tile of A, tile by tile.
template <class F>
void for_each_group(std::span<const Stretch> stretches, F&& f) {
  while (!stretches.empty()) {
    const auto other = std::ranges::find_if(
        stretches, [&](const Stretch& s) { return s.a_tile != stretches.front().a_tile; });
    const auto length = static_cast<std::size_t>(other - stretches.begin());
    f(stretches.first(length));
    stretches = stretches.subspan(length);
  }
}

/// lacpy with arguments that are known to be right, and B as stored.
template <Scalar T>
void copy_block(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
                const CopyBlock& block) {
  const TileMatrix<T> source = tiles_of_block(A, block.a_row, block.a_col, block.rows, block.cols);
  require_disjoint("lacpy", source, tiles_of_block(B, block.b_row, block.b_col, block.rows, block.cols));
  const auto row_stretches = cut(block.rows, block.a_row, A.mb(), block.b_row, B.mb());
  const auto col_stretches = cut(block.cols, block.a_col, A.nb(), block.b_col, B.nb());
  // Tile by tile of the source: what came from another rank is copied, and need not be held there any longer.
  for_each_group(col_stretches, [&](std::span<const Stretch> cols) {
    for_each_group(row_stretches, [&](std::span<const Stretch> rows) {
      for (const Stretch& c : cols) {
        for (const Stretch& r : rows) {
          const Region region{uplo, r.first - c.first};
          if (region.empty(r.length, c.length)) continue;
          const kernel::lacpy<T> copy{.op = A.op(),
                                      .region = region,
                                      .src_row = r.a_offset,
                                      .src_col = c.a_offset,
                                      .dst_row = r.b_offset,
                                      .dst_col = c.b_offset,
                                      .rows = r.length,
                                      .cols = c.length};
          sequence.submit(copy, {}, A(r.a_tile, c.a_tile).stored(), B(r.b_tile, c.b_tile));
        }
      }
      sequence.release(A(rows.front().a_tile, cols.front().a_tile).stored().argument());
    });
  });
}

}  // namespace

// ---- Algorithms -------------------------------------------------------------------------------------------

template <Scalar T>
void lacpy(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B) {
  ArgumentCheck(sequence.runtime(), "lacpy")
      .part(uplo)
      .matrix("A", A)
      .matrix("B", B)
      .require(B.m() == A.m(), "B.m()", B.m(), "B must have as many rows as A")
      .require(B.n() == A.n(), "B.n()", B.n(), "B must have as many columns as A")
      .done();
  const CopyBlock all{.rows = A.m(), .cols = A.n()};
  copy_block(sequence, apply(B.op(), uplo), apply(B.op(), A), apply(B.op(), B), apply(B.op(), all));
}

template <Scalar T>
void lacpy(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
           const CopyBlock& block) {
  const auto inside = [](Index first, Index length, Index size) {
    return first >= 0 && first <= size - length;
  };
  ArgumentCheck(sequence.runtime(), "lacpy")
      .part(uplo)
      .matrix("A", A)
      .matrix("B", B)
      .require(block.rows >= 0, "block.rows", block.rows, "must not be negative")
      .require(block.cols >= 0, "block.cols", block.cols, "must not be negative")
      .require(inside(block.a_row, block.rows, A.m()), "block.a_row", block.a_row,
               "the block reaches beyond A")
      .require(inside(block.a_col, block.cols, A.n()), "block.a_col", block.a_col,
               "the block reaches beyond A")
      .require(inside(block.b_row, block.rows, B.m()), "block.b_row", block.b_row,
               "the block reaches beyond B")
      .require(inside(block.b_col, block.cols, B.n()), "block.b_col", block.b_col,
               "the block reaches beyond B")
      .done();
  copy_block(sequence, apply(B.op(), uplo), apply(B.op(), A), apply(B.op(), B), apply(B.op(), block));
}

template <Scalar T>
void laset(Sequence& sequence, Uplo uplo, std::type_identity_t<T> off_diagonal,
           std::type_identity_t<T> diagonal, const TileMatrix<T>& A) {
  ArgumentCheck(sequence.runtime(), "laset")
      .part(uplo)
      .same("off_diagonal", off_diagonal)
      .same("diagonal", diagonal)
      .matrix("A", A)
      .done();
  const TileMatrix<T> stored = apply(A.op(), A);
  for_each_tile(apply(A.op(), uplo), stored, [&](Index i, Index j, Region region) {
    const kernel::laset<T> set{region, apply(A.op(), off_diagonal), apply(A.op(), diagonal)};
    sequence.submit(set, {}, stored(i, j));
  });
}

template <Scalar T>
void lascal(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A) {
  ArgumentCheck(sequence.runtime(), "lascal").part(uplo).same("alpha", alpha).matrix("A", A).done();
  const TileMatrix<T> stored = apply(A.op(), A);
  for_each_tile(apply(A.op(), uplo), stored, [&](Index i, Index j, Region region) {
    sequence.submit(kernel::lascal<T>{region, apply(A.op(), alpha)}, {}, stored(i, j));
  });
}

template <Scalar T>
void tradd(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           std::type_identity_t<T> beta, const TileMatrix<T>& B) {
  ArgumentCheck(sequence.runtime(), uplo == Uplo::General ? "geadd" : "tradd")
      .part(uplo)
      .same("alpha", alpha)
      .same("beta", beta)
      .matrix("A", A)
      .matrix("B", B)
      .require(B.m() == A.m(), "B.m()", B.m(), "B must have as many rows as A")
      .require(B.n() == A.n(), "B.n()", B.n(), "B must have as many columns as A")
      .require(B.mb() == A.mb(), "B.mb()", B.mb(), "B must have tiles of as many rows as A")
      .require(B.nb() == A.nb(), "B.nb()", B.nb(), "B must have tiles of as many columns as A")
      .done();
  require_disjoint(uplo == Uplo::General ? "geadd" : "tradd", A, B);
  const TileMatrix<T> source = apply(B.op(), A), target = apply(B.op(), B);
  for_each_tile(apply(B.op(), uplo), target, [&](Index i, Index j, Region region) {
    const kernel::geadd<T> add{source.op(), region, apply(B.op(), alpha), apply(B.op(), beta)};
    sequence.submit(add, {}, source(i, j).stored(), target(i, j));
  });
}

template <Scalar T>
void geadd(Sequence& sequence, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           std::type_identity_t<T> beta, const TileMatrix<T>& B) {
  tradd(sequence, Uplo::General, alpha, A, beta, B);
}

// ---- Between tiles and a column-major buffer --------------------------------------------------------------

namespace {

/// The buffer is looked at on the root only.
template <Scalar T>
void check_buffer(Runtime& runtime, const char* routine, const TileMatrix<T>& A, const T* buffer, Index ld,
                  Rank root) {
  ArgumentCheck check(runtime, routine);
  check.matrix("A", A).require(root >= 0 && root < runtime.num_ranks(), "root", root,
                               "is not a rank of the runtime");
  if (runtime.rank() == root) {
    const bool empty = A.m() == 0 || A.n() == 0;
    check.require_here(buffer != nullptr || empty, "buffer", buffer, "must not be null")
        .require_here(ld >= std::max<Index>(1, A.m()), "ld", ld, "must be at least max(1, A.m())");
  }
  check.done();
}

}  // namespace

template <Scalar T>
void gather(Runtime& runtime, const TileMatrix<T>& A, std::type_identity_t<T>* buffer, Index ld, Rank root) {
  check_buffer<T>(runtime, "gather", A, buffer, ld, root);
  lacpy(runtime, Uplo::General, A,
        TileMatrix<T>::wrap(runtime, A.m(), A.n(), buffer, ld, A.mb(), A.nb(), root));
}

template <Scalar T>
void scatter(Runtime& runtime, const std::type_identity_t<T>* buffer, Index ld, const TileMatrix<T>& A,
             Rank root) {
  check_buffer<T>(runtime, "scatter", A, buffer, ld, root);
  T* unchanged = const_cast<T*>(buffer);  // lacpy only reads it
  lacpy(runtime, Uplo::General,
        TileMatrix<T>::wrap(runtime, A.m(), A.n(), unchanged, ld, A.mb(), A.nb(), root), A);
}

// ---- Instances --------------------------------------------------------------------------------------------

#define TESSERA_INSTANTIATE(T)                                                                        \
  template void lacpy(Sequence&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&);                   \
  template void lacpy(Sequence&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&, const CopyBlock&); \
  template void laset(Sequence&, Uplo, T, T, const TileMatrix<T>&);                                   \
  template void lascal(Sequence&, Uplo, T, const TileMatrix<T>&);                                     \
  template void geadd(Sequence&, T, const TileMatrix<T>&, T, const TileMatrix<T>&);                   \
  template void tradd(Sequence&, Uplo, T, const TileMatrix<T>&, T, const TileMatrix<T>&);             \
  template void gather(Runtime&, const TileMatrix<T>&, T*, Index, Rank);                              \
  template void scatter(Runtime&, const T*, Index, const TileMatrix<T>&, Rank);

TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
