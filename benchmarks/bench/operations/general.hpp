// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "benchmarks/bench/operation.hpp"
#include "benchmarks/bench/vendor.hpp"
#include "tessera/algorithms/check.hpp"
#include "tessera/algorithms/fill.hpp"
#include "tessera/algorithms/lu.hpp"
#include "tessera/generators.hpp"
#include "tessera/matrix.hpp"

namespace tessera::bench {

/// What the operations on a general m x n matrix share: the matrix and its pivots, here and for the vendor.
template <Scalar T>
class GeneralOperation : public Operation {
 public:
  GeneralOperation(Runtime& runtime, const Case& c, Index m)
      : rt_(runtime), case_(c), m_(m), A_(new_matrix(m, c.n)), ipiv_(make_pivots(runtime, A_)) {}

  Shape shape() const override { return {m_, case_.n}; }
  Index tile_size() const override { return A_.nb(); }
  void prepare() override { fill_matrix(A_); }
  void prepare_vendor() override {
    if (!vendor_A_) vendor_A_.emplace(m_, case_.n);
    vendor_ipiv_.resize(static_cast<std::size_t>(std::min(m_, case_.n)));
    fill_matrix(vendor_A_->tiles(rt_));
  }

 protected:
  LuOptions options() const { return {.pivoting = case_.pivoting}; }
  /// A matrix whose tiles conform with A's.
  TileMatrix<T> new_matrix(Index rows, Index columns) const {
    const Index nb = case_.nb > 0 ? case_.nb : default_tile_size(rt_, std::max(m_, case_.n));
    return TileMatrix<T>(rt_, rows, columns, nb, case_.distribution);
  }
  /// Random; without pivoting its diagonal is made so large that it needs none.
  void fill_matrix(const TileMatrix<T>& A) const {
    const auto entry = generate::uniform<T>(case_.seed);
    const auto shift = case_.pivoting == Pivoting::none ? static_cast<real_t<T>>(m_ + case_.n) : real_t<T>{0};
    fill(rt_, A, [=](Index i, Index j) -> T { return i == j ? entry(i, j) + T(shift) : entry(i, j); });
  }
  /// A as it was before the run.
  TileMatrix<T> original() const {
    TileMatrix<T> A = new_matrix(m_, case_.n);
    fill_matrix(A);
    return A;
  }

  // For operations on a factor; the factorisation is not timed.
  void factor() { require_factor(getrf(rt_, A_, ipiv_, options()).index()); }
  void factor_vendor() { require_factor(vendor::getrf(vendor_A_->tile(), vendor_ipiv_.data())); }

  Runtime& rt_;
  Case case_;
  Index m_;
  TileMatrix<T> A_;
  TileMatrix<Index> ipiv_;
  std::optional<ColumnMajor<T>> vendor_A_;
  std::vector<int> vendor_ipiv_;

 private:
  static void require_factor(Index info) {
    if (info != 0) throw RuntimeError(fmt::format("the factorisation before it failed with info {}", info));
  }
};

/// What the operations with right-hand sides add.
template <Scalar T>
class GeneralSolve : public GeneralOperation<T> {
  using Base = GeneralOperation<T>;

 public:
  GeneralSolve(Runtime& runtime, const Case& c) : Base(runtime, c, c.n), B_(this->new_matrix(c.n, c.nrhs)) {}

  Shape shape() const override { return {this->case_.n, this->case_.n, this->case_.nrhs}; }
  void prepare() override {
    Base::prepare();
    fill_right_hand_sides(B_);
  }
  void prepare_vendor() override {
    Base::prepare_vendor();
    if (!vendor_B_) vendor_B_.emplace(this->case_.n, this->case_.nrhs);
    fill_right_hand_sides(vendor_B_->tiles(this->rt_));
  }

 protected:
  double residual_of(Op op) const {
    const TileMatrix<T> B = this->new_matrix(this->case_.n, this->case_.nrhs);
    fill_right_hand_sides(B);
    return solve_residual(this->rt_, op, this->original(), B_, B);
  }
  Index solve_vendor(Op op) {
    return vendor::getrs(op, this->vendor_A_->tile(), this->vendor_ipiv_.data(), vendor_B_->tile());
  }

  TileMatrix<T> B_;

 private:
  void fill_right_hand_sides(const TileMatrix<T>& B) const {
    fill(this->rt_, B, generate::uniform<T>(this->case_.seed + 1));
  }

  std::optional<ColumnMajor<T>> vendor_B_;
};

}  // namespace tessera::bench
