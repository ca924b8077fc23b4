// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <string>

#include "src/argument_check.hpp"
#include "tessera/algorithms/lu.hpp"

/// \file
/// What all routines ask of an LU factor, or of what becomes one.

namespace tessera::detail {

/// Side of the square tiles in which a matrix is factored: its own, or the shorter side of tiles that are not square.
template <class T>
Index square_tile_size(const TileMatrix<T>& A) {
  return std::min(A.mb(), A.nb());
}

/// \param name  of the matrix in the routine's declaration
template <class T>
void check_lu(ArgumentCheck& check, const std::string& name, const TileMatrix<T>& A,
              const TileMatrix<Index>& ipiv, const LuOptions& options) {
  const auto not_transposed = [&](const std::string& argument, Op op) {
    check.require(op == Op::no_trans, argument + ".op()", op,
                  "must be no_trans: transposed views are not factored");
  };
  check.matrix(name, A);
  not_transposed(name, A.op());
  check.matrix("ipiv", ipiv);
  not_transposed("ipiv", ipiv.op());
  check
      .require(ipiv.m() == std::min(A.m(), A.n()), "ipiv.m()", ipiv.m(),
               "must equal min(m, n) of the m x n matrix")
      .require(ipiv.n() == 1, "ipiv.n()", ipiv.n(), "must be 1")
      .require(ipiv.mb() == square_tile_size(A), "ipiv.mb()", ipiv.mb(),
               "must be the shorter side of the tiles of the matrix")
      .one_of("pivoting", options.pivoting, {Pivoting::partial, Pivoting::tournament, Pivoting::none},
              "must be partial, tournament or none")
      .priority(options.priority);
}

}  // namespace tessera::detail
