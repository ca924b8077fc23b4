// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <cmath>

#include "benchmarks/bench/operations/product.hpp"
#include "tessera/distributions/function.hpp"

namespace tessera::bench {
namespace {

template <Scalar T>
struct SymmKind : Symmetric {
  static void submit(auto&&... arguments) { symm<T>(arguments...); }
  static void run_vendor(auto&&... arguments) { vendor::symm<T>(arguments...); }
};
template <Scalar T>
struct HemmKind : Hermitian {
  static void submit(auto&&... arguments) { hemm<T>(arguments...); }
  static void run_vendor(auto&&... arguments) { vendor::hemm<T>(arguments...); }
};

/// C = alpha A B + beta C or alpha B A + beta C, A symmetric or Hermitian.
template <class Kind, Scalar T>
class SymmetricProduct : public ProductOperation<T> {
  using Base = ProductOperation<T>;
  using Base::alpha_, Base::beta_, Base::case_, Base::rt_, Base::A_, Base::B_, Base::C_;

 public:
  SymmetricProduct(Runtime& runtime, const Case& c)
      : Base(runtime, c, {order(c), order(c), Base::uniform(c, 0), home_of_A(c), c.uplo},
             typename Base::Spec{c.m, c.n, Base::uniform(c, 1), home_of_B(runtime, c)},
             {c.m, c.n, Base::uniform(c, 2), home_of_C(runtime, c)}) {}

  Shape shape() const override { return {case_.m, case_.n}; }
  double flops() const override { return flops::symm<T>(case_.side, case_.m, case_.n); }

  /// For A of n x n tiles and m tile columns (rows, on the right) of B and C. Owner computes: with A stationary 2 n m
  /// (sqrt P - 1); none is known otherwise. A share of memory M = (n^2/2 + 2nm)/P: sqrt 2 n^2 m / sqrt M. Any memory:
  /// 3 (n^2 m / sqrt 2)^(2/3) P^(1/3) - n^2/2 - 2nm. By the arguments for Cholesky and gemm.
  std::optional<Bounds> bounds(Rank P) const override {
    const auto n = static_cast<double>(this->A().nt());
    const auto m = static_cast<double>(left(case_) ? this->C().nt() : this->C().mt());
    const double share = n * n / 2 + 2 * n * m;
    return Bounds{case_.stationary == Stationary::a ? 2 * n * m * (std::sqrt(P) - 1) : 0,
                  std::sqrt(2 * P / share) * n * n * m,
                  3 * std::pow(n * n * m / std::sqrt(2), 2.0 / 3) * std::cbrt(P) - share};
  }

  void submit(Sequence& sequence) override {
    Kind::submit(sequence, case_.side, case_.uplo, alpha_, this->A(), this->B(), beta_, this->C(),
                 this->product_options());
  }
  double residual() override {
    const Index order = this->A().n();
    const auto A = this->by_formula(order, order, mirrored(case_.uplo, Kind::mirror, A_.formula()));
    const auto B = this->by_formula(case_.m, case_.n, B_->formula());
    auto residual = this->new_residual();
    residual.subtract(this->C());
    residual.add(alpha_, left(case_) ? A : B, left(case_) ? B : A);
    residual.add(beta_, this->by_formula(case_.m, case_.n, C_.formula()));
    return residual.value();
  }
  Index run_vendor() override {
    Kind::run_vendor(case_.side, case_.uplo, alpha_, A_.vendor(), B_->vendor(), beta_, C_.vendor());
    return 0;
  }

 private:
  static bool left(const Case& c) { return c.side == Side::Left; }
  static Index order(const Case& c) { return left(c) ? c.m : c.n; }

  using Home = typename Base::Home;
  static bool A_stays(const Case& c) { return c.stationary == Stationary::a; }
  /// On the right, all is transposed.
  static Home turned(const Case& c, Home home) {
    if (left(c)) return home;
    return home == Home::rows ? Home::columns : Home::rows;
  }

  // With layers: when A stays, its tiles are used on all of them, and column j of B and C on layer j mod c; otherwise
  // step k is on layer k mod c.
  static DistributionPtr home_of_A(const Case& c) {
    return with_home(c.distribution, A_stays(c) ? Home::spread : turned(c, Home::columns));
  }
  static DistributionPtr home_of_B(Runtime& runtime, const Case& c) {
    return A_stays(c) ? beside_A(runtime, c)
                      : with_home(Base::general_distribution(c), turned(c, Home::rows));
  }
  static DistributionPtr home_of_C(Runtime& runtime, const Case& c) {
    return A_stays(c) ? beside_A(runtime, c) : with_home(Base::general_distribution(c), Home::spread);
  }

  /// Of B and C when A stays. Unless the case says it: with A; where its colrows are if it lies symmetrically.
  static DistributionPtr beside_A(Runtime& runtime, const Case& c) {
    const Index nb = c.nb > 0 ? c.nb : default_tile_size(runtime, order(c));
    const Index nt = Tiling(order(c), order(c), nb, nb).nt();
    const DistributionPtr at_home = where_results_return(c.distribution);
    const DistributionPtr fitted = at_home->fitted(nt, nt);
    const Distribution& of_A = fitted ? *fitted : *at_home;
    if (c.distribution_b || !is_symmetric(of_A, nt)) {
      return with_home(Base::general_distribution(c), turned(c, Home::columns));
    }
    const DistributionPtr rows = symmetric_operand(of_A, nt, c.uplo);
    if (left(c)) return rows;
    return std::make_shared<FunctionDistribution>(rows->num_ranks(), rows->name(),
                                                  [rows](Index i, Index j) { return rows->owner(j, i); });
  }
  /// The base of layers that own nothing but help: B and C then lie on its ranks alone.
  static DistributionPtr where_results_return(const DistributionPtr& distribution) {
    const auto* layered = dynamic_cast<const Replicated25D*>(distribution.get());
    return layered != nullptr && layered->home() == Home::base ? layered->base() : distribution;
  }
  static bool is_symmetric(const Distribution& distribution, Index nt) {
    for (Index i = 0; i < nt; ++i) {
      for (Index j = 0; j < i; ++j) {
        if (distribution.executor(i, j, 0) != distribution.executor(j, i, 0)) return false;
      }
    }
    return true;
  }
};

template <Scalar T>
using Symm = SymmetricProduct<SymmKind<T>, T>;
template <Scalar T>
using Hemm = SymmetricProduct<HemmKind<T>, T>;

const Registration symm_registration("symm", make<Symm>, &Case::n);
const Registration hemm_registration("hemm", make<Hemm>, &Case::n);

}  // namespace
}  // namespace tessera::bench
