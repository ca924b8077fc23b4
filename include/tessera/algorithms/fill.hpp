// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <concepts>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tessera/kernel.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// A matrix filled by a function, in parallel, each tile on its owner; nothing is sent. Ready-made functions
/// are in tessera/generators.hpp.

namespace tessera {

/// T f(Index i, Index j): the element in row i, column j of the matrix (from 0).
template <class F, class T>
concept ElementFunction = std::is_invocable_r_v<T, const F&, Index, Index>;

/// void f(Tile<T> tile, Index first_row, Index first_col): writes the tile whose first element is element
/// (first_row, first_col) of the matrix (from 0).
template <class F, class T>
concept TileFunction = std::is_invocable_r_v<void, const F&, Tile<T>, Index, Index>;

namespace detail {

constexpr bool in_triangle(Uplo uplo, Index i, Index j) {
  return uplo == Uplo::General || (uplo == Uplo::Lower ? i >= j : i <= j);
}

/// The task of fill. The function is shared by the tasks: they are many, and it may hold large data.
template <Scalar T, class F>
struct FillKernel {
  static constexpr std::string_view name = "fill";

  std::shared_ptr<const F> f;
  Uplo uplo;
  Index first_row;
  Index first_col;

  void cpu(Tile<T> a) const {
    if constexpr (ElementFunction<F, T>) {
      for (Index c = 0; c < a.cols; ++c) {
        for (Index r = 0; r < a.rows; ++r) {
          const Index i = first_row + r, j = first_col + c;
          if (in_triangle(uplo, i, j)) a(r, c) = static_cast<T>((*f)(i, j));
        }
      }
    } else {
      (*f)(a, first_row, first_col);
    }
  }
};

template <Scalar T>
void check_fill(const Runtime& runtime, Uplo uplo, const TileMatrix<T>& A);

}  // namespace detail

/// A(i, j) = f(i, j) for the elements of A, or of one of its triangles.
///
/// The calls run as parallel tasks, one per tile, on the tiles' owners: f must be safe to call from several
/// threads at once, and what it refers to must live until the wait. When f throws, wait() throws a TaskError
/// with its message on every rank, and A holds unspecified values.
/// \param uplo  the triangle to fill; the other one is neither read nor written, except that a TileFunction
///              gets every tile that touches the triangle, whole
/// \param A     m x n, written; must not be transposed
/// \param f     an ElementFunction or a TileFunction, copied or moved into the tasks
/// \throws ArgumentError when A is transposed or belongs to another runtime
/// \note Cost: one task per tile.
template <Scalar T, class F>
requires ElementFunction<F, T> || TileFunction<F, T>
void fill(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, F f) {
  detail::check_fill(sequence.runtime(), uplo, A);
  const auto shared = std::make_shared<const F>(std::move(f));
  const Tiling& t = A.tiling();
  for (Index j = 0; j < A.nt(); ++j) {
    for (Index i = 0; i < A.mt(); ++i) {
      const Index row = t.first_row(i), col = t.first_col(j);
      // The element of the tile that is nearest to the triangle decides.
      const Index nearest_row = uplo == Uplo::Lower ? row + t.rows(i) - 1 : row;
      const Index nearest_col = uplo == Uplo::Upper ? col + t.cols(j) - 1 : col;
      if (!detail::in_triangle(uplo, nearest_row, nearest_col)) continue;
      sequence.submit(detail::FillKernel<T, F>{shared, uplo, row, col}, {}, A(i, j));
    }
  }
}

/// The whole of A.
template <Scalar T, class F>
requires ElementFunction<F, T> || TileFunction<F, T>
void fill(Sequence& sequence, const TileMatrix<T>& A, F f) { fill(sequence, Uplo::General, A, std::move(f)); }

/// Blocking forms. \throws TaskError on every rank when f throws on any, with its message
template <Scalar T, class F>
requires ElementFunction<F, T> || TileFunction<F, T>
void fill(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, F f) {
  (void)run(runtime, [&](Sequence& sequence) { fill(sequence, uplo, A, std::move(f)); });
}

template <Scalar T, class F>
requires ElementFunction<F, T> || TileFunction<F, T>
void fill(Runtime& runtime, const TileMatrix<T>& A, F f) { fill(runtime, Uplo::General, A, std::move(f)); }

}  // namespace tessera
