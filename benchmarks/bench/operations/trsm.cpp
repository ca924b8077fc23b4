// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/operations/product.hpp"

namespace tessera::bench {
namespace {

/// What products and solves with a triangular matrix A share: they overwrite the m x n matrix that is C_ here.
template <Scalar T>
class TriangularOperation : public ProductOperation<T> {
  using Base = ProductOperation<T>;

 public:
  TriangularOperation(Runtime& runtime, const Case& c)
      : Base(runtime, c, {order(c), order(c), well_conditioned(c), c.distribution, c.uplo}, std::nullopt,
             {c.m, c.n, Base::uniform(c, 1), Base::general_distribution(c)}) {}

  Shape shape() const override { return {this->case_.m, this->case_.n}; }
  double flops() const override { return flops::trsm<T>(this->case_.side, this->case_.m, this->case_.n); }

 protected:
  /// For a residual: adds op(A) X or X op(A).
  void add_product(ProductResidual<T>& residual, T factor, const TileMatrix<T>& X) const {
    const Case& c = this->case_;
    const auto A =
        this->by_formula(order(c), order(c), view(c.op_a, triangular(c.uplo, c.diag, this->A_.formula())));
    residual.add(factor, left(c) ? A : X, left(c) ? X : A);
  }
  /// The m x n matrix as it was before the run.
  TileMatrix<T> original() const {
    return this->by_formula(this->case_.m, this->case_.n, this->C_.formula());
  }
  /// op(A), and where its triangle then is.
  TileMatrix<T> view_of_A() const { return detail::apply(this->case_.op_a, this->A()); }
  Uplo view_uplo() const { return detail::apply(this->case_.op_a, this->case_.uplo); }

 private:
  static bool left(const Case& c) { return c.side == Side::Left; }
  static Index order(const Case& c) { return left(c) ? c.m : c.n; }

  /// Near one on the diagonal, and rows below one half beside it, so that a unit diagonal is no worse; the
  /// condition number of a triangular matrix with uniform() entries grows like 2^n.
  static Formula<T> well_conditioned(const Case& c) {
    return [n = static_cast<real_t<T>>(order(c)), f = generate::hermitian<T>(c.seed, order(c))](
               Index i, Index j) { return f(i, j) / n; };
  }
};

/// B = alpha op(A) B or alpha B op(A).
template <Scalar T>
class Trmm final : public TriangularOperation<T> {
  using Base = TriangularOperation<T>;
  using Base::alpha_, Base::case_;

 public:
  using Base::Base;

  void submit(Sequence& sequence) override {
    trmm<T>(sequence, case_.side, this->view_uplo(), case_.diag, alpha_, this->view_of_A(), this->C(),
            this->product_options());
  }
  double residual() override {
    auto residual = this->new_residual();
    residual.subtract(this->C());
    this->add_product(residual, alpha_, this->original());
    return residual.value();
  }
  Index run_vendor() override {
    vendor::trmm<T>(case_.side, case_.uplo, case_.op_a, case_.diag, alpha_, this->A_.vendor(),
                    this->C_.vendor());
    return 0;
  }
};

/// B = alpha op(A)^-1 B or alpha B op(A)^-1.
template <Scalar T>
class Trsm final : public TriangularOperation<T> {
  using Base = TriangularOperation<T>;
  using Base::alpha_, Base::case_;

 public:
  using Base::Base;

  void submit(Sequence& sequence) override {
    trsm<T>(sequence, case_.side, this->view_uplo(), case_.diag, alpha_, this->view_of_A(), this->C(),
            this->product_options());
  }
  /// Of op(A) X = alpha B, which the solution X satisfies.
  double residual() override {
    auto residual = this->new_residual();
    residual.add(-alpha_, this->original());
    this->add_product(residual, T{1}, this->C());
    return residual.value();
  }
  Index run_vendor() override {
    vendor::trsm<T>(case_.side, case_.uplo, case_.op_a, case_.diag, alpha_, this->A_.vendor(),
                    this->C_.vendor());
    return 0;
  }
};

const Registration trmm_registration("trmm", make<Trmm>, &Case::n);
const Registration trsm_registration("trsm", make<Trsm>, &Case::n);

}  // namespace
}  // namespace tessera::bench
