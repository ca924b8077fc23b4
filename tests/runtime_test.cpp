// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/runtime.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "tessera/distributions/single_owner.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/dense.hpp"

namespace tessera::test {
namespace {

/// Kernels of a user.
struct AddOne {
  static constexpr std::string_view name = "add_one";
  void cpu(Tile<double> a) const {
    for (Index j = 0; j < a.cols; ++j) {
      for (Index i = 0; i < a.rows; ++i) a(i, j) += 1;
    }
  }
};

struct Copy {
  static constexpr std::string_view name = "copy";
  void cpu(Tile<const double> a, OutTile<double> b) const { b(0, 0) = a(0, 0); }
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

struct Slow {
  static constexpr std::string_view name = "slow";
  std::atomic<int>* ended;
  void cpu(Tile<double> /*a*/) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++*ended;
  }
};

struct Holds {
  static constexpr std::string_view name = "holds";
  std::shared_ptr<int> held;
  void cpu(Tile<double> /*a*/) const {}
};

struct BlasThreads {
  static constexpr std::string_view name = "blas_threads";
  void cpu(OutTile<double> a) const { a(0, 0) = blas_threads(); }
};

class EveryBackend : public testing::TestWithParam<BackendKind> {
 protected:
  Runtime rt{[] {
    RuntimeOptions options;
    options.backend = GetParam();
    options.workers = 2;
    return options;
  }()};
};
INSTANTIATE_TEST_SUITE_P(Runtime, EveryBackend, testing::ValuesIn(computing_backends),
                         [](const auto& parameter) { return name_of(parameter.param); });

TEST_P(EveryBackend, TasksOnATileRunInTheOrderOfSubmission) {
  const TileMatrix<double> A(rt, 2, 1, 1);
  Sequence sequence(rt);
  for (int i = 0; i < 1000; ++i) {
    sequence.submit(AddOne{}, {}, A(0, 0));
    sequence.submit(Copy{}, {.priority = i % 7}, A(0, 0), A(1, 0));
  }
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_EQ(A.tile(0, 0)(0, 0), 1000);
  EXPECT_EQ(A.tile(1, 0)(0, 0), 1000);
}

TEST_P(EveryBackend, TheFirstFailureInTheOrderOfSubmissionIsTheStatusAndLaterTasksDoNothing) {
  const TileMatrix<double> A(rt, 1, 1, 1);
  Sequence sequence(rt);
  for (const Index index : {7, 3, 5}) sequence.submit(FailAt{index}, {}, A(0, 0));
  sequence.submit(AddOne{}, {}, A(0, 0));
  EXPECT_EQ(sequence.wait().index(), 7);
  EXPECT_EQ(A.tile(0, 0)(0, 0), 0);
  sequence.submit(AddOne{}, {}, A(0, 0));
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_EQ(A.tile(0, 0)(0, 0), 1);
}

TEST_P(EveryBackend, TheStatusIsThatOfTheFirstFailingCallWhateverRunsFirst) {
  for (int repetition = 0; repetition < 30; ++repetition) {
    const auto bad_at = [](Index p) {
      return [p](Index i, Index j) { return i == p && j == p ? 0.0 : minimum_entry<double>(i, j); };
    };
    const TileMatrix<double> A(rt, 40, 40, 8), B(rt, 40, 40, 8), C(rt, 40, 40, 8);
    fill(rt, A, bad_at(35));
    fill(rt, B, bad_at(2));
    Sequence sequence(rt);
    potrf(sequence, Uplo::Lower, A);
    lacpy(sequence, Uplo::Lower, A, C);
    trtri(sequence, Uplo::Lower, Diag::NonUnit, C);
    potrf(sequence, Uplo::Lower, B);
    EXPECT_EQ(sequence.wait().index(), 36);
  }
}

TEST_P(EveryBackend, AFailureStaysInItsSequence) {
  const TileMatrix<double> A(rt, 1, 1, 1), B(rt, 1, 1, 1);
  Sequence bad(rt), good(rt);
  bad.submit(FailAt{9}, {}, A(0, 0));
  good.submit(AddOne{}, {}, B(0, 0));
  EXPECT_TRUE(good.wait().ok());
  EXPECT_EQ(bad.wait().index(), 9);
  EXPECT_EQ(B.tile(0, 0)(0, 0), 1);
}

TEST_P(EveryBackend, ATaskThatThrowsIsReportedByWaitAndTheNextCallWorks) {
  const TileMatrix<double> A(rt, 1, 1, 1);
  Sequence sequence(rt);
  sequence.submit(Throw{}, {}, A(0, 0));
  sequence.submit(AddOne{}, {}, A(0, 0));
  try {
    (void)sequence.wait();
    ADD_FAILURE() << "the exception was lost";
  } catch (const TaskError& e) {
    EXPECT_STREQ(e.what(), "a task failed on rank 0: the sky fell");
  }
  EXPECT_EQ(A.tile(0, 0)(0, 0), 0);
  sequence.submit(AddOne{}, {}, A(0, 0));
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_EQ(A.tile(0, 0)(0, 0), 1);
}

TEST_P(EveryBackend, DestroyingAMatrixWaitsForItsTasks) {
  std::atomic<int> ended{0};
  Sequence sequence(rt);
  {
    const TileMatrix<double> A(rt, 4, 1, 1);
    for (Index i = 0; i < 4; ++i) sequence.submit(Slow{&ended}, {}, A(i, 0));
  }
  EXPECT_EQ(ended, 4);
  EXPECT_TRUE(sequence.wait().ok());
}

TEST_P(EveryBackend, WhatASequenceKeepsLivesUntilTheWaitAndScratchTilesHoldWhatTasksWrite) {
  Dense<double> a(1, 1), b(1, 1);
  a(0, 0) = 7;
  Sequence sequence(rt);
  std::weak_ptr<TileStorage> kept;
  {
    const auto A = TileMatrix<double>::wrap(rt, 1, 1, a.data(), 1, 1);
    const auto B = TileMatrix<double>::wrap(rt, 1, 1, b.data(), 1, 1);
    const auto between = TileMatrix<double>::scratch(A, Tiling(1, 1, 1, 1), A.storage()->distribution_ptr());
    for (const auto& matrix : {A, B, between}) sequence.keep(matrix.storage());
    kept = between.storage();
    for (int i = 0; i < 3; ++i) {  // released, it is written anew
      sequence.submit(Copy{}, {}, A(0, 0), between(0, 0));
      sequence.submit(AddOne{}, {}, between(0, 0));
      sequence.submit(Copy{}, {}, between(0, 0), B(0, 0));
      sequence.release(between(0, 0).argument());
    }
  }
  EXPECT_FALSE(kept.expired());
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_TRUE(kept.expired());
  EXPECT_EQ(b(0, 0), 8);
}

TEST(Runtime, ATaskRunsWhereItsOptionsSayAndWhatItWritesGoesHome) {
  RuntimeOptions options;
  options.backend = BackendKind::recording;
  options.recorded_ranks = 3;
  Runtime plan(options);
  const TileMatrix<double> A(plan, 1, 1, 1, std::make_shared<SingleOwner>(0));
  Sequence sequence(plan);
  sequence.submit(AddOne{}, {.executor = 2}, A(0, 0));
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_EQ(plan.graph().tasks()[0].executor, 2);
  EXPECT_EQ(plan.graph().loads()[0].traffic, (Traffic{1, 8, 1, 8}));
  EXPECT_EQ(plan.graph().loads()[2].traffic, (Traffic{1, 8, 1, 8}));
}

TEST_P(EveryBackend, TransposedTilesAreNotForKernels) {
  const TileMatrix<double> A(rt, 2, 2, 1);
  Sequence sequence(rt);
  EXPECT_THROW(sequence.submit(AddOne{}, {}, conj_trans(A)(0, 1)), ArgumentError);
  sequence.submit(AddOne{}, {}, conj_trans(A)(0, 1).stored());
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_EQ(A.tile(1, 0)(0, 0), 1);
}

TEST_P(EveryBackend, ATaskMayNotWriteATileThatItHasUnderAnotherName) {
  const TileMatrix<double> A(rt, 2, 1, 1);
  Sequence sequence(rt);
  EXPECT_THROW(sequence.submit(Copy{}, {}, A(0, 0), A(0, 0)), ArgumentError);
  EXPECT_THROW(sequence.submit(Copy{}, {}, A(0, 0), A(2, 0)), ArgumentError) << "beyond the matrix";
  sequence.submit(Copy{}, {}, A(0, 0), A(1, 0));
  EXPECT_TRUE(sequence.wait().ok());
}

TEST_P(EveryBackend, BlasHasOneThreadInsideTasksAndTheCallersCountAfterwards) {
  set_blas_threads(2);
  if (blas_threads() != 2)
    GTEST_SKIP() << "this BLAS does not let its threads be set; it runs with any other";
  const TileMatrix<double> A(rt, 1, 1, 1);
  Sequence sequence(rt);
  sequence.submit(BlasThreads{}, {}, A(0, 0));
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_EQ(A.tile(0, 0)(0, 0), 1);
  EXPECT_EQ(blas_threads(), 2);
}

TEST(Runtime, StartsAndStopsAgainAndAgain) {
  for (int i = 0; i < 20; ++i) {
    Runtime rt = make_runtime(BackendKind::starpu);
    EXPECT_EQ(rt.num_workers(), 2);
    EXPECT_EQ(rt.num_ranks(), 1);
    const TileMatrix<double> A(rt, 1, 1, 1);
    Sequence sequence(rt);
    sequence.submit(AddOne{}, {}, A(0, 0));
    EXPECT_TRUE(sequence.wait().ok());
    EXPECT_EQ(A.tile(0, 0)(0, 0), 1);
  }
}

TEST(Runtime, DescribesItsBackendAndItsLimits) {
  EXPECT_NE(make_runtime(BackendKind::starpu).description().find("StarPU 1."), std::string::npos);
  EXPECT_EQ(make_runtime(BackendKind::sequential).description(), "sequential");
}

TEST(Runtime, TwoThatLiveAtOnceShareASession) {
  auto first = std::make_optional<Runtime>();
  Runtime second;
  const TileMatrix<double> A(second, 1, 1, 1);
  EXPECT_EQ(first->num_workers(), second.num_workers());
  first.reset();
  Sequence sequence(second);
  sequence.submit(AddOne{}, {}, A(0, 0));
  EXPECT_TRUE(sequence.wait().ok());
  RuntimeOptions other;
  other.workers = second.num_workers() + 1;
  EXPECT_THROW(Runtime{other}, RuntimeError);
}

TEST(Runtime, AMatrixMayOutliveIt) {
  std::optional<TileMatrix<double>> A;
  {
    Runtime rt = make_runtime(BackendKind::starpu);
    A.emplace(rt, 10, 10, 3);
    Sequence sequence(rt);
    sequence.submit(AddOne{}, {}, (*A)(0, 0));
    EXPECT_TRUE(sequence.wait().ok());
  }
  EXPECT_EQ(A->tile(0, 0)(2, 2), 1);
  A.reset();
  EXPECT_EQ(make_runtime(BackendKind::starpu).num_workers(), 2);
}

TEST(Runtime, ASequenceMayOutliveIt) {
  auto rt = std::make_optional<Runtime>();
  const TileMatrix<double> A(*rt, 1, 1, 1);
  Sequence sequence(*rt);
  sequence.submit(AddOne{}, {}, A(0, 0));
  rt.reset();
  EXPECT_EQ(A.tile(0, 0)(0, 0), 1) << "the end of the Runtime waits for its tasks";
  EXPECT_THROW(sequence.submit(AddOne{}, {}, A(0, 0)), RuntimeError);
  EXPECT_THROW((void)sequence.runtime(), RuntimeError);
  EXPECT_TRUE(sequence.wait().ok());
}

TEST(Runtime, WhatAKernelHoldsIsGoneAfterTheWait) {
  Runtime rt = make_runtime(BackendKind::starpu);
  const TileMatrix<double> A(rt, 1, 1, 1);
  const auto held = std::make_shared<int>();
  for (int i = 0; i < 200; ++i) {
    Sequence sequence(rt);
    sequence.submit(Holds{held}, {}, A(0, 0));
    EXPECT_TRUE(sequence.wait().ok());
    ASSERT_EQ(held.use_count(), 1);
  }
}

TEST(Runtime, ThreadsMaySubmitToSequencesOfTheirOwnOnOneRank) {
  Runtime rt = make_runtime(BackendKind::starpu);
  const auto work = [&rt] {
    const TileMatrix<double> A(rt, 4, 1, 1);
    for (int round = 0; round < 20; ++round) {
      Sequence sequence(rt);
      for (int i = 0; i < 50; ++i) sequence.submit(AddOne{}, {}, A(i % 4, 0));
      EXPECT_TRUE(sequence.wait().ok());
    }
    EXPECT_EQ(A.tile(0, 0)(0, 0), 20 * 13);
    EXPECT_EQ(A.tile(3, 0)(0, 0), 20 * 12);
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
}

TEST(Runtime, RejectsOptionsThatMakeNoSense) {
  const auto rejected = [](const char* argument, auto set) {
    RuntimeOptions options;
    set(options);
    try {
      Runtime rt(options);
      ADD_FAILURE() << argument;
    } catch (const ArgumentError& e) {
      EXPECT_EQ(e.argument(), argument);
    }
  };
  rejected("workers", [](RuntimeOptions& o) { o.workers = -1; });
  rejected("window", [](RuntimeOptions& o) { o.window = 0; });
  rejected("scheduler", [](RuntimeOptions& o) { o.scheduler = "fastest"; });
  rejected("scheduler", [](RuntimeOptions& o) { o.scheduler = "heteroprio"; });
  rejected("scheduler", [](RuntimeOptions& o) { o.scheduler = "graph_test"; });
  rejected("recorded_ranks", [](RuntimeOptions& o) {
    o.backend = BackendKind::recording;
    o.recorded_ranks = 0;
  });
}

TEST(Runtime, ACommunicatorWithoutMpiIsAnError) {
  RuntimeOptions options;
  options.communicator = 0;
  EXPECT_THROW(Runtime{options}, RuntimeError);
}

TEST(Runtime, EnvironmentVariablesDoNotOverruleTheCaller) {
  setenv("STARPU_NCPU", "1", 1);
  setenv("STARPU_SCHED", "eager", 1);
  {
    RuntimeOptions options;
    options.workers = 2;
    options.scheduler = "prio";
    Runtime rt(options);
    EXPECT_EQ(rt.num_workers(), 2);
    EXPECT_EQ(rt.scheduler(), "prio");
  }
  {
    Runtime rt;  // left open: StarPU's own variables decide
    EXPECT_EQ(rt.num_workers(), 1);
    EXPECT_EQ(rt.scheduler(), "eager");
  }
  EXPECT_STREQ(std::getenv("STARPU_SCHED"), "eager");
  unsetenv("STARPU_NCPU");
  unsetenv("STARPU_SCHED");
}

TEST(Runtime, NonsenseInTheEnvironmentIsAnExceptionOrWithoutEffect) {
  setenv("STARPU_NCPU", "abc", 1);
  EXPECT_THROW(Runtime{}, RuntimeError);
  setenv("STARPU_RESERVE_NCPU", "1", 1);
  setenv("STARPU_DISABLE_KERNELS", "1", 1);
  setenv("STARPU_SCHED", "", 1);
  {
    Runtime rt = make_runtime(BackendKind::starpu);  // workers given: 2
    EXPECT_EQ(rt.num_workers(), 2);
    const TileMatrix<double> A(rt, 1, 1, 1);
    Sequence sequence(rt);
    sequence.submit(AddOne{}, {}, A(0, 0));
    EXPECT_TRUE(sequence.wait().ok());
    EXPECT_EQ(A.tile(0, 0)(0, 0), 1);
  }
  for (const char* name : {"STARPU_NCPU", "STARPU_RESERVE_NCPU", "STARPU_DISABLE_KERNELS", "STARPU_SCHED"}) {
    unsetenv(name);
  }
}

TEST(Runtime, NoWorkerIsAnExceptionAndTheProcessLives) {
  setenv("STARPU_NCPU", "0", 1);
  EXPECT_THROW(Runtime{}, RuntimeError);
  unsetenv("STARPU_NCPU");
  Runtime rt;
  EXPECT_GE(rt.num_workers(), 1);
}

TEST(Runtime, SaysInOneLineWhenStarpusBuildLimitsTheWorkers) {
  std::vector<std::string> lines;
  RuntimeOptions options;
  options.workers = 1000;
  options.warn = [&](std::string_view line) { lines.emplace_back(line); };
  Runtime rt(options);
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("CPU workers"), std::string::npos) << lines[0];
  EXPECT_EQ(lines[0].find('\n'), std::string::npos);
  EXPECT_LT(rt.num_workers(), 1000);
}

/// A home below a regular file cannot be made by anybody, root included.
TEST(Runtime, SurvivesAHomeThatCannotBeWrittenTo) {
  const std::string file = (std::filesystem::temp_directory_path() / "tessera-not-a-directory").string();
  std::ofstream(file) << "x";
  const char* before = std::getenv("STARPU_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("STARPU_HOME", (file + "/home").c_str(), 1);
  std::vector<std::string> lines;
  {
    RuntimeOptions options;
    options.workers = 2;
    options.warn = [&](std::string_view line) { lines.emplace_back(line); };
    Runtime rt(options);
    const TileMatrix<double> A(rt, 1, 1, 1);
    Sequence sequence(rt);
    sequence.submit(AddOne{}, {}, A(0, 0));
    EXPECT_TRUE(sequence.wait().ok());
  }
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find("cannot be written"), std::string::npos);
  if (before == nullptr) {
    unsetenv("STARPU_HOME");
  } else {
    setenv("STARPU_HOME", kept.c_str(), 1);
  }
}

double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(Runtime, BurnsNoCoreBetweenCalls) {
  Runtime rt = make_runtime(BackendKind::starpu);
  const TileMatrix<double> A(rt, 1, 1, 1);
  Sequence sequence(rt);
  sequence.submit(AddOne{}, {}, A(0, 0));
  EXPECT_TRUE(sequence.wait().ok());
  const double before = cpu_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(cpu_seconds() - before, 0.1) << "CPU seconds in 0.5 s of rest; a spinning worker takes 0.5";
}

long peak_rss_kb() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(Runtime, ManyPendingTasksAreBoundedByTheWindow) {
  RuntimeOptions options;
  options.workers = 2;
  options.window = 1000;
  Runtime rt(options);
  const TileMatrix<double> A(rt, 1, 1, 1);
  const long before = peak_rss_kb();
  Sequence sequence(rt);
  for (int i = 0; i < 200000; ++i) sequence.submit(AddOne{}, {}, A(0, 0));
  EXPECT_TRUE(sequence.wait().ok());
  EXPECT_EQ(A.tile(0, 0)(0, 0), 200000);
  EXPECT_LT(peak_rss_kb() - before, 30000) << "kB; unbounded it takes about 400 MB";
}

TEST(Runtime, ATinyWindowGivesTheSameResult) {
  RuntimeOptions options;
  options.workers = 2;
  options.window = 2;
  Runtime rt(options);
  auto a = Dense<double>(64, 64).set([](Index i, Index j) { return minimum_entry<double>(i, j); });
  EXPECT_TRUE(potrf(rt, Uplo::Lower, TileMatrix<double>::wrap(rt, 64, 64, a.data(), 64, 4)).ok());
  for (Index j = 0; j < 64; ++j) {
    for (Index i = j; i < 64; ++i) ASSERT_EQ(a(i, j), 1);
  }
}

long current_rss_kb() {
  std::ifstream statm("/proc/self/statm");
  long size = 0, resident = 0;
  statm >> size >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

TEST(Runtime, FiveThousandCallsLeaveNothingBehind) {
  Runtime rt = make_runtime(BackendKind::starpu);
  const auto call = [&] {
    auto a = Dense<double>(8, 8).set([](Index i, Index j) { return minimum_entry<double>(i, j); });
    EXPECT_TRUE(potrf(rt, Uplo::Lower, TileMatrix<double>::wrap(rt, 8, 8, a.data(), 8, 4)).ok());
    EXPECT_EQ(a(7, 0), 1);
  };
  for (int i = 0; i < 500; ++i) call();
  const long before = current_rss_kb();
  for (int i = 0; i < 5000; ++i) call();
  EXPECT_LT(current_rss_kb() - before, 5000);
}

TEST(Runtime, ConcurrentKernelsOfManyTilesAreExact) {
  Runtime rt = make_runtime(BackendKind::starpu);
  for (int repetition = 0; repetition < 10; ++repetition) {
    auto a = Dense<double>(512, 512).set([](Index i, Index j) { return minimum_entry<double>(i, j); });
    EXPECT_TRUE(potrf(rt, Uplo::Lower, TileMatrix<double>::wrap(rt, 512, 512, a.data(), 512, 64)).ok());
    for (Index j = 0; j < 512; ++j) {
      for (Index i = j; i < 512; ++i) ASSERT_EQ(a(i, j), 1);
    }
  }
}

TEST(Runtime, TheChildOfAForkCanUseTheBlas) {
  {
    Runtime rt = make_runtime(BackendKind::starpu);
    auto a = Dense<double>(200, 200).set([](Index i, Index j) { return minimum_entry<double>(i, j); });
    EXPECT_TRUE(potrf(rt, Uplo::Lower, TileMatrix<double>::wrap(rt, 200, 200, a.data(), 200, 50)).ok());
  }
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // a hang ends by signal
    RuntimeOptions options;
    options.backend = BackendKind::sequential;
    Runtime rt(options);
    auto a = Dense<double>(200, 200).set([](Index i, Index j) { return minimum_entry<double>(i, j); });
    const bool ok = potrf(rt, Uplo::Lower, TileMatrix<double>::wrap(rt, 200, 200, a.data(), 200, 50)).ok();
    _exit(ok && a(199, 0) == 1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace tessera::test
