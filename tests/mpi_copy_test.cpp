// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tessera/algorithms/copy.hpp"
#include "tessera/algorithms/fill.hpp"
#include "tessera/distributions/block_cyclic_2d.hpp"
#include "tessera/distributions/single_owner.hpp"
#include "tessera/generators.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"

// Run by mpirun on several ranks: every rank runs every test. `holds` looks at the rank's own tiles.

namespace tessera {
namespace {

using namespace tessera::test;
using testing::HasSubstr;

Runtime make_distributed_runtime() {
  RuntimeOptions options;
  options.workers = 1;  // ranks share the machine
  return Runtime(options);
}

std::vector<DistributionPtr> distributions(const Runtime& rt) {
  const Rank ranks = rt.num_ranks();
  return {std::make_shared<BlockCyclic2D>(ranks, 1), std::make_shared<BlockCyclic2D>(1, ranks),
          std::make_shared<BlockCyclic2D>(ranks / 2, 2), std::make_shared<SingleOwner>(ranks - 1)};
}

// Empty, fewer tiles than ranks (F12), ragged.
constexpr std::pair<Index, Index> sizes[] = {{0, 3}, {1, 1}, {3, 3}, {17, 10}};

template <class T>
class MpiCopy : public testing::Test {};
TYPED_TEST_SUITE(MpiCopy, Scalars);

TYPED_TEST(MpiCopy, FillGivesEveryDistributionTheSameMatrix) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  const auto f = generate::uniform<T>(1);
  for (const auto& distribution : distributions(rt)) {
    for (const auto& [m, n] : sizes) {
      TileMatrix<T> A(rt, m, n, 4, distribution);
      fill(rt, A, f);
      EXPECT_TRUE(holds(A, f));
    }
  }
}

TYPED_TEST(MpiCopy, LacpyCopiesBetweenAllDistributionsAndTileSizes) {  // F7, F16
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  const auto f = generate::uniform<T>(2);
  for (const auto& from : distributions(rt)) {
    for (const auto& to : distributions(rt)) {
      for (const auto& [m, n] : sizes) {
        TileMatrix<T> A(rt, m, n, 4, from), B(rt, m, n, 3, to), C(rt, n, m, 5, to), D(rt, m, n, 4, to);
        Sequence sequence(rt);
        fill(sequence, A, f);
        lacpy(sequence, Uplo::General, A, B);
        lacpy(sequence, Uplo::General, conj_trans(B), C);
        lacpy(sequence, Uplo::Lower, A, D);
        EXPECT_TRUE(sequence.wait().ok());
        EXPECT_TRUE(holds(B, f));
        EXPECT_TRUE(holds(C, [&](Index i, Index j) { return conjugate(f(j, i)); }));
        EXPECT_TRUE(holds(D, [&](Index i, Index j) { return i >= j ? f(i, j) : T{}; }));
      }
    }
  }
}

TYPED_TEST(MpiCopy, LacpySendsTheNewVersionAfterAWrite) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  const auto spread = distributions(rt);
  const auto f = generate::integers<T>(3);
  TileMatrix<T> A(rt, 10, 10, 4, spread[0]), B(rt, 10, 10, 4, spread[1]);
  Sequence sequence(rt);
  fill(sequence, A, f);
  for (int i = 0; i < 5; ++i) {  // B = A, A = 2 B: every step sends both again
    lacpy(sequence, Uplo::General, A, B);
    geadd(sequence, T{2}, B, T{0}, A);
  }
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_TRUE(holds(B, [&](Index i, Index j) { return T{16} * f(i, j); }));
  EXPECT_TRUE(holds(A, [&](Index i, Index j) { return T{32} * f(i, j); }));
}

TYPED_TEST(MpiCopy, GatherAndScatterWorkFromAnyRoot) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  const auto f = generate::uniform<T>(4);
  for (const auto& distribution : distributions(rt)) {
    for (Rank root = 0; root < rt.num_ranks(); ++root) {
      TileMatrix<T> A(rt, 10, 7, 3, distribution), B(rt, 10, 7, 4, distribution);
      fill(rt, A, f);
      const bool mine = rt.rank() == root;
      Dense<T> buffer(mine ? 10 : 0, mine ? 7 : 0, 2);
      gather(rt, A, mine ? buffer.data() : nullptr, mine ? buffer.ld() : 0, root);
      EXPECT_TRUE(!mine || identical(buffer, Dense<T>(10, 7, 2).set(f)));
      scatter(rt, mine ? buffer.data() : nullptr, mine ? buffer.ld() : 0, B, root);
      EXPECT_TRUE(holds(B, f));
    }
  }
}

TYPED_TEST(MpiCopy, AThrowOnOneRankIsReportedOnAllAndTheNextCallWorks) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  TileMatrix<T> A(rt, 16, 16, 4, distributions(rt)[0]), B(rt, 16, 16, 4, distributions(rt)[1]);
  Sequence sequence(rt);
  fill(sequence, A, [](Index i, Index) -> T {
    if (i == 5) throw std::runtime_error("row 5 is missing");
    return T{1};
  });
  lacpy(sequence, Uplo::General, A, B);  // reads, everywhere, what only one rank failed to make
  try {
    (void)sequence.wait();
    ADD_FAILURE() << "no exception";
  } catch (const TaskError& e) {
    EXPECT_THAT(e.what(), HasSubstr("row 5 is missing"));
  }
  fill(sequence, A, generate::minimum<T>());
  lacpy(sequence, Uplo::General, A, B);
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_TRUE(holds(B, generate::minimum<T>()));
}

TYPED_TEST(MpiCopy, AnArgumentThatOneRankAloneHasWrongThrowsOnAll) {  // F19
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  TileMatrix<T> A(rt, 10, 7, 3), B(rt, 10, 7, 4);
  fill(rt, A, generate::minimum<T>());
  const bool odd_one_out = rt.rank() == rt.num_ranks() - 1;
  Dense<T> buffer(10, 7);
  EXPECT_THROW(lacpy(rt, odd_one_out ? Uplo::Lower : Uplo::General, A, B), ArgumentError);
  EXPECT_THROW(lacpy(rt, Uplo::General, A, B, {.rows = 2, .cols = odd_one_out ? Index{8} : Index{2}}),
               ArgumentError);
  EXPECT_THROW(gather(rt, A, buffer.data(), odd_one_out ? 9 : 10, rt.num_ranks() - 1), ArgumentError);
  lacpy(rt, Uplo::General, A, B);
  EXPECT_TRUE(holds(B, generate::minimum<T>()));
}

}  // namespace
}  // namespace tessera
