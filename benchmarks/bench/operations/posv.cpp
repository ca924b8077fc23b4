// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operations/hermitian.hpp"
#include "tessera/algorithms/check.hpp"
#include "tessera/algorithms/cholesky.hpp"
#include "tessera/flops.hpp"

namespace tessera::bench {
namespace {

/// Solution of a Hermitian positive definite system with nrhs right-hand sides.
template <Scalar T>
class Posv final : public HermitianOperation<T> {
  using Base = HermitianOperation<T>;

 public:
  Posv(Runtime& runtime, const Case& c) : Base(runtime, c), B_(this->new_matrix(c.nrhs)) {}

  Shape shape() const override { return {this->case_.n, this->case_.n, this->case_.nrhs}; }
  double flops() const override {
    return flops::potrf<T>(this->case_.n) + flops::potrs<T>(this->case_.n, this->case_.nrhs);
  }

  void prepare() override {
    Base::prepare();
    fill_right_hand_sides(B_);
  }
  void submit(Sequence& sequence) override { posv(sequence, this->case_.uplo, this->A_, B_); }
  double residual() override {
    const TileMatrix<T> B = this->new_matrix(this->case_.nrhs);
    fill_right_hand_sides(B);
    return solve_residual(this->rt_, this->case_.uplo, this->original(), B_, B);
  }

  void prepare_vendor() override {
    Base::prepare_vendor();
    if (!vendor_B_) vendor_B_.emplace(this->case_.n, this->case_.nrhs);
    fill_right_hand_sides(vendor_B_->tiles(this->rt_));
  }
  Index run_vendor() override {
    return vendor::posv(this->case_.uplo, this->vendor_A_->tile(), vendor_B_->tile());
  }

 private:
  void fill_right_hand_sides(const TileMatrix<T>& B) const {
    fill(this->rt_, B, generate::uniform<T>(this->case_.seed + 1));
  }

  TileMatrix<T> B_;
  std::optional<ColumnMajor<T>> vendor_B_;
};

const Registration registration("posv", make<Posv>, &Case::nrhs);

}  // namespace
}  // namespace tessera::bench
