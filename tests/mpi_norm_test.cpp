// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "tessera/algorithms/norm.hpp"
#include "tessera/distributions/block_cyclic_2d.hpp"
#include "tessera/distributions/single_owner.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/norm_cases.hpp"

// Run by mpirun on several ranks: every rank runs every test.

namespace tessera {
namespace {

using namespace test;

Runtime make_distributed_runtime() {
  RuntimeOptions options;
  options.workers = 1;  // ranks share the machine
  return Runtime(options);
}

Runtime make_sequential_runtime() {
  RuntimeOptions options;
  options.backend = BackendKind::sequential;
  return Runtime(options);
}

std::vector<DistributionPtr> distributions(const Runtime& rt) {
  const Rank ranks = rt.num_ranks();
  return {std::make_shared<BlockCyclic2D>(ranks, 1), std::make_shared<BlockCyclic2D>(1, ranks),
          BlockCyclic2D::square(ranks), std::make_shared<SingleOwner>(ranks - 1)};
}

/// Expects `value` to be the same to the bit on all ranks, and gives it back.
template <class Real>
Real agreed(const Runtime& rt, Real value) {
  for (const double other : rt.all_gather(value))
    EXPECT_TRUE(same_bits<double>(other, value)) << other << value;
  return value;
}

/// All norms of A and of its triangles, in a fixed order.
template <Scalar T>
std::vector<real_t<T>> norms_of(Runtime& rt, const TileMatrix<T>& A) {
  std::vector<real_t<T>> values;
  for (const Norm norm : all_norms) {
    values.push_back(lange(rt, norm, A));
    values.push_back(lange(rt, norm, trans(A)));
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      values.push_back(lantr(rt, norm, uplo, Diag::NonUnit, A));
      values.push_back(lantr(rt, norm, uplo, Diag::Unit, A));
      if (A.m() != A.n()) continue;
      values.push_back(lansy(rt, norm, uplo, A));
      values.push_back(lanhe(rt, norm, uplo, A));
    }
  }
  return values;
}

template <class T>
class MpiNorm : public testing::Test {};
TYPED_TEST_SUITE(MpiNorm, Scalars);

TYPED_TEST(MpiNorm, EqualsTheSequentialNormExactlyForIntegersOnAllRanks) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  Runtime alone = make_sequential_runtime();
  // Empty, fewer tiles than ranks, ragged, square and not.
  for (const auto& [m, n] : {std::pair<Index, Index>{0, 3}, {1, 1}, {3, 3}, {17, 17}, {13, 22}}) {
    TileMatrix<T> B(alone, m, n, 3, 4, nullptr);
    set_directly(B, integer_entry<T>);
    const auto expected = norms_of(alone, B);
    for (const auto& distribution : distributions(rt)) {
      TileMatrix<T> A(rt, m, n, 3, 4, distribution);
      set_directly(A, integer_entry<T>);
      EXPECT_EQ(norms_of(rt, A), expected) << m << " x " << n << " on " << distribution->name();
    }
  }
}

TYPED_TEST(MpiNorm, HasTheSameBitsOnAllRanksWhateverTheRounding) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  const auto entry = [](Index i, Index j) {
    return integer_entry<T>(i, j) / static_cast<real_t<T>>(7 * (i + j) + 3);
  };
  for (const auto& distribution : distributions(rt)) {
    TileMatrix<T> A(rt, 23, 23, 4, distribution);
    set_directly(A, entry);
    for (const real_t<T> value : norms_of(rt, A)) agreed(rt, value);
    const double expected =
        norm_by_definition(Norm::frobenius, 23, 23, [&](Index i, Index j) { return modulus(entry(i, j)); });
    EXPECT_NEAR(lange(rt, Norm::frobenius, A), expected, 10 * eps<T> * expected);
  }
}

TYPED_TEST(MpiNorm, OneBadEntryOnOneRankIsSeenOnAll) {  // F29: MPI_MAX may drop a NaN
  using T = TypeParam;
  using Real = real_t<T>;
  Runtime rt = make_distributed_runtime();
  const auto grid = BlockCyclic2D::square(rt.num_ranks());
  for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
    for (Rank culprit = 0; culprit < rt.num_ranks(); ++culprit) {
      TileMatrix<T> A(rt, 12, 12, 2, grid);
      set_directly(A, [&](Index i, Index j) {
        const bool first_of_tile =
            i % 2 == 0 && j % 2 == 0;  // its tiles lie above, on and below the diagonal
        return first_of_tile && A.owner(i / 2, j / 2) == culprit ? T(bad) : integer_entry<T>(i, j);
      });
      for (const Norm norm : all_norms) {
        for (const Real value :
             {lange(rt, norm, A), lansy(rt, norm, Uplo::Lower, A), lanhe(rt, norm, Uplo::Upper, A),
              lantr(rt, norm, Uplo::Lower, Diag::NonUnit, A)}) {
          EXPECT_TRUE(std::isnan(bad) ? std::isnan(value) : value == bad)
              << value << " instead of " << bad << ", norm " << static_cast<char>(norm) << ", rank "
              << culprit;
        }
      }
    }
  }
}

TYPED_TEST(MpiNorm, SubMatricesAndTheCallersBufferOnAnyRoot) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  const auto shifted = [](Index i, Index j) { return modulus(integer_entry<T>(i + 6, j + 3)); };
  TileMatrix<T> A(rt, 14, 11, 3);
  set_directly(A, integer_entry<T>);
  for (Rank root = 0; root < rt.num_ranks(); ++root) {
    std::vector<T> a(rt.rank() == root ? 14 * 11 : 0);
    const auto B = TileMatrix<T>::wrap(rt, 14, 11, a.data(), 14, 3, root);
    set_directly(B, integer_entry<T>);
    for (const Norm norm : all_norms) {
      const auto expected = static_cast<real_t<T>>(norm_by_definition(norm, 8, 6, shifted));
      EXPECT_EQ(lange(rt, norm, A.sub(2, 1, 3, 2)), expected);
      EXPECT_EQ(lange(rt, norm, B.sub(2, 1, 3, 2)), expected);
    }
  }
}

TYPED_TEST(MpiNorm, ArgumentsThatDifferBetweenRanksThrowOnAllAndTheNextCallWorks) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  TileMatrix<T> A(rt, 8, 8, 2);
  set_directly(A, [](Index, Index) { return T(1); });
  if (rt.num_ranks() > 1) {
    EXPECT_THROW(lange(rt, rt.rank() == 1 ? Norm::max : Norm::one, A), ArgumentError);
    EXPECT_THROW(lansy(rt, Norm::one, rt.rank() == 1 ? Uplo::General : Uplo::Lower, A), ArgumentError);
  }
  EXPECT_EQ(lange(rt, Norm::one, A), 8);
}

}  // namespace
}  // namespace tessera
