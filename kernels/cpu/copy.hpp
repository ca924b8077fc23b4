// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstring>
#include <utility>

#include "kernels/cpu/product.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/cpu/vectorize.hpp"
#include "kernels/region.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// Copies to and from scratch memory at the speed of the caches.

namespace tessera::kernel {

/// Square matrices in registers, one column in each vector.
template <Scalar T, int vector_bytes>
struct RegisterSquare {
  using Real = real_t<T>;
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr int order = vector_bytes / int{sizeof(T)};
  typedef Real Vector [[gnu::vector_size(vector_bytes)]];

  Vector columns[order];

  [[gnu::always_inline]] void load(const T* from, Index ld) {
#pragma GCC unroll 16
    for (int j = 0; j < order; ++j) std::memcpy(&columns[j], from + j * ld, sizeof(Vector));
  }

  [[gnu::always_inline]] void store(T* to, Index ld) const {
#pragma GCC unroll 16
    for (int j = 0; j < order; ++j) std::memcpy(static_cast<void*>(to + j * ld), &columns[j], sizeof(Vector));
  }

  [[gnu::always_inline]] void conjugate() {
    Vector signs;
    for (int k = 0; k < parts * order; ++k) signs[k] = k % parts == 0 ? Real(1) : Real(-1);
    for (Vector& column : columns) column *= signs;
  }

  /// Exchanges the upper right and the lower left quarter of each diagonal block of 2 d rows, for d = 1, 2, 4, ...
  template <int d = 1>
  [[gnu::always_inline]] void transpose() {
    if constexpr (d < order) {
#pragma GCC unroll 16
      for (int j = 0; j < order; ++j) {
        if (!(j & d))
          exchange<parts * d>(columns[j], columns[j + d],
                              std::make_index_sequence<std::size_t{parts} * order>{});
      }
      transpose<2 * d>();
    }
  }

 private:
  template <int d, std::size_t... k>
  [[gnu::always_inline]] static void exchange(Vector& x, Vector& y, std::index_sequence<k...>) {
    constexpr int n = sizeof...(k);
    const Vector first = __builtin_shufflevector(x, y, (k & d ? n + int{k} - d : int{k})...);
    y = __builtin_shufflevector(x, y, (k & d ? n + int{k} : int{k} + d)...);
    x = first;
  }
};

/// to = op(from).
template <Scalar T>
void copy(Op op, Tile<const T> from, Tile<T> to) {
  const bool trans = op != Op::no_trans, conj = is_complex<T> && op == Op::conj_trans;
  const auto target = [=](Index r, Index c) -> T& { return trans ? to(c, r) : to(r, c); };
  vectorized([=](auto bytes) {
    using Square = RegisterSquare<T, std::min<int>(bytes, 32)>;
    constexpr Index n = Square::order;
    const Index rows = from.rows / n * n, cols = from.cols / n * n;
    const auto square = [=](Index r, Index c) {
      Square s;
      s.load(&from(r, c), from.ld);
      if (trans) s.transpose();
      if (conj) s.conjugate();
      s.store(&target(r, c), to.ld);
    };
    // Columns at a distance of a power of two share their place in the cache: the tile with such columns, or the one
    // that is written, is passed column by column.
    if (!trans || std::countr_zero(static_cast<std::size_t>(from.ld)) >
                      std::countr_zero(static_cast<std::size_t>(to.ld))) {
      for (Index c = 0; c < cols; c += n) {
        for (Index r = 0; r < rows; r += n) square(r, c);
      }
    } else {
      for (Index r = 0; r < rows; r += n) {
        for (Index c = 0; c < cols; c += n) square(r, c);
      }
    }
    for (Index c = 0; c < from.cols; ++c) {
      for (Index r = c < cols ? rows : 0; r < from.rows; ++r) {
        target(r, c) = conj ? conjugate(from(r, c)) : from(r, c);
      }
    }
  });
}

/// One triangle of to = op(from), where `uplo` is that of `from`.
template <Scalar T>
void copy_triangle(Uplo uplo, Op op, Tile<const T> from, Tile<T> to) {
  constexpr Index leaf = 8;
  if (from.rows <= leaf) {
    const Region stored{uplo};
    for (Index c = 0; c < from.cols; ++c) {
      for (Index r = stored.begin(c, from.rows); r < stored.end(c, from.rows); ++r) {
        (op == Op::no_trans ? to(r, c) : to(c, r)) =
            op == Op::conj_trans ? conjugate(from(r, c)) : from(r, c);
      }
    }
    return;
  }
  const bool is_lower_copy = (uplo == Uplo::Lower) == (op == Op::no_trans);
  const auto source = split(uplo, from, leaf);
  const auto target = split(is_lower_copy ? Uplo::Lower : Uplo::Upper, to, leaf);
  copy_triangle<T>(uplo, op, source.a11, target.a11);
  copy<T>(op, source.off, target.off);
  copy_triangle<T>(uplo, op, source.a22, target.a22);
}

/// a = alpha a.
template <Scalar T>
void scale(T alpha, Tile<T> a) {
  if (alpha == T(1)) return;
  vectorized([=](auto) {
    for (Index j = 0; j < a.cols; ++j) {
      for (Index i = 0; i < a.rows; ++i) a(i, j) = product(alpha, a(i, j));
    }
  });
}

}  // namespace tessera::kernel
