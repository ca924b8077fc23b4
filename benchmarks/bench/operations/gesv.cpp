// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operations/general.hpp"
#include "tessera/flops.hpp"

namespace tessera::bench {
namespace {

/// Solution of a general system with nrhs right-hand sides.
template <Scalar T>
class Gesv final : public GeneralSolve<T> {
 public:
  using GeneralSolve<T>::GeneralSolve;

  double flops() const override {
    return flops::getrf<T>(this->case_.n, this->case_.n) + flops::getrs<T>(this->case_.n, this->case_.nrhs);
  }
  void submit(Sequence& sequence) override {
    gesv(sequence, this->A_, this->ipiv_, this->B_, this->options());
  }
  double residual() override { return this->residual_of(Op::no_trans); }
  Index run_vendor() override {
    const Index info = vendor::getrf(this->vendor_A_->tile(), this->vendor_ipiv_.data());
    return info != 0 ? info : this->solve_vendor(Op::no_trans);
  }
};

const Registration registration("gesv", make<Gesv>, &Case::nrhs);

}  // namespace
}  // namespace tessera::bench
