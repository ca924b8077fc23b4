// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <cmath>

#include "benchmarks/bench/operations/product.hpp"

namespace tessera::bench {
namespace {

/// C = alpha op(A) op(B) + beta C.
template <Scalar T>
class Gemm final : public ProductOperation<T> {
  using Base = ProductOperation<T>;
  using Base::alpha_, Base::beta_, Base::case_, Base::rt_, Base::A_, Base::B_, Base::C_;

 public:
  Gemm(Runtime& runtime, const Case& c)
      : Base(runtime, c,
             Base::stored(c.op_a, Base::Home::columns, {c.m, c.k, Base::uniform(c, 0), c.distribution}),
             Base::stored(c.op_b, Base::Home::rows,
                          {c.k, c.n, Base::uniform(c, 1), Base::general_distribution(c)}),
             {c.m, c.n, Base::uniform(c, 2), with_home(c.distribution, Base::Home::spread)}) {}

  Shape shape() const override { return {case_.m, case_.n, case_.k}; }
  double flops() const override { return flops::gemm<T>(case_.m, case_.n, case_.k); }

  /// For m x n x k tiles. Owner computes: a rank that writes mn/P tiles of C in r rows and c columns needs k (r + c) >=
  /// 2 k sqrt(mn/P) tiles of A and B, and owns its share of them; likewise when A or B stays. A share of memory: 2 m n k
  /// / sqrt(mn + nk + mk) sqrt(P). Any memory: 3 (mnk)^(2/3) P^(1/3) - mn - nk - mk (Al Daas, Ballard, Grigori, Kumar,
  /// Rouse, SPAA'22).
  std::optional<Bounds> bounds(Rank P) const override {
    const auto m = static_cast<double>(this->C().mt()), n = static_cast<double>(this->C().nt());
    const auto k = static_cast<double>(case_.op_a == Op::no_trans ? this->A().nt() : this->A().mt());
    const auto owner_computes = [P](double stay_m, double stay_n, double other) {
      return 2 * other * std::sqrt(stay_m * stay_n * P) - other * (stay_m + stay_n);
    };
    const double a = owner_computes(m, k, n), b = owner_computes(k, n, m), c = owner_computes(m, n, k);
    const double share = m * n + n * k + m * k;
    return Bounds{case_.stationary == Stationary::a   ? a
                  : case_.stationary == Stationary::b ? b
                  : case_.stationary == Stationary::c ? c
                                                      : std::min({a, b, c}),
                  2 * m * n * k * std::sqrt(P / share), 3 * std::cbrt(m * n * k * m * n * k * P) - share};
  }

  void submit(Sequence& sequence) override {
    gemm<T>(sequence, alpha_, detail::apply(case_.op_a, this->A()), detail::apply(case_.op_b, this->B()),
            beta_, this->C(), this->product_options());
  }
  double residual() override {
    const Index m = case_.m, n = case_.n, k = case_.k;
    auto residual = this->new_residual();
    residual.subtract(this->C());
    residual.add(alpha_, this->by_formula(m, k, view(case_.op_a, A_.formula())),
                 this->by_formula(k, n, view(case_.op_b, B_->formula())));
    residual.add(beta_, this->by_formula(m, n, C_.formula()));
    return residual.value();
  }
  Index run_vendor() override {
    vendor::gemm<T>(case_.op_a, case_.op_b, alpha_, A_.vendor(), B_->vendor(), beta_, C_.vendor());
    return 0;
  }
};

const Registration registration("gemm", make<Gemm>, &Case::n);

}  // namespace
}  // namespace tessera::bench
