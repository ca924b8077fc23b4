// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <cmath>

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
  /// The constants are those for one triangle of n x n tiles, S = n(n+1)/2: owner computes S (sqrt P - 1); a share
  /// of n^2/(2P) tiles of memory n^2 sqrt(P)/3 (Beaumont, Eyraud-Dubois, Verite, Langou, SPAA'22); any memory
  /// 3 (n^3/(6 sqrt 2))^(2/3) P^(1/3) - n^2, by the same argument.
  std::optional<Bounds> bounds(Rank P) const override {
    const auto n = static_cast<double>(this->A_.nt());
    return Bounds{n * (n + 1) / 2 * (std::sqrt(P) - 1), n * n * std::sqrt(P) / 3,
                  3 * std::pow(n * n * n / (6 * std::sqrt(2)), 2.0 / 3) * std::cbrt(P) - n * n};
  }
  void submit(Sequence& sequence) override { potrf(sequence, this->case_.uplo, this->A_); }
  double residual() override {
    return cholesky_residual(this->rt_, this->case_.uplo, this->original(), this->A_);
  }
  Index run_vendor() override { return vendor::potrf(this->case_.uplo, this->vendor_A_->tile()); }
};

const Registration registration("potrf", make<Potrf>);

}  // namespace
}  // namespace tessera::bench
