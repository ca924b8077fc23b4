// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <memory>
#include <string>

#include "tessera/distributions/single_owner.hpp"
#include "tessera/tessera.hpp"
#include "tests/support/elements.hpp"

// Partial sums of a tile that is not where the task runs: each counts once, whatever other sequences do, fail at, or
// wait for.

namespace tessera::test {
namespace {

/// C = x + beta C, in the whole tile or in a triangle.
template <Scalar T>
struct Add {
  static constexpr std::string_view name = "add";
  T x;
  Uplo part = Uplo::General;
  T beta = 1;
  Uplo written() const { return part; }
  void cpu(Tile<T> c) const {
    for (Index j = 0; j < c.cols; ++j) {
      for (Index i = 0; i < c.rows; ++i) {
        if (part == Uplo::General || (part == Uplo::Lower ? i >= j : i <= j))
          c(i, j) = beta == T{} ? x : x + beta * c(i, j);
      }
    }
  }
};

struct FailAt {
  static constexpr std::string_view name = "fail_at";
  Index index;
  Index cpu(Tile<double> /*a*/) const { return index; }
};

struct Throw {
  static constexpr std::string_view name = "throw";
  void cpu(Tile<double> /*a*/) const { throw std::runtime_error("the sky fell"); }
};

class MpiAccumulate : public testing::Test {
 protected:
  /// 2 x 2 elements in one tile on rank 0, of ones.
  template <Scalar T = double>
  TileMatrix<T> ones() {
    const TileMatrix<T> C(rt, 2, 2, 2, std::make_shared<SingleOwner>(0));
    set_directly(C, [](Index, Index) { return T{1}; });
    return C;
  }
  static testing::AssertionResult all(const TileMatrix<double>& C, double x) {
    return holds(C, [=](Index, Index) { return x; });
  }

  Runtime rt;
  Rank last = rt.num_ranks() - 1;  // the owner itself, of one rank
};

TEST_F(MpiAccumulate, SumsFromEveryRankCountOnceAndTheTileMayBeReadInBetween) {
  const auto C = ones(), copy = ones();
  Sequence sequence(rt);
  for (int repetition = 0; repetition < 3; ++repetition) {
    for (Rank r = 0; r <= last; ++r) sequence.accumulate(Add<double>{10}, {.executor = r}, C(0, 0));
    if (repetition == 1) lacpy(sequence, Uplo::General, C, copy);
  }
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_TRUE(all(copy, 1 + 20 * rt.num_ranks()));
  EXPECT_TRUE(all(C, 1 + 30 * rt.num_ranks()));
}

TEST_F(MpiAccumulate, TheFailureOfAnotherSequenceTakesNoSumAway) {
  const auto C = ones(), other = ones();
  Sequence good(rt), bad(rt);
  good.accumulate(Add<double>{10}, {.executor = last}, C(0, 0));
  bad.submit(FailAt{7}, {}, other(0, 0));
  EXPECT_EQ(bad.wait().index(), 7);  // which also adds up the sums that others have begun
  good.accumulate(Add<double>{100}, {.executor = last}, C(0, 0));
  EXPECT_TRUE(good.wait().ok());
  EXPECT_TRUE(all(C, 111));
}

TEST_F(MpiAccumulate, AFailureTakesTheLaterSumsOfItsSequenceAndLeavesTheEarlierOnes) {
  const auto C = ones();
  Sequence sequence(rt);
  sequence.accumulate(Add<double>{10}, {.executor = last}, C(0, 0));
  sequence.release(C(0, 0).argument());
  sequence.submit(FailAt{3}, {.executor = last}, C(0, 0));
  sequence.accumulate(Add<double>{100}, {.executor = last}, C(0, 0));
  EXPECT_EQ(sequence.wait().index(), 3);
  EXPECT_TRUE(all(C, 11));
  sequence.accumulate(Add<double>{1000}, {.executor = last}, C(0, 0));
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_TRUE(all(C, 1011));
}

TEST_F(MpiAccumulate, SumsOfTwoSequencesInOneTileKeepApartWhereOneOfThemFails) {
  const auto C = ones(), other = ones();
  Sequence good(rt), bad(rt);
  good.accumulate(Add<double>{10}, {.executor = last}, C(0, 0));
  bad.submit(Throw{}, {}, other(0, 0));
  bad.accumulate(Add<double>{100}, {.executor = last}, C(0, 0));
  good.accumulate(Add<double>{1000}, {.executor = last}, C(0, 0));
  EXPECT_THROW((void)bad.wait(), TaskError);
  EXPECT_TRUE(good.wait().ok());
  EXPECT_TRUE(all(C, 1011));
}

TEST_F(MpiAccumulate, SumsOfDifferentTrianglesEachLandInTheirOwn) {
  const auto C = ones();
  Sequence sequence(rt);
  for (const Uplo part : {Uplo::Lower, Uplo::Upper, Uplo::General, Uplo::Lower}) {
    sequence.accumulate(Add<double>{part == Uplo::Upper ? 100.0 : 10.0, part}, {.executor = last}, C(0, 0));
  }
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_TRUE(holds(C, [](Index i, Index j) { return i > j ? 31 : i < j ? 111 : 131; }));
}

TEST_F(MpiAccumulate, WrongArgumentsThrowOnEveryRankNameTheirValueAndLeaveTheSumsAlone) {
  const auto C = ones();
  Sequence sequence(rt);
  sequence.accumulate(Add<double>{10}, {.executor = last}, C(0, 0));
  const auto message = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const ArgumentError& e) {
      return e.what();
    }
    return "nothing was thrown";
  };
  const auto names = [&](const TaskOptions& options, const std::string& text) {
    EXPECT_NE(message([&] { sequence.accumulate(Add<double>{1}, options, C(0, 0)); }).find(text),
              std::string::npos);
    EXPECT_NE(message([&] { sequence.submit(Add<double>{1}, options, C(0, 0)); }).find(text),
              std::string::npos);
  };
  names({.executor = rt.num_ranks()}, "executor = " + std::to_string(rt.num_ranks()));
  names({.executor = -1}, "executor = -1");
  names({.step = -2}, "step = -2");
  detail::TaskArgument beyond = C(0, 0).argument();
  beyond.j = 1;
  EXPECT_NE(message([&] { sequence.release(beyond); }).find("(0, 1)"), std::string::npos);
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_TRUE(all(C, 11));
}

// Rank updates with beta = 1 have a diagonal to make real even where none of them writes the tile itself.
TEST_F(MpiAccumulate, HerkMakesADiagonalRealThatAnotherTaskHasTakenElsewhere) {
  using T = std::complex<double>;
  for (const bool rank_2k : {false, true}) {
    const auto A = ones<T>(), C = ones<T>();
    Sequence sequence(rt);
    sequence.submit(Add<T>{T{0, 5}}, {.executor = last}, C(0, 0));
    if (rank_2k) {
      her2k<T>(sequence, Uplo::Lower, 1, A, A, 1, C);
    } else {
      herk<T>(sequence, Uplo::Lower, 1, A, 1, C);
    }
    EXPECT_TRUE(sequence.wait().ok());
    EXPECT_TRUE(holds(C, [&](Index i, Index j) {
      const T update = rank_2k ? 4 : 2;
      return i == j ? T{1} + update : i > j ? T{1, 5} + update : T{1, 5};
    }));
  }
}

}  // namespace
}  // namespace tessera::test
