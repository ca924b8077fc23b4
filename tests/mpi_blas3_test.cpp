// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tessera/tessera.hpp"
#include "tests/support/tiles.hpp"

// The products and triangular solves on as many ranks as there are, one included: integers, equal to the bit to sums
// over the elements, whatever the distributions, the views and the operand that stays where it is.

namespace tessera::test {
namespace {

template <class T>
using Entry = std::function<T(Index, Index)>;

/// op applied to a matrix.
template <Scalar T>
Entry<T> seen(Op op, Entry<T> f) {
  if (op == Op::no_trans) return f;
  return [=](Index i, Index j) { return op == Op::conj_trans ? conjugate(f(j, i)) : f(j, i); };
}

template <Scalar T>
Entry<T> integers_of(Index seed) {
  return [seed](Index i, Index j) { return integer_entry<T>(seed, i, j); };
}

/// The distributions of the operands, in all that a number of ranks has.
std::vector<DistributionPtr> distributions(const Runtime& rt) {
  std::vector<DistributionPtr> all;
  for (const std::string& text : distribution_candidates(rt.num_ranks())) {
    all.push_back(make_distribution(text, rt.num_ranks()));
  }
  for (Rank c = 2; c <= rt.num_ranks(); ++c) {
    if (rt.num_ranks() % c != 0) continue;
    const std::string base = distribution_candidates(rt.num_ranks() / c).back();
    all.push_back(make_distribution("2.5d:c=" + std::to_string(c) + "/" + base));
  }
  all.push_back(std::make_shared<SingleOwner>(rt.num_ranks() - 1));
  return all;
}

template <class T>
class MpiBlas3 : public testing::Test {
 protected:
  Runtime rt;

  /// An m x n matrix that shows f through the view op, as a part of a larger one (one tile more on each side) whose
  /// other elements are NaN.
  struct Operand {
    TileMatrix<T> whole;
    TileMatrix<T> view;
  };
  Operand make(Index m, Index n, Index mb, Index nb, Op op, const DistributionPtr& d, const Entry<T>& f) {
    const bool flip = op != Op::no_trans;
    const Index rows = flip ? n : m, cols = flip ? m : n, rb = flip ? nb : mb, cb = flip ? mb : nb;
    const TileMatrix<T> whole(rt, rows + rb, cols + cb, rb, cb, d);
    const Entry<T> stored = seen<T>(op, f);
    set_directly(
        whole, [&](Index i, Index j) { return i < rb || j < cb ? marked_nan<T>() : stored(i - rb, j - cb); });
    const TileMatrix<T> part = whole.sub(1, 1, whole.mt() - 1, whole.nt() - 1);
    return {whole, op == Op::no_trans ? part : op == Op::trans ? trans(part) : conj_trans(part)};
  }

  /// The view holds f, and what is around it its NaNs.
  testing::AssertionResult shows(const Operand& X, const Entry<T>& f) {
    const Op op = X.view.op();
    const Entry<T> stored = seen<T>(op, f);
    const Index rb = X.whole.mb(), cb = X.whole.nb();
    return holds(X.whole, [&](Index i, Index j) {
      return i < rb || j < cb ? marked_nan<T>() : stored(i - rb, j - cb);
    });
  }

  /// Three distributions at a time, so that each one serves each operand.
  void for_each_placement(
      const std::function<void(const DistributionPtr&, const DistributionPtr&, const DistributionPtr&)>& f) {
    const auto all = distributions(rt);
    for (std::size_t d = 0; d < all.size(); ++d) {
      f(all[d], all[(d + 1) % all.size()], all[(2 * d + 1) % all.size()]);
      f(all[d], all[d], all[d]);
    }
  }
};
TYPED_TEST_SUITE(MpiBlas3, Scalars);

constexpr Stationary every_stationary[] = {Stationary::automatic, Stationary::a, Stationary::b,
                                           Stationary::c};

/// Whether op of A and B and C can go together: BLAS has no conjugate without transpose.
template <Scalar T>
bool expressible(Op a, Op b, Op c) {
  const auto composes = [&](Op x) { return x == Op::no_trans || c == Op::no_trans || x == c; };
  return !is_complex<T> || (composes(a) && composes(b));
}

TYPED_TEST(MpiBlas3, GemmIsTheSumOfProductsForAllViewsAndWhateverStays) {
  using T = TypeParam;
  const Index m = 13, n = 9, k = 11, mb = 4, nb = 3, kb = 5;
  const auto a = integers_of<T>(1), b = integers_of<T>(2), c = integers_of<T>(3);
  const T alpha = scalar<T>(2, 1), beta = scalar<T>(-1, 2);
  const auto expected = [&](Index i, Index j) {
    T sum{};
    for (Index l = 0; l < k; ++l) sum += a(i, l) * b(l, j);
    return alpha * sum + beta * c(i, j);
  };
  std::size_t turn = 0;
  this->for_each_placement([&](auto& da, auto& db, auto& dc) {
    for (const Stationary stationary : every_stationary) {
      const Op oa = ops[turn % 3], ob = ops[turn / 3 % 3], oc = ops[turn / 9 % 3];
      turn += turn % 2 == 0 ? 5 : 8;
      if (!expressible<T>(oa, ob, oc)) continue;
      SCOPED_TRACE(da->name() + " " + db->name() + " " + dc->name() + " " + static_cast<char>(stationary));
      const auto A = this->make(m, k, mb, kb, oa, da, a);
      const auto B = this->make(k, n, kb, nb, ob, db, b);
      const auto C = this->make(m, n, mb, nb, oc, dc, c);
      gemm<T>(this->rt, alpha, A.view, B.view, beta, C.view, {.stationary = stationary});
      ASSERT_TRUE(this->shows(C, expected));
    }
  });
}

TYPED_TEST(MpiBlas3, GemmWithZeroFactorsReadsNothingThatItNeedNot) {
  using T = TypeParam;
  const auto a = integers_of<T>(1), b = integers_of<T>(2);
  const auto nan = [](Index, Index) { return marked_nan<T>(); };
  const auto d = distributions(this->rt).front();
  for (const Stationary stationary : every_stationary) {
    const ProductOptions options{.stationary = stationary};
    const auto A = this->make(5, 7, 2, 3, Op::no_trans, d, a), B = this->make(7, 4, 3, 2, Op::no_trans, d, b);
    const auto C = this->make(5, 4, 2, 2, Op::no_trans, d, nan);
    gemm<T>(this->rt, 1, A.view, B.view, 0, C.view, options);
    ASSERT_TRUE(this->shows(C, [&](Index i, Index j) {
      T sum{};
      for (Index l = 0; l < 7; ++l) sum += a(i, l) * b(l, j);
      return sum;
    }));
    const auto X = this->make(5, 7, 2, 3, Op::no_trans, d, nan),
               Y = this->make(7, 4, 3, 2, Op::no_trans, d, nan);
    gemm<T>(this->rt, 0, X.view, Y.view, 1, C.view, options);
    gemm<T>(this->rt, 0, X.view, Y.view, 0, C.view, options);
    ASSERT_TRUE(this->shows(C, [](Index, Index) { return T{0}; }));
    const auto E = this->make(5, 0, 2, 3, Op::no_trans, d, a), F = this->make(0, 4, 3, 2, Op::no_trans, d, b);
    gemm<T>(this->rt, 1, E.view, F.view, 2, C.view, options);  // k = 0
    ASSERT_TRUE(this->shows(C, [](Index, Index) { return T{0}; }));
  }
}

/// f in one triangle, NaN in the other.
template <Scalar T>
Entry<T> only(Uplo uplo, Entry<T> f) {
  return [=](Index i, Index j) { return in_triangle(uplo, i, j) ? f(i, j) : marked_nan<T>(); };
}

/// A symmetric (mirror = trans) or Hermitian matrix of integers.
template <Scalar T>
Entry<T> mirrored(Op mirror, Index seed) {
  return [=](Index i, Index j) {
    const T x = integer_entry<T>(seed, std::max(i, j), std::min(i, j));
    if (mirror == Op::trans) return x;
    return i == j ? T(std::real(x)) : i > j ? x : conjugate(x);
  };
}

TYPED_TEST(MpiBlas3, SymmAndHemmReadOneTriangleOnBothSides) {
  using T = TypeParam;
  const Index m = 11, n = 7, mb = 4, nb = 3;
  const auto b = integers_of<T>(2), c = integers_of<T>(3);
  const T alpha = scalar<T>(1, -2), beta = scalar<T>(3, 1);
  std::size_t turn = 0;
  this->for_each_placement([&](auto& da, auto& db, auto& dc) {
    for (const Op mirror : {Op::trans, Op::conj_trans}) {
      for (const Side side : sides) {
        for (const Uplo uplo : uplos) {
          const Stationary stationary = every_stationary[turn++ % 4];
          SCOPED_TRACE(da->name() + " " + db->name() + " " + dc->name() + " " +
                       static_cast<char>(stationary));
          const bool left = side == Side::Left;
          const Index order = left ? m : n, block = left ? mb : nb;
          const auto a = mirrored<T>(mirror, 1);
          // What a Hermitian diagonal has as imaginary parts is not looked at.
          const Entry<T> stored = [&](Index i, Index j) {
            return i == j && mirror == Op::conj_trans ? a(i, j) + scalar<T>(0, 7) : a(i, j);
          };
          const Op oa = is_complex<T> && turn % 3 != 0 ? Op::no_trans : mirror;
          const auto A = this->make(order, order, block, block, oa, da, only<T>(uplo, stored));
          const auto B = this->make(m, n, mb, nb, turn % 2 == 0 ? mirror : Op::no_trans, db, b);
          const auto C = this->make(m, n, mb, nb, turn % 5 == 0 ? mirror : Op::no_trans, dc, c);
          const ProductOptions options{.stationary = stationary};
          if (mirror == Op::trans) {
            symm<T>(this->rt, side, uplo, alpha, A.view, B.view, beta, C.view, options);
          } else {
            hemm<T>(this->rt, side, uplo, alpha, A.view, B.view, beta, C.view, options);
          }
          ASSERT_TRUE(this->shows(C, [&](Index i, Index j) {
            T sum{};
            for (Index l = 0; l < order; ++l) sum += left ? a(i, l) * b(l, j) : b(i, l) * a(l, j);
            return alpha * sum + beta * c(i, j);
          }));
        }
      }
    }
  });
}

TYPED_TEST(MpiBlas3, RankUpdatesWriteOneTriangle) {
  using T = TypeParam;
  const Index n = 11, k = 7, nb = 4, kb = 3;
  const auto a = integers_of<T>(1), b = integers_of<T>(2);
  std::size_t turn = 0;
  this->for_each_placement([&](auto& da, auto& db, auto& dc) {
    for (const Op mirror : {Op::trans, Op::conj_trans}) {
      for (const Uplo uplo : uplos) {
        for (const bool two : {false, true}) {
          const bool hermitian = mirror == Op::conj_trans;
          SCOPED_TRACE(da->name() + " " + db->name() + " " + dc->name());
          const Op view = turn++ % 3 == 0 ? mirror : Op::no_trans;
          const Op view_c = turn % 4 == 0 ? mirror : Op::no_trans;
          const auto c = mirrored<T>(mirror, 3);
          const auto A = this->make(n, k, nb, kb, view, da, a), B = this->make(n, k, nb, kb, view, db, b);
          // What a Hermitian diagonal has as imaginary parts does not count.
          const Entry<T> stored = [&](Index i, Index j) {
            return i == j && hermitian ? c(i, j) + scalar<T>(0, 7) : c(i, j);
          };
          const auto C = this->make(n, n, nb, nb, view_c, dc, only<T>(uplo, stored));
          // alpha = 0 reads neither A nor B; with beta = 1 BLAS then does nothing at all.
          const bool nothing = turn % 7 == 0;
          const real_t<T> real_alpha = nothing ? 0 : 2, real_beta = nothing && turn % 2 == 0 ? 1 : -3;
          const T alpha = nothing ? T{0} : scalar<T>(2, 1);
          const T beta = hermitian ? T(real_beta) : scalar<T>(-3, 1);
          const auto& before = nothing && real_beta == 1 ? stored : c;
          if (two && hermitian) her2k<T>(this->rt, uplo, alpha, A.view, B.view, real_beta, C.view);
          if (two && !hermitian) syr2k<T>(this->rt, uplo, alpha, A.view, B.view, beta, C.view);
          if (!two && hermitian) herk<T>(this->rt, uplo, real_alpha, A.view, real_beta, C.view);
          if (!two && !hermitian) syrk<T>(this->rt, uplo, alpha, A.view, beta, C.view);
          const auto flip = [&](T x) { return hermitian ? conjugate(x) : x; };
          ASSERT_TRUE(this->shows(C, only<T>(uplo, [&](Index i, Index j) {
                                    T ab{}, ba{}, aa{};
                                    for (Index l = 0; l < k; ++l) {
                                      ab += a(i, l) * flip(b(j, l));
                                      ba += b(i, l) * flip(a(j, l));
                                      aa += a(i, l) * flip(a(j, l));
                                    }
                                    const T product = two ? alpha * ab + flip(alpha) * ba
                                                          : (hermitian ? T(real_alpha) : alpha) * aa;
                                    return product + beta * before(i, j);
                                  })));
        }
      }
    }
  });
}

/// A triangular matrix whose inverse stays small: ones and twos on the diagonal (whatever with Unit), few ones beside.
template <Scalar T>
Entry<T> sparse_triangle(Uplo uplo, Diag diag) {
  return [=](Index i, Index j) {
    if (i == j) return diag == Diag::Unit ? marked_nan<T>() : T(static_cast<real_t<T>>(1 + i % 2));
    if (!in_triangle(uplo, i, j)) return marked_nan<T>();
    return (i + 2 * j) % 5 == 0 ? scalar<T>(1, -1) : T{0};
  };
}

TYPED_TEST(MpiBlas3, TrmmAndTrsmUndoEachOtherForAllSidesTrianglesDiagonalsAndViews) {
  using T = TypeParam;
  const Index m = 10, n = 7, mb = 4, nb = 3;
  const auto x = integers_of<T>(2);
  std::size_t turn = 0;
  this->for_each_placement([&](auto& da, auto& db, auto&) {
    for (const Side side : sides) {
      for (const Uplo uplo : uplos) {
        for (const Diag diag : diags) {
          const Op oa = ops[turn % 3], ob = ops[turn / 3 % 2 == 0 ? 0 : (turn % 3)];
          ++turn;
          const bool left = side == Side::Left;
          const Index order = left ? m : n, block = left ? mb : nb;
          SCOPED_TRACE(da->name() + " " + db->name() + " " + static_cast<char>(side) +
                       static_cast<char>(uplo) + static_cast<char>(diag) + static_cast<char>(oa) +
                       static_cast<char>(ob));
          const auto stored = sparse_triangle<T>(uplo, diag);
          const auto a = [&](Index i, Index j) {
            return i == j && diag == Diag::Unit ? T{1} : in_triangle(uplo, i, j) ? stored(i, j) : T{0};
          };
          const auto A = this->make(order, order, block, block, oa, da, stored);
          const auto B = this->make(m, n, mb, nb, ob, db, x);
          trmm<T>(this->rt, side, uplo, diag, scalar<T>(2, 0), A.view, B.view);
          ASSERT_TRUE(this->shows(B, [&](Index i, Index j) {
            T sum{};
            for (Index l = 0; l < order; ++l) sum += left ? a(i, l) * x(l, j) : x(i, l) * a(l, j);
            return T{2} * sum;
          }));
          trsm<T>(this->rt, side, uplo, diag, T(real_t<T>(0.5)), A.view, B.view);
          ASSERT_TRUE(this->shows(B, x));
          const auto N =
              this->make(order, order, block, block, oa, da, [](Index, Index) { return marked_nan<T>(); });
          if (turn % 2 == 0) {
            trsm<T>(this->rt, side, uplo, diag, 0, N.view, B.view);
          } else {
            trmm<T>(this->rt, side, uplo, diag, 0, N.view, B.view);
          }
          ASSERT_TRUE(this->shows(B, [](Index, Index) { return T{0}; }));
        }
      }
    }
  });
}

TYPED_TEST(MpiBlas3, ProductsChainOnOneSequenceAndRepeatToTheBit) {
  using T = TypeParam;
  const Index n = 12, nb = 4;
  const auto a = integers_of<T>(1), b = integers_of<T>(2);
  const auto all = distributions(this->rt);
  for (int repetition = 0; repetition < 5; ++repetition) {
    const auto A = this->make(n, n, nb, nb, Op::no_trans, all[0], a);
    const auto B = this->make(n, n, nb, nb, Op::no_trans, all[all.size() / 2], b);
    const auto C = this->make(n, n, nb, nb, Op::no_trans, all.back(), [](Index, Index) { return T{0}; });
    Sequence sequence(this->rt);
    gemm<T>(sequence, 1, A.view, B.view, 0, C.view, {.stationary = Stationary::a});
    gemm<T>(sequence, 1, A.view, B.view, 1, C.view, {.stationary = Stationary::b});
    gemm<T>(sequence, 1, A.view, B.view, 1, C.view, {.stationary = Stationary::c});
    ASSERT_TRUE(sequence.wait().ok());
    ASSERT_TRUE(this->shows(C, [&](Index i, Index j) {
      T sum{};
      for (Index l = 0; l < n; ++l) sum += a(i, l) * b(l, j);
      return T{3} * sum;
    }));
  }
}

TYPED_TEST(MpiBlas3, WrongArgumentsThrowBeforeAnythingRunsAndNameTheArgument) {
  using T = TypeParam;
  auto& runtime = this->rt;
  const TileMatrix<T> A(runtime, 8, 6, 4, 3, {}), B(runtime, 6, 4, 3, 2, {}), C(runtime, 8, 4, 4, 2, {}),
      S(runtime, 8, 8, 4, 4, {});
  const auto argument = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const ArgumentError& e) {
      return e.argument();
    }
    return "accepted";
  };
  EXPECT_EQ(argument([&] { gemm<T>(runtime, 1, A, C, 0, C); }), "B.m()");
  EXPECT_EQ(argument([&] { gemm<T>(runtime, 1, S, B, 0, C); }), "B.m()");
  EXPECT_EQ(argument([&] { gemm<T>(runtime, 1, A, B, 0, S); }), "B.n()");
  EXPECT_EQ(argument([&] { gemm<T>(runtime, 1, A, TileMatrix<T>(runtime, 6, 4, 2, 2, {}), 0, C); }),
            "tile size along B.m()");
  EXPECT_EQ(argument([&] { gemm<T>(runtime, 1, S, S.sub(0, 0, 2, 1), 0, S.sub(0, 1, 2, 1)); }), "C");
  EXPECT_EQ(argument([&] { symm<T>(runtime, Side::Left, Uplo::Lower, 1, A, C, 0, C); }), "A.n()");
  EXPECT_EQ(argument([&] {
              symm<T>(runtime, Side::Right, Uplo::Lower, 1, S, C, 0, TileMatrix<T>(runtime, 8, 4, 4, 2, {}));
            }),
            "A.n()");
  EXPECT_EQ(argument([&] { syrk<T>(runtime, Uplo::General, 1, A, 0, S); }), "uplo");
  EXPECT_EQ(argument([&] { syrk<T>(runtime, Uplo::Lower, 1, B, 0, S); }), "A.m()");
  EXPECT_EQ(argument([&] { trsm<T>(runtime, Side::Left, Uplo::Lower, Diag::Unit, 1, S, B); }), "A.n()");
  EXPECT_EQ(argument([&] { trmm<T>(runtime, static_cast<Side>('X'), Uplo::Lower, Diag::Unit, 1, S, C); }),
            "side");
  EXPECT_EQ(argument([&] { gemm<T>(runtime, 1, A, B, 0, C, {.stationary = static_cast<Stationary>('X')}); }),
            "stationary");
  if (is_complex<T>) {
    EXPECT_EQ(argument([&] {
                hemm<T>(runtime, Side::Left, Uplo::Lower, 1, trans(S), C, 0,
                        TileMatrix<T>(runtime, 8, 4, 4, 2, {}));
              }),
              "A.op()");
    EXPECT_EQ(argument([&] {
                herk<T>(runtime, Uplo::Lower, 1, trans(B), 0, TileMatrix<T>(runtime, 4, 4, 2, 2, {}));
              }),
              "A.op()");
  }
  gemm<T>(runtime, 1, A, B, 0, C);  // and the next call works
  EXPECT_TRUE(holds(C, [](Index, Index) { return T{0}; }));
}

}  // namespace
}  // namespace tessera::test
