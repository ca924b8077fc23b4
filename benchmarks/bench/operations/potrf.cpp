// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operations/hermitian.hpp"
#include "tessera/algorithms/check.hpp"
#include "tessera/algorithms/cholesky.hpp"
#include "tessera/flops.hpp"

namespace tessera::bench {
namespace {

/// Cholesky factorisation.
template <Scalar T>
class Potrf final : public HermitianOperation<T> {
 public:
  using HermitianOperation<T>::HermitianOperation;

  double flops() const override { return flops::potrf<T>(this->case_.n); }
  void submit(Sequence& sequence) override { potrf(sequence, this->case_.uplo, this->A_); }
  double residual() override {
    return cholesky_residual(this->rt_, this->case_.uplo, this->original(), this->A_);
  }
  Index run_vendor() override { return vendor::potrf(this->case_.uplo, this->vendor_A_->tile()); }
};

const Registration registration("potrf", make<Potrf>);

}  // namespace
}  // namespace tessera::bench
