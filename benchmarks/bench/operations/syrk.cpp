// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <cmath>

#include "benchmarks/bench/operations/symmetric_update.hpp"

namespace tessera::bench {
namespace {

template <Scalar T>
struct SyrkKind : Symmetric {
  static void submit(auto&&... arguments) { syrk<T>(arguments...); }
  static void run_vendor(auto&&... arguments) { vendor::syrk<T>(arguments...); }
};
template <Scalar T>
struct HerkKind : Hermitian {
  static void submit(auto&&... arguments) { herk<T>(arguments...); }
  static void run_vendor(auto&&... arguments) { vendor::herk<T>(arguments...); }
};

/// One triangle of C = alpha op(A) op(A)^T + beta C, or with ^H.
template <class Kind, Scalar T>
class RankKUpdate : public SymmetricUpdate<Kind, T> {
  using Base = SymmetricUpdate<Kind, T>;
  using Base::alpha_, Base::beta_, Base::case_, Base::A_, Base::C_;

 public:
  RankKUpdate(Runtime& runtime, const Case& c) : Base(runtime, c, false) {}

  double flops() const override { return flops::syrk<T>(case_.n, case_.k); }

  /// For C of n x n and A of n x m tiles. Owner computes n m (sqrt P - 1). A share of memory M = (n^2/2 + nm)/P:
  /// n^2 m / sqrt(2 M) (Beaumont, Eyraud-Dubois, Verite, Langou, SPAA'22). Any memory: 3/2 (n^2 m)^(2/3) P^(1/3) -
  /// n^2/2 - nm (Al Daas, Ballard, Grigori, Kumar, Rouse, SPAA'23).
  std::optional<Bounds> bounds(Rank P) const override {
    const auto n = static_cast<double>(this->C().nt());
    const auto m = static_cast<double>(case_.op_a == Op::no_trans ? this->A().nt() : this->A().mt());
    const double share = n * n / 2 + n * m;
    return Bounds{n * m * (std::sqrt(P) - 1), n * n * m * std::sqrt(P / (2 * share)),
                  1.5 * std::pow(n * n * m, 2.0 / 3) * std::cbrt(P) - share};
  }

  void submit(Sequence& sequence) override {
    Kind::submit(sequence, case_.uplo, Base::factor(alpha_), detail::apply(case_.op_a, this->A()),
                 Base::factor(beta_), this->C(), this->product_options());
  }
  double residual() override {
    auto residual = this->begin_residual();
    residual.add(T{Base::factor(alpha_)}, this->reference(A_), this->mirror_reference(A_));
    return residual.value();
  }
  Index run_vendor() override {
    Kind::run_vendor(case_.uplo, case_.op_a, Base::factor(alpha_), A_.vendor(), Base::factor(beta_),
                     C_.vendor());
    return 0;
  }
};

template <Scalar T>
using Syrk = RankKUpdate<SyrkKind<T>, T>;
template <Scalar T>
using Herk = RankKUpdate<HerkKind<T>, T>;

const Registration syrk_registration("syrk", make<Syrk>, &Case::k);
const Registration herk_registration("herk", make<Herk>, &Case::k);

}  // namespace
}  // namespace tessera::bench
