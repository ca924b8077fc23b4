// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operations/general.hpp"
#include "tessera/flops.hpp"

namespace tessera::bench {
namespace {

/// Inverse from an LU factor; the factorisation is not timed.
template <Scalar T>
class Getri final : public GeneralOperation<T> {
  using Base = GeneralOperation<T>;

 public:
  Getri(Runtime& runtime, const Case& c) : Base(runtime, c, c.n) {}

  double flops() const override { return flops::getri<T>(this->case_.n); }
  void prepare() override {
    Base::prepare();
    this->factor();
  }
  void submit(Sequence& sequence) override { getri(sequence, this->A_, this->ipiv_, this->options()); }
  double residual() override { return inverse_residual(this->rt_, this->original(), this->A_); }
  void prepare_vendor() override {
    Base::prepare_vendor();
    if (!work_) work_.emplace(this->case_.n, this->case_.n);
    this->factor_vendor();
  }
  Index run_vendor() override {
    return vendor::getri(this->vendor_A_->tile(), this->vendor_ipiv_.data(), work_->tile());
  }

 private:
  std::optional<ColumnMajor<T>> work_;
};

const Registration registration("getri", make<Getri>);

}  // namespace
}  // namespace tessera::bench
