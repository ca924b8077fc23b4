// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/support/dense.hpp"
#include "tests/support/lu.hpp"

// How stable LU is on the matrices that are known to be hard for it, by three measures: LAPACK's residuals of the factor
// and of a solution, the growth of entries max |U| / max |A|, and the componentwise backward error of a solution.
//
// Each measure is printed (--gtest_print_time=0 shows little else), so that a change can be seen before it is a fault.

namespace tessera::test {
namespace {

using Entry = std::function<double(Index, Index)>;

struct HardMatrix {
  const char* name;
  Index n;
  Entry entry;
  double largest_growth;
  double least_growth = 0;  ///< where it is known, for any order of the rows
};

double noise(std::uint64_t seed, Index i, Index j) { return generate::uniform<double>(seed)(i, j); }

/// The last pivot is the inverse of an entry of A^-1, so the growth is at least 1 / (max |A| max |A^-1|) for any order of
/// the rows: n for Hadamard matrices, (n + 1) / 2 for the sine transform (Higham and Higham, SIAM J. Matrix Anal. Appl.
/// 10(2), 1989).
std::vector<HardMatrix> hard_matrices() {
  using std::numbers::pi;
  return {
      {"random", 96, [](Index i, Index j) { return noise(1, i, j); }, 100},
      // Every pivot is 1 and the last column doubles: the worst case of partial pivoting, 2^(n-1).
      {"Wilkinson", 40, [](Index i, Index j) { return i == j || j == 39 ? 1.0
                                                      : i > j           ? -1.0
                                                                        : 0.0; },
       std::ldexp(1.0, 39), std::ldexp(1.0, 39)},
      {"Hadamard", 64,
       [](Index i, Index j) {
         return std::popcount(static_cast<std::uint64_t>(i & j)) % 2 == 0 ? 1.0 : -1.0;
       },
       64, 64},
      {"Hilbert", 60, [](Index i, Index j) { return 1.0 / static_cast<double>(i + j + 1); }, 2},
      {"Toeplitz", 90, [](Index i, Index j) { return noise(2, i - j + 90, 0); }, 100},
      {"orthogonal", 90,
       [](Index i, Index j) {  // the sine transform, rows and columns with random signs
         const auto sign = [](std::uint64_t seed, Index k) { return noise(seed, k, 0) < 0 ? -1.0 : 1.0; };
         return sign(3, i) * sign(4, j) * std::sqrt(2 / 91.0) *
                std::sin(pi * static_cast<double>((i + 1) * (j + 1)) / 91);
       },
       100, 45.5},
      {"badly row-scaled", 80,
       [](Index i, Index j) { return noise(5, i, j) * std::pow(10.0, static_cast<double>(i * 7 % 21 - 10)); },
       1e12},
      {"nearly singular", 80,
       [](Index i, Index j) { return j == 79 ? noise(6, i, 0) + 1e-13 * noise(7, i, 0) : noise(6, i, j); },
       100},
  };
}

std::vector<DistributionPtr> distributions(const Runtime& rt) {
  return {make_distribution("2dbc", rt.num_ranks()), make_distribution("g2dbc", rt.num_ranks())};
}

/// Complex matrices have rows and columns times powers of i, which change neither the pivots nor the growth.
template <Scalar T>
T turned(double x, Index i, Index j) {
  if constexpr (is_complex<T>) {
    constexpr std::complex<double> powers[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    return x * powers[(i + 3 * j) % 4];
  } else {
    return x;
  }
}

template <class T>
class MpiLuStability : public testing::Test {
 protected:
  Runtime rt;

  TileMatrix<T> matrix(Index n, Index nb, const DistributionPtr& d, const Entry& entry) {
    const TileMatrix<T> A(rt, n, n, nb, d);
    fill(rt, A, [&](Index i, Index j) { return turned<T>(entry(i, j), i, j); });
    return A;
  }

  struct Factored {
    TileMatrix<T> A, F;
    TileMatrix<Index> ipiv;
  };
  Factored factor(const HardMatrix& m, Index nb, const DistributionPtr& d, Pivoting pivoting) {
    const TileMatrix<T> A = matrix(m.n, nb, d, m.entry), F = matrix(m.n, nb, d, m.entry);
    const TileMatrix<Index> ipiv = make_pivots(rt, F);
    EXPECT_TRUE(getrf(rt, F, ipiv, {.pivoting = pivoting}).ok());
    return {A, F, ipiv};
  }

  double growth(const Factored& f) {
    return lantr(rt, Norm::max, Uplo::Upper, Diag::NonUnit, f.F) / lange(rt, Norm::max, f.A);
  }

  /// max_i |b - A x|_i / (|A| |x| + |b|)_i, on the first rank.
  double componentwise_error(const TileMatrix<T>& A, const TileMatrix<T>& X, const TileMatrix<T>& B) {
    using Long = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;
    Dense<T> a(A.m(), A.n()), x(X.m(), 1), b(B.m(), 1);
    gather(rt, A, a.data(), a.ld());
    gather(rt, X, x.data(), x.ld());
    gather(rt, B, b.data(), b.ld());
    double largest = 0;
    for (Index i = 0; i < a.m() && rt.rank() == 0; ++i) {
      Long r(b(i, 0));
      long double s = std::abs(r);
      for (Index k = 0; k < a.n(); ++k) {
        const Long term = Long(a(i, k)) * Long(x(k, 0));
        r -= term;
        s += std::abs(term);
      }
      largest = std::max(largest, static_cast<double>(std::abs(r) / s));
    }
    return rt.all_gather(largest)[0];
  }
};

using Doubles = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(MpiLuStability, Doubles);

TYPED_TEST(MpiLuStability, FactorsAndSolutionsOfHardMatricesAreBackwardStable) {
  using T = TypeParam;
  const Index nb = 16;
  for (const HardMatrix& m : hard_matrices()) {
    for (const DistributionPtr& d : distributions(this->rt)) {
      for (const Pivoting pivoting : with_pivots) {
        SCOPED_TRACE(std::string(m.name) + " " + d->name() + " " + static_cast<char>(pivoting));
        const auto f = this->factor(m, nb, d, pivoting);
        const double rho = this->growth(f);
        EXPECT_LT(lu_residual(this->rt, f.A, f.F, f.ipiv), residual_threshold);
        EXPECT_LE(rho, 1.0001 * m.largest_growth);
        EXPECT_GE(rho, 0.9999 * m.least_growth);

        const auto B = TileMatrix<T>(this->rt, m.n, 1, nb, d), X = TileMatrix<T>(this->rt, m.n, 1, nb, d);
        fill(this->rt, B, generate::uniform<T>(9));
        lacpy(this->rt, Uplo::General, B, X);
        EXPECT_TRUE(getrs(this->rt, Op::no_trans, f.F, f.ipiv, X).ok());
        // The error of a solution without refinement is in proportion to the growth.
        EXPECT_LT(solve_residual(this->rt, Op::no_trans, f.A, X, B),
                  residual_threshold * std::max(1.0, rho / 100));
        const double before = this->componentwise_error(f.A, X, B);
        const Refinement refined = gerfs(this->rt, Op::no_trans, f.A, f.F, f.ipiv, B, X);
        const double after = this->componentwise_error(f.A, X, B);
        EXPECT_LT(solve_residual(this->rt, Op::no_trans, f.A, X, B), residual_threshold);
        // Near the rounding unit, also where the matrix is singular to working precision.
        EXPECT_LE(after, 10 * eps<T>);
        EXPECT_LE(refined.backward_error.value(), 10 * eps<T>);
        if (this->rt.rank() == 0) {
          std::printf(
              "%-17s %-14s %c growth %9.3g  componentwise backward error %8.1e eps, refined %4.1f eps, %d "
              "steps\n",
              m.name, d->name().c_str(), static_cast<char>(pivoting), rho, before / eps<T>, after / eps<T>,
              refined.iterations);
        }
      }
    }
  }
}

TYPED_TEST(MpiLuStability, TheTournamentsGrowthIsWithinASmallFactorOfPartialPivotingsOnRandomMatrices) {
  double largest_ratio = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const HardMatrix random{"random", 128, [=](Index i, Index j) { return noise(seed, i, j); }, 0};
    const DistributionPtr d = make_distribution("2dbc", this->rt.num_ranks());
    const double partial = this->growth(this->factor(random, 16, d, Pivoting::partial));
    const double tournament = this->growth(this->factor(random, 16, d, Pivoting::tournament));
    largest_ratio = std::max(largest_ratio, tournament / partial);
  }
  if (this->rt.rank() == 0)
    std::printf("growth, tournament over partial pivoting: %.2f at most\n", largest_ratio);
  EXPECT_LT(largest_ratio, 3);
}

}  // namespace
}  // namespace tessera::test
