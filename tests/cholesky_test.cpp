// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/cholesky.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/support/backends.hpp"
#include "tests/support/dense.hpp"

namespace tessera::test {
namespace {

constexpr Uplo both_triangles[] = {Uplo::Lower, Uplo::Upper};

/// 0, 1, below, at and above one tile of 4, three tiles, ragged.
constexpr Index sizes[] = {0, 1, 3, 4, 5, 12, 14, 33};

template <class T>
class Cholesky : public testing::Test {
 protected:
  /// Runs test(runtime, n, uplo) for both backends, all sizes and triangles.
  template <class F>
  static void for_each_case(F test) {
    for (const BackendKind kind : computing_backends) {
      Runtime rt = make_runtime(kind);
      for (const Index n : sizes) {
        for (const Uplo uplo : both_triangles) {
          SCOPED_TRACE(std::string(name_of(kind)) + " n=" + std::to_string(n) +
                       " uplo=" + static_cast<char>(uplo));
          test(rt, n, uplo);
        }
      }
    }
  }

  static TileMatrix<T> tiles_of(Runtime& rt, Dense<T>& a, Index nb) {
    return TileMatrix<T>::wrap(rt, a.m(), a.n(), a.data(), a.ld(), nb);
  }
  static Dense<T> minimum(Index n, Index guard_rows = 0) {
    return Dense<T>(n, n, guard_rows).set([](Index i, Index j) { return minimum_entry<T>(i, j); });
  }
  static Dense<T> positive_definite(Index n) {
    const auto entry = generate::hermitian<T>(42, n);
    return Dense<T>(n, n).set([&](Index i, Index j) { return entry(i, j); });
  }
  static Dense<T> random(Index m, Index n) {
    const auto entry = generate::uniform<T>(7);
    return Dense<T>(m, n).set([&](Index i, Index j) { return entry(i, j); });
  }
  /// Puts a recognisable NaN into the triangle that must not be touched.
  static void poison(Uplo referenced, Dense<T>& a) {
    const auto nan = std::numeric_limits<real_t<T>>::quiet_NaN();
    for (Index j = 0; j < a.n(); ++j) {
      for (Index i = 0; i < a.m(); ++i) {
        if (!in_triangle(referenced, i, j)) a(i, j) = T(-nan);
      }
    }
  }
  static void expect_same_outside(Uplo referenced, const Dense<T>& before, const Dense<T>& after) {
    for (Index j = 0; j < before.n(); ++j) {
      for (Index i = 0; i < before.m(); ++i) {
        if (in_triangle(referenced, i, j)) {
          ASSERT_TRUE(std::isfinite(real_part(after(i, j)))) << i << "," << j;
        } else {
          ASSERT_EQ(std::memcmp(&before(i, j), &after(i, j), sizeof(T)), 0) << i << "," << j;
        }
      }
    }
  }
};

TYPED_TEST_SUITE(Cholesky, Scalars);

TYPED_TEST(Cholesky, FactorOfTheMinimumMatrixIsExactlyOnesForEveryTileSize) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Uplo uplo : both_triangles) {
      for (const auto& [n, nb] : {std::pair<Index, Index>{10, 1},
                                  {10, 2},
                                  {10, 3},
                                  {10, 4},
                                  {10, 7},
                                  {10, 10},
                                  {10, 11},
                                  {20, 10},
                                  {20, 20},
                                  {20, 64},
                                  {100, 32}}) {
        auto a = this->minimum(n);
        const auto A = this->tiles_of(rt, a, nb);
        ASSERT_TRUE(potrf(rt, uplo, A).ok());
        for (Index j = 0; j < n; ++j) {
          for (Index i = 0; i < n; ++i) {
            if (!in_triangle(uplo, i, j)) continue;
            ASSERT_EQ(a(i, j), T{1}) << n << " " << nb << " " << i << "," << j;
          }
        }
      }
    }
  }
}

TYPED_TEST(Cholesky, FactorResidualIsBelowLapacksThreshold) {
  this->for_each_case([this](Runtime& rt, Index n, Uplo uplo) {
    const auto original = this->positive_definite(n);
    auto a = original;
    ASSERT_TRUE(potrf(rt, uplo, this->tiles_of(rt, a, 4)).ok());
    EXPECT_TRUE(factor_residual(original, lower_factor(uplo, a)) < lapack_threshold);
  });
}

TYPED_TEST(Cholesky, AllocatedMatricesGiveTheSameFactorAsWrappedBuffers) {
  using T = TypeParam;
  this->for_each_case([this](Runtime& rt, Index n, Uplo uplo) {
    auto a = this->positive_definite(n);
    const TileMatrix<T> A(rt, n, n, 4);
    scatter(rt, a.data(), a.ld(), A);
    ASSERT_TRUE(potrf(rt, uplo, A).ok());
    ASSERT_TRUE(potrf(rt, uplo, this->tiles_of(rt, a, 4)).ok());
    Dense<T> from_tiles(n, n);
    gather(rt, A, from_tiles.data(), from_tiles.ld());
    EXPECT_TRUE(identical(from_tiles, a));
  });
}

TYPED_TEST(Cholesky, SolvesToLapacksAccuracyForAnyNumberOfRightHandSides) {
  this->for_each_case([this](Runtime& rt, Index n, Uplo uplo) {
    for (const Index nrhs : {0, 1, 4, 10}) {
      const auto original = this->positive_definite(n);
      const auto b = this->random(n, nrhs);
      auto a = original;
      auto x = b;
      const auto A = this->tiles_of(rt, a, 4);
      const auto X = TileMatrix<TypeParam>::wrap(rt, n, nrhs, x.data(), x.ld(), 4, 3, 0);
      ASSERT_TRUE(posv(rt, uplo, A, X).ok());
      EXPECT_TRUE(solve_residual(original, x, b) < lapack_threshold) << nrhs;

      auto y = b;  // again, with the factor
      potrs(rt, uplo, A, TileMatrix<TypeParam>::wrap(rt, n, nrhs, y.data(), y.ld(), 4, 3, 0));
      EXPECT_TRUE(identical(x, y)) << nrhs;
    }
  });
}

TYPED_TEST(Cholesky, InverseOfTheMinimumMatrixIsExactlyTridiagonal) {
  using T = TypeParam;
  this->for_each_case([this](Runtime& rt, Index n, Uplo uplo) {
    auto factored = this->minimum(n);
    auto at_once = this->minimum(n);
    const auto A = this->tiles_of(rt, factored, 4);
    ASSERT_TRUE(potrf(rt, uplo, A).ok());
    ASSERT_TRUE(potri(rt, uplo, A).ok());
    ASSERT_TRUE(poinv(rt, uplo, this->tiles_of(rt, at_once, 4)).ok());
    EXPECT_TRUE(identical(factored, at_once));
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) {
        if (!in_triangle(uplo, i, j)) continue;
        const int expected = i == j ? (i == n - 1 ? 1 : 2) : std::abs(i - j) == 1 ? -1 : 0;
        ASSERT_EQ(factored(i, j), T(static_cast<real_t<T>>(expected))) << i << "," << j;
      }
    }
  });
}

TYPED_TEST(Cholesky, InverseResidualIsBelowLapacksThreshold) {
  this->for_each_case([this](Runtime& rt, Index n, Uplo uplo) {
    const auto original = this->positive_definite(n);
    auto a = original;
    ASSERT_TRUE(poinv(rt, uplo, this->tiles_of(rt, a, 4)).ok());
    EXPECT_TRUE(inverse_residual(original, hermitian(uplo, a)) < lapack_threshold);
  });
}

TYPED_TEST(Cholesky, NeverTouchesTheOtherTriangleOrTheRowsBeyondTheMatrix) {
  using T = TypeParam;
  const auto routines = {
      +[](Runtime& rt, Uplo uplo, const TileMatrix<T>& A) { return potrf(rt, uplo, A); },
      +[](Runtime& rt, Uplo uplo, const TileMatrix<T>& A) { return poinv(rt, uplo, A); },
      +[](Runtime& rt, Uplo uplo, const TileMatrix<T>& A) { return trtri(rt, uplo, Diag::NonUnit, A); },
      +[](Runtime& rt, Uplo uplo, const TileMatrix<T>& A) { return lauum(rt, uplo, A), Info(); },
  };
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Uplo uplo : both_triangles) {
      for (const auto& routine : routines) {
        auto a = this->minimum(33, 3);
        for (Index j = 0; j < 33; ++j) {
          for (Index i = 33; i < 36; ++i) a.data()[i + j * a.ld()] = T(-77);
        }
        this->poison(uplo, a);
        const auto before = a;
        ASSERT_TRUE(routine(rt, uplo, this->tiles_of(rt, a, 8)).ok());
        this->expect_same_outside(uplo, before, a);
        for (Index j = 0; j < 33; ++j) {
          for (Index i = 33; i < 36; ++i) ASSERT_EQ(a.data()[i + j * a.ld()], T(-77));
        }
      }
      auto a = this->minimum(33);
      this->poison(uplo, a);
      auto before = a;
      auto b = this->random(33, 5);
      ASSERT_TRUE(posv(rt, uplo, this->tiles_of(rt, a, 8), this->tiles_of(rt, b, 8)).ok());
      this->expect_same_outside(uplo, before, a);
      for (Index j = 0; j < 5; ++j) {
        for (Index i = 0; i < 33; ++i) ASSERT_TRUE(std::isfinite(real_part(b(i, j))));
      }
    }
  }
}

/// A matrix and the info that it must give.
struct BadMinor {
  Index n;
  Index row, column;  // 1-based entry that is replaced
  double value;
  Index info;
};

TYPED_TEST(Cholesky, ReportsTheOrderOfTheFirstBadLeadingMinor) {
  using T = TypeParam;
  constexpr BadMinor cases[] = {
      {10, 8, 8, 7, 8}, {10, 8, 8, 6, 8}, {10, 1, 1, 0, 1}, {10, 10, 10, 9, 10}, {2, 2, 2, 1, 2}};
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Uplo uplo : both_triangles) {
      for (const Index nb : {1, 3, 4, 10, 16}) {
        for (const BadMinor& bad : cases) {
          auto a = this->minimum(bad.n);
          a(bad.row - 1, bad.column - 1) = T(static_cast<real_t<T>>(bad.value));
          EXPECT_EQ(potrf(rt, uplo, this->tiles_of(rt, a, nb)).index(), bad.info) << nb << " " << bad.row;
        }
      }
    }
  }
}

TYPED_TEST(Cholesky, TakesNaNForAPivotThatIsNotPositive) {
  using T = TypeParam;
  const T nan(std::numeric_limits<real_t<T>>::quiet_NaN());
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (const Uplo uplo : both_triangles) {
      for (const Index nb : {3, 10}) {
        for (const auto& [i, j, info] : {std::array<Index, 3>{7, 7, 7}, {10, 10, 10}, {9, 3, 9}}) {
          auto a = Dense<T>(10, 10).set([](Index r, Index c) { return T(static_cast<real_t<T>>(r == c)); });
          (uplo == Uplo::Lower ? a(i - 1, j - 1) : a(j - 1, i - 1)) = nan;
          EXPECT_EQ(potrf(rt, uplo, this->tiles_of(rt, a, nb)).index(), info) << nb << " " << i << "," << j;
        }
      }
    }
  }
}

TYPED_TEST(Cholesky, OneByOneMatricesBehave) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::starpu);
  const auto factor = [&](T entry) {
    Dense<T> a(1, 1);
    a(0, 0) = entry;
    const Info info = potrf(rt, Uplo::Lower, this->tiles_of(rt, a, 4));
    return std::pair{info.index(), a(0, 0)};
  };
  EXPECT_EQ(factor(T{4}), std::pair(Index{0}, T{2}));
  EXPECT_EQ(factor(T{0}).first, 1);
  EXPECT_EQ(factor(T{-1}).first, 1);
}

TYPED_TEST(Cholesky, ATransposedViewIsTheOtherTriangle) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::starpu);
  auto a = this->positive_definite(14);
  auto b = a;
  ASSERT_TRUE(potrf(rt, Uplo::Lower, conj_trans(this->tiles_of(rt, a, 4))).ok());
  ASSERT_TRUE(potrf(rt, Uplo::Upper, this->tiles_of(rt, b, 4)).ok());
  EXPECT_TRUE(identical(a, b));
  auto x = this->random(14, 3);
  auto y = adjoint(x);  // the right-hand sides as rows
  potrs(rt, Uplo::Upper, this->tiles_of(rt, a, 4), TileMatrix<T>::wrap(rt, 14, 3, x.data(), 14, 4, 2, 0));
  potrs(rt, Uplo::Upper, this->tiles_of(rt, a, 4),
        conj_trans(TileMatrix<T>::wrap(rt, 3, 14, y.data(), 3, 2, 4, 0)));
  EXPECT_LT(norm_one(subtract(adjoint(y), x)), 100 * eps<T> * norm_one(x));
}

TYPED_TEST(Cholesky, WorksAgainAfterAFailure) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::starpu);
  Sequence sequence(rt);
  for (int round = 0; round < 3; ++round) {
    auto bad = this->minimum(16);
    bad(5, 5) = T{5};
    auto good = this->minimum(16);
    potrf(sequence, Uplo::Lower, this->tiles_of(rt, bad, 4));
    EXPECT_EQ(sequence.wait().index(), 6);
    potrf(sequence, Uplo::Lower, this->tiles_of(rt, good, 4));
    EXPECT_TRUE(sequence.wait().ok());
    for (Index j = 0; j < 16; ++j) {
      for (Index i = j; i < 16; ++i) ASSERT_EQ(good(i, j), T{1});
    }
  }
}

TYPED_TEST(Cholesky, TrtriReportsTheFirstZeroOnTheDiagonalWhicheverTileFindsItFirst) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    for (int repetition = 0; repetition < 20; ++repetition) {
      auto a = Dense<T>(40, 40).set([](Index i, Index j) { return T(static_cast<real_t<T>>(i >= j)); });
      a(37, 37) = a(22, 22) = a(6, 6) = T{};
      EXPECT_EQ(trtri(rt, Uplo::Lower, Diag::NonUnit, this->tiles_of(rt, a, 4)).index(), 7);
    }
  }
}

TYPED_TEST(Cholesky, LogOfTheDeterminantOfKnownMatrices) {
  using T = TypeParam;
  this->for_each_case([this](Runtime& rt, Index n, Uplo uplo) {
    auto minimum = this->minimum(n);
    const auto A = this->tiles_of(rt, minimum, 4);
    ASSERT_TRUE(potrf(rt, uplo, A).ok());
    EXPECT_EQ(logdet(rt, A), 0.0);
    auto diagonal =
        Dense<T>(n, n).set([](Index i, Index j) { return T(static_cast<real_t<T>>(i == j ? 4 : 0)); });
    const auto D = this->tiles_of(rt, diagonal, 4);
    ASSERT_TRUE(potrf(rt, uplo, D).ok());
    EXPECT_NEAR(logdet(rt, D), static_cast<double>(n) * std::log(4.0), 1e-12);
  });
}

TYPED_TEST(Cholesky, FactorsASubMatrixAndLeavesItsSurroundings) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::starpu);
  auto a = Dense<T>(14, 14).set([](Index, Index) { return T(-3); });
  for (Index j = 4; j < 12; ++j) {
    for (Index i = 4; i < 12; ++i) a(i, j) = minimum_entry<T>(i - 4, j - 4);
  }
  const auto A = this->tiles_of(rt, a, 4);
  ASSERT_TRUE(potrf(rt, Uplo::Lower, A.sub(1, 1, 2, 2)).ok());
  for (Index j = 0; j < 14; ++j) {
    for (Index i = 0; i < 14; ++i) {
      const bool inside = i >= 4 && j >= 4 && i < 12 && j < 12;
      if (inside && i < j) continue;
      ASSERT_EQ(a(i, j), inside ? T{1} : T(-3)) << i << "," << j;
    }
  }
}

TYPED_TEST(Cholesky, CallsOfOneSequenceChainWithoutABarrier) {
  Runtime rt = make_runtime(BackendKind::starpu);
  const auto original = this->positive_definite(30);
  const auto b = this->random(30, 2);
  auto a1 = original, a2 = original;
  auto x = b;
  Sequence first(rt), second(rt);
  const auto A1 = this->tiles_of(rt, a1, 4);
  const auto X = this->tiles_of(rt, x, 4);
  potrf(first, Uplo::Lower, A1, {.priority = 10});
  potrf(second, Uplo::Lower, this->tiles_of(rt, a2, 4));
  potrs(first, Uplo::Lower, A1, X);
  EXPECT_TRUE(first.wait().ok());
  EXPECT_TRUE(second.wait().ok());
  EXPECT_TRUE(solve_residual(original, x, b) < lapack_threshold);
  EXPECT_TRUE(identical(a1, a2));
}

TYPED_TEST(Cholesky, WrongArgumentsThrowWithNameAndValueAndTheNextCallWorks) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_runtime(kind);
    auto a = this->minimum(12), b = this->random(12, 2);
    const auto A = this->tiles_of(rt, a, 4);
    const auto rejected = [](const char* argument, const char* value, auto&& call) {
      try {
        call();
        ADD_FAILURE() << "accepted a wrong " << argument;
      } catch (const ArgumentError& e) {
        EXPECT_EQ(e.argument(), argument) << e.what();
        EXPECT_NE(e.value().find(value), std::string::npos) << e.what();
      }
    };
    const auto wrap = [&](Index m, Index n, T* data, Index ld, Index nb) {
      return TileMatrix<T>::wrap(rt, m, n, data, ld, nb);
    };
    rejected("a", "null", [&] { wrap(12, 12, nullptr, 12, 4); });
    rejected("lda", "11", [&] { wrap(12, 12, a.data(), 11, 4); });
    rejected("lda", "0", [&] { wrap(0, 0, nullptr, 0, 4); });
    rejected("m", "-1", [&] { wrap(-1, 12, a.data(), 12, 4); });
    rejected("n", "-2", [&] { TileMatrix<T>(rt, 12, -2, 4); });
    rejected("mb", "-4", [&] { TileMatrix<T>(rt, 12, 12, -4); });
    rejected("uplo", "G", [&] { (void)potrf(rt, Uplo::General, A); });
    rejected("uplo", "l", [&] { (void)potrf(rt, static_cast<Uplo>('l'), A); });
    rejected("diag", "X", [&] { (void)trtri(rt, Uplo::Lower, static_cast<Diag>('X'), A); });
    rejected("norm", "X", [&] { (void)lange(rt, static_cast<Norm>('X'), A); });
    rejected("A.n()", "8", [&] { (void)potrf(rt, Uplo::Lower, A.sub(0, 0, 3, 2)); });
    rejected("A.nb()", "3",
             [&] { (void)potrf(rt, Uplo::Lower, TileMatrix<T>::wrap(rt, 12, 12, a.data(), 12, 4, 3, 0)); });
    if (is_complex<T>) rejected("A.op()", "T", [&] { (void)potrf(rt, Uplo::Lower, trans(A)); });
    rejected("B.m()", "8", [&] { (void)posv(rt, Uplo::Lower, A, wrap(8, 2, b.data(), 12, 4)); });
    rejected("B.mb()", "5", [&] { (void)posv(rt, Uplo::Lower, A, wrap(12, 2, b.data(), 12, 5)); });
    rejected("B", "a view of A's tiles", [&] { (void)posv(rt, Uplo::Lower, A, A); });
    Runtime other = make_runtime(kind == BackendKind::starpu ? BackendKind::sequential : BackendKind::starpu);
    rejected("A", "12 x 12", [&] { (void)potrf(other, Uplo::Lower, A); });
    EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
    EXPECT_EQ(a(11, 0), T{1});
  }
}

}  // namespace
}  // namespace tessera::test
