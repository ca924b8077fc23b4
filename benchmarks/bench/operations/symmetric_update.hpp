// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "benchmarks/bench/operations/product.hpp"
#include "tessera/algorithms/copy.hpp"

namespace tessera::bench {

/// What the updates of one triangle of a symmetric or Hermitian C share. op_a is that of BLAS's trans argument: of A
/// and, where there is one, of B.
template <class Kind, Scalar T>
class SymmetricUpdate : public ProductOperation<T> {
  using Base = ProductOperation<T>;

 public:
  Shape shape() const override { return {this->case_.n, this->case_.n, this->case_.k}; }

 protected:
  SymmetricUpdate(Runtime& runtime, const Case& c, bool has_B)
      : Base(runtime, c, operand(c, 0), has_B ? std::optional(operand(c, 1)) : std::nullopt,
             {c.n, c.n, Base::uniform(c, 2), with_home(c.distribution, Base::Home::spread), c.uplo}) {}

  /// A of a Hermitian update has real factors.
  static auto factor(T x) {
    if constexpr (Kind::mirror == Op::conj_trans) {
      return real_part(x);
    } else {
      return x;
    }
  }

  /// op(A) by formula, and its mirror image.
  TileMatrix<T> reference(const Operand<T>& X) const {
    return this->by_formula(this->case_.n, this->case_.k, view(this->case_.op_a, X.formula()));
  }
  TileMatrix<T> mirror_reference(const Operand<T>& X) const {
    return this->by_formula(this->case_.k, this->case_.n,
                            view(Kind::mirror, view(this->case_.op_a, X.formula())));
  }
  /// The result with both triangles, against beta C.
  ProductResidual<T> begin_residual() const {
    const auto& C = this->C();
    const TileMatrix<T> both(this->rt_, C.n(), C.n(), C.nb(), DistributionPtr{});
    lacpy(this->rt_, this->case_.uplo, C, both);
    lacpy(this->rt_, flip(this->case_.uplo), detail::apply(Kind::mirror, C), both);
    auto residual = this->new_residual();
    residual.subtract(both);
    residual.add(Base::beta_, this->by_formula(C.n(), C.n(),
                                               mirrored(this->case_.uplo, Kind::mirror, this->C_.formula())));
    return residual;
  }

 private:
  static typename Base::Spec operand(const Case& c, int number) {
    return Base::stored(c.op_a, Base::Home::columns,
                        {c.n, c.k, Base::uniform(c, number), Base::general_distribution(c)});
  }
};

}  // namespace tessera::bench
