// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>

#include "tests/support/backends.hpp"
#include "tests/support/dense.hpp"

namespace tessera::test {
namespace {

TEST(Tiling, CutsEveryExtentIntoTilesOfWhichOnlyTheLastIsSmaller) {
  for (const Index m : {0, 1, 3, 4, 5, 12, 13}) {
    for (const Index mb : {1, 3, 4, 20}) {
      const Tiling t(m, 7, mb, 2);
      Index sum = 0;
      for (Index i = 0; i < t.mt(); ++i) {
        EXPECT_EQ(t.first_row(i), sum);
        EXPECT_GE(t.rows(i), 1);
        EXPECT_LE(t.rows(i), mb);
        EXPECT_TRUE(t.rows(i) == mb || i + 1 == t.mt());
        sum += t.rows(i);
      }
      EXPECT_EQ(sum, m);
      EXPECT_EQ(t.nt(), 4);
      EXPECT_EQ(t.cols(3), 1);
    }
  }
}

TEST(Tiling, CountsIn64Bits) {
  const Tiling t(50000, 50000, 500, 500);
  EXPECT_EQ(t.mt() * t.nt(), 10000);
  EXPECT_EQ(t.first_row(99) + 499 + (t.first_col(99) + 499) * t.m(), 2499999999);
  const Tiling huge(Index{1} << 40, 3, Index{1} << 33, 3);
  EXPECT_EQ(huge.mt(), 128);
  EXPECT_EQ(huge.first_row(127) + huge.rows(127), Index{1} << 40);
  EXPECT_EQ(Tiling(Index{1} << 62, 1, Index{1} << 61, 1).mt(), 2);
}

TEST(Tiling, RejectsSizesOutOfRangeByNameAndValue) {
  const auto rejected = [](const char* argument, Index value, auto... sizes) {
    try {
      Tiling t(sizes...);
      ADD_FAILURE() << argument << " accepted";
    } catch (const ArgumentError& e) {
      EXPECT_EQ(e.argument(), argument);
      EXPECT_EQ(e.value(), std::to_string(value));
    }
  };
  rejected("m", -1, -1, 3, 2, 2);
  rejected("n", -7, 3, -7, 2, 2);
  rejected("mb", 0, 3, 3, 0, 2);
  rejected("nb", -2, 3, 3, 2, -2);
}

TEST(Op, ComposesLikeTransposes) {
  using enum Op;
  for (const bool complex : {false, true}) {
    EXPECT_EQ(compose(no_trans, conj_trans, complex), conj_trans);
    EXPECT_EQ(compose(conj_trans, no_trans, complex), conj_trans);
    EXPECT_EQ(compose(conj_trans, conj_trans, complex), no_trans);
    EXPECT_EQ(compose(trans, trans, complex), no_trans);
  }
  EXPECT_EQ(compose(trans, no_trans, false), conj_trans);  // real: one kind of transpose
  EXPECT_EQ(compose(trans, conj_trans, false), no_trans);
  EXPECT_THROW(compose(trans, conj_trans, true), ArgumentError);
}

template <class T>
class Matrix : public testing::Test {};
TYPED_TEST_SUITE(Matrix, Scalars);

TYPED_TEST(Matrix, TilesAreAlignedContiguousAndZero) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::starpu);
  const TileMatrix<T> A(rt, 13, 10, 5, 3, {});
  for (Index j = 0; j < A.nt(); ++j) {
    for (Index i = 0; i < A.mt(); ++i) {
      const Tile<T> tile = A.tile(i, j);
      ASSERT_NE(tile.data, nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tile.data) % 64, 0U);
      EXPECT_EQ(tile.ld, tile.rows);
      for (Index c = 0; c < tile.cols; ++c) {
        for (Index r = 0; r < tile.rows; ++r) {
          EXPECT_EQ(tile(r, c), T{});
          tile(r, c) = T(static_cast<real_t<T>>(100 * i + j));
        }
      }
    }
  }
  for (Index j = 0; j < A.nt(); ++j) {  // no two tiles overlap
    for (Index i = 0; i < A.mt(); ++i) {
      const Tile<T> tile = A.tile(i, j);
      EXPECT_EQ(tile(0, 0), T(static_cast<real_t<T>>(100 * i + j)));
      EXPECT_EQ(tile(tile.rows - 1, tile.cols - 1), T(static_cast<real_t<T>>(100 * i + j)));
    }
  }
}

TYPED_TEST(Matrix, WrappedTilesAreTheCallersMemory) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential);
  Dense<T> a(7, 5, 2);
  const auto A = TileMatrix<T>::wrap(rt, 7, 5, a.data(), a.ld(), 3);
  EXPECT_EQ(A.tile(1, 1).data, &a(3, 3));
  EXPECT_EQ(A.tile(2, 1).rows, 1);
  EXPECT_EQ(A.tile(2, 1).ld, 9);
}

TYPED_TEST(Matrix, ViewsNameTheSameTiles) {
  using T = TypeParam;
  Runtime rt = make_runtime(BackendKind::sequential);
  Dense<T> a(7, 10);
  const auto A = TileMatrix<T>::wrap(rt, 7, 10, a.data(), a.ld(), 3);
  const auto S = A.sub(1, 2, 2, 2);
  EXPECT_EQ(S.m(), 4);
  EXPECT_EQ(S.n(), 4);
  EXPECT_EQ(S.tile(0, 1).data, A.tile(1, 3).data);
  const auto H = conj_trans(A);
  EXPECT_EQ(H.m(), 10);
  EXPECT_EQ(H.mt(), 4);
  EXPECT_EQ(H.tile(3, 1).data, A.tile(1, 3).data);
  const auto SH = H.sub(2, 1, 2, 2);  // the transpose of S
  EXPECT_EQ(SH.tile(1, 0).data, S.tile(0, 1).data);
  EXPECT_EQ(conj_trans(SH).tile(0, 1).data, S.tile(0, 1).data);
  EXPECT_EQ(conj_trans(SH).op(), Op::no_trans);
  EXPECT_EQ(A.sub(3, 0, 0, 4).mt(), 0);
  EXPECT_THROW((void)A.sub(1, 0, 3, 1), ArgumentError);
  EXPECT_THROW((void)A.sub(-1, 0, 1, 1), ArgumentError);
}

TEST(Matrix, ATileOfMoreThan2GiBHasItsShapeIn64Bits) {
  RuntimeOptions options;
  options.backend = BackendKind::recording;
  Runtime rt(options);
  const TileMatrix<double> A(rt, 40000, 40000, 20000);
  const Tile<double> tile = A.tile(1, 1);
  EXPECT_EQ(tile.rows * tile.cols * static_cast<Index>(sizeof(double)), 3200000000);
}

/// 20 GB of which only the pages of the last tile are ever touched.
TEST(Matrix, ElementsBeyond2To31AreFoundInTheCallersBuffer) {
  constexpr Index n = 50000, nb = 500;
  constexpr std::size_t bytes = std::size_t{n} * n * sizeof(double);
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    GTEST_SKIP() << "this system does not lend 20 GB of addresses; any 64-bit desktop does";
  {
    Runtime rt = make_runtime(BackendKind::starpu);
    auto* a = static_cast<double*>(memory);
    const auto last = TileMatrix<double>::wrap(rt, n, n, a, n, nb).sub(99, 99, 1, 1);
    fill(rt, last, minimum_entry<double>);
    EXPECT_EQ(a[2499999999], 500);  // element (49999, 49999)
    EXPECT_TRUE(potrf(rt, Uplo::Lower, last).ok());
    EXPECT_EQ(a[2499999999], 1);
    EXPECT_EQ(lange(rt, Norm::max, last), 499) << "the upper triangle is as it was";
  }
  munmap(memory, bytes);
}

TEST(Matrix, SizesBeyondAnyMemoryAreRefused) {
  Runtime rt = make_runtime(BackendKind::sequential);
  const Index large = Index{1} << 31;
  const auto refused = [&](Index m, Index n, Index nb) {
    EXPECT_THROW(TileMatrix<double>(rt, m, n, nb), ArgumentError);
  };
  refused(large, large, large / 2);
  refused(2 * large, 2 * large, large - 1);
  refused(Index{1} << 40, Index{1} << 40, 1);
  refused(INT64_MAX, INT64_MAX, 1);
  refused(INT64_MAX, 0, 0);
  refused(Index{1} << 30, Index{1} << 25, 1 << 20);  // 2^58 bytes: no system maps them
}

TEST(Matrix, DefaultTilesOfConformingOperandsConform) {
  Runtime rt = make_runtime(BackendKind::starpu);
  for (const Index n : {1, 100, 300, 1000, 3587, 8000, 20000}) {
    const Index nb = default_tile_size(rt, n);
    EXPECT_GE(nb, 1);
    EXPECT_LE(nb, 800);
    const Index tiles = (n + nb - 1) / nb;
    EXPECT_GT(n - (tiles - 1) * nb, nb / 2) << "a sliver of a last tile: n=" << n << " nb=" << nb;
  }
}

}  // namespace
}  // namespace tessera::test
