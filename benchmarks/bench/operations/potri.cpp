// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <fmt/format.h>

#include "benchmarks/bench/operations/hermitian.hpp"
#include "tessera/algorithms/check.hpp"
#include "tessera/algorithms/cholesky.hpp"
#include "tessera/flops.hpp"

namespace tessera::bench {
namespace {

/// Inverse from a Cholesky factor; the factorisation is not timed.
template <Scalar T>
class Potri final : public HermitianOperation<T> {
  using Base = HermitianOperation<T>;

 public:
  using Base::Base;

  double flops() const override { return flops::potri<T>(this->case_.n); }

  void prepare() override {
    Base::prepare();
    require_factor(potrf(this->rt_, this->case_.uplo, this->A_).index());
  }
  void submit(Sequence& sequence) override { potri(sequence, this->case_.uplo, this->A_); }
  double residual() override {
    return inverse_residual(this->rt_, this->case_.uplo, this->original(), this->A_);
  }

  void prepare_vendor() override {
    Base::prepare_vendor();
    require_factor(vendor::potrf(this->case_.uplo, this->vendor_A_->tile()));
  }
  Index run_vendor() override { return vendor::potri(this->case_.uplo, this->vendor_A_->tile()); }

 private:
  static void require_factor(Index info) {
    if (info != 0)
      throw RuntimeError(fmt::format("potri: the factorisation before it failed with info {}", info));
  }
};

const Registration registration("potri", make<Potri>);

}  // namespace
}  // namespace tessera::bench
