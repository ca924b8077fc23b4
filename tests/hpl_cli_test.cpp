// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/program.hpp"

// The program TESSERA_HPL as a user sees it.

namespace tessera::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

class HplProgram : public ProgramTest {
 protected:
  HplProgram() : ProgramTest(TESSERA_HPL) {}

  /// Starts the program on several ranks of this machine. Without LeakSanitizer, where it is compiled in: Open MPI's
  /// plugins leak a little and are unloaded before the check, so that no suppression can name them.
  static std::string on_ranks(int ranks) {
    return "ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
           "OPENBLAS_NUM_THREADS=1 "
           "STARPU_WORKERS_NOBIND=1 "
           "STARPU_MPI_NOBIND=1 mpirun -n " +
           std::to_string(ranks) + " --oversubscribe --bind-to none --mca mpi_yield_when_idle 1";
  }

  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(HplProgram, PrintsHplsLinesForEachCombinationAndPasses) {
  for (const auto& [pivoting, letter] : {std::pair{"partial", "P"}, {"tournament", "T"}}) {
    const Result r = run(std::string("--n 200,301 --nb 32,48 --pivoting ") + pivoting);
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(
        count(r.out, "T/V                N    NB     P     Q               Time                 Gflops"), 4U);
    EXPECT_EQ(count(r.out, "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)="), 4U);
    EXPECT_EQ(count(r.out, "PASSED"), 4U);
    EXPECT_THAT(r.out, AllOf(ContainsRegex(std::string("WR") + letter +
                                           " +301 +48 +1 +1 +[0-9.]+ +[0-9.]+e[+-][0-9]+"),
                             HasSubstr("4 tests completed and passed residual checks")));
  }
}

#if TESSERA_HAVE_MPI
TEST_F(HplProgram, PassesOnGridsAndOtherDistributions) {
  struct Case {
    int ranks;
    const char *arguments, *grid;
  };
  for (const auto& [ranks, arguments, grid] : {Case{4, "--p 2 --q 2", " 2 +2 "},
                                               {6, "--p 2 --q 3", " 2 +3 "},
                                               {4, "", " 2 +2 "},
                                               {3, "--dist 2dbc:p=3,q=1", " 3 +1 "},
                                               {5, "--dist g2dbc --pivoting tournament", " - +- "}}) {
    const Result r = run(std::string("--n 250 --nb 32 ") + arguments, on_ranks(ranks));
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(ContainsRegex(std::string("WR. +250 +32 +") + grid), HasSubstr("PASSED")));
  }
}

#endif

TEST_F(HplProgram, SaysThatOtherPivotingIsNotByHplsRules) {
  const char* const note = "not by HPL's rules";
  EXPECT_THAT(run("--n 64 --nb 32 --pivoting tournament").out, HasSubstr(note));
  EXPECT_THAT(run("--n 64 --nb 32 --pivoting none").out, HasSubstr(note));
  EXPECT_THAT(run("--n 64 --nb 32").out, testing::Not(HasSubstr(note)));
  EXPECT_THAT(run("--help").out, HasSubstr("no HPL results"));
}

TEST_F(HplProgram, ASystemBeyondTheMachinesMemoryIsRefusedWithBothNumbers) {
  const Result r = run("--n 64,10000000 --nb 32");
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(
      r.err,
      ContainsRegex("order 10000000 needs 800000.0 GB of memory, of which [0-9]+\\.[0-9] are available"));
  EXPECT_THAT(r.out, testing::Not(HasSubstr("T/V")));
}

TEST_F(HplProgram, AResidualBeyondTheThresholdFailsAndIsExitStatusOne) {
  const Result r = run("--n 100 --nb 32 --threshold 0");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.out, AllOf(HasSubstr("FAILED"), HasSubstr("1 tests completed and failed residual checks")));
}

TEST_F(HplProgram, WrongUsageNamesTheArgumentAndIsExitStatusTwo) {
  for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
           {"--n x", "--n"},
           {"--n 0", "--n: 0 must be positive"},
           {"--nb 0", "--nb: 0 must be positive"},
           {"--threshold nan", "--threshold"},
           {"--threshold inf", "--threshold"},
           {"--threshold -1", "--threshold"},
           {"--seed -1", "--seed"},
           {"--seed 1.5", "--seed"},
           {"--p 2", "--q"},
           {"--p 2 --q 1", "p*q = 2 is not the number of ranks, 1"},
           {"--p 1 --q 1 --dist 2dbc", "--dist"},
           {"--pivoting some", "--pivoting"},
           {"--dist nosuch", "nosuch"}}) {
    SCOPED_TRACE(arguments);
    const Result r = run(arguments);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr(message));
    EXPECT_THAT(r.out, testing::Not(HasSubstr("PASSED")));
  }
}

TEST_F(HplProgram, HelpAndVersionSucceed) {
  EXPECT_THAT(run("--help").out, AllOf(HasSubstr("--pivoting"), HasSubstr("HPL")));
  EXPECT_EQ(run("--version").status, 0);
}

}  // namespace
}  // namespace tessera::test
