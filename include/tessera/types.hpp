// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>

/// \file
/// The vocabulary of LAPACK: index and rank types, scalars, one-letter options.

namespace tessera {

/// Rows, columns, tiles, elements and bytes are counted in 64 bits, everywhere.
using Index = std::int64_t;

/// Number of a process in the runtime's communicator, from 0.
using Rank = int;

/// Part of a matrix that is referenced. Symmetric, Hermitian and triangular operands use Lower or Upper;
/// `General` stands for the whole matrix where a routine also takes parts (lacpy, laset, fill).
enum class Uplo : char { Lower = 'L', Upper = 'U', General = 'G' };

/// op(A) = A, A^T or A^H.
enum class Op : char { no_trans = 'N', trans = 'T', conj_trans = 'C' };

/// The side on which a special (triangular, symmetric) operand stands in a product.
enum class Side : char { Left = 'L', Right = 'R' };

/// Whether the diagonal of a triangular matrix is stored or taken as ones.
enum class Diag : char { NonUnit = 'N', Unit = 'U' };

/// Largest absolute entry, largest column sum, largest row sum, root of the sum of squares.
enum class Norm : char { max = 'M', one = '1', inf = 'I', frobenius = 'F' };

/// The four element types of LAPACK: s, d, c, z.
template <class T>
concept Scalar = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::complex<float>> ||
    std::same_as<T, std::complex<double>>;

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

namespace detail {
template <class T>
struct RealPart {
  using type = T;
};
template <class T>
struct RealPart<std::complex<T>> {
  using type = T;
};
}  // namespace detail

/// float for s and c, double for d and z.
template <Scalar T>
using real_t = typename detail::RealPart<T>::type;

/// LAPACK's letter of an element type.
template <Scalar T>
inline constexpr char type_letter = is_complex<T> ? (sizeof(T) == 8 ? 'c' : 'z')
                                                  : (sizeof(T) == 4 ? 's' : 'd');

/// The triangle that `uplo` becomes in the transposed matrix.
constexpr Uplo flip(Uplo uplo) {
  switch (uplo) {
    case Uplo::Lower:
      return Uplo::Upper;
    case Uplo::Upper:
      return Uplo::Lower;
    default:
      return Uplo::General;
  }
}

/// The other side: where an operand of a product goes when the product is transposed.
constexpr Side flip(Side side) { return side == Side::Left ? Side::Right : Side::Left; }

/// Complex conjugate that stays real for real types (std::conj does not).
template <Scalar T>
constexpr T conjugate(T x) {
  if constexpr (is_complex<T>) {
    return std::conj(x);
  } else {
    return x;
  }
}

/// Real part, as a real number.
template <Scalar T>
constexpr real_t<T> real_part(T x) {
  if constexpr (is_complex<T>) {
    return x.real();
  } else {
    return x;
  }
}

}  // namespace tessera
