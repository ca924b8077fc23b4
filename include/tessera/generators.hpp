// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "tessera/error.hpp"
#include "tessera/types.hpp"

/// \file
/// Matrices by formula, for fill(): each function makes an ElementFunction, (i, j) -> element, with i and j
/// from 0. An element depends on (seed, i, j) alone, so a matrix is the same for every tiling, distribution,
/// number of ranks and order of execution, and any element can be made again where it is needed.

namespace tessera::generate {

namespace detail {

/// One step of SplitMix64 from state x (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// OOPSLA 2014; finaliser of Vigna's splitmix64.c). A bijection of 64-bit words.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// 64 random bits that belong to (seed, i, j); mix() of them gives 64 more.
constexpr std::uint64_t bits(std::uint64_t seed, Index i, Index j) {
  return mix(mix(mix(seed) + static_cast<std::uint64_t>(i)) + static_cast<std::uint64_t>(j));
}

/// A scalar from random bits: part(bits) makes a real number; complex scalars have two.
template <Scalar T, class Part>
constexpr T scalar(std::uint64_t bits, Part part) {
  if constexpr (is_complex<T>) {
    return {part(bits), part(mix(bits))};
  } else {
    return part(bits);
  }
}

/// The Hermitian matrix with the lower triangle of `f` and the real part of its diagonal.
template <Scalar T, class F>
constexpr auto hermitian(F f) {
  return [f](Index i, Index j) -> T {
    if (i == j) return real_part(f(i, i));
    return i > j ? f(i, j) : conjugate(f(j, i));
  };
}

}  // namespace detail

/// Uniform in [-0.5, 0.5), real and imaginary parts alike: the leading 24 (float) or 53 (double) random bits
/// as a binary fraction, less one half. Single and double precision elements agree to 2^-24.
template <Scalar T>
constexpr auto uniform(std::uint64_t seed) {
  return [seed](Index i, Index j) -> T {
    return detail::scalar<T>(detail::bits(seed, i, j), [](std::uint64_t bits) -> real_t<T> {
      constexpr int digits = sizeof(real_t<T>) == 4 ? 24 : 53;
      constexpr auto unit = real_t<T>(1) / static_cast<real_t<T>>(std::uint64_t{1} << digits);
      return static_cast<real_t<T>>(bits >> (64 - digits)) * unit - real_t<T>(0.5);
    });
  };
}

/// Hermitian (symmetric for real T) and positive definite, of order n: uniform() below the diagonal, and a
/// diagonal in [n - 0.5, n + 0.5), which dominates its row (PLASMA: xPLGHE). Its condition number is small.
template <Scalar T>
constexpr auto hermitian(std::uint64_t seed, Index n) {
  return [n, random = detail::hermitian<T>(uniform<T>(seed))](Index i, Index j) -> T {
    return i == j ? random(i, i) + static_cast<T>(static_cast<real_t<T>>(n)) : random(i, j);
  };
}

/// Integers in low..high, real and imaginary parts alike: sums and products of moderate size are exact in any
/// order.
/// \throws ArgumentError unless low <= high and both are below 2^24 in size, so that every type holds them
///        exactly
template <Scalar T>
constexpr auto integers(std::uint64_t seed, Index low = -5, Index high = 5) {
  constexpr Index largest = Index{1} << 24;
  if (low < -largest || low > high) {
    throw ArgumentError("integers", "low", std::to_string(low), "must be in -2^24 .. high");
  }
  if (high > largest) throw ArgumentError("integers", "high", std::to_string(high), "must be at most 2^24");
  return [seed, low, count = static_cast<std::uint64_t>(high - low + 1)](Index i, Index j) -> T {
    return detail::scalar<T>(detail::bits(seed, i, j), [&](std::uint64_t bits) {
      return static_cast<real_t<T>>(low + static_cast<Index>(((bits >> 32) * count) >> 32));
    });
  };
}

/// The Hermitian (symmetric for real T) matrix with integers() below the diagonal and real integers on it.
/// \throws ArgumentError as integers()
template <Scalar T>
constexpr auto hermitian_integers(std::uint64_t seed, Index low = -5, Index high = 5) {
  return detail::hermitian<T>(integers<T>(seed, low, high));
}

/// min(i, j), counted from 1. Symmetric positive definite; its Cholesky factor is all ones, its determinant
/// 1, its inverse tridiagonal: 2 on the diagonal (the last 1), -1 beside it.
template <Scalar T>
constexpr auto minimum() {
  return [](Index i, Index j) -> T { return static_cast<real_t<T>>(std::min(i, j) + 1); };
}

/// Ones on the diagonal.
template <Scalar T>
constexpr auto identity() {
  return [](Index i, Index j) -> T { return static_cast<real_t<T>>(i == j ? 1 : 0); };
}

/// 1 / (i + j - 1), counted from 1. Symmetric positive definite and very ill-conditioned.
template <Scalar T>
constexpr auto hilbert() {
  return [](Index i, Index j) -> T { return real_t<T>(1) / static_cast<real_t<T>>(i + j + 1); };
}

/// x everywhere.
template <Scalar T>
constexpr auto constant(T x) {
  return [x](Index, Index) -> T { return x; };
}

}  // namespace tessera::generate
