// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cpu/lapack.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/tiles.hpp"

// QR, LQ and least squares on every tree, with one and with more ranks: residuals as LAPACK's test programs have them.

namespace tessera::test {
namespace {

struct Extent {
  Index m, n, nb;
};

/// All trees; with more ranks, where calls take long on two cores, those that differ in what ranks exchange.
std::vector<std::string> trees(const Runtime& rt) {
  if (rt.num_ranks() > 1) return {"flat", "greedy", "hierarchical"};
  return {"flat", "flat:triangles", "binary", "greedy", "fibonacci", "hierarchical", "hierarchical:2"};
}

std::vector<Extent> extents(const Runtime& rt) {
  if (rt.num_ranks() > 1) return {{1, 1, 4}, {3, 3, 2}, {8, 8, 4}, {21, 9, 4}, {9, 21, 4}};
  return {{1, 1, 4}, {3, 3, 2}, {8, 8, 4}, {21, 9, 4}, {9, 21, 4}, {35, 3, 4}, {26, 26, 5}};
}

std::vector<DistributionPtr> distributions(const Runtime& rt) {
  const Rank P = rt.num_ranks();
  std::vector<DistributionPtr> all;
  for (Rank p = 1; p <= P; ++p) {
    const bool wanted = P <= 4 || p * p >= P;
    if (P % p == 0 && wanted) all.push_back(std::make_shared<BlockCyclic2D>(p, P / p));
  }
  all.push_back(make_distribution("g2dbc:P=" + std::to_string(P), P));
  if (P == 4) all.push_back(make_distribution("2.5d:c=2/2dbc:p=2,q=1", P));
  if (P == 6) all.push_back(make_distribution("sbc:r=4", P));
  return all;
}

template <Scalar T>
T random_entry(Index i, Index j) {
  const double x = static_cast<double>(1 + i) * 0.7390851 + static_cast<double>(1 + j) * 1.3247179;
  const double re = std::sin(37 * x * x), im = std::cos(11 * x * x + 1);
  if constexpr (is_complex<T>) {
    return T(static_cast<real_t<T>>(re), static_cast<real_t<T>>(im));
  } else {
    return static_cast<T>(re);
  }
}

template <class T>
class MpiQr : public testing::Test {
 protected:
  Runtime rt;

  template <class F>
  TileMatrix<T> matrix(Index m, Index n, Index nb, const DistributionPtr& d, F f) {
    const TileMatrix<T> A(rt, m, n, nb, d);
    set_directly(A, f);
    return A;
  }
  /// On rank 0; elsewhere zeros.
  Dense<T> gathered(const TileMatrix<T>& A) {
    Dense<T> a(A.m(), A.n());
    gather(rt, A, a.data(), a.ld());
    return a;
  }

  /// ||I - Q^H Q||_1 / (m eps)
  static double orthogonality(const Dense<T>& q) {
    Dense<T> difference = multiply(adjoint(q), q);
    for (Index i = 0; i < q.n(); ++i) difference(i, i) -= T{1};
    return q.n() == 0 ? 0 : norm_one(difference) / (static_cast<double>(q.m()) * eps<T>);
  }
  /// ||A - X||_1 / (max(m, n) ||A||_1 eps), in double to be safe from overflow
  static double distance(const Dense<T>& a, const Dense<T>& x) {
    double worst = 0, norm = 0;
    for (Index j = 0; j < a.n(); ++j) {
      double sum = 0, column = 0;
      for (Index i = 0; i < a.m(); ++i) {
        sum += static_cast<double>(std::abs(a(i, j) - x(i, j)));
        column += static_cast<double>(std::abs(a(i, j)));
      }
      if (!(sum <= worst)) worst = sum;
      norm = std::max(norm, column);
    }
    return worst == 0 ? 0 : worst / norm / (static_cast<double>(std::max(a.m(), a.n())) * eps<T>);
  }

  /// Factors a matrix of f, checks A = Q R and that Q is orthogonal, its whole or its first columns.
  template <class F>
  void expect_qr(const Extent& x, const DistributionPtr& d, const QrOptions& options, F f) {
    const auto [m, n, nb] = x;
    const Index k = std::min(m, n);
    const auto A = matrix(m, n, nb, d, f);
    const auto Q = make_reflectors(rt, A, options);
    geqrf(rt, A, Q);
    const TileMatrix<T> X(rt, m, k, nb, d);
    ungqr(rt, A, Q, X);
    const auto r = gathered(A), q = gathered(X);
    // R by way of Q, on the whole: Q [R; 0] with unmqr.
    const auto C = matrix(m, n, nb, d, [](Index, Index) { return T{}; });
    lacpy(rt, Uplo::Upper, A, C);
    unmqr(rt, Side::Left, Op::no_trans, A, Q, C);
    const auto product = gathered(C);
    if (rt.rank() != 0) return;
    const Dense<T> a = Dense<T>(m, n).set(f);
    EXPECT_LT(orthogonality(q), lapack_threshold);
    EXPECT_LT(distance(a, product), lapack_threshold);
    const Dense<T> upper = Dense<T>(k, n).set([&](Index i, Index j) { return i <= j ? r(i, j) : T{}; });
    EXPECT_LT(distance(a, multiply(q, upper)), lapack_threshold);
    for (Index i = 0; i < k; ++i) EXPECT_EQ(r(i, i), T(real_part(r(i, i)))) << "R's diagonal is real";
  }

  template <class F>
  void expect_lq(const Extent& x, const DistributionPtr& d, const QrOptions& options, F f) {
    const auto [m, n, nb] = x;
    const Index k = std::min(m, n);
    const auto A = matrix(m, n, nb, d, f);
    const auto Q = make_reflectors(rt, conj_trans(A), options);
    gelqf(rt, A, Q);
    const TileMatrix<T> X(rt, k, n, nb, d);
    unglq(rt, A, Q, X);
    const auto l = gathered(A), q = gathered(X);
    const auto C = matrix(m, n, nb, d, [](Index, Index) { return T{}; });
    lacpy(rt, Uplo::Lower, A, C);
    unmlq(rt, Side::Right, Op::no_trans, A, Q, C);
    const auto product = gathered(C);
    if (rt.rank() != 0) return;
    const Dense<T> a = Dense<T>(m, n).set(f);
    EXPECT_LT(orthogonality(adjoint(q)), lapack_threshold);
    EXPECT_LT(distance(a, product), lapack_threshold);
    const Dense<T> lower = Dense<T>(m, k).set([&](Index i, Index j) { return i >= j ? l(i, j) : T{}; });
    EXPECT_LT(distance(a, multiply(lower, q)), lapack_threshold);
  }
};
TYPED_TEST_SUITE(MpiQr, Scalars);

TYPED_TEST(MpiQr, FactorsEveryShapeWithEveryTreeAlsoWithMoreRanksThanTiles) {
  using T = TypeParam;
  for (const DistributionPtr& d : distributions(this->rt)) {
    for (const std::string& tree : trees(this->rt)) {
      for (const Extent& x : extents(this->rt)) {
        SCOPED_TRACE(d->name() + " " + tree + " m=" + std::to_string(x.m) + " n=" + std::to_string(x.n));
        const QrOptions options{make_tree(tree), x.nb > 2 ? Index{2} : Index{0}};
        this->expect_qr(x, d, options, random_entry<T>);
        this->expect_lq(x, d, options, random_entry<T>);
      }
    }
  }
}

TYPED_TEST(MpiQr, KeepsItsPromisesOnGradedDeficientZeroHugeAndTinyMatrices) {
  using T = TypeParam;
  using Real = real_t<T>;
  const Real huge = std::sqrt(std::numeric_limits<Real>::max()) * Real(1e3), tiny = 1 / huge;
  const std::vector<std::function<T(Index, Index)>> kinds{
      [](Index i, Index j) { return random_entry<T>(i, j) * std::exp2(Real(-2) * static_cast<Real>(j)); },
      [](Index i, Index j) { return random_entry<T>(i, 0) * random_entry<T>(0, j) + random_entry<T>(i, 1); },
      [](Index i, Index j) { return j == 3 ? T{} : random_entry<T>(i, j); },
      [](Index, Index) { return T{}; },
      [=](Index i, Index j) { return random_entry<T>(i, j) * huge; },
      [=](Index i, Index j) { return random_entry<T>(i, j) * tiny; },
  };
  const auto d = default_distribution(this->rt);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (const char* tree : {"hierarchical:2", "greedy", "flat"}) {
      if (this->rt.num_ranks() > 1 && std::string(tree) != "hierarchical:2") continue;
      SCOPED_TRACE("kind " + std::to_string(kind) + " " + tree);
      this->expect_qr({37, 18, 6}, d, {make_tree(tree), 4}, kinds[kind]);
      this->expect_lq({18, 37, 6}, d, {make_tree(tree), 4}, kinds[kind]);
    }
  }
}

// F30.
TYPED_TEST(MpiQr, ASingleEntryAZeroMatrixAndNansAndInfinitiesReturn) {
  using T = TypeParam;
  const auto d = default_distribution(this->rt);
  const auto last = [](Index i, Index) { return i == 2 ? T{1} : T{}; };
  for (const Index nb : {1, 2, 4}) {
    this->expect_qr({3, 1, nb}, d, {}, last);
    this->expect_qr({5, 3, nb}, d, {}, [](Index, Index) { return T{}; });
    for (const auto bad :
         {std::numeric_limits<real_t<T>>::quiet_NaN(), std::numeric_limits<real_t<T>>::infinity()}) {
      const auto A =
          this->matrix(5, 3, nb, d, [&](Index i, Index j) { return i == 2 && j == 1 ? T(bad) : T{1}; });
      const auto Q = make_reflectors(this->rt, A);
      geqrf(this->rt, A, Q);
      const auto r = this->gathered(A);
      if (this->rt.rank() == 0) {
        EXPECT_TRUE(std::isnan(real_part(r(1, 1))));
      }
    }
  }
}

// F13.
TYPED_TEST(MpiQr, EmptyMatricesAreFactoredAndMultiplied) {
  using T = TypeParam;
  const auto d = default_distribution(this->rt);
  for (const Extent& x : {Extent{2, 0, 2}, {0, 2, 2}, {0, 0, 2}, {5, 0, 2}}) {
    const TileMatrix<T> A(this->rt, x.m, x.n, x.nb, d);
    const auto Q = make_reflectors(this->rt, A);
    geqrf(this->rt, A, Q);
    const auto C = this->matrix(x.m, 3, x.nb, d, random_entry<T>);
    unmqr(this->rt, Side::Left, Op::conj_trans, A, Q, C);
    EXPECT_TRUE(holds(C, random_entry<T>)) << "Q is the identity";
    const TileMatrix<T> B(this->rt, std::max(x.m, x.n), 0, x.nb, d);
    if (x.m >= x.n) {
      EXPECT_TRUE(gels(this->rt, Op::no_trans, A, Q, B).ok());
    }
  }
  const auto A = this->matrix(4, 2, 2, d, random_entry<T>);
  const auto Q = make_reflectors(this->rt, A);
  geqrf(this->rt, A, Q);
  const TileMatrix<T> none(this->rt, 4, 0, 2, d);
  unmqr(this->rt, Side::Left, Op::no_trans, A, Q, none);
}

TYPED_TEST(MpiQr, BothSidesAndOpsMultiplyByTheSameQ) {
  using T = TypeParam;
  for (const DistributionPtr& d : distributions(this->rt)) {
    for (const bool lq : {false, true}) {
      const Index order = 14, other = 7, nb = 4, k = 10;
      const auto A = this->matrix(lq ? k : order, lq ? order : k, nb, d, random_entry<T>);
      const auto Q = make_reflectors(this->rt, lq ? conj_trans(A) : A, {make_tree("greedy"), 3});
      const TileMatrix<T> X(this->rt, order, order, nb, d);
      lq ? gelqf(this->rt, A, Q) : geqrf(this->rt, A, Q);
      lq ? unglq(this->rt, A, Q, X) : ungqr(this->rt, A, Q, X);
      const auto q = this->gathered(X);
      for (const Side side : sides) {
        for (const Op op : {Op::no_trans, Op::conj_trans}) {
          const bool left = side == Side::Left;
          const auto C = this->matrix(left ? order : other, left ? other : order, nb, d, random_entry<T>);
          const auto c = this->gathered(C);
          lq ? unmlq(this->rt, side, op, A, Q, C) : unmqr(this->rt, side, op, A, Q, C);
          const auto got = this->gathered(C);
          if (this->rt.rank() != 0) continue;
          const auto op_q = op == Op::no_trans ? q : adjoint(q);
          EXPECT_LT(this->distance(left ? multiply(op_q, c) : multiply(c, op_q), got), lapack_threshold)
              << d->name() << (lq ? " lq " : " qr ") << describe(side, op);
        }
      }
    }
  }
}

TYPED_TEST(MpiQr, GelsSolvesAllFourProblems) {
  using T = TypeParam;
  const Index nrhs = 3, nb = 4;
  for (const DistributionPtr& d : distributions(this->rt)) {
    for (const Extent& x : {Extent{23, 9, nb}, {9, 23, nb}, {12, 12, nb}, {8, 4, nb}, {5, 3, nb}}) {
      for (const Op op : {Op::no_trans, Op::conj_trans}) {
        SCOPED_TRACE(d->name() + " m=" + std::to_string(x.m) + " n=" + std::to_string(x.n) + describe(op));
        const auto A = this->matrix(x.m, x.n, nb, d, random_entry<T>);
        const Dense<T> a = Dense<T>(x.m, x.n).set(random_entry<T>);
        const Dense<T> op_a = op == Op::no_trans ? a : adjoint(a);
        const auto b = [](Index i, Index j) { return random_entry<T>(i + 50, j); };
        const auto B = this->matrix(std::max(x.m, x.n), nrhs, nb, d, b);
        const auto Q = make_reflectors(this->rt, x.m >= x.n ? A : conj_trans(A));
        EXPECT_TRUE(gels(this->rt, op, A, Q, B).ok());
        const auto all = this->gathered(B);
        if (this->rt.rank() != 0) continue;
        const Dense<T> solution = Dense<T>(op_a.n(), nrhs).set([&](Index i, Index j) { return all(i, j); });
        const Dense<T> ax = multiply(op_a, solution);
        const Dense<T> residual =
            Dense<T>(op_a.m(), nrhs).set([&](Index i, Index j) { return b(i, j) - ax(i, j); });
        const double scale = norm_one(a) * (norm_one(solution) + norm_one(a)) * eps<T> *
                             static_cast<double>(std::max(x.m, x.n));
        if (op_a.m() >= op_a.n()) {  // the residual is orthogonal to the range
          EXPECT_LT(norm_one(multiply(adjoint(op_a), residual)) / (scale * norm_one(a)), lapack_threshold);
          for (Index j = 0; j < nrhs; ++j) {
            double tail = 0, norm = 0;
            for (Index i = op_a.n(); i < op_a.m(); ++i) tail += std::norm(all(i, j));
            for (Index i = 0; i < op_a.m(); ++i) norm += std::norm(residual(i, j));
            EXPECT_NEAR(std::sqrt(tail), std::sqrt(norm),
                        100 * eps<T> * static_cast<double>(x.m) * norm_one(a));
          }
        } else {
          EXPECT_LT(norm_one(residual) / scale, lapack_threshold);
          // The least norm, as LAPACK finds it.
          Dense<T> factors = a, vendor = Dense<T>(std::max(x.m, x.n), nrhs).set(b);
          const char trans = op == Op::no_trans ? 'N' : is_complex<T> ? 'C' : 'T';
          vendor::routine<T>(LAPACKE_sgels, LAPACKE_dgels, LAPACKE_cgels, LAPACKE_zgels)(
              LAPACK_COL_MAJOR, trans, static_cast<int>(x.m), static_cast<int>(x.n), static_cast<int>(nrhs),
              factors.data(), static_cast<int>(factors.ld()), vendor.data(), static_cast<int>(vendor.ld()));
          EXPECT_LT(this->distance(vendor, all), 100 * lapack_threshold);
        }
      }
    }
  }
}

TYPED_TEST(MpiQr, GelsReportsTheFirstZeroOnTheDiagonalAndTheNextCallWorks) {
  using T = TypeParam;
  const auto d = default_distribution(this->rt);
  const Index m = 13, n = 7, nb = 3;
  for (const Index zero : {Index{0}, Index{4}, n - 1, n}) {
    // Upper triangular on its own: R is A up to signs.
    const auto A = this->matrix(m, n, nb, d, [&](Index i, Index j) {
      return i > j || (i == j && j == zero) ? T{} : T(static_cast<real_t<T>>(1 + i + j));
    });
    const auto Q = make_reflectors(this->rt, A);
    const auto B = this->matrix(m, 2, nb, d, random_entry<T>);
    const Info info = gels(this->rt, Op::no_trans, A, Q, B);
    for (const double other : this->rt.all_gather(static_cast<double>(info.index()))) {
      EXPECT_EQ(other, zero < n ? static_cast<double>(zero + 1) : 0);
    }
  }
}

TYPED_TEST(MpiQr, Cholqr2IsOrthogonalAndTakesGeqrfWhereTheConditionIsTooLarge) {
  using T = TypeParam;
  using Real = real_t<T>;
  const Index m = 41, n = 9, nb = 4;
  const auto well = [](Index i, Index j) { return random_entry<T>(i, j) + (i == j ? T{5} : T{}); };
  const auto nearly_dependent = [](Index i, Index j) {
    return random_entry<T>(i, 0) +
           random_entry<T>(i, j) * std::sqrt(std::numeric_limits<Real>::epsilon()) / Real(50);
  };
  const auto deficient = [](Index i, Index j) { return random_entry<T>(i, j / 2); };
  const std::vector<std::pair<bool, std::function<T(Index, Index)>>> cases{
      {false, well}, {true, nearly_dependent}, {true, deficient}, {true, [](Index, Index) { return T{}; }}};
  for (const DistributionPtr& d : distributions(this->rt)) {
    for (const auto& [needs_geqrf, f] : cases) {
      const auto A = this->matrix(m, n, nb, d, f);
      const auto R = this->matrix(n, n, nb, d, [](Index, Index) { return marked_nan<T>(); });
      EXPECT_EQ(cholqr2(this->rt, A, R), needs_geqrf) << d->name();
      const auto q = this->gathered(A), r = this->gathered(R);
      if (this->rt.rank() != 0) continue;
      EXPECT_LT(this->orthogonality(q), lapack_threshold);
      const Dense<T> upper = Dense<T>(n, n).set([&](Index i, Index j) { return i <= j ? r(i, j) : T{}; });
      EXPECT_LT(this->distance(Dense<T>(m, n).set(f), multiply(q, upper)), lapack_threshold);
      EXPECT_TRUE(same_bits(r(n - 1, 0), marked_nan<T>())) << "the other triangle is not touched";
    }
  }
  const TileMatrix<T> wide(this->rt, 3, 5, 2), R(this->rt, 5, 5, 2);
  EXPECT_THROW((void)cholqr2(this->rt, wide, R), ArgumentError);
}

TYPED_TEST(MpiQr, WrongArgumentsThrowOnEveryRankAndNameTheArgument) {
  using T = TypeParam;
  Runtime& on = this->rt;
  const auto d = default_distribution(on);
  const TileMatrix<T> A(on, 8, 6, 4, d), other(on, 9, 6, 4, d), oblong(on, 8, 6, 4, 3, d), C(on, 7, 2, 4, d);
  const auto Q = make_reflectors(on, A);
  EXPECT_THROW(make_reflectors(on, oblong), ArgumentError);
  EXPECT_THROW(make_reflectors(on, A, {nullptr, -1}), ArgumentError);
  EXPECT_THROW(make_reflectors(on, A, {nullptr, 5}), ArgumentError);
  EXPECT_THROW(geqrf(on, other, Q), ArgumentError);
  EXPECT_THROW(gelqf(on, A, Q), ArgumentError);
  EXPECT_THROW(unmqr(on, Side::Left, Op::no_trans, A, Q, C), ArgumentError);
  EXPECT_THROW(unmqr(on, Side::Left, static_cast<Op>('X'), A, Q, other), ArgumentError);
  EXPECT_THROW(unmqr(on, static_cast<Side>('X'), Op::no_trans, A, Q, TileMatrix<T>(on, 8, 2, 4, d)),
               ArgumentError);
  EXPECT_THROW(unmqr(on, Side::Left, Op::no_trans, A, Q, A), ArgumentError);
  EXPECT_THROW(ungqr(on, A, Q, TileMatrix<T>(on, 8, 9, 4, d)), ArgumentError);
  EXPECT_THROW((void)gels(on, Op::no_trans, A, Q, C), ArgumentError);
  if constexpr (is_complex<T>) {
    EXPECT_THROW(geqrf(on, trans(A), Q), ArgumentError);
    EXPECT_THROW(unmqr(on, Side::Left, Op::trans, A, Q, TileMatrix<T>(on, 8, 2, 4, d)), ArgumentError);
  }
  class Skips final : public ReductionTree {
   public:
    std::vector<Panel> panels(Index, Index kt, const std::function<Rank(Index, Index)>&) const override {
      return std::vector<Panel>(static_cast<std::size_t>(kt));
    }
    std::string name() const override { return "skips"; }
  };
  EXPECT_THROW(make_reflectors(on, A, {std::make_shared<Skips>(), 0}), ArgumentError);
  geqrf(on, A, Q);
}

}  // namespace
}  // namespace tessera::test
