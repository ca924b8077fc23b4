// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <map>

#include "tessera/error.hpp"
#include "tessera/generators.hpp"

namespace tessera {
namespace {

template <class T>
class Generators : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Generators, Scalars);

/// Real and imaginary part (0 for real types).
template <Scalar T>
std::array<double, 2> parts_of(T x) {
  if constexpr (is_complex<T>) {
    return {x.real(), x.imag()};
  } else {
    return {x, 0};
  }
}

TEST(GeneratorBits, AreThoseOfSplitMix64) {
  EXPECT_EQ(generate::detail::mix(1234567),
            6457827717110365317u);  // first output of splitmix64.c for this seed
  EXPECT_EQ(generate::detail::bits(0, 0, 0),
            generate::detail::mix(generate::detail::mix(generate::detail::mix(0))));
}

TYPED_TEST(Generators, UniformDependsOnSeedRowAndColumnAlone) {
  using T = TypeParam;
  const auto f = generate::uniform<T>(42), g = generate::uniform<T>(42), other = generate::uniform<T>(43);
  const Index far = Index{1} << 40;
  for (const auto& [i, j] : {std::pair<Index, Index>{0, 0}, {3, 5}, {5, 3}, {far, far + 1}}) {
    EXPECT_EQ(f(i, j), g(i, j));
    EXPECT_NE(f(i, j), other(i, j));
    EXPECT_NE(f(i, j), f(i + 1, j));
    EXPECT_NE(f(i, j), f(i, j + 1));
  }
  EXPECT_NE(f(3, 5), f(5, 3));
}

TYPED_TEST(Generators, UniformIsUniformAndUncorrelated) {
  using T = TypeParam;
  const auto f = generate::uniform<T>(7);
  const Index n = 300;
  const int parts = is_complex<T> ? 2 : 1;
  for (int p = 0; p < parts; ++p) {
    const auto x = [&](Index i, Index j) { return parts_of(f(i, j))[static_cast<std::size_t>(p)]; };
    double sum = 0, squares = 0, right = 0, below = 0, across = 0, both = 0;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) {
        ASSERT_GE(x(i, j), -0.5);
        ASSERT_LT(x(i, j), 0.5);
        sum += x(i, j);
        squares += x(i, j) * x(i, j);
        right += x(i, j) * x(i, j + 1);
        below += x(i, j) * x(i + 1, j);
        if (i != j) across += x(i, j) * x(j, i);
        both += parts_of(f(i, j))[0] * parts_of(f(i, j))[1];
      }
    }
    // Standard deviations of the means, variance 1/12; five of them are exceeded once in two million.
    const double count = static_cast<double>(n * n), five_sigma = 5 / std::sqrt(count);
    EXPECT_LT(std::abs(sum / count), five_sigma / std::sqrt(12.0));
    EXPECT_LT(std::abs(squares / count - 1.0 / 12), five_sigma / std::sqrt(180.0));
    for (const double product : {right, below, both}) EXPECT_LT(std::abs(product / count), five_sigma / 12);
    EXPECT_LT(std::abs(across / count), std::sqrt(2.0) * five_sigma / 12);  // each pair counts twice
  }
}

TYPED_TEST(Generators, SingleAndDoublePrecisionAgree) {
  using T = TypeParam;
  using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;
  const auto narrow = generate::uniform<T>(11);
  const auto wide = generate::uniform<Wide>(11);
  for (Index i = 0; i < 100; ++i) EXPECT_LT(std::abs(static_cast<Wide>(narrow(i, 3)) - wide(i, 3)), 1e-7);
}

TYPED_TEST(Generators, HermitianIsHermitianAndItsDiagonalDominates) {
  using T = TypeParam;
  for (const Index n : {Index{1}, Index{2}, Index{50}}) {
    const auto f = generate::hermitian<T>(5, n);
    for (Index i = 0; i < n; ++i) {
      double row = 0;
      for (Index j = 0; j < n; ++j) {
        EXPECT_EQ(f(i, j), conjugate(f(j, i)));
        if (i != j) row += std::abs(f(i, j));
      }
      EXPECT_GT(parts_of(f(i, i))[0], row);
      EXPECT_EQ(parts_of(f(i, i))[1], 0);
    }
  }
}

TYPED_TEST(Generators, IntegersTakeEveryValueOfTheirRangeAboutEquallyOften) {
  using T = TypeParam;
  for (const auto& f : {generate::integers<T>(3), generate::integers<T>(3, -1, 3)}) {
    std::map<double, int> seen;
    const Index n = 110;
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) ++seen[parts_of(f(i, j))[0]];
    }
    const bool wide = seen.size() == 11;
    EXPECT_EQ(seen.size(), wide ? 11u : 5u);
    EXPECT_EQ(seen.begin()->first, wide ? -5 : -1);
    EXPECT_EQ(seen.rbegin()->first, wide ? 5 : 3);
    const double expected = static_cast<double>(n * n) / static_cast<double>(seen.size());
    for (const auto& [value, count] : seen) {
      EXPECT_EQ(value, std::round(value));
      EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
    }
  }
  EXPECT_EQ(parts_of(generate::integers<T>(1, 4, 4)(8, 9))[0], 4);
}

TYPED_TEST(Generators, IntegersRefuseAnEmptyRangeAndValuesThatFloatCannotHold) {
  using T = TypeParam;
  EXPECT_THROW((void)generate::integers<T>(1, 2, 1), ArgumentError);
  EXPECT_THROW((void)generate::integers<T>(1, 0, (1 << 24) + 1), ArgumentError);
  EXPECT_THROW((void)generate::hermitian_integers<T>(1, -(1 << 24) - 1, 0), ArgumentError);
}

TYPED_TEST(Generators, HermitianIntegersAreHermitianWithARealDiagonal) {
  using T = TypeParam;
  const auto f = generate::hermitian_integers<T>(5);
  const auto g = generate::integers<T>(5);
  for (Index j = 0; j < 20; ++j) {
    EXPECT_EQ(f(j, j), T(real_part(g(j, j))));
    for (Index i = j + 1; i < 20; ++i) {
      EXPECT_EQ(f(i, j), g(i, j));
      EXPECT_EQ(f(j, i), conjugate(g(i, j)));
    }
  }
}

TYPED_TEST(Generators, FormulasAreTheTextbookOnes) {
  using T = TypeParam;
  EXPECT_EQ(generate::minimum<T>()(0, 0), T(1));
  EXPECT_EQ(generate::minimum<T>()(3, 8), T(4));
  EXPECT_EQ(generate::minimum<T>()(8, 3), T(4));
  EXPECT_EQ(generate::identity<T>()(2, 2), T(1));
  EXPECT_EQ(generate::identity<T>()(2, 3), T(0));
  EXPECT_EQ(generate::hilbert<T>()(0, 0), T(1));
  EXPECT_EQ(generate::hilbert<T>()(1, 2), T(0.25));
  EXPECT_EQ(generate::constant(T(7))(4, 5), T(7));
}

}  // namespace
}  // namespace tessera
