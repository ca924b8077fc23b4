// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <type_traits>

#include "tessera/types.hpp"

namespace tessera {

/// A column-major block of memory: what a kernel works on. A view; it owns nothing.
/// Element (i, j) is `data[i + j * ld]`, with ld >= max(1, rows).
template <class T>
struct Tile {
  using value_type = T;

  T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index ld = 1;

  T& operator()(Index i, Index j) const noexcept { return data[i + j * ld]; }

  /// The block of `block_rows` x `block_cols` elements whose first element is (i, j).
  Tile block(Index i, Index j, Index block_rows, Index block_cols) const noexcept {
    return {data + i + j * ld, block_rows, block_cols, ld};
  }

  /// A tile that may be written is a tile that may be read.
  operator Tile<const T>() const noexcept requires(!std::is_const_v<T>) { return {data, rows, cols, ld}; }
};

/// A tile that a kernel overwrites without reading it.
template <class T>
struct OutTile : Tile<T> {};

}  // namespace tessera
