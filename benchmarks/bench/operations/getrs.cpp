// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operations/general.hpp"
#include "tessera/flops.hpp"

namespace tessera::bench {
namespace {

/// Solution of op(A) X = B with an LU factor; the factorisation is not timed.
template <Scalar T>
class Getrs final : public GeneralSolve<T> {
  using Base = GeneralSolve<T>;

 public:
  using Base::Base;

  double flops() const override { return flops::getrs<T>(this->case_.n, this->case_.nrhs); }
  void prepare() override {
    Base::prepare();
    this->factor();
  }
  void submit(Sequence& sequence) override {
    getrs(sequence, this->case_.op_a, this->A_, this->ipiv_, this->B_, this->options());
  }
  double residual() override { return this->residual_of(this->case_.op_a); }
  void prepare_vendor() override {
    Base::prepare_vendor();
    this->factor_vendor();
  }
  Index run_vendor() override { return this->solve_vendor(this->case_.op_a); }
};

const Registration registration("getrs", make<Getrs>, &Case::nrhs);

}  // namespace
}  // namespace tessera::bench
