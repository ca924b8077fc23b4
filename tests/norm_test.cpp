// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/norm.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tests/support/backends.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/norm_cases.hpp"

namespace tessera {
namespace {

using namespace test;

struct Shape {
  Index m, n, mb, nb;
};

// The sequential backend takes all of them and all ops; the others, with the same kernels, take the first
// few.
constexpr Shape shapes[] = {
    {10, 10, 4, 3}, {27, 21, 8, 8},  {0, 5, 4, 4},    {27, 27, 8, 8},   {1, 1, 4, 4},
    {3, 3, 8, 8},   {8, 8, 8, 8},    {24, 24, 8, 8},  {13, 30, 8, 8},   {0, 0, 4, 4},
    {5, 0, 4, 4},   {10, 10, 3, 4},  {19, 5, 4, 3},   {5, 19, 3, 7},    {1, 9, 2, 2},
    {9, 1, 2, 2},   {10, 10, 10, 1}, {10, 10, 1, 10}, {40, 40, 16, 40},
};
constexpr std::size_t few = 9;

template <class T_, BackendKind kind_>
struct Case {
  using T = T_;
  static constexpr BackendKind kind = kind_;
};

struct CaseNames {
  template <class C>
  static std::string GetName(int) {
    return std::string(1, type_letter<typename C::T>) + "_" + name_of(C::kind);
  }
};

using Cases =
    testing::Types<Case<float, BackendKind::sequential>, Case<double, BackendKind::sequential>,
                   Case<std::complex<float>, BackendKind::sequential>,
                   Case<std::complex<double>, BackendKind::sequential>, Case<float, BackendKind::starpu>,
                   Case<double, BackendKind::starpu>, Case<std::complex<float>, BackendKind::starpu>,
                   Case<std::complex<double>, BackendKind::starpu>>;

template <class C>
class NormTest : public testing::Test {
 public:
  using Element = typename C::T;
  using Magnitude = real_t<Element>;

  static constexpr Magnitude nan = std::numeric_limits<Magnitude>::quiet_NaN();
  static constexpr Magnitude inf = std::numeric_limits<Magnitude>::infinity();

  static void SetUpTestSuite() { runtime_.reset(new Runtime(make_runtime(C::kind))); }
  static void TearDownTestSuite() { runtime_.reset(); }
  static Runtime& runtime() { return *runtime_; }

  static constexpr bool exhaustive = C::kind == BackendKind::sequential;
  static constexpr auto shapes_here() {
    return std::span(shapes).first(exhaustive ? std::size(shapes) : few);
  }

  /// Calls check(view, norm) for A, A^T and A^H, where `norm` of the view is the `wanted` norm of A.
  template <class Check>
  static void for_each_op(const TileMatrix<Element>& A, Norm wanted, Check check) {
    check(A, wanted);
    if (!exhaustive) return;
    check(trans(A), transposed(wanted));
    check(conj_trans(A), transposed(wanted));
  }

  /// An allocated matrix with these entries.
  template <class Entry>
  static TileMatrix<Element> matrix(const Shape& s, Entry entry) {
    TileMatrix<Element> A(runtime(), s.m, s.n, s.mb, s.nb, nullptr);
    set_directly(A, entry);
    return A;
  }

 private:
  inline static std::unique_ptr<Runtime> runtime_;
};

TYPED_TEST_SUITE(NormTest, Cases, CaseNames);

std::string describe(const Shape& s, Norm norm) {
  return std::to_string(s.m) + " x " + std::to_string(s.n) + " in tiles of " + std::to_string(s.mb) + " x " +
         std::to_string(s.nb) + ", norm " + static_cast<char>(norm);
}

TYPED_TEST(NormTest, LangeEqualsTheDefinitionExactlyForIntegers) {
  using T = typename TestFixture::Element;
  for (const Shape& s : this->shapes_here()) {
    const auto A = this->matrix(s, integer_entry<T>);
    for (const Norm norm : all_norms) {
      SCOPED_TRACE(describe(s, norm));
      const auto expected = static_cast<real_t<T>>(norm_by_definition(
          norm, s.m, s.n, [](Index i, Index j) { return modulus(integer_entry<T>(i, j)); }));
      this->for_each_op(A, norm, [&](const TileMatrix<T>& view, Norm of_view) {
        EXPECT_EQ(lange(this->runtime(), of_view, view), expected);
      });
    }
  }
}

TYPED_TEST(NormTest, LangeReadsOnlyTheMatrixInAWrappedBuffer) {
  using T = typename TestFixture::Element;
  for (const Shape& s : this->shapes_here()) {
    const Index ld = s.m + 3;
    std::vector<T> a(static_cast<std::size_t>(ld * s.n), marked_nan<T>());
    const auto A = TileMatrix<T>::wrap(this->runtime(), s.m, s.n, a.data(), ld, s.mb, s.nb, 0);
    set_directly(A, integer_entry<T>);
    for (const Norm norm : all_norms) {
      SCOPED_TRACE(describe(s, norm));
      const auto expected = static_cast<real_t<T>>(norm_by_definition(
          norm, s.m, s.n, [](Index i, Index j) { return modulus(integer_entry<T>(i, j)); }));
      EXPECT_EQ(lange(this->runtime(), norm, A), expected);
    }
  }
}

TYPED_TEST(NormTest, LangeOfRandomEntriesIsAccurate) {
  using T = typename TestFixture::Element;
  using Real = real_t<T>;
  const Shape s{50, 41, 16, 11};
  std::mt19937 generator(1);
  std::normal_distribution<Real> normal;
  std::vector<T> a(static_cast<std::size_t>(s.m * s.n));
  for (T& x : a) {
    if constexpr (is_complex<T>) {
      x = {normal(generator), normal(generator)};
    } else {
      x = normal(generator);
    }
  }
  const auto A = TileMatrix<T>::wrap(this->runtime(), s.m, s.n, a.data(), s.m, s.mb, s.nb, 0);
  for (const Norm norm : all_norms) {
    SCOPED_TRACE(describe(s, norm));
    const double expected = norm_by_definition(
        norm, s.m, s.n, [&](Index i, Index j) { return modulus(a[static_cast<std::size_t>(i + j * s.m)]); });
    // 10 eps: the threshold of SLATE's tests of norms.
    EXPECT_NEAR(lange(this->runtime(), norm, A), expected,
                10 * std::numeric_limits<Real>::epsilon() * expected);
  }
}

TYPED_TEST(NormTest, LansyAndLanheReadOneTriangleAndEqualTheDefinition) {
  using T = typename TestFixture::Element;
  for (const Shape& s : this->shapes_here()) {
    if (s.m != s.n) continue;
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      const auto stored = [&](Index i, Index j) {
        return in_triangle(uplo, i, j) ? integer_entry<T>(i, j) : marked_nan<T>();
      };
      // Of the Hermitian matrix also the imaginary parts of the diagonal are unknown.
      const auto hermitian = [&](Index i, Index j) {
        T x = stored(i, j);
        if constexpr (is_complex<T>) {
          if (i == j) x.imag(TestFixture::nan);
        }
        return x;
      };
      const auto symmetric_modulus = [&](Index i, Index j) {
        return in_triangle(uplo, i, j) ? modulus(integer_entry<T>(i, j)) : modulus(integer_entry<T>(j, i));
      };
      const auto hermitian_modulus = [&](Index i, Index j) {
        return i == j ? modulus(real_part(integer_entry<T>(i, i))) : symmetric_modulus(i, j);
      };
      const auto S = this->matrix(s, stored);
      const auto H = this->matrix(s, hermitian);
      for (const Norm norm : all_norms) {
        SCOPED_TRACE(describe(s, norm) + ", uplo " + static_cast<char>(uplo));
        const auto sy = static_cast<real_t<T>>(norm_by_definition(norm, s.n, s.n, symmetric_modulus));
        const auto he = static_cast<real_t<T>>(norm_by_definition(norm, s.n, s.n, hermitian_modulus));
        this->for_each_op(S, norm, [&](const TileMatrix<T>& view, Norm of_view) {
          EXPECT_EQ(lansy(this->runtime(), of_view, view.op() == Op::no_trans ? uplo : flip(uplo), view), sy);
        });
        this->for_each_op(H, norm, [&](const TileMatrix<T>& view, Norm of_view) {
          EXPECT_EQ(lanhe(this->runtime(), of_view, view.op() == Op::no_trans ? uplo : flip(uplo), view), he);
        });
      }
    }
  }
}

TYPED_TEST(NormTest, LantrReadsOneTrapezeAndEqualsTheDefinition) {
  using T = typename TestFixture::Element;
  for (const Shape& s : this->shapes_here()) {
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      for (const Diag diag : {Diag::NonUnit, Diag::Unit}) {
        const auto is_read = [&](Index i, Index j) {
          return in_triangle(uplo, i, j) && !(i == j && diag == Diag::Unit);
        };
        const auto A = this->matrix(
            s, [&](Index i, Index j) { return is_read(i, j) ? integer_entry<T>(i, j) : marked_nan<T>(); });
        const auto magnitude = [&](Index i, Index j) -> long double {
          return is_read(i, j) ? modulus(integer_entry<T>(i, j)) : i == j ? 1 : 0;
        };
        for (const Norm norm : all_norms) {
          SCOPED_TRACE(describe(s, norm) + ", uplo " + static_cast<char>(uplo) + ", diag " +
                       static_cast<char>(diag));
          const auto expected = static_cast<real_t<T>>(norm_by_definition(norm, s.m, s.n, magnitude));
          this->for_each_op(A, norm, [&](const TileMatrix<T>& view, Norm of_view) {
            EXPECT_EQ(
                lantr(this->runtime(), of_view, view.op() == Op::no_trans ? uplo : flip(uplo), diag, view),
                expected);
          });
        }
      }
    }
  }
}

TYPED_TEST(NormTest, SubMatricesHaveNormsOfTheirOwn) {
  using T = typename TestFixture::Element;
  const auto A = this->matrix({26, 26, 5, 5}, [](Index i, Index j) {
    return i < 10 || j < 5 || j >= 20 ? marked_nan<T>() : integer_entry<T>(i, j);
  });
  const auto B = A.sub(2, 1, 4, 3);  // 16 x 15, with a ragged last tile row
  const auto S = A.sub(2, 2, 2, 2);  // 10 x 10
  const auto entry_of_B = [](Index i, Index j) { return modulus(integer_entry<T>(i + 10, j + 5)); };
  const auto entry_of_S = [](Index i, Index j) {
    return modulus(integer_entry<T>(std::max(i, j) + 10, std::min(i, j) + 10));
  };
  ASSERT_EQ(B.m(), 16);
  for (const Norm norm : all_norms) {
    SCOPED_TRACE(static_cast<char>(norm));
    EXPECT_EQ(lange(this->runtime(), norm, B),
              static_cast<real_t<T>>(norm_by_definition(norm, 16, 15, entry_of_B)));
    EXPECT_EQ(lange(this->runtime(), transposed(norm), trans(B)),
              static_cast<real_t<T>>(norm_by_definition(norm, 16, 15, entry_of_B)));
    EXPECT_EQ(lansy(this->runtime(), norm, Uplo::Lower, S),
              static_cast<real_t<T>>(norm_by_definition(norm, 10, 10, entry_of_S)));
  }
}

// ---- NaN and infinities (LAPACK issue 424) ----------------------------------------------------------------

TYPED_TEST(NormTest, ANanBetweenZerosIsTheNorm) {
  using T = typename TestFixture::Element;
  for (const Index nb : {1, 2, 3}) {
    const auto A = this->matrix({2, 3, nb, nb}, [](Index i, Index j) {
      return i == 0 && j == 1 ? T(TestFixture::nan) : T(i == 1 && j == 2 ? -1 : 0);
    });
    for (const Norm norm : all_norms) EXPECT_TRUE(std::isnan(lange(this->runtime(), norm, A)));
  }
}

TYPED_TEST(NormTest, AnInfinityBetweenOnesIsTheNorm) {
  using T = typename TestFixture::Element;
  for (const Index nb : {1, 2, 3, 4}) {
    const auto A = this->matrix({4, 4, nb, nb},
                                [](Index i, Index j) { return T(i == 2 && j == 1 ? -TestFixture::inf : 1); });
    for (const Norm norm : all_norms) EXPECT_EQ(lange(this->runtime(), norm, A), TestFixture::inf);
  }
}

/// Whether `value` says what `bad` (NaN or Inf) must make of it when read, and is finite when not.
template <class Real>
void expect_seen(Real value, Real bad, bool read) {
  if (!read) {
    EXPECT_TRUE(std::isfinite(value)) << value;
  } else if (std::isnan(bad)) {
    EXPECT_TRUE(std::isnan(value)) << value;
  } else {
    EXPECT_EQ(value, bad);
  }
}

TYPED_TEST(NormTest, OneBadEntryIsSeenInEveryTileWhereItIsReadAndNotElsewhere) {
  using T = typename TestFixture::Element;
  using Real = real_t<T>;
  Runtime& rt = this->runtime();
  const Shape s{8, 8, 3, 3};  // 3 x 3 tiles, ragged
  for (const Real bad : {TestFixture::nan, TestFixture::inf}) {
    for (Index tj = 0; tj < 3; ++tj) {
      for (Index ti = 0; ti < 3; ++ti) {
        const Index bi = 3 * ti + 1, bj = 3 * tj + 1;  // on the diagonal, too, where ti == tj
        const auto A = this->matrix(
            s, [&](Index i, Index j) { return i == bi && j == bj ? T(bad) : integer_entry<T>(i, j); });
        for (const Norm norm : all_norms) {
          SCOPED_TRACE(describe(s, norm) + ": " + std::to_string(bad) + " at " + std::to_string(bi) + ", " +
                       std::to_string(bj));
          expect_seen(lange(rt, norm, A), bad, true);
          if (!TestFixture::exhaustive) continue;
          for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
            const bool read = in_triangle(uplo, bi, bj);
            expect_seen(lansy(rt, norm, uplo, A), bad, read);
            expect_seen(lanhe(rt, norm, uplo, A), bad, read);
            expect_seen(lantr(rt, norm, uplo, Diag::NonUnit, A), bad, read);
            expect_seen(lantr(rt, norm, uplo, Diag::Unit, A), bad, read && bi != bj);
          }
        }
      }
    }
  }
}

TYPED_TEST(NormTest, NanWinsOverInfinity) {
  using T = typename TestFixture::Element;
  for (const bool nan_first : {true, false}) {
    for (const Index nb : {2, 4}) {
      const auto A = this->matrix({4, 4, nb, nb}, [&](Index i, Index j) {
        if (i == 0 && j == 0) return T(nan_first ? TestFixture::nan : TestFixture::inf);
        if (i == 3 && j == 3) return T(nan_first ? TestFixture::inf : TestFixture::nan);
        return T(1);
      });
      EXPECT_TRUE(std::isnan(lange(this->runtime(), Norm::max, A)));
      EXPECT_TRUE(std::isnan(lange(this->runtime(), Norm::frobenius, A)));
      // Sums over other columns or rows are infinite, but one is NaN.
      EXPECT_TRUE(std::isnan(lange(this->runtime(), Norm::one, A)));
      EXPECT_TRUE(std::isnan(lange(this->runtime(), Norm::inf, A)));
    }
  }
}

TYPED_TEST(NormTest, AComplexEntryWithANanPartIsNanEvenBesideAnInfinitePart) {
  using T = typename TestFixture::Element;
  if constexpr (is_complex<T>) {
    for (const T entry : {T(TestFixture::inf, TestFixture::nan), T(TestFixture::nan, -TestFixture::inf),
                          T(0, TestFixture::nan), T(TestFixture::nan, 1)}) {
      const auto A =
          this->matrix({3, 3, 2, 2}, [&](Index i, Index j) { return i == 2 && j == 0 ? entry : T(1); });
      for (const Norm norm : all_norms) {
        EXPECT_TRUE(std::isnan(lange(this->runtime(), norm, A))) << entry << static_cast<char>(norm);
        EXPECT_TRUE(std::isnan(lansy(this->runtime(), norm, Uplo::Lower, A)))
            << entry << static_cast<char>(norm);
      }
    }
    for (const T entry :
         {T(TestFixture::inf, -TestFixture::inf), T(-TestFixture::inf, 0), T(1, TestFixture::inf)}) {
      const auto A =
          this->matrix({3, 3, 2, 2}, [&](Index i, Index j) { return i == 2 && j == 0 ? entry : T(1); });
      for (const Norm norm : all_norms) EXPECT_EQ(lange(this->runtime(), norm, A), TestFixture::inf) << entry;
    }
  } else {
    GTEST_SKIP() << "for complex types";
  }
}

// ---- The ends of the range --------------------------------------------------------------------------------

TYPED_TEST(NormTest, FrobeniusNormNeitherOverflowsNorUnderflows) {
  using T = typename TestFixture::Element;
  using Real = real_t<T>;
  const bool is_double = sizeof(Real) == sizeof(double);
  const auto large = static_cast<Real>(is_double ? 1e200 : 1e38);
  const auto small = static_cast<Real>(is_double ? 1e-200 : 1e-38);
  const Real smallest = std::numeric_limits<Real>::denorm_min();
  for (const Real entry : {large / 4, small, smallest}) {
    for (const Index nb : {1, 3, 4}) {
      const auto A = this->matrix({4, 4, nb, nb}, [&](Index, Index) { return T(entry); });
      // Squares of entries are scaled by powers of two: two roundings and a root.
      EXPECT_NEAR(lange(this->runtime(), Norm::frobenius, A), 4 * entry,
                  4 * std::numeric_limits<Real>::epsilon() * entry);
      EXPECT_NEAR(lansy(this->runtime(), Norm::frobenius, Uplo::Upper, A), 4 * entry,
                  4 * std::numeric_limits<Real>::epsilon() * entry);
    }
  }
}

TYPED_TEST(NormTest, FrobeniusNormOfTheFieldsExample) {
  using T = typename TestFixture::Element;
  if constexpr (sizeof(real_t<T>) == sizeof(double)) {
    for (const Index nb : {1, 2, 3, 4}) {
      const auto large = this->matrix({4, 4, nb, nb}, [](Index, Index) { return T(1e200); });
      const auto small = this->matrix({4, 4, nb, nb}, [](Index, Index) { return T(1e-200); });
      EXPECT_DOUBLE_EQ(lange(this->runtime(), Norm::frobenius, large), 4e200);
      EXPECT_DOUBLE_EQ(lange(this->runtime(), Norm::frobenius, small), 4e-200);
    }
  } else {
    GTEST_SKIP() << "beyond the range of single precision";
  }
}

TYPED_TEST(NormTest, FrobeniusNormAddsEntriesOfAllMagnitudes) {
  using T = typename TestFixture::Element;
  using Real = real_t<T>;
  // 3 4 / 12 of a large unit -> 13 of it, beside entries that do not count any more; the same for a small
  // unit.
  const bool is_double = sizeof(Real) == sizeof(double);
  const auto large = static_cast<Real>(is_double ? 0x1p+1000 : 0x1p+120);
  const auto small = static_cast<Real>(is_double ? 0x1p-1060 : 0x1p-140);
  for (const Index nb : {1, 2, 4}) {
    const auto with_rest = [&](Real unit, Real rest) {
      return this->matrix({4, 4, nb, nb}, [=](Index i, Index j) {
        if (i == 0 && j == 0) return T(3 * unit);
        if (i == 3 && j == 0) return T(-4 * unit);
        if (i == 2 && j == 3) return T(12 * unit);
        return T(rest);
      });
    };
    EXPECT_EQ(lange(this->runtime(), Norm::frobenius, with_rest(large, 1)), 13 * large);
    EXPECT_EQ(lange(this->runtime(), Norm::frobenius, with_rest(large, small)), 13 * large);
    EXPECT_EQ(lange(this->runtime(), Norm::frobenius, with_rest(1, small)), 13);
    EXPECT_EQ(lange(this->runtime(), Norm::frobenius, with_rest(small, 0)), 13 * small);
  }
}

TYPED_TEST(NormTest, FrobeniusNormAddsAcrossTheLimitsOfItsScales) {
  using T = typename TestFixture::Element;
  if constexpr (sizeof(real_t<T>) == sizeof(double)) {
    // The kernel scales a column whose sum of squares is outside 2^-900 .. 2^900: here one column is, one is
    // not.
    for (const double unit : {0x1p+447, 0x1p-453}) {
      for (const Index nb : {1, 2}) {
        const auto A = this->matrix({2, 2, nb, nb}, [=](Index i, Index j) {
          return T(i == 0 ? 0 : j == 0 ? 5 * unit : 12 * unit);
        });
        EXPECT_EQ(lange(this->runtime(), Norm::frobenius, A), 13 * unit);
      }
    }
  } else {
    GTEST_SKIP() << "no float needs scaling: its square fits in a double";
  }
}

TYPED_TEST(NormTest, SumsOverflowOnlyWhenTheNormDoes) {
  using T = typename TestFixture::Element;
  using Real = real_t<T>;
  const Real largest = std::numeric_limits<Real>::max();
  const auto half = this->matrix({2, 2, 1, 1}, [&](Index, Index) { return T(largest / 2); });
  EXPECT_EQ(lange(this->runtime(), Norm::one, half), largest);
  EXPECT_EQ(lange(this->runtime(), Norm::inf, half), largest);
  EXPECT_EQ(lange(this->runtime(), Norm::frobenius, half), largest);
  const auto full = this->matrix({2, 2, 1, 1}, [&](Index, Index) { return T(largest); });
  EXPECT_EQ(lange(this->runtime(), Norm::max, full), largest);
  EXPECT_EQ(lange(this->runtime(), Norm::one, full), TestFixture::inf);
  EXPECT_EQ(lange(this->runtime(), Norm::frobenius, full), TestFixture::inf);
}

TYPED_TEST(NormTest, ModuliAtTheEndsOfTheRangeAreRight) {
  using T = typename TestFixture::Element;
  using Real = real_t<T>;
  if constexpr (is_complex<T>) {
    const Real large = std::numeric_limits<Real>::max() / 8,
               smallest = std::numeric_limits<Real>::denorm_min();
    for (const Real unit : {large, smallest}) {
      const auto A = this->matrix({1, 1, 1, 1}, [&](Index, Index) { return T(3 * unit, -4 * unit); });
      for (const Norm norm : all_norms) {
        EXPECT_NEAR(lange(this->runtime(), norm, A), 5 * unit,
                    4 * std::numeric_limits<Real>::epsilon() * unit)
            << static_cast<char>(norm);
      }
    }
  } else {
    GTEST_SKIP() << "for complex types";
  }
}

// ---- Misuse -----------------------------------------------------------------------------------------------

template <class Call>
void expect_argument_error(Call call, const std::string& argument) {
  try {
    call();
    ADD_FAILURE() << "no ArgumentError for " << argument;
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.argument(), argument) << error.what();
  }
}

TYPED_TEST(NormTest, WrongArgumentsAreNamedAndTheNextCallWorks) {
  using T = typename TestFixture::Element;
  Runtime& rt = this->runtime();
  const auto A = this->matrix({4, 5, 2, 2}, integer_entry<T>);
  const auto S = this->matrix({4, 4, 2, 2}, [](Index, Index) { return T(1); });
  expect_argument_error([&] { lansy(rt, Norm::one, Uplo::Lower, A); }, "A.n()");
  expect_argument_error([&] { lanhe(rt, Norm::one, Uplo::Upper, A); }, "A.n()");
  expect_argument_error([&] { lansy(rt, Norm::one, Uplo::General, S); }, "uplo");
  expect_argument_error([&] { lanhe(rt, Norm::one, Uplo::General, S); }, "uplo");
  expect_argument_error([&] { lantr(rt, Norm::one, Uplo::General, Diag::Unit, S); }, "uplo");
  EXPECT_EQ(lansy(rt, Norm::one, Uplo::Lower, S), 4);
}

TYPED_TEST(NormTest, AMatrixOfAnotherRuntimeIsRefused) {
  using T = typename TestFixture::Element;
  const BackendKind other_kind =
      TypeParam::kind == BackendKind::starpu ? BackendKind::sequential : BackendKind::starpu;
  Runtime other = make_runtime(other_kind);
  const TileMatrix<T> A(other, 4, 4, 2);
  expect_argument_error([&] { lange(this->runtime(), Norm::one, A); }, "A");
  expect_argument_error([&] { lansy(this->runtime(), Norm::one, Uplo::Lower, A); }, "A");
  expect_argument_error([&] { lantr(this->runtime(), Norm::one, Uplo::Lower, Diag::Unit, A); }, "A");
}

TEST(NormOnARecordingRuntime, IsARuntimeError) {
  Runtime rt = make_runtime(BackendKind::recording);
  const TileMatrix<double> A(rt, 4, 4, 2);
  EXPECT_THROW(lange(rt, Norm::one, A), RuntimeError);
  EXPECT_THROW(lantr(rt, Norm::max, Uplo::Lower, Diag::Unit, A), RuntimeError);
}

}  // namespace
}  // namespace tessera
