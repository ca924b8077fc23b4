// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "benchmarks/bench/operation.hpp"
#include "benchmarks/bench/operations/product_residual.hpp"
#include "benchmarks/bench/vendor.hpp"
#include "kernels/cpu/blas.hpp"
#include "src/views.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/fill.hpp"
#include "tessera/distributions/replicated_2_5d.hpp"
#include "tessera/flops.hpp"
#include "tessera/generators.hpp"
#include "tessera/matrix.hpp"

/// \file
/// What the operations of BLAS's level 3 share.

namespace tessera::bench {

// ---- Matrices by formula -----------------------------------------------------------------------------------------

/// Element (i, j), from 0.
template <Scalar T>
using Formula = std::function<T(Index i, Index j)>;

/// op(A).
template <Scalar T>
Formula<T> view(Op op, Formula<T> f) {
  if (op == Op::no_trans) return f;
  return [op, f = std::move(f)](Index i, Index j) { return detail::apply(op, f(j, i)); };
}

/// The matrix with A = mirror(A) of which f gives the triangle `uplo`.
template <Scalar T>
Formula<T> mirrored(Uplo uplo, Op mirror, Formula<T> f) {
  return [uplo, mirror, f = std::move(f)](Index i, Index j) -> T {
    if (i == j) return mirror == Op::conj_trans ? T{real_part(f(i, i))} : f(i, i);
    return (uplo == Uplo::Lower) == (i > j) ? f(i, j) : detail::apply(mirror, f(j, i));
  };
}

/// The triangular matrix of which f gives the triangle `uplo`.
template <Scalar T>
Formula<T> triangular(Uplo uplo, Diag diag, Formula<T> f) {
  return [uplo, diag, f = std::move(f)](Index i, Index j) {
    if (i == j) return diag == Diag::Unit ? T{1} : f(i, i);
    return (uplo == Uplo::Lower) == (i > j) ? f(i, j) : T{0};
  };
}

// ---- Operands ----------------------------------------------------------------------------------------------------

/// What an operand shall be.
template <Scalar T>
struct OperandSpec {
  Index m = 0;
  Index n = 0;
  Formula<T> formula;
  DistributionPtr distribution;
  Uplo part = Uplo::General;  ///< which is filled
};

/// A matrix by formula, for the library and for the vendor.
template <Scalar T>
class Operand {
 public:
  /// \param mb, nb  size of its tiles
  Operand(Runtime& runtime, OperandSpec<T> spec, Index mb, Index nb)
      : rt_(runtime), spec_(std::move(spec)), tiles_(rt_, spec_.m, spec_.n, mb, nb, spec_.distribution) {}

  const TileMatrix<T>& tiles() const { return tiles_; }
  const Formula<T>& formula() const { return spec_.formula; }
  void fill() const { tessera::fill(rt_, spec_.part, tiles_, spec_.formula); }

  Tile<T> vendor() const { return vendor_->tile(); }
  void fill_vendor() {
    if (!vendor_) vendor_.emplace(spec_.m, spec_.n);
    tessera::fill(rt_, spec_.part, vendor_->tiles(rt_), spec_.formula);
  }

 private:
  Runtime& rt_;
  OperandSpec<T> spec_;
  TileMatrix<T> tiles_;
  std::optional<ColumnMajor<T>> vendor_;
};

// ---- Operations --------------------------------------------------------------------------------------------------

/// C from A and, for most, B. The operations on triangular matrices, which overwrite B, call it C here.
template <Scalar T>
class ProductOperation : public Operation {
 public:
  Index tile_size() const override { return std::max(this->C().mb(), this->C().nb()); }

  void prepare() override {
    A_.fill();
    if (B_) B_->fill();
    C_.fill();
  }
  void prepare_vendor() override {
    A_.fill_vendor();
    if (B_) B_->fill_vendor();
    C_.fill_vendor();
  }

 protected:
  using Spec = OperandSpec<T>;

  ProductOperation(Runtime& runtime, const Case& c, Spec A, std::optional<Spec> B, Spec C)
      : rt_(runtime), case_(c), A_(operand(std::move(A))), C_(operand(std::move(C))) {
    if (B) B_.emplace(operand(std::move(*B)));
  }

  /// The k-th random matrix.
  static Formula<T> uniform(const Case& c, int k) {
    return generate::uniform<T>(c.seed + static_cast<std::uint64_t>(k));
  }
  /// Where the operands lie that have no triangle.
  static const DistributionPtr& general_distribution(const Case& c) {
    return c.distribution_b ? c.distribution_b : c.distribution;
  }
  using Home = Replicated25D::Home;
  /// An operand X of which op(X) has its columns (rows) on the layers that use them, as BLAS stores it.
  static Spec stored(Op op, Home home, Spec spec) {
    if (op != Op::no_trans) {
      std::swap(spec.m, spec.n);
      home = home == Home::rows ? Home::columns : Home::rows;
    }
    spec.distribution = with_home(spec.distribution, home);
    return spec;
  }
  ProductOptions product_options() const { return {.stationary = case_.stationary}; }

  const TileMatrix<T>& A() const { return A_.tiles(); }
  const TileMatrix<T>& B() const { return B_->tiles(); }
  const TileMatrix<T>& C() const { return C_.tiles(); }

  /// An m x n matrix by formula, in tiles that conform with the operands'.
  TileMatrix<T> by_formula(Index m, Index n, const Formula<T>& f) const {
    const TileMatrix<T> X(rt_, m, n, tile(m), tile(n), DistributionPtr{});
    fill(rt_, X, f);
    return X;
  }
  ProductResidual<T> new_residual() const {
    return ProductResidual<T>(rt_, C().m(), C().mb(), C().n(), C().nb(), case_.seed);
  }

  Runtime& rt_;
  Case case_;
  Operand<T> A_;
  std::optional<Operand<T>> B_;
  Operand<T> C_;
  /// Neither 0 nor 1, which algorithms treat specially.
  static inline const T alpha_ = [] {
    if constexpr (is_complex<T>) return T{real_t<T>(0.75), real_t<T>(-0.5)};
    return T{real_t<T>(0.75)};
  }();
  static inline const T beta_ = T{real_t<T>(-0.5)};

 private:
  Index tile(Index extent) const { return case_.nb > 0 ? case_.nb : default_tile_size(rt_, extent); }
  Operand<T> operand(Spec spec) const {
    const Index mb = tile(spec.m), nb = tile(spec.n);
    return Operand<T>(rt_, std::move(spec), mb, nb);
  }
};

/// What the two kinds do not share: A = A^T or A = A^H. The scalars of updates of a Hermitian matrix are real.
struct Symmetric {
  static constexpr Op mirror = Op::trans;
};
struct Hermitian {
  static constexpr Op mirror = Op::conj_trans;
};

}  // namespace tessera::bench
