// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <limits>
#include <string>
#include <type_traits>

#include "tessera/error.hpp"
#include "tessera/types.hpp"

/// \file
/// What every call of a vendor's BLAS or LAPACK needs.

namespace tessera::vendor {

/// Of a routine's four versions, the one for T.
template <Scalar T, class S, class D, class C, class Z>
constexpr auto routine([[maybe_unused]] S s, [[maybe_unused]] D d, [[maybe_unused]] C c,
                       [[maybe_unused]] Z z) {
  if constexpr (std::is_same_v<T, float>) {
    return s;
  } else if constexpr (std::is_same_v<T, double>) {
    return d;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return c;
  } else {
    return z;
  }
}

/// A dimension for a library that counts in 32 bits.
/// \throws ArgumentError if it does not fit
inline int to_int(Index dimension) {
  if (dimension > std::numeric_limits<int>::max()) {
    throw ArgumentError("BLAS", "dimension", std::to_string(dimension),
                        "a tile's dimensions must fit in 32 bits");
  }
  return static_cast<int>(dimension);
}

}  // namespace tessera::vendor
