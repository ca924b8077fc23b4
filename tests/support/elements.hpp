// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "tessera/matrix.hpp"
#include "tessera/types.hpp"

/// \file
/// Elements of a tile matrix, past the library's own ways to set and read them, and comparison to the bit.

namespace tessera::test {

/// A quiet NaN (both parts) with a payload of its own, as an untouched triangle or guard row holds it.
template <Scalar T>
T marked_nan() {
  using R = real_t<T>;
  R nan;
  if constexpr (sizeof(R) == 4) {
    nan = std::bit_cast<R>(std::uint32_t{0x7fc0a5a5});
  } else {
    nan = std::bit_cast<R>(std::uint64_t{0x7ff8a5a5a5a5a5a5});
  }
  if constexpr (is_complex<T>) {
    return {nan, nan};
  } else {
    return nan;
  }
}

/// Equal to the last bit; NaNs with the same payload are.
template <Scalar T>
bool same_bits(const T& x, const T& y) {
  return std::memcmp(&x, &y, sizeof(T)) == 0;
}

/// Whether this rank has element (i, j) of a matrix that is not transposed, and the element.
template <Scalar T>
bool is_here(const TileMatrix<T>& A, Index i, Index j) {
  return A.tile(i / A.mb(), j / A.nb()).data != nullptr;
}
template <Scalar T>
T& element(const TileMatrix<T>& A, Index i, Index j) {
  return A.tile(i / A.mb(), j / A.nb())(i % A.mb(), j % A.nb());
}

/// Writes f(i, j) straight into the tiles of this rank, without a task.
template <Scalar T, class F>
void set_directly(const TileMatrix<T>& A, F f) {
  for (Index j = 0; j < A.n(); ++j) {
    for (Index i = 0; i < A.m(); ++i) {
      if (is_here(A, i, j)) element(A, i, j) = f(i, j);
    }
  }
}

/// Every element that this rank owns equals f(i, j); NaNs to the bit.
template <Scalar T, class F>
testing::AssertionResult holds(const TileMatrix<T>& A, F f) {
  for (Index j = 0; j < A.n(); ++j) {
    for (Index i = 0; i < A.m(); ++i) {
      if (!is_here(A, i, j)) continue;
      const T got = element(A, i, j), want = f(i, j);
      if (got != want && !same_bits(got, want)) {
        return testing::AssertionFailure() << "element (" << i << ", " << j << ") of " << A.m() << " x "
                                           << A.n() << " is " << got << " instead of " << want;
      }
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace tessera::test
