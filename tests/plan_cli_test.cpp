// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/program.hpp"

// The program TESSERA_PLAN as a user sees it.

namespace tessera::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class PlanProgram : public ProgramTest {
 protected:
  PlanProgram() : ProgramTest(TESSERA_PLAN) {}

  nlohmann::json json_of(const std::string& arguments) {
    const Result r = run(arguments + " --json -");
    EXPECT_EQ(r.status, 0) << r.err;
    return nlohmann::json::parse(r.out);
  }
};

TEST_F(PlanProgram, GivesTheFiguresOfTheReferenceAsJsonAndNothingElse) {
  // alg,dist,P,n,volume,sent_max,recv_max,tasks_max,flops_imbalance: an independent count
  struct Row {
    const char* dist;
    int ranks, n;
    long volume, sent_max, recv_max, tasks_max;
    double imbalance;
  };
  for (const Row& row : {Row{"2dbc:p=2,q=3", 6, 12, 187, 38, 38, 69, 1.1528},
                         Row{"2dbc:p=5,q=6", 30, 12, 432, 28, 29, 24, 2.0312},
                         Row{"sbc:r=5", 10, 24, 884, 97, 101, 309, 1.1979},
                         Row{"sbc:r=8,kind=basic", 32, 24, 2016, 80, 83, 136, 1.4097},
                         Row{"tbc:q=4,plane=projective", 21, 24, 1146, 82, 84, 180, 1.5951},
                         Row{"g2dbc:P=7", 7, 24, 894, 141, 143, 420, 1.1353}}) {
    SCOPED_TRACE(row.dist);
    const auto json = json_of("volume potrf --tiles " + std::to_string(row.n) + " --dist " + row.dist);
    EXPECT_EQ(json["op"], "potrf");
    EXPECT_EQ(json["dist"], row.dist);
    EXPECT_EQ(json["ranks"], row.ranks);
    EXPECT_EQ(json["tiles"], row.n);
    EXPECT_EQ(json["volume_tiles"], row.volume);
    EXPECT_EQ(json["sent_max_tiles"], row.sent_max);
    EXPECT_EQ(json["recv_max_tiles"], row.recv_max);
    EXPECT_EQ(json["tasks_max"], row.tasks_max);
    EXPECT_NEAR(json["flops_imbalance"], row.imbalance, 1e-4);
    EXPECT_GT(json["memory_max_tiles"], 0);
    EXPECT_GT(json["bound_tiles"], 0);
    EXPECT_EQ(json["per_rank"].size(), static_cast<std::size_t>(row.ranks));
  }
}

TEST_F(PlanProgram, PrintsTotalsBoundsAndEachRankForPeople) {
  const Result r = run("volume potrf --tiles 24 --dist sbc:r=4");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("tiles sent"), HasSubstr("594 in total"), HasSubstr("tiles in memory"),
                           HasSubstr("imbalance"), HasSubstr("ratio")));
  EXPECT_THAT(r.err, IsEmpty());
}

TEST_F(PlanProgram, PlansEveryOperationThatCanBeRunAndRightHandSides) {
  for (const char* operation :
       {"potrf", "posv", "potri", "gemm", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm"}) {
    EXPECT_GT(json_of(std::string("volume ") + operation + " --tiles 12 --dist 2dbc:p=2,q=2")["volume_tiles"],
              0);
  }
  const auto one = json_of("volume posv --tiles 12 --cols 1 --dist 2dbc:p=2,q=2");
  const auto six = json_of("volume posv --tiles 12 --cols 6 --dist 2dbc:p=2,q=2");
  EXPECT_GT(six["volume_tiles"], one["volume_tiles"]);
  EXPECT_EQ(six["cols"], 6);
}

TEST_F(PlanProgram, QrSendsTrianglesAloneBetweenRanksWithAHierarchicalTree) {
  // One column of tiles on 4 ranks: the triangle of rank 0 goes to ranks 1 and 2 and home, that of rank 2 to rank 3 and
  // home.
  EXPECT_EQ(
      json_of("volume geqrf --tiles 24 --cols 1 --dist 2dbc:p=4,q=1 --tree hierarchical")["volume_tiles"], 5);
  const auto flat = json_of("volume geqrf --tiles 24 --dist 2dbc:p=2,q=3 --tree flat");
  const auto hierarchical = json_of("volume geqrf --tiles 24 --dist 2dbc:p=2,q=3 --tree hierarchical");
  EXPECT_EQ(hierarchical["tree"], "hierarchical");
  EXPECT_LT(2 * static_cast<long>(hierarchical["volume_tiles"]), static_cast<long>(flat["volume_tiles"]));
}

TEST_F(PlanProgram, GivesTheFiguresOfTheReferenceForProductsAndLu) {
  struct Row {
    const char* arguments;
    long volume;
  };
  for (const Row& row :
       {Row{"gemm --tiles 24 --dist 2dbc:p=3,q=9 --alg c", 5760},
        Row{"getrf_nopiv --tiles 24 --dist 2dbc:p=2,q=2", 598},
        Row{"getrf --pivoting none --tiles 24 --dist g2dbc:P=7", 1014},
        Row{"symm --tiles 48 --cols 8 --dist sbc:r=6 --alg a", 3072},
        Row{"hemm --tiles 48 --cols 8 --dist sbc:r=6 --alg a --side R --uplo U", 3072},
        Row{"symm --tiles 48 --cols 8 --dist 2dbc:p=4,q=5 --alg a", 5146},
        Row{"symm --tiles 48 --cols 8 --dist 2dbc:p=4,q=5 --alg c", 10176},
        Row{"syrk --tiles 48 --cols 12 --dist sbc:r=9", 4032},
        Row{"herk --tiles 48 --cols 12 --dist 2dbc:p=6,q=6", 5430},
        Row{"trsm --tiles 48 --cols 12 --dist sbc:r=4 --dist-b 2dbc:p=2,q=3", 3296},
        Row{"trsm --tiles 24 --dist tbc:q=2,plane=projective --dist-b 2dbc:p=1,q=7", 1800}}) {
    EXPECT_EQ(json_of(std::string("volume ") + row.arguments)["volume_tiles"], row.volume) << row.arguments;
  }
}

TEST_F(PlanProgram, TheAutomaticVariantSendsNoMoreThanAnyOther) {
  for (const char* operation : {"gemm", "symm"}) {
    const auto volume = [&](const std::string& alg) -> long {
      return json_of(std::string("volume ") + operation + " --tiles 24 --cols 2 --dist 2dbc:p=3,q=4 --alg " +
                     alg)["volume_tiles"];
    };
    EXPECT_LE(volume("auto"), std::min({volume("a"), volume("b"), volume("c")})) << operation;
  }
}

TEST_F(PlanProgram, BoundsOfProductsHoldAndASquareGridAttainsThatOfGemm) {
  const auto gemm = json_of("volume gemm --tiles 12 --dist 2dbc:p=4,q=4 --alg c");
  EXPECT_DOUBLE_EQ(gemm["bound_tiles"], 864);
  EXPECT_EQ(gemm["volume_tiles"], 864);
  EXPECT_NEAR(json_of("volume gemm --tiles 12 --dist 2dbc:p=2,q=4")["bound_any_memory_tiles"], 3 * 144, 1e-6);
  EXPECT_DOUBLE_EQ(json_of("volume syrk --tiles 24 --cols 8 --dist 2dbc:p=2,q=2")["bound_tiles"], 192);
  EXPECT_DOUBLE_EQ(json_of("volume symm --tiles 24 --cols 8 --dist 2dbc:p=2,q=2 --alg a")["bound_tiles"],
                   384);
  EXPECT_TRUE(json_of("volume trsm --tiles 24 --dist 2dbc:p=2,q=2")["bound_tiles"].is_null());
}

TEST_F(PlanProgram, SaysWhichOperandStaysAndWhereTheOthersLie) {
  const auto json = json_of("volume symm --tiles 6 --dist sbc:r=4 --alg a --dist-b 2dbc:p=2,q=3");
  EXPECT_EQ(json["alg"], "a");
  EXPECT_EQ(json["dist_b"], "2dbc:p=2,q=3");
  EXPECT_TRUE(json_of("volume symm --tiles 6 --dist sbc:r=4")["dist_b"].is_null());
}

TEST_F(PlanProgram, ComparesAllDistributionsOverTheRanksAndSomeFewer) {
  const auto answers = json_of("compare potrf --ranks 13 --tiles 39");
  std::vector<std::string> names;
  for (const auto& answer : answers) {
    names.push_back(answer["dist"]);
    EXPECT_LE(answer["ranks"], 13);
    EXPECT_GE(answer["ranks"], 10);
  }
  EXPECT_THAT(names, testing::IsSupersetOf({"tbc:q=3,plane=projective", "tbc:q=3,plane=affine", "sbc:r=5",
                                            "2dbc:p=3,q=4", "2dbc:p=1,q=13", "g2dbc:P=13", "gcrm:P=13"}));
  EXPECT_THAT(names.front(), testing::Not(testing::StartsWith("2dbc")));
  const Result table = run("compare potrf --ranks 13 --tiles 39");
  EXPECT_THAT(table.out,
              AllOf(HasSubstr("tbc:q=3,plane=projective"), HasSubstr("imbalance"), HasSubstr("cost")));
}

TEST_F(PlanProgram, ChoosesADistributionAndSaysWhy) {
  const Result r = run("volume potrf --tiles 39 --dist auto --ranks 13 --json -");
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err, AllOf(HasSubstr("auto: cheapest of"), HasSubstr("2dbc")));
  EXPECT_LE(nlohmann::json::parse(r.out)["ranks"], 13);
}

TEST_F(PlanProgram, CountsLayersWithResultsThatStayAndThatReturn) {
  const auto stay = json_of("volume potrf --tiles 48 --dist 2.5d:c=3/sbc:r=5");
  EXPECT_EQ(stay["volume_tiles"], 5721);
  EXPECT_EQ(stay["volume_stay_tiles"], 5721);
  EXPECT_EQ(stay["volume_return_tiles"], 5721 + 768);  // the tiles of columns that are no multiple of 3
  const auto back = json_of("volume potrf --tiles 48 --dist 2.5d:c=3,home=base/sbc:r=5");
  EXPECT_EQ(back["volume_tiles"], back["volume_return_tiles"]);
  EXPECT_EQ(back["volume_stay_tiles"], 5721);
  EXPECT_TRUE(json_of("volume potrf --tiles 12 --dist sbc:r=5")["volume_stay_tiles"].is_null());
  EXPECT_THAT(run("volume potrf --tiles 12 --dist 2.5d:c=2/sbc:r=4").out, HasSubstr("results stay"));
}

TEST_F(PlanProgram, ProductsOnLayersHaveTheirOperandsWhereTheyAreUsed) {
  struct Row {
    const char* arguments;
    long volume;
  };
  for (const Row& row :
       {Row{"gemm --tiles 12 --dist 2.5d:c=4/2dbc:p=2,q=2 --alg c", 720},
        // On the right layers; half of the tiles in the wrong row or column of the grid.
        Row{"gemm --tiles 12 --dist 2.5d:c=4/2dbc:p=2,q=2 --alg c --op-a T --op-b C", 720 + 144},
        Row{"gemm --tiles 12 --dist 2.5d:c=4,home=base/2dbc:p=2,q=2 --alg c", 936},
        Row{"symm --tiles 12 --dist 2.5d:c=2/2dbc:p=5,q=3 --alg c", 1068},
        Row{"symm --tiles 12 --dist 2.5d:c=3/sbc:r=5 --alg a", 1020},
        Row{"symm --tiles 12 --dist 2.5d:c=3/sbc:r=5 --alg a --side R --uplo U", 1020},
        Row{"syrk --tiles 24 --cols 8 --dist 2.5d:c=2/sbc:r=4", 684}}) {
    EXPECT_EQ(json_of(std::string("volume ") + row.arguments)["volume_tiles"], row.volume) << row.arguments;
  }
}

TEST_F(PlanProgram, SaysWhetherLayersPay) {
  const std::string compare = "compare potrf --ranks 30 --tiles 40 --spare 0 ";
  EXPECT_THAT(run(compare).out, testing::Not(HasSubstr("2.5")));
  EXPECT_THAT(run(compare + "--layers 5 --flops-per-byte 2000").out,
              HasSubstr("2.5D pays: the best is c = "));
  EXPECT_THAT(run("compare potrf --ranks 6 --tiles 40 --spare 0 --layers 6 --flops-per-byte 0").out,
              HasSubstr("2.5D does not pay: the best is c = "));
  // 820 tiles of 2 MB: a rank's share is 55 MB; three copies need 165 MB and more.
  EXPECT_THAT(
      run(compare + "--layers 5 --memory 0.1").out,
      AllOf(testing::Not(HasSubstr("2.5d:")),
            HasSubstr("2.5D does not pay: no 2 to 5 equal layers of these ranks, within their memory")));
  const std::string some = run(compare + "--layers 5 --memory 0.25").out;
  EXPECT_THAT(some, AllOf(HasSubstr("2.5d:c=2"), testing::Not(HasSubstr("2.5d:c=5"))));
  const Result choice =
      run("volume potrf --tiles 40 --dist auto --ranks 30 --layers 3 --flops-per-byte 2000");
  EXPECT_THAT(choice.err, HasSubstr("2.5d:c="));
}

TEST_F(PlanProgram, DrawsOneSquarePerTileOfTheStoredPart) {
  const auto squares = [&](const std::string& part) {
    const Result r = run("draw --dist sbc:r=3 --tiles 6 --svg " + path("map.svg") + part);
    EXPECT_EQ(r.status, 0) << r.err;
    const std::string svg = read_file(path("map.svg"));
    EXPECT_THAT(svg, AllOf(testing::StartsWith("<svg"), HasSubstr("sbc:r=3: 3 ranks"), HasSubstr("</svg>")));
    std::size_t count = 0;
    for (auto at = svg.find("<rect x="); at != std::string::npos; at = svg.find("<rect x=", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(squares(""), 21u);
  EXPECT_EQ(squares(" --part U"), 21u);
  EXPECT_EQ(squares(" --part G"), 36u);
}

TEST_F(PlanProgram, WrongUsageNamesTheArgumentAndIsExitStatusTwo) {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "subcommand"},
      {"nosuch", "subcommand"},
      {"volume", "OP"},
      {"volume nosuch --tiles 4 --dist sbc:r=4", "nosuch"},
      {"volume potrf --dist sbc:r=4", "--tiles"},
      {"volume potrf --tiles 0 --dist sbc:r=4", "--tiles"},
      {"volume potrf --tiles 4", "--dist"},
      {"volume potrf --tiles 4 --dist 2dbc", "does not say for how many ranks"},
      {"volume potrf --tiles 4 --dist sbc:r=2", "r"},
      {"volume potrf --tiles 4 --dist tbc:q=6,plane=affine", "prime power"},
      {"volume potrf --tiles 4 --dist sbc --ranks 7", "7"},
      {"volume potrf --tiles 4 --dist 2dbc:p=2,q=3 --ranks 5", "p*q = 6"},
      {"volume potrf --tiles 4 --dist auto", "--ranks"},
      {"volume gemm --tiles 4 --dist sbc:r=4 --alg d", "--alg"},
      {"volume gemm --tiles 4 --dist sbc:r=4 --op-a X", "--op-a"},
      {"volume symm --tiles 4 --dist sbc:r=4 --side X", "--side"},
      {"volume symm --tiles 4 --dist sbc:r=4 --dist-b nosuch", "nosuch"},
      {"compare potrf --tiles 4", "--ranks"},
      {"compare potrf --tiles 4 --ranks 0", "--ranks"},
      {"compare potrf --tiles 4 --ranks 4 --layers 0", "--layers"},
      {"compare potrf --tiles 4 --ranks 4 --layers 2 --memory 0", "--memory"},
      {"volume potrf --tiles 4 --dist 2.5d:c=2", "lacks /BASE"},
      {"draw --dist sbc:r=4 --tiles 4", "--svg"},
  };
  for (const auto& [arguments, message] : wrong) {
    SCOPED_TRACE(arguments);
    const Result r = run(arguments);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr(message));
    EXPECT_THAT(r.out, IsEmpty());
  }
  EXPECT_EQ(run("draw --dist sbc:r=4 --tiles 4 --svg /nonexistent/map.svg").status, 1);
}

TEST_F(PlanProgram, HelpAndVersionSucceed) {
  EXPECT_THAT(run("--help").out, AllOf(HasSubstr("volume"), HasSubstr("compare"), HasSubstr("draw")));
  EXPECT_EQ(run("--version").status, 0);
  EXPECT_EQ(run("volume --help").status, 0);
}

}  // namespace
}  // namespace tessera::test
