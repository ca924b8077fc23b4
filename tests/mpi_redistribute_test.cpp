// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tessera/algorithms/cholesky.hpp"
#include "tessera/algorithms/copy.hpp"
#include "tessera/algorithms/fill.hpp"
#include "tessera/algorithms/redistribute.hpp"
#include "tessera/distributions/function.hpp"
#include "tessera/distributions/registry.hpp"
#include "tessera/distributions/single_owner.hpp"
#include "tessera/generators.hpp"
#include "tessera/task_graph.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"

// Run by mpirun on several ranks: every rank runs every test. `holds` looks at the rank's own tiles.

namespace tessera {
namespace {

using namespace tessera::test;
using testing::HasSubstr;

Runtime make_distributed_runtime(BackendKind kind = BackendKind::starpu) {
  RuntimeOptions options;
  options.backend = kind;
  options.workers = 1;  // ranks share the machine
  return Runtime(options);
}

/// All that have a text name, and two where most ranks own nothing.
std::vector<DistributionPtr> distributions(Rank ranks) {
  std::vector<DistributionPtr> result;
  for (const std::string& text : distribution_candidates(ranks))
    result.push_back(make_distribution(text, ranks));
  result.push_back(std::make_shared<SingleOwner>(0));
  result.push_back(std::make_shared<SingleOwner>(ranks - 1));
  return result;
}

// Empty, fewer tiles than ranks, ragged.
constexpr std::pair<Index, Index> sizes[] = {{0, 3}, {3, 3}, {17, 10}};

template <Scalar T>
auto integers() {
  return generate::integers<T>(11);
}

/// The message of the ArgumentError that f throws. The test fails if it is not the same on all ranks.
template <class F>
std::string refusal(const Runtime& rt, F&& f) {
  std::string message;
  try {
    f();
  } catch (const ArgumentError& error) {
    message = error.what();
  }
  EXPECT_NE(message, "") << "no ArgumentError";
  const auto digest = static_cast<double>(std::hash<std::string>{}(message) >> 12);
  EXPECT_THAT(rt.all_gather(digest), testing::Each(digest)) << message;
  return message;
}

// ---- redistribute -----------------------------------------------------------------------------------------

template <class T>
class MpiRedistribute : public testing::Test {};
TYPED_TEST_SUITE(MpiRedistribute, Scalars);

TYPED_TEST(MpiRedistribute, EveryPairOfDistributionsHoldsTheSameBits) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  const auto all = distributions(rt.num_ranks());
  for (const auto& [m, n] : sizes) {
    for (const auto& from : all) {
      TileMatrix<T> A(rt, m, n, 4, from);
      Sequence sequence(rt);
      fill(sequence, A, integers<T>());
      for (const auto& to : all) {
        const auto same_tiles = redistribute(sequence, A, to);
        const auto other_tiles = redistribute(sequence, A, 3, 5, to);
        EXPECT_TRUE(sequence.wait().ok());
        EXPECT_EQ(same_tiles.tiling(), A.tiling());
        EXPECT_EQ(other_tiles.tiling(), Tiling(m, n, 3, 5));
        EXPECT_EQ(same_tiles.distribution().name(), to->name());
        EXPECT_TRUE(holds(same_tiles, integers<T>())) << from->name() << " to " << to->name();
        EXPECT_TRUE(holds(other_tiles, integers<T>())) << from->name() << " to " << to->name();
      }
    }
  }
}

TYPED_TEST(MpiRedistribute, ATriangleAloneLeavesZerosInTheOther) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_distributed_runtime(kind);
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      TileMatrix<T> A(rt, 14, 14, 4, make_distribution("2dbc", rt.num_ranks()));
      set_directly(A, [&](Index i, Index j) {
        return in_triangle(uplo, i, j) ? integers<T>()(i, j) : marked_nan<T>();
      });
      for (const auto& to : distributions(rt.num_ranks())) {
        const auto B = redistribute(rt, A, 0, 3, to, uplo);
        EXPECT_EQ(B.tiling(), Tiling(14, 14, 4, 3));
        EXPECT_TRUE(holds(B, [&](Index i, Index j) {
          return in_triangle(uplo, i, j) ? integers<T>()(i, j) : T{};
        })) << to->name();
      }
    }
  }
}

TYPED_TEST(MpiRedistribute, TheResultHoldsTheElementsOfAView) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_distributed_runtime(kind);
    TileMatrix<T> A(rt, 17, 10, 4, 3, {});
    fill(rt, A, integers<T>());
    const auto element = integers<T>();
    for (const auto& to : distributions(rt.num_ranks())) {
      const auto sub = redistribute(rt, A.sub(1, 1, 3, 2), to);
      EXPECT_EQ(sub.tiling(), Tiling(12, 6, 4, 3));
      EXPECT_TRUE(holds(sub, [&](Index i, Index j) { return element(i + 4, j + 3); }));

      const auto transposed = redistribute(rt, trans(A), to);
      EXPECT_EQ(transposed.tiling(), A.tiling().transposed());
      EXPECT_TRUE(holds(transposed, [&](Index i, Index j) { return element(j, i); }));

      const auto adjoint_part = redistribute(rt, conj_trans(A.sub(0, 1, 5, 3)), 5, 5, to, Uplo::Lower);
      EXPECT_TRUE(
          holds(adjoint_part, [&](Index i, Index j) { return i >= j ? conjugate(element(j, i + 3)) : T{}; }));
    }
  }
}

TYPED_TEST(MpiRedistribute, StandsInAChainOfAsynchronousCalls) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  for (const auto& to : distributions(rt.num_ranks())) {
    Sequence sequence(rt);
    TileMatrix<T> A(rt, 26, 26, 4);
    fill(sequence, A, generate::minimum<T>());
    A = redistribute(sequence, A, 5, 5, to,
                     Uplo::Lower);  // the old A goes while its tiles are still to be read
    potrf(sequence, Uplo::Lower, A);
    const auto L = redistribute(sequence, A, 4, 4, nullptr);
    EXPECT_TRUE(sequence.wait().ok());
    EXPECT_TRUE(holds(L, [](Index i, Index j) { return T(i >= j ? 1 : 0); })) << to->name();
  }
}

/// Tiles sent when an m x n matrix in tiles of 2 x 2 gets tiles of mb x nb.
Index recorded_volume(Rank ranks, Index m, Index n, const DistributionPtr& from, Index mb, Index nb,
                      const DistributionPtr& to, Uplo uplo) {
  Runtime rt({.backend = BackendKind::recording, .recorded_ranks = ranks});
  const TileMatrix<double> A(rt, m, n, 2, from);
  (void)redistribute(rt, A, mb, nb, to, uplo);
  return rt.graph().tiles_sent();
}

TEST(RedistributeVolume, OnlyTilesThatChangeTheirOwnerAreSentAndEachOnce) {
  for (const Rank ranks : {1, 4, 6, 7, 12}) {
    for (const auto& from : distributions(ranks)) {
      for (const auto& to : distributions(ranks)) {
        Runtime rt({.backend = BackendKind::recording, .recorded_ranks = ranks});
        const TileMatrix<double> A(rt, 31, 23, 2, from), B(rt, 31, 23, 2, to);
        Index all = 0, lower = 0;
        for (Index j = 0; j < A.nt(); ++j) {
          for (Index i = 0; i < A.mt(); ++i) {
            const bool moves = A.owner(i, j) != B.owner(i, j);
            all += moves ? 1 : 0;
            lower += moves && i >= j ? 1 : 0;
          }
        }
        EXPECT_EQ(recorded_volume(ranks, 31, 23, from, 0, 0, to, Uplo::General), all)
            << from->name() << " to " << to->name();
        EXPECT_EQ(recorded_volume(ranks, 31, 23, from, 2, 2, to, Uplo::Lower), lower)
            << from->name() << " to " << to->name();
      }
    }
  }
}

TEST(RedistributeVolume, BetweenTilingsATileGoesOnceToEachRankThatNeedsIt) {
  const Rank ranks = 6;
  for (const auto& from : distributions(ranks)) {
    for (const auto& to : distributions(ranks)) {
      Runtime rt({.backend = BackendKind::recording, .recorded_ranks = ranks});
      const TileMatrix<double> A(rt, 31, 23, 2, from), B(rt, 31, 23, 3, 5, to);
      std::set<std::tuple<Index, Index, Rank>> sent;
      for (Index j = 0; j < A.n(); ++j) {
        for (Index i = 0; i < A.m(); ++i) {
          const Rank destination = B.owner(i / 3, j / 5);
          if (destination != A.owner(i / 2, j / 2)) sent.insert({i / 2, j / 2, destination});
        }
      }
      EXPECT_EQ(recorded_volume(ranks, 31, 23, from, 3, 5, to, Uplo::General),
                static_cast<Index>(sent.size()))
          << from->name() << " to " << to->name();
    }
  }
}

TEST(RedistributeVolume, OfARunIsThatOfTheRecording) {
  Runtime rt = make_distributed_runtime();
  const Rank ranks = rt.num_ranks();
  for (const auto& from : distributions(ranks)) {
    for (const auto& to : distributions(ranks)) {
      const TileMatrix<double> A(rt, 31, 23, 2, from);
      const Traffic before = rt.traffic();
      (void)redistribute(rt, A, 4, 3, to, Uplo::Lower);
      double sent = 0;
      for (const double tiles : rt.all_gather(static_cast<double>((rt.traffic() - before).tiles_sent)))
        sent += tiles;
      EXPECT_EQ(sent, recorded_volume(ranks, 31, 23, from, 4, 3, to, Uplo::Lower))
          << from->name() << " to " << to->name();
    }
  }
}

TEST(Redistribute, RefusesWhatMakesNoSenseOnAllRanksAndTheNextCallWorks) {
  Runtime rt = make_distributed_runtime();
  TileMatrix<double> A(rt, 9, 9, 4);
  fill(rt, A, integers<double>());
  const bool odd_one_out = rt.rank() == rt.num_ranks() - 1;
  EXPECT_THAT(refusal(rt, [&] { (void)redistribute(rt, A, -1, 3, nullptr); }), HasSubstr("mb = -1"));
  EXPECT_THAT(refusal(rt, [&] { (void)redistribute(rt, A, 3, odd_one_out ? -1 : 3, nullptr); }),
              HasSubstr("nb = -1"));
  EXPECT_THAT(refusal(rt, [&] { (void)redistribute(rt, A, nullptr, static_cast<Uplo>('X')); }),
              HasSubstr("uplo = X"));
  EXPECT_THAT(refusal(rt, [&] { (void)redistribute(rt, A, make_distribution("rank:99")); }),
              HasSubstr("more ranks"));
  Runtime other({.backend = BackendKind::sequential});
  EXPECT_THAT(refusal(rt, [&] { (void)redistribute(other, A, nullptr); }), HasSubstr("another runtime"));
  EXPECT_TRUE(holds(redistribute(rt, A, 3, 3, nullptr), integers<double>()));
}

// ---- ScaLAPACK's arrays -----------------------------------------------------------------------------------

struct BlockCyclicCase {
  int m, n, mb, nb;
  int rsrc, csrc;
  ProcessGrid grid;
  int padding;  // rows of the local array below the matrix
};

/// Global indices of one dimension that lie on the process at `coordinate`, by the definition. Their number
/// is ScaLAPACK's NUMROC.
std::vector<Index> local_to_global(int extent, int block, int coordinate, int source, int processes) {
  std::vector<Index> result;
  for (int g = 0; g < extent; ++g) {
    if ((g / block + source) % processes == coordinate) result.push_back(g);
  }
  return result;
}

/// This rank's part of a matrix as a ScaLAPACK program has it.
template <Scalar T>
class LocalArray {
 public:
  LocalArray(const BlockCyclicCase& c, Rank rank) {
    const auto [p, q, order] = c.grid;
    const bool by_rows = order == ProcessGrid::Order::rows;
    const bool inside = rank < p * q;
    rows_ = local_to_global(inside ? c.m : 0, c.mb, by_rows ? rank / q : rank % p, c.rsrc, p);
    cols_ = local_to_global(inside ? c.n : 0, c.nb, by_rows ? rank % q : rank / p, c.csrc, q);
    const auto rows = static_cast<int>(rows_.size());
    const int lld = inside ? std::max(1, rows + c.padding) : -7;  // nobody looks at it outside the grid
    desc_ = {1, rank, c.m, c.n, c.mb, c.nb, c.rsrc, c.csrc, lld};
    values_.assign(static_cast<std::size_t>(std::max(lld, 0)) * cols_.size(), marked_nan<T>());
  }

  std::array<int, 9>& desc() { return desc_; }
  T* data() { return values_.empty() ? nullptr : values_.data(); }

  /// Sets each element to f(i, j), by its global indices; the padding stays.
  template <class F>
  LocalArray& set(F f) {
    for (std::size_t c = 0; c < cols_.size(); ++c) {
      for (std::size_t r = 0; r < rows_.size(); ++r)
        values_[r + c * static_cast<std::size_t>(desc_[8])] = f(rows_[r], cols_[c]);
    }
    return *this;
  }

  /// To the bit, padding included.
  friend bool operator==(const LocalArray& a, const LocalArray& b) {
    return std::ranges::equal(a.values_, b.values_, same_bits<T>);
  }

 private:
  std::vector<Index> rows_, cols_;
  std::array<int, 9> desc_;
  std::vector<T> values_;
};

std::vector<BlockCyclicCase> block_cyclic_cases(Rank ranks) {
  using enum ProcessGrid::Order;
  const std::vector<std::pair<Rank, Rank>> grids = {{ranks, 1},
                                                    {1, ranks},
                                                    {std::max(ranks / 2, 1), std::min(ranks, 2)},
                                                    {std::max(ranks - 1, 1), 1},
                                                    {1, 1}};
  std::vector<BlockCyclicCase> cases;
  for (const auto& [p, q] : grids) {
    for (const auto order : {rows, columns}) {
      for (const auto& [rsrc, csrc] : {std::pair{0, 0}, std::pair{p - 1, q / 2}}) {
        cases.push_back({17, 10, 3, 2, rsrc, csrc, {p, q, order}, 0});
        cases.push_back({12, 15, 4, 4, rsrc, csrc, {p, q, order}, 3});  // whole blocks of rows
        cases.push_back({3, 1, 5, 1, rsrc, csrc, {p, q, order}, 1});    // less than a block
        cases.push_back({0, 4, 2, 2, rsrc, csrc, {p, q, order}, 0});
      }
    }
  }
  return cases;
}

TYPED_TEST(MpiRedistribute, BlockCyclicArraysComeInAndGoOut) {
  using T = TypeParam;
  for (const BackendKind kind : computing_backends) {
    Runtime rt = make_distributed_runtime(kind);
    const auto all = distributions(rt.num_ranks());
    std::size_t number = 0;
    for (const BlockCyclicCase& c : block_cyclic_cases(rt.num_ranks())) {
      LocalArray<T> in(c, rt.rank()), out(c, rt.rank()), expected(c, rt.rank());
      in.set(integers<T>());
      expected.set(integers<T>());
      const auto A = TileMatrix<T>::wrap_block_cyclic(rt, in.data(), in.desc(), c.grid);
      const auto B = redistribute(rt, A, 4, 3, all[number++ % all.size()]);
      EXPECT_TRUE(holds(B, integers<T>())) << A.distribution().name();
      lacpy(rt, Uplo::General, B, TileMatrix<T>::wrap_block_cyclic(rt, out.data(), out.desc(), c.grid));
      EXPECT_TRUE(out == expected) << A.distribution().name() << " from " << B.distribution().name();
      EXPECT_TRUE(in == expected);
    }
  }
}

TYPED_TEST(MpiRedistribute, BlockCyclicArraysAreFactoredInPlace) {
  using T = TypeParam;
  Runtime rt = make_distributed_runtime();
  for (BlockCyclicCase c : block_cyclic_cases(rt.num_ranks())) {
    c.n = c.m;
    c.nb = c.mb;
    LocalArray<T> a(c, rt.rank()), expected(c, rt.rank());
    a.set(generate::minimum<T>());
    expected.set([](Index i, Index j) { return i >= j ? T{1} : generate::minimum<T>()(i, j); });
    const auto A = TileMatrix<T>::wrap_block_cyclic(rt, a.data(), a.desc(), c.grid);
    EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
    EXPECT_TRUE(a == expected) << A.distribution().name();
  }
}

TEST(BlockCyclicArray, NamesItsDistributionByAllThatItDependsOn) {
  Runtime rt({.backend = BackendKind::recording, .recorded_ranks = 6});
  const auto name = [&](int rsrc, int csrc, ProcessGrid::Order order) {
    const std::array<int, 9> desc = {1, 0, 9, 9, 2, 2, rsrc, csrc, 9};
    return TileMatrix<double>::wrap_block_cyclic(rt, nullptr, desc, {2, 3, order}).distribution().name();
  };
  EXPECT_EQ(name(0, 0, ProcessGrid::Order::rows), "2dbc:p=2,q=3");
  EXPECT_EQ(name(0, 0, ProcessGrid::Order::columns), "scalapack:p=2,q=3,order=C,rsrc=0,csrc=0");
  EXPECT_EQ(name(1, 2, ProcessGrid::Order::rows), "scalapack:p=2,q=3,order=R,rsrc=1,csrc=2");
}

TEST(BlockCyclicArray, ComingInSendsTheBlocksWhoseOwnerChanges) {
  Runtime rt({.backend = BackendKind::recording, .recorded_ranks = 6});
  const std::array<int, 9> desc = {1, 0, 40, 40, 4, 4, 2, 1, 40};
  const auto A =
      TileMatrix<double>::wrap_block_cyclic(rt, nullptr, desc, {3, 2, ProcessGrid::Order::columns});
  const auto B = redistribute(rt, A, make_distribution("2dbc:p=2,q=3"));
  Index moves = 0;
  for (Index j = 0; j < A.nt(); ++j) {
    for (Index i = 0; i < A.mt(); ++i) moves += A.owner(i, j) != B.owner(i, j) ? 1 : 0;
  }
  EXPECT_GT(moves, 0);
  EXPECT_EQ(rt.graph().tiles_sent(), moves);
}

TEST(BlockCyclicArray, AWrongDescriptorIsTheSameErrorOnAllRanksAndTheNextMatrixWorks) {
  Runtime rt = make_distributed_runtime();
  const Rank ranks = rt.num_ranks();
  const BlockCyclicCase right{17, 10, 3, 2, 0, 0, {std::max(ranks / 2, 1), std::min(ranks, 2)}, 0};
  const auto refused = [&](Rank on, int entry, int value) {  // on: the one rank that has it wrong, or all: -1
    LocalArray<double> a(right, rt.rank());
    if (on < 0 || on == rt.rank()) a.desc()[static_cast<std::size_t>(entry)] = value;
    return refusal(rt,
                   [&] { (void)TileMatrix<double>::wrap_block_cyclic(rt, a.data(), a.desc(), right.grid); });
  };
  constexpr Rank everywhere = -1;
  for (const Rank on : {everywhere, ranks - 1}) {
    EXPECT_THAT(refused(on, 0, 501), HasSubstr("desc[DTYPE_] = 501"));  // a band matrix
    EXPECT_THAT(refused(on, 2, -1), HasSubstr("desc[M_] = -1"));
    EXPECT_THAT(refused(on, 3, -1), HasSubstr("desc[N_] = -1"));
    EXPECT_THAT(refused(on, 4, 0), HasSubstr("desc[MB_] = 0"));
    EXPECT_THAT(refused(on, 5, -2), HasSubstr("desc[NB_] = -2"));
    EXPECT_THAT(refused(on, 6, right.grid.p), HasSubstr("desc[RSRC_] = "));
    EXPECT_THAT(refused(on, 7, -1), HasSubstr("desc[CSRC_] = -1"));
    EXPECT_THAT(refused(on, 8, 1), HasSubstr("desc[LLD_] = 1: must be at least max(1, LOCr(M_))"));
    EXPECT_THAT(refused(on, 8, 1 << 29), HasSubstr("below 2^31 bytes"));
  }
  if (ranks > 1) {
    EXPECT_THAT(refused(ranks - 1, 2, 18), HasSubstr("desc[M_] = 18"));
    EXPECT_THAT(refused(ranks - 1, 6, 1), HasSubstr("desc[RSRC_] = 1"));
  }
  LocalArray<double> a(right, rt.rank());
  const auto grid_refused = [&](const ProcessGrid& grid) {
    return refusal(rt, [&] { (void)TileMatrix<double>::wrap_block_cyclic(rt, a.data(), a.desc(), grid); });
  };
  EXPECT_THAT(grid_refused({ranks, 2}), HasSubstr("more processes than the runtime has ranks"));
  EXPECT_THAT(grid_refused({1 << 16, 1 << 16}), HasSubstr("grid = 65536 x 65536"));
  EXPECT_THAT(grid_refused({0, 1}), HasSubstr("grid.p = 0"));
  EXPECT_THAT(grid_refused({1, -1}), HasSubstr("grid.q = -1"));
  EXPECT_THAT(grid_refused({1, 1, static_cast<ProcessGrid::Order>('X')}), HasSubstr("grid.order = X"));
  double* const here = rt.rank() == ranks - 1 ? nullptr : a.data();
  EXPECT_THAT(
      refusal(rt, [&] { (void)TileMatrix<double>::wrap_block_cyclic(rt, here, a.desc(), right.grid); }),
      HasSubstr("local = null"));

  a.set(integers<double>());
  const auto A = TileMatrix<double>::wrap_block_cyclic(rt, a.data(), a.desc(), right.grid);
  EXPECT_TRUE(holds(redistribute(rt, A, nullptr), integers<double>()));
}

// ---- Distributions of users -------------------------------------------------------------------------------

/// All tiles on rank 0 but for tile (2, 1), of which `odd` decides, on this rank.
DistributionPtr odd_tile(Rank ranks, std::function<Rank()> odd) {
  return std::make_shared<FunctionDistribution>(
      ranks, "odd", [odd = std::move(odd)](Index i, Index j) { return i == 2 && j == 1 ? odd() : 0; });
}

/// Tries to make a matrix, on the distributed and on a recording runtime, and checks that the next one works.
std::string refused_distribution(Runtime& rt, const DistributionPtr& distribution) {
  const std::string message = refusal(rt, [&] { TileMatrix<double>(rt, 10, 10, 3, distribution); });
  TileMatrix<double> next(rt, 10, 10, 3);
  fill(rt, next, integers<double>());
  EXPECT_TRUE(holds(redistribute(rt, next, 4, 4, std::make_shared<SingleOwner>(0)), integers<double>()));
  return message;
}

TEST(OwnDistribution, AnOwnerThatIsNoRankIsRefusedByTileAndRank) {
  Runtime rt = make_distributed_runtime();
  const Rank ranks = rt.num_ranks();
  for (const Rank wrong : {-1, ranks, ranks + 70}) {
    const std::string reason =
        "distribution = odd: owner(2, 1): rank " + std::to_string(wrong) + " is not in 0 .. ";
    EXPECT_THAT(refused_distribution(rt, odd_tile(ranks, [=] { return wrong; })), HasSubstr(reason));
    const bool here = rt.rank() == ranks - 1;
    EXPECT_THAT(refused_distribution(rt, odd_tile(ranks, [=] { return here ? wrong : 0; })),
                HasSubstr(reason));
    Runtime recording({.backend = BackendKind::recording, .recorded_ranks = ranks});
    const auto distribution = odd_tile(ranks, [=] { return wrong; });
    EXPECT_THAT(refusal(rt, [&] { TileMatrix<double>(recording, 10, 10, 3, distribution); }),
                HasSubstr(reason));
  }
}

/// Like odd_tile, for the executors of step 1 on two layers.
class OddExecutor final : public Distribution {
 public:
  OddExecutor(Rank ranks, int layers, Rank odd) : ranks_(ranks), layers_(layers), odd_(odd) {}
  Rank owner(Index, Index) const override { return 0; }
  Rank num_ranks() const override { return ranks_; }
  std::string name() const override { return "odd"; }
  int layers() const override { return layers_; }
  Rank executor(Index i, Index j, Index step) const override {
    return i == 2 && j == 1 && step == 1 ? odd_ : 0;
  }

 private:
  Rank ranks_;
  int layers_;
  Rank odd_;
};

TEST(OwnDistribution, AnExecutorThatIsNoRankOrDiffersBetweenRanksIsRefused) {
  Runtime rt = make_distributed_runtime();
  const Rank ranks = rt.num_ranks();
  const auto refused = [&](int layers, Rank odd) {
    return refused_distribution(rt, std::make_shared<OddExecutor>(ranks, layers, odd));
  };
  for (const Rank wrong : {-1, ranks}) {
    EXPECT_THAT(refused(2, wrong), HasSubstr("distribution = odd: executor(2, 1, 1): rank " +
                                             std::to_string(wrong) + " is not in 0 .. "));
  }
  EXPECT_THAT(refused(2, rt.rank() == ranks - 1 ? 0 : 1), HasSubstr("hash of the ranks"));
  EXPECT_THAT(refused(0, 0), HasSubstr("layers() = 0"));
}

TEST(OwnDistribution, AnExceptionOnOneRankIsAnArgumentErrorOnAll) {
  Runtime rt = make_distributed_runtime();
  const Rank ranks = rt.num_ranks();
  for (const bool here : {true, rt.rank() == 0, rt.rank() == ranks - 1}) {
    const auto throws = odd_tile(ranks, [=]() -> Rank {
      if (here) throw std::runtime_error("the table has no such row");
      return 0;
    });
    EXPECT_THAT(refused_distribution(rt, throws),
                HasSubstr("distribution = odd: owner(2, 1): the table has no such row"));
    const auto throws_a_number = odd_tile(ranks, [=]() -> Rank {
      if (here) throw 5;
      return 0;
    });
    EXPECT_THAT(refused_distribution(rt, throws_a_number), HasSubstr("owner(2, 1): an unknown exception"));
  }
}

TEST(OwnDistribution, OwnersThatDifferBetweenRanksAreRefused) {
  Runtime rt = make_distributed_runtime();
  const Rank ranks = rt.num_ranks();
  if (ranks == 1) GTEST_SKIP() << "one rank cannot differ";
  const Rank mine = rt.rank() == ranks - 2 ? 1 : 0;
  const std::string message = refused_distribution(rt, odd_tile(ranks, [=] { return mine; }));
  EXPECT_THAT(message, HasSubstr("rank " + std::to_string(ranks - 2) + " has ("));
  EXPECT_THAT(message, HasSubstr("distribution = odd, hash of the ranks"));
  EXPECT_THAT(refused_distribution(rt, odd_tile(ranks, [&] { return rt.rank(); })),
              HasSubstr("rank 1 has ("));
}

/// Rank 0, until it is fitted: then the last rank.
class Fitted final : public Distribution {
 public:
  explicit Fitted(Rank ranks, bool throws = false) : ranks_(ranks), throws_(throws) {}
  Rank owner(Index, Index) const override { return tiles_ == 0 ? 0 : ranks_ - 1; }
  Rank num_ranks() const override { return ranks_; }
  DistributionPtr fitted(Index mt, Index nt) const override {
    if (throws_) throw std::runtime_error("does not fit");
    auto result = std::make_shared<Fitted>(ranks_);
    result->tiles_ = mt * nt;
    return result;
  }
  std::string name() const override { return "fitted"; }
  Index tiles() const { return tiles_; }

 private:
  Rank ranks_;
  bool throws_;
  Index tiles_ = 0;
};

TEST(OwnDistribution, IsFittedToTheMatrixWhenItIsMade) {
  Runtime rt = make_distributed_runtime();
  const auto check = [](Runtime& runtime, Rank ranks) {
    const TileMatrix<double> A(runtime, 10, 7, 3, std::make_shared<Fitted>(ranks));
    EXPECT_EQ(A.owner(0, 0), ranks - 1);
    EXPECT_EQ(dynamic_cast<const Fitted&>(A.distribution()).tiles(), 4 * 3);
  };
  check(rt, rt.num_ranks());
  Runtime recording({.backend = BackendKind::recording, .recorded_ranks = 5});
  check(recording, 5);
}

TEST(OwnDistribution, ThatCannotBeFittedOnOneRankIsRefusedOnAll) {
  Runtime rt = make_distributed_runtime();
  const bool here = rt.rank() == rt.num_ranks() - 1;
  EXPECT_THAT(refused_distribution(rt, std::make_shared<Fitted>(rt.num_ranks(), here)),
              HasSubstr("distribution = fitted: fitted: does not fit"));
}

/// A file that only some ranks can read is the same error on all, at once.
TEST(MakeDistribution, ATableThatOneRankCannotReadThrowsTheSameOnEveryRank) {
  Runtime rt;
  const std::string name = testing::TempDir() + "table_of_one_rank";
  const bool last = rt.rank() == rt.num_ranks() - 1;
  if (rt.rank() == 0) std::ofstream(name) << "0\n";
  (void)rt.all_gather(0);
  // One rank's working directory does not have the file.
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(last ? "/" : testing::TempDir());
  try {
    (void)make_distribution(rt, "table:table_of_one_rank");
    ADD_FAILURE() << "accepted";
  } catch (const ArgumentError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be opened (on rank"), std::string::npos) << error.what();
  }
  std::filesystem::current_path(here);
  (void)rt.all_gather(0);
  if (rt.rank() == 0) std::filesystem::remove(name);
  EXPECT_EQ(make_distribution(rt, "2dbc")->num_ranks(), rt.num_ranks());
  if (rt.num_ranks() > 1) {
    EXPECT_THROW((void)make_distribution(rt, rt.rank() == 0 ? "1d:rows" : "1d:columns"), ArgumentError);
  }
}

}  // namespace
}  // namespace tessera
