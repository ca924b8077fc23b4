// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operations/symmetric_update.hpp"

namespace tessera::bench {
namespace {

template <Scalar T>
struct Syr2kKind : Symmetric {
  static void submit(auto&&... arguments) { syr2k<T>(arguments...); }
  static void run_vendor(auto&&... arguments) { vendor::syr2k<T>(arguments...); }
};
template <Scalar T>
struct Her2kKind : Hermitian {
  static void submit(auto&&... arguments) { her2k<T>(arguments...); }
  static void run_vendor(auto&&... arguments) { vendor::her2k<T>(arguments...); }
};

/// One triangle of C = alpha op(A) op(B)^T + alpha op(B) op(A)^T + beta C, or with ^H and the second alpha's conjugate.
template <class Kind, Scalar T>
class Rank2kUpdate : public SymmetricUpdate<Kind, T> {
  using Base = SymmetricUpdate<Kind, T>;
  using Base::alpha_, Base::beta_, Base::case_, Base::A_, Base::B_, Base::C_;

 public:
  Rank2kUpdate(Runtime& runtime, const Case& c) : Base(runtime, c, true) {}

  double flops() const override { return flops::syr2k<T>(case_.n, case_.k); }

  void submit(Sequence& sequence) override {
    Kind::submit(sequence, case_.uplo, alpha_, detail::apply(case_.op_a, this->A()),
                 detail::apply(case_.op_a, this->B()), Base::factor(beta_), this->C(),
                 this->product_options());
  }
  double residual() override {
    auto residual = this->begin_residual();
    residual.add(alpha_, this->reference(A_), this->mirror_reference(*B_));
    residual.add(detail::apply(Kind::mirror, alpha_), this->reference(*B_), this->mirror_reference(A_));
    return residual.value();
  }
  Index run_vendor() override {
    Kind::run_vendor(case_.uplo, case_.op_a, alpha_, A_.vendor(), B_->vendor(), Base::factor(beta_),
                     C_.vendor());
    return 0;
  }
};

template <Scalar T>
using Syr2k = Rank2kUpdate<Syr2kKind<T>, T>;
template <Scalar T>
using Her2k = Rank2kUpdate<Her2kKind<T>, T>;

const Registration syr2k_registration("syr2k", make<Syr2k>, &Case::k);
const Registration her2k_registration("her2k", make<Her2k>, &Case::k);

}  // namespace
}  // namespace tessera::bench
