// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tessera/tessera.hpp"
#include "tests/support/dense.hpp"

/// \file
/// What the tests of LU share: matrices, factors by their definition, LAPACK's residual.

namespace tessera::test {

inline constexpr std::array pivotings{Pivoting::partial, Pivoting::tournament, Pivoting::none};
inline constexpr std::array with_pivots{Pivoting::partial, Pivoting::tournament};

/// The most tasks of a rank, but for those that look for zeros on the diagonal, which the reference does not have.
inline Index most_tasks_of_lu(const Prediction& plan, const Distribution& distribution, Index n) {
  std::vector<Index> tasks;
  for (const RankLoad& load : plan.loads) tasks.push_back(load.tasks);
  for (Index k = 0; k < n; ++k) --tasks[static_cast<std::size_t>(distribution.owner(k, k))];
  return std::ranges::max(tasks);
}

/// A random matrix, for which no pivoting is needed where there is none.
template <Scalar T>
auto lu_entry(Pivoting pivoting, Index m, Index n) {
  const auto shift = pivoting == Pivoting::none ? static_cast<real_t<T>>(2 * std::max(m, n)) : real_t<T>{0};
  return [shift, entry = generate::uniform<T>(11)](Index i, Index j) {
    return i == j ? entry(i, j) + T(shift) : entry(i, j);
  };
}

template <Scalar T>
Dense<T> lu_matrix(Pivoting pivoting, Index m, Index n) {
  return Dense<T>(m, n).set(lu_entry<T>(pivoting, m, n));
}

/// A matrix of which pivot `zero` (1-based) is the first to be zero without interchanges, and what elimination makes of it
/// that leaves the column below a zero pivot undivided: every other column is halved.
template <Scalar T>
struct WithoutPivot {
  Dense<T> matrix, factor;
};
template <Scalar T>
WithoutPivot<T> without_pivot(Index n, Index zero) {
  const auto is_zero = [=](Index j) { return j + 1 == zero || j == n - 1; };
  WithoutPivot<T> result{Dense<T>(n, n), Dense<T>(n, n)};
  for (Index j = 0; j < n; ++j) {
    if (!is_zero(j)) result.matrix(j, j) = result.factor(j, j) = T(2);
    for (Index i = j + 1; i < n; ++i) {
      result.matrix(i, j) = T(4);
      result.factor(i, j) = is_zero(j) ? T(4) : T(2);
    }
  }
  return result;
}

/// Whether ipiv(i) names a row from i on, 1-based.
inline testing::AssertionResult in_range(const std::vector<Index>& ipiv, Index m) {
  for (std::size_t i = 0; i < ipiv.size(); ++i) {
    if (ipiv[i] < static_cast<Index>(i) + 1 || ipiv[i] > m)
      return testing::AssertionFailure() << "ipiv(" << i + 1 << ") = " << ipiv[i] << " of " << m << " rows";
  }
  return testing::AssertionSuccess();
}

/// P A, by LAPACK's definition of ipiv.
template <Scalar T>
Dense<T> interchanged(Dense<T> a, const std::vector<Index>& ipiv) {
  for (std::size_t i = 0; i < ipiv.size(); ++i) {
    for (Index j = 0; j < a.n(); ++j) std::swap(a(static_cast<Index>(i), j), a(ipiv[i] - 1, j));
  }
  return a;
}

/// L U of the factors in `f`.
template <Scalar T>
Dense<T> product_of_factors(const Dense<T>& f) {
  const Index p = std::min(f.m(), f.n());
  Dense<T> L(f.m(), p), U(p, f.n());
  L.set([&](Index i, Index j) { return i == j ? T{1} : i > j ? f(i, j) : T{}; });
  U.set([&](Index i, Index j) { return i <= j ? f(i, j) : T{}; });
  return multiply(L, U);
}

/// ||P A - L U||_1 / (n ||A||_1 eps): LAPACK's test of getrf (dget01).
template <Scalar T>
double lu_residual(const Dense<T>& A, const Dense<T>& F, const std::vector<Index>& ipiv) {
  const double norm = norm_one(A);
  const double error = norm_one(subtract(interchanged(A, ipiv), product_of_factors(F)));
  if (norm == 0) return error == 0 ? 0 : 1 / eps<T>;
  return error / (static_cast<double>(A.n()) * norm * eps<T>);
}

/// The pivots on rank 0.
inline std::vector<Index> pivots_of(Runtime& rt, const TileMatrix<Index>& ipiv) {
  std::vector<double> values(static_cast<std::size_t>(ipiv.m()));
  for (Index k = 0; k < ipiv.mt(); ++k) {
    const Tile<Index> tile = ipiv.tile(k, 0);
    for (Index r = 0; tile.data != nullptr && r < tile.rows; ++r)
      values[static_cast<std::size_t>(ipiv.tiling().first_row(k) + r)] = static_cast<double>(tile(r, 0));
  }
  rt.all_sum(values);
  return {values.begin(), values.end()};
}

/// The i-th of some numbers by which a product with the reciprocal does not divide: subnormal ones, and complex ones that
/// are nearly as large as numbers get. All are 1 or 1 + i times a power of two, so that divisions are exact.
template <Scalar T>
T extreme_pivot(Index i) {
  using Limits = std::numeric_limits<real_t<T>>;
  const real_t<T> sizes[] = {8 * Limits::denorm_min(),
                             std::ldexp(real_t<T>(1), Limits::max_exponent - 1),
                             1,
                             Limits::min() / 4,
                             Limits::min(),
                             std::ldexp(real_t<T>(1), Limits::max_exponent - 2)};
  const real_t<T> size = sizes[i % 6];
  if constexpr (is_complex<T>) {
    return {size, i % 2 == 0 ? size : -size};
  } else {
    return size;
  }
}

/// A matrix of the fault table's row F25 and the info that it must give.
struct Singular {
  const char* what;
  double (*entry)(Index i, Index j);  // 1-based
  Index info;
};
inline double any(Index i, Index j) { return generate::uniform<double>(3)(i, j); }
inline constexpr Index singular_order = 137;
inline constexpr Singular singular_matrices[] = {
    {"column 1 zero", [](Index i, Index j) { return j == 1 ? 0 : any(i, j); }, 1},
    {"all ones", [](Index, Index) { return 1.0; }, 2},
    {"zero", [](Index, Index) { return 0.0; }, 1},
    {"last column zero", [](Index i, Index j) { return j == 137 ? 0 : any(i, j); }, 137},
    {"column 14 zero", [](Index i, Index j) { return j == 14 ? 0 : any(i, j); }, 14},
    {"columns 14 and 50 zero", [](Index i, Index j) { return j == 14 || j == 50 ? 0 : any(i, j); }, 14},
    {"identity", [](Index i, Index j) { return i == j ? 1.0 : 0.0; }, 0}};

}  // namespace tessera::test
