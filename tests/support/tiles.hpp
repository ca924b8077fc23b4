// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <string>

#include "tessera/tile.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"

/// \file
/// Operands of tile kernels: exact numbers, NaNs in all that must not be read, memory that ends behind the tile.

namespace tessera::test {

inline constexpr std::array ops{Op::no_trans, Op::trans, Op::conj_trans};
inline constexpr std::array uplos{Uplo::Lower, Uplo::Upper};
inline constexpr std::array sides{Side::Left, Side::Right};
inline constexpr std::array diags{Diag::NonUnit, Diag::Unit};

template <Scalar T>
T scalar(int re, int im) {
  if constexpr (is_complex<T>) {
    return {static_cast<real_t<T>>(re), static_cast<real_t<T>>(im)};
  } else {
    return static_cast<T>(re);
  }
}

/// Integers in -5..5 (both parts), so that sums of products are exact in any order.
template <Scalar T>
T integer_entry(Index seed, Index i, Index j) {
  const Index h = (i * 7919 + j * 104729 + seed * 1299709) % 10007;
  return scalar<T>(static_cast<int>(h * h % 11) - 5, static_cast<int>(h * h % 97 % 11) - 5);
}

/// Two rows beyond the tile that keep their bits.
inline constexpr Index guard_rows = 2;

/// A matrix with guard rows; every element of it, guards included, starts as the marked NaN.
template <Scalar T>
Dense<T> unset(Index m, Index n) {
  Dense<T> a(m, n, guard_rows);
  std::fill_n(a.data(), a.ld() * n, marked_nan<T>());
  return a;
}

template <Scalar T>
Dense<T> integers(Index seed, Index m, Index n) {
  Dense<T> a = unset<T>(m, n);
  return a.set([&](Index i, Index j) { return integer_entry<T>(seed, i, j); });
}

/// f(i, j) in one triangle; the other one holds marked NaNs.
template <Scalar T>
Dense<T> triangle(Uplo uplo, Index n, const std::function<T(Index, Index)>& f) {
  Dense<T> a = unset<T>(n, n);
  return a.set([&](Index i, Index j) { return in_triangle(uplo, i, j) ? f(i, j) : marked_nan<T>(); });
}

template <Scalar T>
Tile<T> tile(Dense<T>& a) {
  return {a.data(), a.m(), a.n(), a.ld()};
}

/// op(A)(i, j).
template <Scalar T>
T entry(Op op, const Dense<T>& a, Index i, Index j) {
  if (op == Op::no_trans) return a(i, j);
  return op == Op::trans ? a(j, i) : conjugate(a(j, i));
}

template <Scalar T>
Dense<T> transformed(Op op, const Dense<T>& a) {
  const bool same = op == Op::no_trans;
  return Dense<T>(same ? a.m() : a.n(), same ? a.n() : a.m()).set([&](Index i, Index j) {
    return entry(op, a, i, j);
  });
}

/// The triangle of `a` as a whole matrix, with zeros and the ones of a unit diagonal.
template <Scalar T>
Dense<T> expanded(Uplo uplo, Diag diag, const Dense<T>& a) {
  return Dense<T>(a.m(), a.n()).set([&](Index i, Index j) {
    if (i == j && diag == Diag::Unit) return T(1);
    return in_triangle(uplo, i, j) ? a(i, j) : T(0);
  });
}

/// Equal values where `want` is one; where it is NaN, and in the guard rows, the same bits as an unset matrix.
template <Scalar T>
testing::AssertionResult equals(const Dense<T>& got, const Dense<T>& want) {
  for (Index j = 0; j < got.n(); ++j) {
    for (Index i = 0; i < got.ld(); ++i) {
      const T x = got.data()[i + j * got.ld()];
      const T y = i < want.m() ? want(i, j) : marked_nan<T>();
      if (x != y && !same_bits(x, y)) {
        return testing::AssertionFailure() << "(" << i << ", " << j << ") of " << got.m() << " x " << got.n()
                                           << " is " << x << " instead of " << y;
      }
    }
  }
  return testing::AssertionSuccess();
}

/// The letters of LAPACK's options.
template <class... Options>
std::string describe(Options... options) {
  return {static_cast<char>(options)...};
}

/// An m x n tile without padding in memory that ends where the process may not read on.
template <class T>
class GuardedTile {
 public:
  GuardedTile(Index m, Index n) : m_(m), n_(n) {
    constexpr std::size_t page = 4096;
    const std::size_t bytes = static_cast<std::size_t>(m * n) * sizeof(T);
    mapped_ = (bytes + page - 1) / page * page + page;
    base_ = static_cast<std::byte*>(
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + mapped_ - page, page, PROT_NONE);
    data_ = reinterpret_cast<T*>(base_ + mapped_ - page - bytes);
  }
  ~GuardedTile() { munmap(base_, mapped_); }
  GuardedTile(const GuardedTile&) = delete;
  GuardedTile& operator=(const GuardedTile&) = delete;

  Tile<T> tile() { return {data_, m_, n_, std::max<Index>(1, m_)}; }

 private:
  Index m_, n_;
  std::size_t mapped_;
  std::byte* base_;
  T* data_;
};

}  // namespace tessera::test
