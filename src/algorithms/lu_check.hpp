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
  check.require(A.mb() == A.nb(), name + ".nb()", A.nb(), "must equal mb(): the tiles must be square")
      .matrix("ipiv", ipiv);
  not_transposed("ipiv", ipiv.op());
  check
      .require(ipiv.m() == std::min(A.m(), A.n()), "ipiv.m()", ipiv.m(),
               "must equal min(m, n) of the m x n matrix")
      .require(ipiv.n() == 1, "ipiv.n()", ipiv.n(), "must be 1")
      .require(ipiv.mb() == A.mb(), "ipiv.mb()", ipiv.mb(),
               "must equal mb() of the matrix: the tiles must conform")
      .one_of("pivoting", options.pivoting, {Pivoting::partial, Pivoting::tournament, Pivoting::none},
              "must be partial, tournament or none")
      .same("priority", options.priority);
}

}  // namespace tessera::detail
