// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <algorithm>
#include <optional>
#include <vector>

#include "benchmarks/bench/operation.hpp"
#include "benchmarks/bench/vendor.hpp"
#include "tessera/algorithms/check.hpp"
#include "tessera/algorithms/copy.hpp"
#include "tessera/algorithms/fill.hpp"
#include "tessera/algorithms/norm.hpp"
#include "tessera/algorithms/qr.hpp"
#include "tessera/flops.hpp"
#include "tessera/generators.hpp"
#include "tessera/matrix.hpp"

namespace tessera::bench {
namespace {

/// What the operations on an m x n matrix of full rank share: the matrix and its reflectors, here and for the vendor.
template <Scalar T>
class OrthogonalOperation : public Operation {
 public:
  /// \param lq  whether rows are made orthogonal, and not columns
  OrthogonalOperation(Runtime& runtime, const Case& c, bool lq)
      : rt_(runtime),
        case_(c),
        A_(new_matrix(c.m, c.n)),
        Q_(make_reflectors(runtime, lq ? conj_trans(A_) : A_, {c.tree, std::min(c.ib, A_.nb())})) {}

  Shape shape() const override { return {case_.m, case_.n}; }
  Index tile_size() const override { return A_.nb(); }
  void prepare() override { fill_matrix(A_); }
  void prepare_vendor() override {
    if (!vendor_A_) vendor_A_.emplace(case_.m, case_.n);
    tau_.resize(static_cast<std::size_t>(reflectors()));
    fill_matrix(vendor_A_->tiles(rt_));
  }

 protected:
  Index reflectors() const { return std::min(case_.m, case_.n); }
  /// Square tiles, for both extents: panels as wide as those of the smaller one.
  TileMatrix<T> new_matrix(Index rows, Index columns) const {
    const Index nb = case_.nb > 0 ? case_.nb : default_tile_size(rt_, std::min(case_.m, case_.n));
    return TileMatrix<T>(rt_, rows, columns, std::max<Index>(1, nb), case_.distribution);
  }
  void fill_matrix(const TileMatrix<T>& A) const { fill(rt_, A, generate::uniform<T>(case_.seed)); }
  void fill_right_hand_sides(const TileMatrix<T>& B) const {
    fill(rt_, B, generate::uniform<T>(case_.seed + 1));
  }
  TileMatrix<T> original() const {
    TileMatrix<T> A = new_matrix(case_.m, case_.n);
    fill_matrix(A);
    return A;
  }

  Runtime& rt_;
  Case case_;
  TileMatrix<T> A_;
  Reflectors<T> Q_;
  std::optional<ColumnMajor<T>> vendor_A_;
  std::vector<T> tau_;
};

/// QR factorisation.
template <Scalar T>
class Geqrf final : public OrthogonalOperation<T> {
 public:
  Geqrf(Runtime& runtime, const Case& c) : OrthogonalOperation<T>(runtime, c, false) {}

  double flops() const override { return flops::geqrf<T>(this->case_.m, this->case_.n); }
  void submit(Sequence& sequence) override { geqrf(sequence, this->A_, this->Q_); }
  double residual() override { return qr_residual(this->rt_, this->original(), this->A_, this->Q_); }
  Index run_vendor() override { return vendor::geqrf(this->vendor_A_->tile(), this->tau_.data()); }
};

/// LQ factorisation.
template <Scalar T>
class Gelqf final : public OrthogonalOperation<T> {
 public:
  Gelqf(Runtime& runtime, const Case& c) : OrthogonalOperation<T>(runtime, c, true) {}

  double flops() const override { return flops::geqrf<T>(this->case_.n, this->case_.m); }
  void submit(Sequence& sequence) override { gelqf(sequence, this->A_, this->Q_); }
  double residual() override {
    return qr_residual(this->rt_, conj_trans(this->original()), conj_trans(this->A_), this->Q_);
  }
  Index run_vendor() override { return vendor::gelqf(this->vendor_A_->tile(), this->tau_.data()); }
};

/// Q of a factorisation that is not timed: its first min(m, n) columns.
template <Scalar T>
class Orgqr final : public OrthogonalOperation<T> {
  using Base = OrthogonalOperation<T>;

 public:
  Orgqr(Runtime& runtime, const Case& c)
      : Base(runtime, c, false), X_(this->new_matrix(c.m, this->reflectors())) {}

  double flops() const override {
    return flops::ungqr<T>(this->case_.m, this->reflectors(), this->reflectors());
  }
  void prepare() override {
    Base::prepare();
    geqrf(this->rt_, this->A_, this->Q_);
  }
  void submit(Sequence& sequence) override { ungqr(sequence, this->A_, this->Q_, X_); }
  double residual() override { return qr_residual(this->rt_, this->original(), this->A_, this->Q_); }
  void prepare_vendor() override {
    Base::prepare_vendor();
    (void)vendor::geqrf(this->vendor_A_->tile(), this->tau_.data());
  }
  Index run_vendor() override {
    const Tile<T> a = this->vendor_A_->tile();
    return vendor::orgqr(this->reflectors(), a.block(0, 0, a.rows, this->reflectors()), this->tau_.data());
  }

 private:
  TileMatrix<T> X_;
};

/// Q^H times an m x nrhs matrix, of a factorisation that is not timed.
template <Scalar T>
class Ormqr final : public OrthogonalOperation<T> {
  using Base = OrthogonalOperation<T>;

 public:
  Ormqr(Runtime& runtime, const Case& c) : Base(runtime, c, false), C_(this->new_matrix(c.m, c.nrhs)) {}

  Shape shape() const override { return {this->case_.m, this->case_.n, this->case_.nrhs}; }
  double flops() const override {
    return flops::unmqr<T>(Side::Left, this->case_.m, this->case_.nrhs, this->reflectors());
  }
  void prepare() override {
    Base::prepare();
    this->fill_right_hand_sides(C_);
    geqrf(this->rt_, this->A_, this->Q_);
  }
  void submit(Sequence& sequence) override {
    unmqr(sequence, Side::Left, Op::conj_trans, this->A_, this->Q_, C_);
  }
  /// ||Q Q^H C - C||_1 / (m ||C||_1 eps)
  double residual() override {
    const TileMatrix<T> C = this->new_matrix(this->case_.m, this->case_.nrhs);
    this->fill_right_hand_sides(C);
    const double scale = lange(this->rt_, Norm::one, C) * static_cast<double>(this->case_.m);
    unmqr(this->rt_, Side::Left, Op::no_trans, this->A_, this->Q_, C_);
    geadd<T>(this->rt_, -1, C_, 1, C);
    const double distance = lange(this->rt_, Norm::one, C);
    return distance == 0 ? 0 : distance / scale / (std::numeric_limits<real_t<T>>::epsilon() / 2);
  }
  void prepare_vendor() override {
    Base::prepare_vendor();
    if (!vendor_C_) vendor_C_.emplace(this->case_.m, this->case_.nrhs);
    this->fill_right_hand_sides(vendor_C_->tiles(this->rt_));
    (void)vendor::geqrf(this->vendor_A_->tile(), this->tau_.data());
  }
  Index run_vendor() override {
    return vendor::ormqr(Side::Left, Op::conj_trans, this->reflectors(), this->vendor_A_->tile(),
                         this->tau_.data(), vendor_C_->tile());
  }

 private:
  TileMatrix<T> C_;
  std::optional<ColumnMajor<T>> vendor_C_;
};

/// Least squares (m >= n) or least norm.
template <Scalar T>
class Gels final : public OrthogonalOperation<T> {
  using Base = OrthogonalOperation<T>;

 public:
  Gels(Runtime& runtime, const Case& c)
      : Base(runtime, c, c.m < c.n), B_(this->new_matrix(std::max(c.m, c.n), c.nrhs)) {}

  Shape shape() const override { return {this->case_.m, this->case_.n, this->case_.nrhs}; }
  double flops() const override {
    const Case& c = this->case_;
    return flops::geqrf<T>(c.m, c.n) +
           flops::unmqr<T>(Side::Left, std::max(c.m, c.n), c.nrhs, this->reflectors()) +
           flops::trsm<T>(Side::Left, this->reflectors(), c.nrhs);
  }
  void prepare() override {
    Base::prepare();
    this->fill_right_hand_sides(B_);
  }
  void submit(Sequence& sequence) override { gels(sequence, Op::no_trans, this->A_, this->Q_, B_); }
  double residual() override {
    return qr_residual(this->rt_, tall(this->original()), tall(this->A_), this->Q_);
  }
  void prepare_vendor() override {
    Base::prepare_vendor();
    if (!vendor_B_) vendor_B_.emplace(std::max(this->case_.m, this->case_.n), this->case_.nrhs);
    this->fill_right_hand_sides(vendor_B_->tiles(this->rt_));
  }
  Index run_vendor() override {
    return vendor::gels(Op::no_trans, this->vendor_A_->tile(), vendor_B_->tile());
  }

 private:
  TileMatrix<T> tall(const TileMatrix<T>& A) const { return A.m() < A.n() ? conj_trans(A) : A; }

  TileMatrix<T> B_;
  std::optional<ColumnMajor<T>> vendor_B_;
};

const Registration geqrf_registration("geqrf", make<Geqrf>, &Case::n);
const Registration gelqf_registration("gelqf", make<Gelqf>, &Case::n);
const Registration orgqr_registration("orgqr", make<Orgqr>, &Case::n);
const Registration ormqr_registration("ormqr", make<Ormqr>, &Case::nrhs);
const Registration gels_registration("gels", make<Gels>, &Case::nrhs);

}  // namespace
}  // namespace tessera::bench
