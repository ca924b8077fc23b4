// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/task_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <sstream>

#include "tessera/tessera.hpp"

namespace tessera::test {
namespace {

struct Touch {
  static constexpr std::string_view name = "touch";
  void cpu(Tile<double> /*a*/) const {}
};

RuntimeOptions recording(Rank ranks = 1) {
  RuntimeOptions options;
  options.backend = BackendKind::recording;
  options.recorded_ranks = ranks;
  return options;
}

TEST(TaskGraph, RecordsTheTasksFlopsAndCriticalPathOfCholesky) {
  for (const Index nt : {1, 2, 3, 7, 12}) {
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      Runtime rt(recording());
      const TileMatrix<double> A(rt, 10 * nt, 10 * nt, 10);
      EXPECT_TRUE(potrf(rt, uplo, A).ok());
      const TaskGraph& graph = rt.graph();
      EXPECT_EQ(std::ssize(graph.tasks()), nt * (nt + 1) * (nt + 2) / 6);
      EXPECT_EQ(graph.critical_path_tasks(), 3 * nt - 2);
      EXPECT_NEAR(graph.flops() / flops::potrf<double>(10 * nt), 1, 0.1);
    }
  }
}

TEST(TaskGraph, NeverTouchesMemory) {
  Runtime rt(recording(4));
  const TileMatrix<double> A(rt, 4000000, 4000000, 100000);  // 128 TB
  EXPECT_EQ(A.tile(0, 0).data, nullptr);
  EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  EXPECT_EQ(std::ssize(rt.graph().tasks()), 40 * 41 * 42 / 6);
}

/// Tiles that potrf sends under 2dbc (the header of BlockCyclic2D).
Index volume(Index n, Index p, Index q) {
  Index sum = 0;
  for (Index d = 1; d < n; ++d) sum += (n - d) * (std::min(p - 1, d) + std::min(q - 1, d));
  return sum;
}

TEST(TaskGraph, CholeskySendsWhatTheFormulaOfTheDistributionSays) {
  for (const auto& [p, q] : {std::pair<Rank, Rank>{1, 1}, {3, 1}, {2, 2}, {2, 3}, {3, 3}, {4, 5}}) {
    for (const Index n : {1, 2, 3, 5, 12, 24}) {
      Runtime rt(recording(p * q));
      const TileMatrix<double> A(rt, n, n, 1, std::make_shared<BlockCyclic2D>(p, q));
      EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
      EXPECT_EQ(rt.graph().tiles_sent(), volume(n, p, q)) << p << "x" << q << " n=" << n;
    }
  }
}

TEST(TaskGraph, CountsAgainWhatIsSentAgainAfterARelease) {
  Runtime rt(recording(2));
  const TileMatrix<double> A(rt, 2, 1, 1, std::make_shared<BlockCyclic2D>(2, 1));
  Sequence sequence(rt);
  lacpy(sequence, Uplo::General, A.sub(0, 0, 1, 1), A.sub(1, 0, 1, 1));
  EXPECT_EQ(rt.graph().tiles_sent(), 1);
  lacpy(sequence, Uplo::General, A.sub(0, 0, 1, 1), A.sub(1, 0, 1, 1));  // lacpy releases what it has read
  EXPECT_EQ(rt.graph().tiles_sent(), 2);
}

TEST(TaskGraph, AMatrixThatGoesBeforeTheWaitTakesItsTilesAlong) {
  Runtime rt(recording(2));
  const auto owner = std::make_shared<BlockCyclic2D>(1, 1);
  const TileMatrix<double> stays(rt, 1, 1, 1, owner);
  Sequence sequence(rt);
  {
    const TileMatrix<double> goes(rt, 1, 1, 1, owner);
    sequence.submit(Touch{}, {.executor = 1}, stays(0, 0));
    sequence.submit(Touch{}, {.executor = 1}, goes(0, 0));
  }
  EXPECT_EQ(rt.graph().tiles_sent(), 2);
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_EQ(rt.graph().tiles_sent(), 3) << "home, for the matrix that stays";
}

TEST(TaskGraph, SendsTheReferenceVolumeFor2x3RanksAnd12Tiles) {
  Runtime rt(recording(6));
  const TileMatrix<double> A(rt, 12, 12, 1, std::make_shared<BlockCyclic2D>(2, 3));
  EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  EXPECT_EQ(rt.graph().tiles_sent(), 187);
}

TEST(TaskGraph, ReadersOfATileDoNotWaitForEachOtherButItsNextWriterForAll) {
  Runtime rt(recording());
  const TileMatrix<double> A(rt, 30, 30, 10);
  EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  const auto& tasks = rt.graph().tasks();
  ASSERT_EQ(tasks[0].name, "dpotrf");
  ASSERT_EQ(tasks[1].name, "dtrsm");
  ASSERT_EQ(tasks[2].name, "dtrsm");
  EXPECT_EQ(tasks[1].predecessors, std::vector<std::size_t>{0});
  EXPECT_EQ(tasks[2].predecessors, std::vector<std::size_t>{0});
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    for (const std::size_t p : tasks[t].predecessors) EXPECT_LT(p, t);
  }
}

TEST(TaskGraph, CriticalTasksHaveTheHighestPriority) {
  Runtime rt(recording());
  const TileMatrix<double> A(rt, 80, 80, 10);
  EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  int panel = INT_MAX;
  for (const RecordedTask& task : rt.graph().tasks()) {
    if (task.name != "dpotrf") continue;
    EXPECT_LT(task.options.priority, panel) << "earlier panels first";
    panel = task.options.priority;
  }
  // At one step, the update of the column that is factored next goes before the others.
  for (const RecordedTask& task : rt.graph().tasks()) {
    for (const RecordedTask& other : rt.graph().tasks()) {
      const bool comparable =
          task.name == "dgemm" && other.name == "dgemm" && task.options.step == other.options.step;
      if (comparable && task.tiles.back().j < other.tiles.back().j) {
        EXPECT_GT(task.options.priority, other.options.priority);
      }
    }
  }
}

TEST(TaskGraph, WritesGraphvizText) {
  Runtime rt(recording());
  const TileMatrix<double> A(rt, 20, 20, 10);
  EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  std::ostringstream out;
  rt.graph().write_dot(out);
  EXPECT_NE(out.str().find("dpotrf\\n(0,0)"), std::string::npos);
  EXPECT_NE(out.str().find("t0 -> t1;"), std::string::npos);
  EXPECT_EQ(std::ranges::count(out.str(), '{'), std::ranges::count(out.str(), '}'));
}

TEST(TaskGraph, BelongsToRecordingRuntimesOnly) {
  RuntimeOptions options;
  options.backend = BackendKind::sequential;
  Runtime rt(options);
  EXPECT_THROW((void)rt.graph(), RuntimeError);
}

}  // namespace
}  // namespace tessera::test
