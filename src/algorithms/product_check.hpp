// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "src/argument_check.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/matrix.hpp"

/// \file
/// The checks that the routines of BLAS's level 3 share.

namespace tessera::detail {

class ProductCheck : public ArgumentCheck {
 public:
  ProductCheck(Sequence& sequence, std::string_view routine, const ProductOptions& options)
      : ArgumentCheck(sequence.runtime(), routine) {
    priority(options.priority);
    one_of("stationary", options.stationary,
           {Stationary::automatic, Stationary::a, Stationary::b, Stationary::c},
           "must be automatic, a, b or c");
  }

  ProductCheck& side(Side side) {
    one_of("side", side, {Side::Left, Side::Right}, "must be Left or Right");
    return *this;
  }

  /// A square matrix in square tiles.
  template <class T>
  ProductCheck& square(std::string_view name, const TileMatrix<T>& A) {
    matrix(name, A);
    require(A.m() == A.n(), fmt::format("{}.n()", name), A.n(), "the matrix must be square");
    require(A.mb() == A.nb(), fmt::format("{}.nb()", name), A.nb(), "the tiles must be square");
    return *this;
  }

  /// An extent of `like_size` elements, cut alike; where it fits in one tile any tile size will do.
  ProductCheck& conform(std::string_view name, Index size, Index tile, std::string_view like, Index like_size,
                        Index like_tile) {
    require(size == like_size, name, size, fmt::format("must equal {}, {}", like, like_size));
    require(size != like_size || tile == like_tile || (size <= tile && size <= like_tile),
            fmt::format("tile size along {}", name), tile,
            fmt::format("must be that along {}, {}: the tiles must conform", like, like_tile));
    return *this;
  }

  /// A^T of a Hermitian matrix and A^H of a symmetric one would be conjugates without transpose.
  template <class T>
  ProductCheck& view(std::string_view name, const TileMatrix<T>& X, Op wrong) {
    require(!is_complex<T> || X.op() != wrong, name, X.op(),
            "this view of a complex matrix would need a conjugate without transpose, which BLAS has not");
    return *this;
  }
};

}  // namespace tessera::detail
