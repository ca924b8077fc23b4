// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "src/tile_operations.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/backends.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/tiles.hpp"

namespace tessera::test {
namespace {

/// Views of matrices of one tile each, on the sequential backend.
template <class T>
class TileOperations : public testing::Test {
 protected:
  /// A matrix whose view under `op` is `value`.
  TileRef<T> view(Op op, const Dense<T>& value) {
    const Dense<T> stored = transformed(op, value);
    matrices_.emplace_back(runtime_, stored.m(), stored.n(), std::max(stored.m(), stored.n()));
    set_directly(matrices_.back(), [&](Index i, Index j) { return stored(i, j); });
    return matrices_.back()(0, 0).with_op(op);
  }

  /// The last view made shows `want`; in one triangle of it, where `uplo` is one.
  testing::AssertionResult shows(Op op, Uplo uplo, const Dense<T>& want) {
    const TileMatrix<T>& C = matrices_.back();
    for (Index j = 0; j < want.n(); ++j) {
      for (Index i = 0; i < want.m(); ++i) {
        if (uplo != Uplo::General && !in_triangle(uplo, i, j)) continue;
        const T stored = op == Op::no_trans ? element(C, i, j) : element(C, j, i);
        const T got = op == Op::conj_trans ? conjugate(stored) : stored;
        if (got != want(i, j)) {
          return testing::AssertionFailure()
                 << "(" << i << ", " << j << ") is " << got << " instead of " << want(i, j);
        }
      }
    }
    return testing::AssertionSuccess();
  }

  /// f(sequence) as tasks that have run.
  template <class F>
  void run_tasks(F f) {
    (void)run(runtime_, f);
  }

  /// Ops between which every composition exists: N and T, and N and C.
  template <class F>
  static void for_each_views(int operands, F f) {
    for (const Op transpose : {Op::trans, Op::conj_trans}) {
      for (int bits = 0; bits < 1 << operands; ++bits) {
        std::vector<Op> views;
        for (int i = 0; i < operands; ++i) views.push_back(bits >> i & 1 ? transpose : Op::no_trans);
        SCOPED_TRACE(std::string(1, static_cast<char>(transpose)) + " " + std::to_string(bits));
        f(transpose, views);
      }
    }
  }

  const T alpha_ = scalar<T>(2, -1), beta_ = scalar<T>(-1, 3);
  Runtime runtime_ = make_runtime(BackendKind::sequential);
  std::vector<TileMatrix<T>> matrices_;
};
TYPED_TEST_SUITE(TileOperations, Scalars);

template <Scalar T>
Dense<T> sum(const T& alpha, const Dense<T>& a, const T& beta, const Dense<T>& b) {
  return Dense<T>(a.m(), a.n()).set([&](Index i, Index j) { return alpha * a(i, j) + beta * b(i, j); });
}

/// Integers, equal to their transpose or conjugate transpose.
template <Scalar T>
Dense<T> invariant_integers(Op transpose, Index seed, Index n) {
  const Dense<T> a = integers<T>(seed, n, n);
  return sum(T(1), a, T(1), transformed(transpose, a));
}

TYPED_TEST(TileOperations, MultiplyViewsAsTheyAppear) {
  using T = TypeParam;
  const Dense<T> a = integers<T>(1, 5, 4), b = integers<T>(2, 4, 3), c = integers<T>(3, 5, 3);
  const Dense<T> want = sum(this->alpha_, multiply(a, b), this->beta_, c);
  this->for_each_views(3, [&](Op, const std::vector<Op>& views) {
    const auto A = this->view(views[0], a), B = this->view(views[1], b), C = this->view(views[2], c);
    this->run_tasks([&](Sequence& seq) { tile_op::gemm(seq, {}, this->alpha_, A, B, this->beta_, C); });
    EXPECT_TRUE(this->shows(views[2], Uplo::General, want));
  });
}

TYPED_TEST(TileOperations, MultiplyBySymmetricAndHermitianViewsAsTheyAppear) {
  using T = TypeParam;
  const Dense<T> b = integers<T>(2, 5, 3), c = integers<T>(3, 5, 3);
  this->for_each_views(3, [&](Op transpose, const std::vector<Op>& views) {
    for (const Side side : sides) {
      for (const Uplo uplo : uplos) {
        SCOPED_TRACE(describe(side, uplo));
        const Dense<T> whole = invariant_integers<T>(transpose, 1, side == Side::Left ? 5 : 3);
        const Dense<T> stored = triangle<T>(uplo, whole.n(), [&](Index i, Index j) { return whole(i, j); });
        const Dense<T> product = side == Side::Left ? multiply(whole, b) : multiply(b, whole);
        const auto A = this->view(views[0], stored), B = this->view(views[1], b), C = this->view(views[2], c);
        this->run_tasks([&](Sequence& seq) {
          if (transpose == Op::trans) {
            tile_op::symm(seq, {}, side, uplo, this->alpha_, A, B, this->beta_, C);
          } else {
            tile_op::hemm(seq, {}, side, uplo, this->alpha_, A, B, this->beta_, C);
          }
        });
        EXPECT_TRUE(this->shows(views[2], Uplo::General, sum(this->alpha_, product, this->beta_, c)));
      }
    }
  });
}

TYPED_TEST(TileOperations, UpdateSymmetricAndHermitianViewsAsTheyAppear) {
  using T = TypeParam;
  using Real = real_t<T>;
  const Dense<T> a = integers<T>(1, 5, 4), b = integers<T>(2, 5, 4);
  this->for_each_views(3, [&](Op transpose, const std::vector<Op>& views) {
    const bool hermitian = transpose == Op::conj_trans;
    const T beta = hermitian ? T(3) : this->beta_,
            mirrored = hermitian ? conjugate(this->alpha_) : this->alpha_;
    const Dense<T> square = multiply(a, transformed(transpose, a));
    const Dense<T> twice = sum(this->alpha_, multiply(a, transformed(transpose, b)), mirrored,
                               multiply(b, transformed(transpose, a)));
    for (const Uplo uplo : uplos) {
      SCOPED_TRACE(describe(uplo));
      const Dense<T> whole = invariant_integers<T>(transpose, 3, 5);
      const Dense<T> c = triangle<T>(uplo, 5, [&](Index i, Index j) { return whole(i, j); });
      const auto A = this->view(views[0], a), B = this->view(views[1], b);

      auto C = this->view(views[2], c);
      this->run_tasks([&](Sequence& seq) {
        if (hermitian) {
          tile_op::herk<T>(seq, {}, uplo, Real(2), A, Real(3), C);
        } else {
          tile_op::syrk<T>(seq, {}, uplo, T(2), A, beta, C);
        }
      });
      EXPECT_TRUE(this->shows(views[2], uplo, sum(T(2), square, beta, whole)));

      C = this->view(views[2], c);
      this->run_tasks([&](Sequence& seq) {
        if (hermitian) {
          tile_op::her2k<T>(seq, {}, uplo, this->alpha_, A, B, Real(3), C);
        } else {
          tile_op::syr2k<T>(seq, {}, uplo, this->alpha_, A, B, beta, C);
        }
      });
      EXPECT_TRUE(this->shows(views[2], uplo, sum(T(1), twice, beta, whole)));
    }
  });
}

TYPED_TEST(TileOperations, MultiplyAndSolveWithTriangularViewsAsTheyAppear) {
  using T = TypeParam;
  const Dense<T> b = integers<T>(2, 5, 3);
  this->for_each_views(2, [&](Op, const std::vector<Op>& views) {
    for (const Side side : sides) {
      for (const Uplo uplo : uplos) {
        SCOPED_TRACE(describe(side, uplo));
        const Index order = side == Side::Left ? 5 : 3;
        const Dense<T> a =
            triangle<T>(uplo, order, [](Index i, Index j) { return integer_entry<T>(1, i, j); });
        const Dense<T> unit = expanded(uplo, Diag::Unit, a);
        const Dense<T> product = side == Side::Left ? multiply(unit, b) : multiply(b, unit);
        const Dense<T> zeros(5, 3);
        const auto A = this->view(views[0], a);

        auto B = this->view(views[1], b);
        this->run_tasks(
            [&](Sequence& seq) { tile_op::trmm(seq, {}, side, uplo, Diag::Unit, this->alpha_, A, B); });
        EXPECT_TRUE(this->shows(views[1], Uplo::General, sum(this->alpha_, product, T(0), zeros)));

        B = this->view(views[1], product);
        this->run_tasks(
            [&](Sequence& seq) { tile_op::trsm(seq, {}, side, uplo, Diag::Unit, this->alpha_, A, B); });
        EXPECT_TRUE(this->shows(views[1], Uplo::General, sum(this->alpha_, b, T(0), zeros)));
      }
    }
  });
}

TYPED_TEST(TileOperations, RefuseAConjugateWithoutTranspose) {
  using T = TypeParam;
  if (!is_complex<T>) return;
  const Dense<T> a = integers<T>(1, 4, 4);
  const auto A = this->view(Op::conj_trans, a), B = this->view(Op::no_trans, a), C = this->view(Op::trans, a);
  this->run_tasks([&](Sequence& seq) {
    EXPECT_THROW(tile_op::gemm(seq, {}, T(1), A, B, T(0), C), ArgumentError);
    EXPECT_THROW(tile_op::gemm(seq, {}, T(1), B, A, T(0), C), ArgumentError);
    EXPECT_THROW(tile_op::trsm(seq, {}, Side::Left, Uplo::Lower, Diag::Unit, T(1), A, C), ArgumentError);
    EXPECT_THROW(tile_op::symm(seq, {}, Side::Left, Uplo::Lower, T(1), B, A, T(0), C), ArgumentError);
  });
}

}  // namespace
}  // namespace tessera::test
