// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "kernels/cpu/lapack.hpp"
#include "kernels/cpu/lu.hpp"
#include "kernels/getrf.hpp"
#include "kernels/laswp.hpp"
#include "kernels/tournament.hpp"
#include "tessera/blas.hpp"
#include "tests/support/lu.hpp"
#include "tests/support/tiles.hpp"

namespace tessera::test {
namespace {

const SingleThreadedBlas as_in_a_worker;

struct Shape {
  Index m, n;
};
/// Around the leaf of 8 columns, tall, wide, empty.
constexpr Shape shapes[] = {{0, 3},     {3, 0},    {1, 1},    {7, 7},  {8, 8},  {9, 9},   {16, 17}, {33, 33},
                            {100, 100}, {200, 20}, {20, 200}, {65, 8}, {8, 65}, {129, 1}, {1, 129}};

/// Guard rows hold the marked NaN.
template <Scalar T>
Dense<T> guarded(const Dense<T>& a) {
  Dense<T> b = unset<T>(a.m(), a.n());
  return b.set([&](Index i, Index j) { return a(i, j); });
}
template <Scalar T>
testing::AssertionResult guards_are_untouched(const Dense<T>& a) {
  for (Index j = 0; j < a.n(); ++j) {
    for (Index i = a.m(); i < a.ld(); ++i) {
      if (!same_bits(a.data()[i + j * a.ld()], marked_nan<T>()))
        return testing::AssertionFailure() << "row " << i << " of column " << j;
    }
  }
  return testing::AssertionSuccess();
}

Tile<Index> column(std::vector<Index>& values) {
  const auto n = static_cast<Index>(values.size());
  return {values.data(), n, 1, std::max<Index>(n, 1)};
}
OutTile<Index> out(std::vector<Index>& values) { return {column(values)}; }
template <class T>
OutTile<T> out(const Tile<T>& tile) {
  return {tile};
}

template <class T>
class LuKernels : public testing::Test {};
TYPED_TEST_SUITE(LuKernels, Scalars);

TYPED_TEST(LuKernels, GetrfFactorsEveryShapeWithLapacksPivots) {
  using T = TypeParam;
  for (const auto& [m, n] : shapes) {
    SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n));
    const auto original = lu_matrix<T>(Pivoting::partial, m, n);
    auto a = guarded(original);
    auto reference = original;
    const auto p = static_cast<std::size_t>(std::min(m, n));
    std::vector<Index> ipiv(p), local(p);
    std::vector<int> expected(p);
    kernel::getrf<T>{100}.cpu(tile(a), out(ipiv));
    if (p > 0) {
      ASSERT_EQ(vendor::getrf(Tile<T>{reference.data(), m, n, reference.ld()}, expected.data()), 0);
    }
    for (std::size_t r = 0; r < p; ++r) {
      local[r] = ipiv[r] - 100;
      EXPECT_EQ(local[r], expected[r]) << r;
    }
    EXPECT_TRUE(lu_residual(original, a, local) < lapack_threshold);
    EXPECT_TRUE(guards_are_untouched(a));
  }
}

TYPED_TEST(LuKernels, GetrfTakesTheFirstOfEqualPivotsAndTheLargestSumOfParts) {
  using T = TypeParam;
  Dense<T> a(4, 1);
  a.set([](Index i, Index) { return scalar<T>(i == 0 ? 1 : 2, 0); });
  if constexpr (is_complex<T>) a(3, 0) = scalar<T>(-2, 1);  // |z| = 2.2 < |3 + 0i|, but 2 + 1 > 2
  std::vector<Index> ipiv(1);
  kernel::getrf<T>{0}.cpu(tile(a), out(ipiv));
  EXPECT_EQ(ipiv[0], is_complex<T> ? 4 : 2);
}

TYPED_TEST(LuKernels, FactorLuFindsTheFirstZeroPivotAndGoesOn) {
  using T = TypeParam;
  for (const Index n : {1, 8, 20, 50}) {
    for (const Index zero : {Index{1}, n / 2 + 1, n}) {
      auto a = lu_matrix<T>(Pivoting::partial, n + 3, n);
      for (Index i = 0; i < n + 3; ++i) a(i, zero - 1) = T{0};
      const auto original = a;
      std::vector<Index> pivots(static_cast<std::size_t>(n));
      EXPECT_EQ(kernel::factor_lu(tile(a), pivots.data()), zero);
      for (Index& pivot : pivots) ++pivot;
      EXPECT_TRUE(lu_residual(original, a, pivots) < lapack_threshold);
    }
  }
}

TYPED_TEST(LuKernels, TinyPivotsDoNotOverflow) {
  using T = TypeParam;
  const auto tiny = std::numeric_limits<real_t<T>>::denorm_min() * 4;  // its reciprocal is infinite
  Dense<T> a(3, 2);
  a(0, 0) = T(tiny);
  a(1, 0) = T(tiny / 2);
  a(0, 1) = a(1, 1) = a(2, 1) = T(1);
  std::vector<Index> ipiv(2);
  kernel::getrf<T>{0}.cpu(tile(a), out(ipiv));
  EXPECT_EQ(a(1, 0), T(0));  // the row without an entry in column 1 has the larger pivot of column 2
  EXPECT_EQ(a(2, 0), T(static_cast<real_t<T>>(0.5)));
}

TYPED_TEST(LuKernels, ExtremePivotsDivideTheirColumns) {
  using T = TypeParam;
  for (Index i = 0; i < 6; ++i) {
    Dense<T> a(3, 1);
    const T half = static_cast<real_t<T>>(0.5);
    a(0, 0) = extreme_pivot<T>(i);
    a(1, 0) = half * extreme_pivot<T>(i);
    std::vector<Index> ipiv(1);
    kernel::getrf<T>{0}.cpu(tile(a), out(ipiv));
    EXPECT_EQ(a(1, 0), half) << i;
    EXPECT_EQ(a(2, 0), T(0)) << i;
  }
}

TYPED_TEST(LuKernels, NaNsAndInfinitiesLeaveThePivotsInRange) {
  using T = TypeParam;
  for (const auto value :
       {std::numeric_limits<real_t<T>>::quiet_NaN(), std::numeric_limits<real_t<T>>::infinity()}) {
    for (const auto& [m, n] : shapes) {
      auto all = Dense<T>(m, n).set([&](Index, Index) { return T(value); });
      std::vector<Index> ipiv(static_cast<std::size_t>(std::min(m, n)));
      kernel::getrf<T>{0}.cpu(tile(all), out(ipiv));
      EXPECT_TRUE(in_range(ipiv, m));
      auto one = lu_matrix<T>(Pivoting::partial, m, n);
      if (m > 0 && n > 0) one(m / 2, n / 2) = T(value);
      kernel::getrf<T>{0}.cpu(tile(one), out(ipiv));
      EXPECT_TRUE(in_range(ipiv, m));
    }
  }
}

TYPED_TEST(LuKernels, GetrfNopivFactorsAndGoesOnAfterAZeroPivot) {
  using T = TypeParam;
  for (const auto& [m, n] : shapes) {
    const auto original = lu_matrix<T>(Pivoting::none, m, n);
    auto a = guarded(original);
    std::vector<Index> ipiv(static_cast<std::size_t>(std::min(m, n))), identity(ipiv.size());
    kernel::getrf_nopiv<T>{10}.cpu(tile(a), out(ipiv));
    std::iota(identity.begin(), identity.end(), Index{1});
    EXPECT_TRUE(lu_residual(original, a, identity) < lapack_threshold);
    EXPECT_TRUE(guards_are_untouched(a));
    for (std::size_t r = 0; r < ipiv.size(); ++r) EXPECT_EQ(ipiv[r], identity[r] + 10);
  }
  const auto singular = without_pivot<T>(20, 13);
  auto a = singular.matrix;
  std::vector<Index> ipiv(20);
  kernel::getrf_nopiv<T>{10}.cpu(tile(a), out(ipiv));
  EXPECT_TRUE(equals(a, singular.factor));
}

TYPED_TEST(LuKernels, TrsmOrderedDividesByUExceptByItsZeros) {
  using T = TypeParam;
  for (const Index n : {1, 5, 8, 9, 33}) {
    for (const Index zero : {Index{-1}, Index{0}, n - 1}) {
      Dense<T> u = integers<T>(1, n + 2, n);  // below the diagonal, and below the block: not read
      for (Index j = 0; j < n; ++j) u(j, j) = j == zero ? T(0) : T(j % 2 == 0 ? 1 : -1);
      Dense<T> x = integers<T>(2, 7, n), unscaled = expanded(Uplo::Upper, Diag::NonUnit, u);
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < j; ++i) u(i, j) = unscaled(i, j) = T(i == j - 1 ? 1 : 0);
      }
      if (zero >= 0) unscaled(zero, zero) = T(1);
      Dense<T> square(n, n);
      square.set([&](Index i, Index j) { return unscaled(i, j); });
      Dense<T> b = guarded(multiply(x, square));
      kernel::trsm_ordered<T>{}.cpu(tile(u), tile(b));
      EXPECT_TRUE(equals(b, x)) << n << " " << zero;
    }
  }
}

TYPED_TEST(LuKernels, FindZeroPivotLooksAtTheDiagonal) {
  using T = TypeParam;
  auto a = Dense<T>(4, 6).set([](Index i, Index j) { return T(i == j ? 2 : 0); });
  EXPECT_EQ(kernel::find_zero_pivot<T>{8}.cpu(tile(a)), 0);
  a(2, 2) = T(0);
  EXPECT_EQ(kernel::find_zero_pivot<T>{8}.cpu(tile(a)), 11);
  a(2, 2) = T(std::numeric_limits<real_t<T>>::quiet_NaN());
  EXPECT_EQ(kernel::find_zero_pivot<T>{8}.cpu(tile(a)), 0);
}

// ---- Exchanges -------------------------------------------------------------------------------------------------

/// Applies the interchanges of a panel of `p` rows, whose top tile has `nb` rows, to a matrix in tiles of nb rows (or
/// columns) by the kernels: the tiles of even number as if they lay on another rank, with a partial sum.
template <Scalar T>
void exchange(Side side, std::vector<Index> ipiv, bool backward, Index nb, Dense<T>& a) {
  const bool rows = side == Side::Left;
  const Index m = rows ? a.m() : a.n();
  const auto part = [&](Dense<T>& x, Index first, Index count) {
    return rows ? tile(x).block(first, 0, count, x.n()) : tile(x).block(0, first, x.m(), count);
  };
  const Index top_rows = std::min(nb, m);
  std::vector<Index> buffer(4 * ipiv.size());
  const Tile<Index> moves{buffer.data(), static_cast<Index>(2 * ipiv.size()), 2,
                          std::max<Index>(1, static_cast<Index>(2 * ipiv.size()))};
  kernel::find_moves{0, m, backward}.cpu(column(ipiv), out(moves));
  Dense<T> new_top = rows ? Dense<T>(top_rows, a.n()) : Dense<T>(a.m(), top_rows);
  Dense<T> sum = new_top;
  std::fill_n(new_top.data(), new_top.ld() * new_top.n(), marked_nan<T>());
  sum = new_top;
  const Tile<T> top = part(a, 0, top_rows);
  kernel::laswp_top<T>{side}.cpu(top, moves, out(tile(new_top)));
  bool fresh = true;
  for (Index i = 1; i * nb < m; ++i) {
    kernel::laswp<T> kernel{side, i * nb};
    const bool elsewhere = i % 2 == 0;
    if (elsewhere) kernel.beta = std::exchange(fresh, false) ? T(0) : T(1);
    kernel.cpu(top, moves, part(a, i * nb, std::min(nb, m - i * nb)), elsewhere ? tile(sum) : tile(new_top));
  }
  for (Index j = 0; j < new_top.n(); ++j) {
    for (Index i = 0; i < new_top.m(); ++i) top(i, j) = fresh ? new_top(i, j) : new_top(i, j) + sum(i, j);
  }
}

/// Interchanges that lead to the same rows again and again, stay, and reach into the top tile.
std::vector<std::vector<Index>> interchanges(Index m, Index p) {
  std::vector<std::vector<Index>> all;
  std::vector<Index> identity, last, next, mixed;
  for (Index r = 0; r < p; ++r) {
    identity.push_back(r + 1);
    last.push_back(m);
    next.push_back(std::min(m, r + 2));
    mixed.push_back(r + 1 + (r * 7919 + 3) % (m - r));
  }
  return {identity, last, next, mixed};
}

TYPED_TEST(LuKernels, ExchangesEqualLapacksInterchangesAndAreUndone) {
  using T = TypeParam;
  for (const Side side : sides) {
    for (const auto& [m, p, nb] :
         {std::array<Index, 3>{5, 5, 8}, {8, 8, 8}, {19, 4, 4}, {20, 3, 5}, {9, 1, 1}}) {
      for (const std::vector<Index>& ipiv : interchanges(m, p)) {
        const Index rows = m, columns = 3;
        const Dense<T> original = integers<T>(5, rows, columns);
        const Dense<T> expected = interchanged(original, ipiv);
        Dense<T> a = side == Side::Left ? original : transformed(Op::trans, original);
        exchange(side, ipiv, false, nb, a);
        const Dense<T> got = side == Side::Left ? a : transformed(Op::trans, a);
        for (Index j = 0; j < columns; ++j) {
          for (Index i = 0; i < rows; ++i) ASSERT_EQ(got(i, j), expected(i, j)) << m << " " << p << " " << i;
        }
        exchange(side, ipiv, true, nb, a);
        const Dense<T> back = side == Side::Left ? a : transformed(Op::trans, a);
        for (Index j = 0; j < columns; ++j) {
          for (Index i = 0; i < rows; ++i) ASSERT_EQ(back(i, j), original(i, j)) << m << " " << p << " " << i;
        }
      }
    }
  }
}

TYPED_TEST(LuKernels, RowsOfNaNsMoveAloneInAnExchange) {
  using T = TypeParam;
  const T nan(std::numeric_limits<real_t<T>>::quiet_NaN());
  for (const std::vector<Index>& ipiv : interchanges(12, 4)) {
    for (const Index row : {1, 5, 11}) {
      Dense<T> a = integers<T>(5, 12, 2);
      for (Index j = 0; j < 2; ++j) a(row, j) = nan;
      const Dense<T> expected = interchanged(a, ipiv);
      exchange(Side::Left, ipiv, false, 4, a);
      for (Index i = 0; i < 12; ++i)
        EXPECT_EQ(std::isnan(real_part(a(i, 0))), std::isnan(real_part(expected(i, 0))));
    }
  }
}

TYPED_TEST(LuKernels, NegativeZerosKeepTheirSignsInAnExchange) {
  using T = TypeParam;
  const auto negative = [](const T& x) {
    if constexpr (is_complex<T>) {
      return std::signbit(x.real()) && std::signbit(x.imag());
    } else {
      return std::signbit(x);
    }
  };
  for (const Side side : {Side::Left, Side::Right}) {
    for (const std::vector<Index>& ipiv : interchanges(12, 4)) {
      Dense<T> a(12, 12);
      std::fill_n(a.data(), a.ld() * a.n(), -T(0));
      exchange(side, ipiv, false, 4, a);
      for (Index j = 0; j < 12; ++j) {
        for (Index i = 0; i < 12; ++i) EXPECT_TRUE(negative(a(i, j)));
      }
    }
  }
}

TEST(FindMoves, IgnoresInterchangesThatMakeNoSense) {
  std::vector<Index> ipiv{0, -7, std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min(), 6};
  std::vector<Index> buffer(20, 99);
  for (const Index first_row : {0, 6}) {  // the pivots 6 and below lie above the second panel
    kernel::find_moves{first_row, 5, false}.cpu(column(ipiv), out(Tile<Index>{buffer.data(), 10, 2, 10}));
    for (const Index entry : buffer) EXPECT_EQ(entry, -1);
  }
}

// ---- Tournament ------------------------------------------------------------------------------------------------

TYPED_TEST(LuKernels, ATournamentOfOneTilePicksTheRowsOfPartialPivoting) {
  using T = TypeParam;
  for (const auto& [m, n] : shapes) {
    auto a = lu_matrix<T>(Pivoting::partial, m, n);
    Dense<T> rows(m, n);
    std::vector<Index> numbers(static_cast<std::size_t>(m)), pivots(static_cast<std::size_t>(std::min(m, n)));
    auto expected = pivots;
    kernel::nominate<T>{50}.cpu(tile(a), out(tile(rows)), out(numbers));
    kernel::crown{50}.cpu(column(numbers), out(pivots));
    for (std::size_t r = 0; r < pivots.size(); ++r) {
      for (Index j = 0; j < n; ++j) EXPECT_EQ(rows(static_cast<Index>(r), j), a(numbers[r] - 50, j));
    }
    kernel::getrf<T>{50}.cpu(tile(a), out(expected));
    EXPECT_EQ(pivots, expected);
  }
}

TYPED_TEST(LuKernels, AMatchKeepsTheRowsThatPartialPivotingTakesOfBoth) {
  using T = TypeParam;
  const Index n = 6;
  for (const Index guests : {2, 6, 9}) {  // rows of the second tile
    auto a = lu_matrix<T>(Pivoting::partial, 9, n);
    auto b = Dense<T>(guests, n).set([](Index i, Index j) { return generate::uniform<T>(12)(i, j); });
    Dense<T> a_rows(9, n), b_rows(guests, n);
    std::vector<Index> a_numbers(9), b_numbers(static_cast<std::size_t>(guests));
    kernel::nominate<T>{0}.cpu(tile(a), out(tile(a_rows)), out(a_numbers));
    kernel::nominate<T>{9}.cpu(tile(b), out(tile(b_rows)), out(b_numbers));
    const Index kept = std::min(guests, n);
    Dense<T> both(n + kept, n);
    both.set([&](Index i, Index j) { return i < n ? a_rows(i, j) : b_rows(i - n, j); });
    std::vector<Index> pivots(n), order(static_cast<std::size_t>(n + kept));
    std::iota(order.begin(), order.end(), Index{0});
    kernel::factor_lu(tile(both), pivots.data());
    for (std::size_t r = 0; r < pivots.size(); ++r)
      std::swap(order[r], order[static_cast<std::size_t>(pivots[r])]);
    std::vector<Index> expected;
    for (Index r = 0; r < n; ++r) {
      const Index x = order[static_cast<std::size_t>(r)];
      expected.push_back(x < n ? a_numbers[static_cast<std::size_t>(x)]
                               : b_numbers[static_cast<std::size_t>(x - n)]);
    }
    kernel::play<T>{}.cpu(tile(b_rows), column(b_numbers), tile(a_rows), column(a_numbers));
    for (Index r = 0; r < n; ++r) {
      const Index winner = a_numbers[static_cast<std::size_t>(r)];
      EXPECT_EQ(winner, expected[static_cast<std::size_t>(r)]);
      for (Index j = 0; j < n; ++j) EXPECT_EQ(a_rows(r, j), winner < 9 ? a(winner, j) : b(winner - 9, j));
    }
  }
}

TEST(Crown, TurnsWinnersIntoInterchangesThatPutThemOnTop) {
  for (const std::vector<Index>& winners :
       {std::vector<Index>{3, 1, 0, 2}, {9, 8, 7, 6}, {1, 0, 9, 3}, {0, 1, 2, 3}, {3, 9, 0, 5}}) {
    std::vector<Index> numbers;
    for (const Index w : winners) numbers.push_back(20 + w);
    std::vector<Index> ipiv(winners.size());
    kernel::crown{20}.cpu(column(numbers), out(ipiv));
    std::vector<Index> rows(10);
    std::iota(rows.begin(), rows.end(), Index{0});
    for (std::size_t r = 0; r < ipiv.size(); ++r)
      std::swap(rows[r], rows[static_cast<std::size_t>(ipiv[r] - 21)]);
    EXPECT_EQ(std::vector<Index>(rows.begin(), rows.begin() + 4), winners);
  }
}

}  // namespace
}  // namespace tessera::test
