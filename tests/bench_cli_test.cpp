// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/bench/operations/product_residual.hpp"
#include "benchmarks/bench/parse.hpp"
#include "benchmarks/bench/record.hpp"
#include "tessera/algorithms/check.hpp"
#include "tests/support/program.hpp"

// The program TESSERA_BENCH as a user sees it, and the parts of it that need no process.

namespace tessera::bench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class BenchProgram : public test::ProgramTest {
 protected:
  BenchProgram() : ProgramTest(TESSERA_BENCH) {}
};

const std::vector<std::string> keys = {"op",
                                       "type",
                                       "uplo",
                                       "m",
                                       "n",
                                       "k",
                                       "nb",
                                       "alg",
                                       "pivoting",
                                       "dist",
                                       "dist_b",
                                       "backend",
                                       "ranks",
                                       "workers",
                                       "gpus",
                                       "scheduler",
                                       "seed",
                                       "repetition",
                                       "submit_s",
                                       "time_s",
                                       "gflops",
                                       "residual",
                                       "threshold",
                                       "info",
                                       "status",
                                       "comm_tiles",
                                       "comm_bytes",
                                       "comm_max_rank_bytes",
                                       "comm_transport_bytes",
                                       "comm_rank_bytes",
                                       "peak_rss_bytes",
                                       "vendor_time_s",
                                       "vendor_gflops",
                                       "gemm_gflops_per_core",
                                       "peak_share"};

std::vector<std::string> keys_of(const nlohmann::ordered_json& record) {
  std::vector<std::string> result;
  for (const auto& [key, value] : record.items()) result.push_back(key);
  return result;
}

// ---- Lists ---------------------------------------------------------------------------------------------------

TEST(BenchLists, HoldValuesAndRangesInTheOrderGiven) {
  EXPECT_THAT(parse_sizes("--n", "1000"), ElementsAre(1000));
  EXPECT_THAT(parse_sizes("--n", "8000,1,0"), ElementsAre(8000, 1, 0));
  EXPECT_THAT(parse_sizes("--n", "100:300:100"), ElementsAre(100, 200, 300));
  EXPECT_THAT(parse_sizes("--n", "100:399:100"), ElementsAre(100, 200, 300));
  EXPECT_THAT(parse_sizes("--n", "5:5:1"), ElementsAre(5));
  EXPECT_THAT(parse_sizes("--n", "7,10:20:5,3"), ElementsAre(7, 10, 15, 20, 3));
  EXPECT_THAT(parse_sizes("--n", "9223372036854775807"), ElementsAre(9223372036854775807));
  EXPECT_THAT(parse_sizes("--n", "9223372036854775806:9223372036854775807:1"),
              ElementsAre(9223372036854775806, 9223372036854775807));
}

TEST(BenchLists, NameTheOptionAndTheItemThatIsWrong) {
  for (const std::string text : {"", ",", "1,,2", "x", "1x", "1.5", " 1", "-1", "1:2", "1:2:3:4", "5:4:1",
                                 "1:2:0", "1:2:-1", "::", "9223372036854775808", "0:9223372036854775807:1"}) {
    SCOPED_TRACE(text);
    try {
      parse_sizes("--size", "1," + text);
      ADD_FAILURE() << "accepted";
    } catch (const UsageError& e) {
      EXPECT_THAT(e.what(), HasSubstr("--size: '"));
      EXPECT_THAT(e.what(), HasSubstr(text));
    }
  }
}

// ---- Records -------------------------------------------------------------------------------------------------

TEST(BenchRecord, StatusIsFailForNaNAndForInfoAndPassForZero) {
  Record r;
  r.threshold = 30;
  EXPECT_STREQ(r.status(), "UNCHECKED");
  r.residual = 29.9;
  EXPECT_STREQ(r.status(), "PASS");
  r.residual = 30.0;
  EXPECT_STREQ(r.status(), "FAIL");
  r.residual = std::numeric_limits<double>::quiet_NaN();
  EXPECT_STREQ(r.status(), "FAIL");
  EXPECT_TRUE(to_json(r)["residual"].is_null());
  r.residual = std::numeric_limits<double>::infinity();
  EXPECT_STREQ(r.status(), "FAIL");
  r.residual = 0.0;
  r.threshold = 0;
  EXPECT_STREQ(r.status(), "PASS");
  r.info = 3;
  EXPECT_STREQ(r.status(), "FAIL");
}

TEST(BenchRecord, RatesAreFlopsPerNanosecond) {
  Record r;
  r.flops = 6e9;
  r.time_s = 2;
  r.workers = 3;
  r.ranks = 2;
  EXPECT_EQ(r.gflops(), 3.0);
  EXPECT_FALSE(r.vendor_gflops().has_value());
  EXPECT_FALSE(r.peak_share().has_value());
  r.vendor_time_s = 4;
  r.gemm_gflops_per_core = 1;
  EXPECT_EQ(*r.vendor_gflops(), 1.5);
  EXPECT_EQ(*r.peak_share(), 0.5);
}

// ---- Residuals of products ---------------------------------------------------------------------------------------

/// C = 2 A B - C0 of order 40, and its residual after element (7, 3) has been changed by `error`.
double product_residual_with(double error) {
  RuntimeOptions options;
  options.backend = BackendKind::sequential;
  Runtime runtime(options);
  const auto filled = [&](std::uint64_t seed) {
    const TileMatrix<double> X(runtime, 40, 40, 16);
    fill(runtime, X, generate::uniform<double>(seed));
    return X;
  };
  const auto A = filled(1), B = filled(2), C0 = filled(3), C = filled(3);
  gemm<double>(runtime, 2, A, B, -1, C);
  C.tile(0, 0)(7, 3) += error;
  ProductResidual<double> residual(runtime, 40, 16, 40, 16, 1);
  residual.subtract(C);
  residual.add(2, A, B);
  residual.add(-1, C0);
  return residual.value();
}

TEST(ProductResidual, IsBelowOneForAResultAndFarAboveTheThresholdForOneWrongElement) {
  EXPECT_GT(product_residual_with(0), 0);
  EXPECT_LT(product_residual_with(0), 1);
  EXPECT_GT(product_residual_with(1e-10), residual_threshold);
  EXPECT_TRUE(std::isnan(product_residual_with(std::numeric_limits<double>::quiet_NaN())));
}

TEST(ProductResidual, IsTheInverseOfEpsWhereNothingShouldBeAndZeroWhereNothingIs) {
  RuntimeOptions options;
  options.backend = BackendKind::sequential;
  Runtime runtime(options);
  const TileMatrix<double> C(runtime, 3, 2, 2);
  ProductResidual<double> zero(runtime, 3, 2, 2, 2, 1);
  zero.subtract(C);
  EXPECT_EQ(zero.value(), 0);
  fill(runtime, C, generate::constant(1.0));
  ProductResidual<double> one(runtime, 3, 2, 2, 2, 1);
  one.subtract(C);
  one.subtract(C);
  EXPECT_EQ(one.value(), 0x1p53);
}

// ---- The program ---------------------------------------------------------------------------------------------

TEST_F(BenchProgram, WritesOneJsonRecordPerRepetitionAndNothingElseToStandardOutput) {
  const Result r =
      run("potrf --n 60,70 --nb 16 --type s,z --repeat 2 --check --vendor --peak --json - --workers 2");
  ASSERT_EQ(r.status, 0) << r.err;
  const auto records = nlohmann::ordered_json::parse(r.out);
  ASSERT_EQ(records.size(), 8u);
  for (const auto& record : records) {
    EXPECT_EQ(keys_of(record), keys);
    EXPECT_EQ(record["op"], "potrf");
    EXPECT_EQ(record["m"], record["n"]);
    EXPECT_TRUE(record["k"].is_null());
    EXPECT_EQ(record["nb"], 16);
    EXPECT_EQ(record["dist"], "2dbc:p=1,q=1");
    EXPECT_EQ(record["ranks"], 1);
    EXPECT_EQ(record["workers"], 2);
    EXPECT_EQ(record["info"], 0);
    EXPECT_EQ(record["status"], "PASS");
    EXPECT_LT(record["residual"], record["threshold"]);
    EXPECT_LE(record["submit_s"], record["time_s"]);
    for (const char* positive : {"time_s", "gflops", "vendor_time_s", "vendor_gflops", "gemm_gflops_per_core",
                                 "peak_share", "peak_rss_bytes"}) {
      EXPECT_GT(record[positive], 0) << positive;
    }
  }
  EXPECT_EQ(records[0]["type"], "s");
  EXPECT_EQ(records[7]["type"], "z");
  EXPECT_EQ(records[7]["n"], 70);
  EXPECT_EQ(records[7]["repetition"], 2);
}

TEST_F(BenchProgram, EveryOperationPassesItsCheckForAllTypesTrianglesAndSmallSizes) {
  for (const char* operation : {"potrf", "posv", "potri"}) {
    for (const char* uplo : {"L", "U"}) {
      const Result r =
          run(std::string(operation) + " --uplo " + uplo +
              " --n 0,1,15,16,48,50 --nb 16 --nrhs 5 --type s,d,c,z --check --backend sequential --json -");
      ASSERT_EQ(r.status, 0) << r.out << r.err;
      const auto records = nlohmann::json::parse(r.out);
      ASSERT_EQ(records.size(), 24u);
      for (const auto& record : records) {
        EXPECT_EQ(record["status"], "PASS") << record;
        EXPECT_EQ(record["uplo"], uplo);
        EXPECT_TRUE(record["vendor_gflops"].is_null());
      }
      EXPECT_EQ(records[0]["k"], std::string(operation) == "posv" ? nlohmann::json(5) : nlohmann::json());
    }
  }
}

struct Product {
  const char *operation, *options;
  nlohmann::json m, n, k;  ///< of the record, for --m 33 --n 20 --k 17
};

TEST_F(BenchProgram, ProductsAndTriangularSolvesPassTheirChecksForAllTypesAndReportTheirShape) {
  const nlohmann::json none;
  for (const Product& product :
       {Product{"gemm", "--op-a N --op-b T --alg c", 33, 20, 17},
        Product{"gemm", "--op-a C --op-b N --alg b", 33, 20, 17},
        Product{"symm", "--side L --uplo L --alg a", 33, 20, none},
        Product{"symm", "--side R --uplo U --alg b", 33, 20, none},
        Product{"hemm", "--side L --uplo U --alg c", 33, 20, none},
        Product{"hemm", "--side R --uplo L", 33, 20, none}, Product{"syrk", "--uplo L", 20, 20, 17},
        Product{"syrk", "--uplo U --op-a T", 20, 20, 17}, Product{"herk", "--uplo U", 20, 20, 17},
        Product{"herk", "--uplo L --op-a C", 20, 20, 17}, Product{"syr2k", "--uplo L --op-a T", 20, 20, 17},
        Product{"her2k", "--uplo U --op-a C", 20, 20, 17},
        Product{"trmm", "--side L --uplo L --op-a C", 33, 20, none},
        Product{"trmm", "--side R --uplo U --diag U", 33, 20, none},
        Product{"trsm", "--side L --uplo U --op-a T --diag U", 33, 20, none},
        Product{"trsm", "--side R --uplo L", 33, 20, none}}) {
    SCOPED_TRACE(std::string(product.operation) + " " + product.options);
    const Result r = run(std::string(product.operation) + " " + product.options +
                         " --m 33 --n 20 --k 17 --nb 8 --type s,d,c,z --check --vendor --backend sequential "
                         "--json -");
    ASSERT_EQ(r.status, 0) << r.out << r.err;
    const auto records = nlohmann::ordered_json::parse(r.out);
    ASSERT_EQ(records.size(), 4u);
    for (const auto& record : records) {
      EXPECT_EQ(keys_of(record), keys);
      EXPECT_EQ(record["status"], "PASS") << record;
      EXPECT_LT(record["residual"], 1) << record;
      EXPECT_EQ(record["m"], product.m);
      EXPECT_EQ(record["n"], product.n);
      EXPECT_EQ(record["k"], product.k);
      EXPECT_GT(record["vendor_gflops"], 0);
    }
  }
}

TEST_F(BenchProgram, LuPassesItsChecksForAllTypesPivotingsAndShapes) {
  for (const char* operation : {"getrf", "getrf_nopiv", "getrs --op-a C", "gesv", "getri"}) {
    for (const char* pivoting : {"partial", "tournament", "none"}) {
      SCOPED_TRACE(std::string(operation) + " " + pivoting);
      const Result r = run(std::string(operation) + " --pivoting " + pivoting +
                           " --m 33 --n 1,20,40 --nrhs 3 --nb 8 --type s,d,c,z --check --vendor --backend "
                           "sequential --json -");
      ASSERT_EQ(r.status, 0) << r.out << r.err;
      const bool is_getrf = std::string(operation).starts_with("getrf");
      const auto records = nlohmann::json::parse(r.out);
      ASSERT_EQ(records.size(), 12u);
      for (const auto& record : records) {
        EXPECT_EQ(record["status"], "PASS") << record;
        EXPECT_EQ(record["m"], is_getrf ? nlohmann::json(33) : record["n"]);
        EXPECT_GT(record["vendor_gflops"], 0);
        if (operation != std::string("getrf_nopiv")) {
          EXPECT_EQ(record["pivoting"], pivoting);
        }
      }
    }
  }
}

TEST_F(BenchProgram, OrthogonalFactorsPassTheirChecksForAllTypesTreesAndShapes) {
  for (const char* operation : {"geqrf", "gelqf", "orgqr", "ormqr", "gels"}) {
    for (const char* tree : {"auto", "greedy --ib 3", "hierarchical:2"}) {
      SCOPED_TRACE(std::string(operation) + " " + tree);
      const Result r = run(std::string(operation) + " --tree " + tree +
                           " --m 33 --n 1,20,40 --nrhs 3 --nb 8 --type s,d,c,z --check --vendor --backend "
                           "sequential --json -");
      ASSERT_EQ(r.status, 0) << r.out << r.err;
      const auto records = nlohmann::json::parse(r.out);
      ASSERT_EQ(records.size(), 12u);
      for (const auto& record : records) {
        EXPECT_EQ(record["status"], "PASS") << record;
        EXPECT_EQ(record["m"], 33);
        EXPECT_GT(record["vendor_gflops"], 0);
      }
    }
  }
}

TEST_F(BenchProgram, ProductsTakeListsOfAllExtentsWhichAreNUnlessGiven) {
  const Result r = run("gemm --m 0,8 --n 12,5 --k 1,0 --check --backend sequential --json -");
  ASSERT_EQ(r.status, 0) << r.err;
  std::vector<std::vector<Index>> shapes;
  for (const auto& record : nlohmann::json::parse(r.out)) {
    shapes.push_back({record["m"], record["n"], record["k"]});
    EXPECT_EQ(record["status"], "PASS");
  }
  using Shapes = std::vector<std::vector<Index>>;
  EXPECT_EQ(
      shapes,
      (Shapes{{0, 12, 1}, {0, 12, 0}, {8, 12, 1}, {8, 12, 0}, {0, 5, 1}, {0, 5, 0}, {8, 5, 1}, {8, 5, 0}}));
  const auto square = nlohmann::json::parse(run("gemm --n 9 --backend sequential --json -").out);
  EXPECT_EQ(square[0]["m"], 9);
  EXPECT_EQ(square[0]["k"], 9);
}

TEST_F(BenchProgram, RecordsSayWhichOperandStaysAndWhereTheOtherOperandsLie) {
  const Result r =
      run("symm --n 20 --nb 8 --alg a --dist 2dbc --dist-b rank:0 --backend sequential --check --json -");
  ASSERT_EQ(r.status, 0) << r.err;
  const auto record = nlohmann::json::parse(r.out)[0];
  EXPECT_EQ(record["alg"], "a");
  EXPECT_EQ(record["dist"], "2dbc:p=1,q=1");
  EXPECT_EQ(record["dist_b"], "rank:0");
  EXPECT_EQ(record["status"], "PASS");
}

TEST_F(BenchProgram, CsvHasTheSameKeysAndQuotesWhatHoldsCommas) {
  const Result r = run("posv --n 40 --nrhs 3 --backend sequential --csv " + path("records.csv"));
  ASSERT_EQ(r.status, 0) << r.err;
  std::istringstream lines(read_file(path("records.csv")));
  std::string header, record, more;
  std::getline(lines, header);
  std::getline(lines, record);
  EXPECT_FALSE(std::getline(lines, more)) << more;
  std::string expected;
  for (const std::string& key : keys) expected += (expected.empty() ? "" : ",") + key;
  EXPECT_EQ(header, expected);
  EXPECT_THAT(record, testing::StartsWith("posv,d,L,40,40,3,"));
  EXPECT_THAT(record, HasSubstr(",auto,partial,\"2dbc:p=1,q=1\",,sequential,1,1,0,,"));
  EXPECT_THAT(record, HasSubstr(",0,UNCHECKED,0,0,0,,[0],"));
}

TEST_F(BenchProgram, PrintsContextAndATableForPeople) {
  const Result r = run("potrf --n 40 --backend sequential --check");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("# tessera "), HasSubstr("# command: "), HasSubstr("# date: "),
                           HasSubstr("# host: "), HasSubstr("# BLAS: "), HasSubstr("# ranks: 1")));
  EXPECT_THAT(r.out, AllOf(HasSubstr("Gflop/s"), HasSubstr("residual"), HasSubstr("PASS")));
}

TEST_F(BenchProgram, TileSizeAndDistributionListsMakeAConfigurationEach) {
  const Result r = run("potrf --n 40 --nb 8,auto,16 --dist 2dbc --dist rank:0 --backend sequential --json -");
  ASSERT_EQ(r.status, 0) << r.err;
  const auto records = nlohmann::json::parse(r.out);
  ASSERT_EQ(records.size(), 6u);
  EXPECT_EQ(records[0]["nb"], 8);
  EXPECT_GT(records[1]["nb"], 0);
  EXPECT_EQ(records[2]["nb"], 16);
  EXPECT_EQ(records[0]["dist"], "2dbc:p=1,q=1");
  EXPECT_NE(records[3]["dist"], records[0]["dist"]);
}

TEST_F(BenchProgram, AFailedCheckIsStatusFailAndExitStatusOne) {
  const Result r = run("posv --n 50 --backend sequential --check --threshold 0 --json -");
  EXPECT_EQ(r.status, 1);
  const auto records = nlohmann::json::parse(r.out);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["status"], "FAIL");
  EXPECT_GT(records[0]["residual"], 0);
}

TEST_F(BenchProgram, RecordsThatCannotBeWrittenAreExitStatusOne) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const Result r = run("potrf --n 10 --backend sequential --json /dev/full");
  EXPECT_EQ(r.status, 1);
  EXPECT_THAT(r.err, HasSubstr("could not be written"));
}

TEST_F(BenchProgram, WrongUsageNamesTheArgumentAndIsExitStatusTwo) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "OP"},
      {"nosuch", "OP: 'nosuch'"},
      {"potrf --n -5", "--n: '-5'"},
      {"potrf --n 1:2", "--n: '1:2'"},
      {"potrf --nb 0x10", "--nb: '0x10'"},
      {"posv --nrhs -1", "--nrhs: -1"},
      {"potrf --type s,q", "--type: 'q'"},
      {"potrf --uplo X", "--uplo: 'X'"},
      {"gemm --m -1", "--m: '-1'"},
      {"gemm --k x", "--k: 'x'"},
      {"gemm --op-a X", "--op-a: 'X'"},
      {"gemm --op-b n", "--op-b: 'n'"},
      {"symm --side U", "--side: 'U'"},
      {"trsm --diag X", "--diag: 'X'"},
      {"symm --alg d", "--alg: 'd'"},
      {"symm --backend sequential --dist-b nosuch", "--dist-b: "},
      {"herk --n 8 --type z --op-a T --backend sequential", "herk"},
      {"syrk --n 8 --type c --op-a C --backend sequential", "syrk"},
      {"potrf --backend recording", "--backend: 'recording'"},
      {"potrf --workers -1", "--workers: -1"},
      {"potrf --scheduler nosuch", "nosuch"},
      {"potrf --repeat 0", "--repeat: 0"},
      {"potrf --warmup -2", "--warmup: -2"},
      {"potrf --backend sequential --dist nosuch:p=1", "nosuch:p=1"},
      {"potrf --backend sequential --dist 2dbc:p=2,q=3", "p*q = 6"},
      {"potrf --backend sequential --json /nonexistent/file", "--json: '/nonexistent/file'"},
      {"potrf --json - --csv -", "--csv: '-'"},
      {"potrf --nosuch", "--nosuch"},
  };
  for (const auto& [arguments, message] : wrong) {
    SCOPED_TRACE(arguments);
    const Result r = run(arguments);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr(message));
  }
}

TEST_F(BenchProgram, HelpAndVersionSucceed) {
  const Result help = run("--help");
  EXPECT_EQ(help.status, 0);
  for (const char* option :
       {"OP",         "--m",       "--k",         "--op-a", "--op-b",   "--side",   "--diag",  "--alg",
        "--pivoting", "--dist-b",  "--n",         "--nb",   "--nrhs",   "--type",   "--uplo",  "--dist",
        "--backend",  "--workers", "--scheduler", "--seed", "--repeat", "--warmup", "--check", "--threshold",
        "--vendor",   "--peak",    "--json",      "--csv",  "--version"}) {
    EXPECT_THAT(help.out, HasSubstr(option));
  }
  const Result version = run("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, testing::StartsWith("tessera-bench "));
  EXPECT_THAT(version.err, IsEmpty());
}

}  // namespace
}  // namespace tessera::bench
