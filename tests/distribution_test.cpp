// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tessera/distributions/block_cyclic_1d.hpp"
#include "tessera/distributions/block_cyclic_2d.hpp"
#include "tessera/distributions/function.hpp"
#include "tessera/distributions/generalized_2d.hpp"
#include "tessera/distributions/registry.hpp"
#include "tessera/error.hpp"
#include "tests/support/volumes.hpp"

namespace tessera::test {
namespace {

TEST(BlockCyclic1D, DealsRowsOrColumns) {
  const Cyclic1D rows(Cyclic1D::Lines::rows, 3);
  const Cyclic1D columns(Cyclic1D::Lines::columns, 3);
  EXPECT_EQ(rows.num_ranks(), 3);
  for (Index i = 0; i < 7; ++i) {
    for (Index j = 0; j < 7; ++j) {
      EXPECT_EQ(rows.owner(i, j), i % 3);
      EXPECT_EQ(columns.owner(i, j), j % 3);
    }
  }
  EXPECT_EQ(rows.name(), "1d:rows,P=3");
  EXPECT_EQ(columns.name(), "1d:columns,P=3");
  EXPECT_THROW(Cyclic1D(Cyclic1D::Lines::rows, 0), ArgumentError);
}

TEST(BlockCyclic1D, SendsWhatItsFormulaSays) {
  for (Rank P = 1; P <= 6; ++P) {
    for (Index n = P; n <= 20; ++n) {
      const Index sent = n * (n + 1) / 2 * (P - 1) - n * P * (P - 1) / 2 + P * (P - 1) * (P - 2) / 6;
      EXPECT_EQ(potrf_volume(Cyclic1D(Cyclic1D::Lines::rows, P), n).total(), sent)
          << P << " ranks, n = " << n;
      EXPECT_EQ(potrf_volume(Cyclic1D(Cyclic1D::Lines::columns, P), n).total(), sent)
          << P << " ranks, n = " << n;
    }
  }
}

TEST(BlockCyclic2D, RepeatsItsGridOverTheTiles) {
  const BlockCyclic2D d(2, 3);
  EXPECT_EQ(d.num_ranks(), 6);
  for (Index i = 0; i < 9; ++i) {
    for (Index j = 0; j < 9; ++j) EXPECT_EQ(d.owner(i, j), (i % 2) * 3 + j % 3);
  }
  EXPECT_EQ(d.layers(), 1);
  EXPECT_EQ(d.executor(5, 7, 3), d.owner(5, 7));
  EXPECT_EQ(d.fitted(9, 9), nullptr);
}

TEST(BlockCyclic2D, SquareTakesTheMostSquareGrid) {
  EXPECT_EQ(BlockCyclic2D::square(1)->name(), "2dbc:p=1,q=1");
  EXPECT_EQ(BlockCyclic2D::square(12)->name(), "2dbc:p=3,q=4");
  EXPECT_EQ(BlockCyclic2D::square(36)->name(), "2dbc:p=6,q=6");
  EXPECT_EQ(BlockCyclic2D::square(23)->name(), "2dbc:p=1,q=23");
}

TEST(BlockCyclic2D, SendsWhatItsFormulasSay) {
  for (Rank p = 1; p <= 6; ++p) {
    for (Rank q = 1; q <= 6; ++q) {
      const BlockCyclic2D grid(p, q);
      for (Index n = std::max(p, q); n <= 24; ++n) {
        const Index S = n * (n + 1) / 2;
        const Index cholesky = S * (p + q - 2) - n * (p * (p - 1) + q * (q - 1)) / 2 +
                               (p * (p - 1) * (p - 2) + q * (q - 1) * (q - 2)) / 6;
        const Index lu = S * (p + q - 2) - (p * (p * p - 1) + q * (q * q - 1)) / 6;
        EXPECT_EQ(potrf_volume(grid, n).total(), cholesky) << grid.name() << ", n = " << n;
        EXPECT_EQ(lu_volume(grid, n).total(), lu) << grid.name() << ", n = " << n;
      }
    }
  }
}

TEST(Generalized2D, GivesEachRankAsManyCellsEachRowAsFewRanks) {
  for (Rank P = 2; P <= 59; ++P) {
    const Generalized2D d(P);
    const auto a = static_cast<Index>(std::ceil(std::sqrt(P)));
    const Index b = (P + a - 1) / a;
    const Index holes = a * b - P;
    const Index rows = holes == 0 ? b : b * (b - 1);
    const Index columns = holes == 0 ? a : P;
    EXPECT_EQ(d.holes(), holes);

    std::map<Rank, Index> cells;
    std::vector<std::set<Rank>> column(static_cast<std::size_t>(columns));
    for (Index i = 0; i < rows; ++i) {
      std::set<Rank> row;
      for (Index j = 0; j < columns; ++j) {
        const Rank rank = d.owner(i, j);
        ++cells[rank];
        row.insert(rank);
        column[static_cast<std::size_t>(j)].insert(rank);
        EXPECT_EQ(rank, d.owner(i + rows, j + 2 * columns))
            << "not a pattern of " << rows << " x " << columns;
      }
      EXPECT_EQ(row.size(), static_cast<std::size_t>(a)) << P << " ranks, row " << i;
    }
    EXPECT_EQ(cells.size(), static_cast<std::size_t>(P));
    EXPECT_EQ(cells.begin()->first, 0);
    for (const auto& [rank, count] : cells) EXPECT_EQ(count, rows * columns / P) << rank;
    Index in_columns = 0;
    for (const auto& ranks : column) in_columns += static_cast<Index>(ranks.size());
    EXPECT_EQ(in_columns, columns * b - holes * (b - 1)) << P << " ranks";  // holes implies columns = P
  }
}

TEST(Generalized2D, SendsWhatIsKnownOfIt) {
  for (const auto& [P, tiles] : std::map<Rank, Index>{{7, 15942}, {13, 24736}, {23, 35609}, {31, 42769}}) {
    EXPECT_EQ(lu_volume(Generalized2D(P), 96).total(), tiles) << P << " ranks";
  }
  EXPECT_EQ(lu_volume(BlockCyclic2D(23, 1), 96).total(), 100408);
  EXPECT_NEAR(static_cast<double>(potrf_volume(Generalized2D(31), 96).total()) / (96 * 97 / 2), 8.64, 0.005);
}

TEST(FunctionDistribution, AsksItsFunction) {
  const FunctionDistribution d(2, "checkers",
                               [](Index i, Index j) { return static_cast<Rank>((i + j) % 2); });
  EXPECT_EQ(d.owner(3, 4), 1);
  EXPECT_EQ(d.owner(3, 5), 0);
  EXPECT_EQ(d.num_ranks(), 2);
  EXPECT_EQ(d.name(), "checkers");
}

TEST(Registry, KnowsAllKinds) {
  const std::vector<std::string> kinds = {"1d",   "2.5d", "2dbc",  "g2dbc", "gcrm",
                                          "rank", "sbc",  "table", "tbc"};
  EXPECT_EQ(distribution_kinds(), kinds);
}

TEST(Registry, MakesEveryDistributionFromItsOwnName) {
  for (const char* text :
       {"2dbc:p=2,q=3", "2dbc:p=6,q=1", "rank:4", "1d:rows,P=6", "1d:columns,P=6", "sbc:r=4",
        "tbc:q=2,plane=affine", "g2dbc:P=6", "gcrm:P=6", "gcrm:P=6,r=6,seed=307", "2.5d:c=2/sbc:r=3",
        "2.5d:c=3,home=base/2dbc:p=2,q=1", "2.5d:c=3,home=rows/1d:rows,P=2", "2.5d:c=6,home=columns/rank:0",
        "2.5d:c=2,home=spread/gcrm:P=3"}) {
    EXPECT_EQ(make_distribution(text, 6)->name(), text);
    EXPECT_EQ(make_distribution(text)->name(), text);
  }
}

TEST(Registry, CompletesANameByTheNumberOfRanks) {
  const auto name = [](const char* text, Rank num_ranks) {
    return make_distribution(text, num_ranks)->name();
  };
  EXPECT_EQ(name("2dbc", 6), "2dbc:p=2,q=3");
  EXPECT_EQ(name("1d:rows", 5), "1d:rows,P=5");
  EXPECT_EQ(name("sbc", 10), "sbc:r=5");
  EXPECT_EQ(name("sbc:kind=basic", 18), "sbc:r=6,kind=basic");
  EXPECT_EQ(name("sbc:r=3,kind=extended", 3), "sbc:r=3");
  EXPECT_EQ(name("tbc", 13), "tbc:q=3,plane=projective");
  EXPECT_EQ(name("tbc", 12), "tbc:q=3,plane=affine");
  EXPECT_EQ(name("tbc:plane=affine", 20), "tbc:q=4,plane=affine");
  EXPECT_EQ(name("tbc:q=4", 21), "tbc:q=4,plane=projective");
  EXPECT_EQ(name("g2dbc", 23), "g2dbc:P=23");
  EXPECT_EQ(name("gcrm", 23), "gcrm:P=23");
  EXPECT_EQ(name("2.5d:c=2/2dbc", 12), "2.5d:c=2/2dbc:p=2,q=3");
  EXPECT_EQ(name("2.5d:home=diagonal,c=2/sbc:kind=basic", 16), "2.5d:c=2/sbc:r=4,kind=basic");
}

TEST(Registry, OffersOnlyWhatItCanMake) {
  for (Rank P = 1; P <= 40; ++P) {
    const auto candidates = distribution_candidates(P);
    EXPECT_EQ(std::set(candidates.begin(), candidates.end()).size(), candidates.size()) << P << " ranks";
    for (const std::string& text : candidates) {
      const auto made = make_distribution(text, P);
      EXPECT_EQ(made->num_ranks(), P) << text;
      EXPECT_EQ(made->name(), text);
    }
  }
}

TEST(Registry, OffersAllDistributionsOfANumberOfRanks) {
  const auto offered = [](Rank P) {
    const auto texts = distribution_candidates(P);
    return std::set<std::string>(texts.begin(), texts.end());
  };
  EXPECT_EQ(offered(21),
            (std::set<std::string>{"2dbc:p=1,q=21", "2dbc:p=3,q=7", "2dbc:p=7,q=3", "2dbc:p=21,q=1",
                                   "gcrm:P=21", "g2dbc:P=21", "sbc:r=7", "tbc:q=4,plane=projective"}));
  EXPECT_EQ(offered(18).count("sbc:r=6,kind=basic"), 1U);
  EXPECT_EQ(offered(12).count("tbc:q=3,plane=affine"), 1U);
  EXPECT_EQ(offered(1), std::set<std::string>{"2dbc:p=1,q=1"});
}

// Every owner is a rank, and those for symmetric matrices are symmetric.
TEST(Registry, OffersOwnersThatAreRanks) {
  for (const Rank P : {3, 6, 8, 12, 13, 21, 23}) {
    for (const std::string& text : distribution_candidates(P)) {
      const bool symmetric = text.starts_with("sbc") || text.starts_with("tbc") || text.starts_with("gcrm");
      const DistributionPtr d = fitted(make_distribution(text), 30);
      for (Index i = 0; i < 70; ++i) {
        for (Index j = 0; j < 70; ++j) {
          ASSERT_GE(d->owner(i, j), 0) << text;
          ASSERT_LT(d->owner(i, j), P) << text;
          ASSERT_TRUE(!symmetric || d->owner(i, j) == d->owner(j, i)) << text << " at " << i << ", " << j;
        }
      }
    }
  }
}

/// The message of the error for `text` over six ranks.
std::string reason(const std::string& text) {
  try {
    (void)make_distribution(text, 6);
  } catch (const ArgumentError& e) {
    EXPECT_EQ(e.value(), text);
    return e.what();
  }
  return "accepted";
}

TEST(Registry, RejectsWhatItCannotMakeAndSaysWhy) {
  const std::pair<const char*, const char*> cases[] = {
      {"3dbc", "unknown kind"},
      {"", "unknown kind"},
      {"2dbc:p=2,q=2", "p*q = 4 is not the number of ranks, 6"},
      {"2dbc:p=2", "lacks q="},
      {"2dbc:p=2,q=3x", "'3x' is not a whole number"},
      {"2dbc:p=2,q=3,r=1", "no parameter 'r'"},
      {"2dbc:p=-2,q=-3", "must be at least 1"},
      {"2dbc:p=99999999999,q=3", "not a whole number"},
      {"2dbc:p=2,p=3,q=2", "names 'p' twice"},
      {"2dbc:2,3", "more than one argument"},
      {"rank:6", "not one of the 6 ranks"},
      {"rank:-1", "must be at least 0"},
      {"1d", "lacks an argument"},
      {"1d:diagonals", "'diagonals' is neither rows nor columns"},
      {"1d:rows,P=5", "P = 5 is not the number of ranks, 6"},
      {"sbc:r=5", "r(r-1)/2 = 10 is not the number of ranks, 6"},
      {"sbc:r=2", "must be at least 3"},
      {"sbc:r=3,kind=basic", "must be even"},
      {"sbc:r=4,kind=extra", "'extra' is neither extended nor basic"},
      {"sbc:kind=basic", "none over 6 ranks: they must be r^2/2"},
      {"sbc:r=2000000000", "less than 2^31 ranks"},
      {"tbc:q=6", "must be a prime power"},
      {"tbc:q=65537", "must be a prime power up to 64"},
      {"tbc:q=2", "q^2+q+1 = 7 is not the number of ranks, 6"},
      {"tbc:q=2,plane=flat", "'flat' is neither projective nor affine"},
      {"tbc:plane=projective", "none over 6 ranks"},
      {"g2dbc:P=7", "P = 7 is not the number of ranks, 6"},
      {"g2dbc:P=0", "must be at least 1"},
      {"gcrm:P=7", "P = 7 is not the number of ranks, 6"},
      {"gcrm:r=6", "lacks seed="},
      {"2.5d:c=2", "lacks /BASE"},
      {"2.5d:c=4/2dbc", "6 ranks cannot be divided into 4 layers"},
      {"2.5d:c=1/2dbc", "must be at least 2"},
      {"2.5d:/2dbc", "lacks c="},
      {"2.5d:c=3,home=moon/2dbc", "home must be diagonal, base, rows, columns or spread"},
      {"2.5d:c=3,p=1/2dbc", "has no parameter 'p'"},
      {"2.5d:c=3/sbc:r=4", "r(r-1)/2 = 6 is not the number of ranks, 2"},
      {"2.5d:c=3/2.5d:c=2/rank:0", "has layers itself"},
      {"2.5d:c=3/", "unknown kind"},
      {"gcrm:seed=6", "lacks r="},
      {"gcrm:r=2,seed=1", "r = 2: cannot be balanced over 6 ranks"},
      {"gcrm:r=1000,seed=1", "must be at most 256"},
      {"table", "lacks the name of a file"},
      {"table:no/such,file=x:y", "file = no/such,file=x:y: cannot be opened"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_NE(reason(text).find(expected), std::string::npos) << text << " gives: " << reason(text);
  }
}

TEST(Registry, WantsANumberOfRanksWhereTheTextTellsNone) {
  for (const char* text : {"2dbc", "1d:rows", "sbc", "tbc", "g2dbc", "gcrm"}) {
    EXPECT_THROW((void)make_distribution(text), ArgumentError) << text;
    EXPECT_THROW((void)make_distribution(text, 0), ArgumentError) << text;
  }
  EXPECT_THROW((void)make_distribution("gcrm", 5000), ArgumentError);
}

}  // namespace
}  // namespace tessera::test
