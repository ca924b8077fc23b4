// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include "tessera/distributions/block_cyclic_2d.hpp"
#include "tessera/distributions/registry.hpp"
#include "tessera/error.hpp"

namespace tessera::test {
namespace {

TEST(BlockCyclic2D, RepeatsItsGridOverTheTiles) {
  const BlockCyclic2D d(2, 3);
  EXPECT_EQ(d.num_ranks(), 6);
  for (Index i = 0; i < 9; ++i) {
    for (Index j = 0; j < 9; ++j) EXPECT_EQ(d.owner(i, j), (i % 2) * 3 + j % 3);
  }
  EXPECT_EQ(d.layers(), 1);
  EXPECT_EQ(d.executor(5, 7, 3), d.owner(5, 7));
}

TEST(BlockCyclic2D, SquareTakesTheMostSquareGrid) {
  EXPECT_EQ(BlockCyclic2D::square(1)->name(), "2dbc:p=1,q=1");
  EXPECT_EQ(BlockCyclic2D::square(12)->name(), "2dbc:p=3,q=4");
  EXPECT_EQ(BlockCyclic2D::square(36)->name(), "2dbc:p=6,q=6");
  EXPECT_EQ(BlockCyclic2D::square(23)->name(), "2dbc:p=1,q=23");
}

TEST(Registry, MakesEveryDistributionFromItsOwnName) {
  for (const char* text : {"2dbc:p=2,q=3", "2dbc:p=6,q=1", "rank:4"}) {
    EXPECT_EQ(make_distribution(text, 6)->name(), text);
  }
  EXPECT_EQ(make_distribution("2dbc", 6)->name(), "2dbc:p=2,q=3");
}

TEST(Registry, RejectsWhatItCannotMakeAndSaysWhy) {
  const auto reason = [](const char* text) -> std::string {
    try {
      (void)make_distribution(text, 6);
    } catch (const ArgumentError& e) {
      EXPECT_EQ(e.value(), text);
      return e.what();
    }
    return "accepted";
  };
  EXPECT_NE(reason("3dbc").find("unknown kind"), std::string::npos);
  EXPECT_NE(reason("").find("unknown kind"), std::string::npos);
  EXPECT_NE(reason("2dbc:p=2,q=2").find("p*q = 4 is not the number of ranks, 6"), std::string::npos);
  EXPECT_NE(reason("2dbc:p=2").find("lacks q="), std::string::npos);
  EXPECT_NE(reason("2dbc:p=2,q=3x").find("'3x' is not a whole number"), std::string::npos);
  EXPECT_NE(reason("2dbc:p=2,q=3,r=1").find("no parameter 'r'"), std::string::npos);
  EXPECT_NE(reason("2dbc:p=-2,q=-3").find("must be at least 1"), std::string::npos);
  EXPECT_NE(reason("2dbc:p=99999999999,q=3").find("not a whole number"), std::string::npos);
  EXPECT_NE(reason("2dbc:p=2,p=3,q=2").find("names 'p' twice"), std::string::npos);
  EXPECT_NE(reason("rank:6").find("not one of the 6 ranks"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
