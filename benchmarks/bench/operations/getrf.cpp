// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operations/general.hpp"
#include "tessera/flops.hpp"

namespace tessera::bench {
namespace {

/// LU factorisation.
template <Scalar T>
class Getrf : public GeneralOperation<T> {
 public:
  Getrf(Runtime& runtime, const Case& c) : GeneralOperation<T>(runtime, c, c.m) {}

  double flops() const override { return flops::getrf<T>(this->m_, this->case_.n); }
  void submit(Sequence& sequence) override { getrf(sequence, this->A_, this->ipiv_, this->options()); }
  double residual() override { return lu_residual(this->rt_, this->original(), this->A_, this->ipiv_); }
  Index run_vendor() override { return vendor::getrf(this->vendor_A_->tile(), this->vendor_ipiv_.data()); }
};

Case without_pivots(Case c) {
  c.pivoting = Pivoting::none;
  return c;
}

/// LU factorisation without pivoting, of a matrix that needs none. The vendor's has pivoting.
template <Scalar T>
class GetrfNopiv final : public Getrf<T> {
 public:
  GetrfNopiv(Runtime& runtime, const Case& c) : Getrf<T>(runtime, without_pivots(c)) {}
};

const Registration registration("getrf", make<Getrf>);
const Registration registration_nopiv("getrf_nopiv", make<GetrfNopiv>);

}  // namespace
}  // namespace tessera::bench
