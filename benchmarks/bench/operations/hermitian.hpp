// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <optional>

#include "benchmarks/bench/operation.hpp"
#include "benchmarks/bench/vendor.hpp"
#include "tessera/algorithms/fill.hpp"
#include "tessera/generators.hpp"
#include "tessera/matrix.hpp"

namespace tessera::bench {

/// What the operations on a Hermitian positive definite matrix of order n share: the matrix, here and for the
/// vendor, with one triangle filled.
template <Scalar T>
class HermitianOperation : public Operation {
 public:
  HermitianOperation(Runtime& runtime, const Case& c) : rt_(runtime), case_(c), A_(new_matrix(c.n)) {}

  Shape shape() const override { return {case_.n, case_.n}; }
  Index tile_size() const override { return A_.nb(); }
  void prepare() override { fill_triangle(A_); }
  void prepare_vendor() override {
    if (!vendor_A_) vendor_A_.emplace(case_.n, case_.n);
    fill_triangle(vendor_A_->tiles(rt_));
  }

 protected:
  /// A matrix of n rows whose tiles conform with A's.
  TileMatrix<T> new_matrix(Index columns) const {
    const Index nb = case_.nb > 0 ? case_.nb : default_tile_size(rt_, case_.n);
    return TileMatrix<T>(rt_, case_.n, columns, nb, case_.distribution);
  }
  void fill_triangle(const TileMatrix<T>& A) const {
    fill(rt_, case_.uplo, A, generate::hermitian<T>(case_.seed, case_.n));
  }
  /// A as it was before the run.
  TileMatrix<T> original() const {
    TileMatrix<T> A = new_matrix(case_.n);
    fill_triangle(A);
    return A;
  }

  Runtime& rt_;
  Case case_;
  TileMatrix<T> A_;
  std::optional<ColumnMajor<T>> vendor_A_;
};

}  // namespace tessera::bench
