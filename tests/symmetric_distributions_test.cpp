// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "distributions/galois_field.hpp"
#include "distributions/gcrm_search.hpp"
#include "tessera/distributions/gcrm.hpp"
#include "tessera/distributions/pattern.hpp"
#include "tessera/distributions/symmetric_block_cyclic.hpp"
#include "tessera/distributions/triangle_block_cyclic.hpp"
#include "tessera/error.hpp"
#include "tests/support/volumes.hpp"

namespace tessera::test {
namespace {

using Version = SymmetricBlockCyclic::Version;
using Plane = TriangleBlockCyclic::Plane;

constexpr Index triangle(Index n) { return n * (n + 1) / 2; }

// ---- Symmetric block-cyclic
// -------------------------------------------------------------------------------------

TEST(SymmetricBlockCyclic, GivesEachRankOnePairOfColrows) {
  for (Index r = 3; r <= 10; ++r) {
    const SymmetricBlockCyclic d(r);
    std::map<Rank, std::set<std::set<Index>>> pairs;
    for (Index i = 0; i < 3 * r; ++i) {
      for (Index j = 0; j < 3 * r; ++j) {
        EXPECT_EQ(d.owner(i, j), d.owner(j, i));
        if (i % r != j % r) pairs[d.owner(i, j)].insert({i % r, j % r});
      }
    }
    EXPECT_EQ(d.num_ranks(), r * (r - 1) / 2);
    EXPECT_EQ(pairs.size(), static_cast<std::size_t>(d.num_ranks()));
    for (const auto& [rank, of_rank] : pairs)
      EXPECT_EQ(of_rank.size(), 1U) << "rank " << rank << ", r = " << r;
  }
}

// r = 4, from the definition by hand: blocks (0, 0), (1, 0), (1, 1) are of the variants 0, 1, 2.
TEST(SymmetricBlockCyclic, AgreesWithAPatternWrittenByHand) {
  const SymmetricBlockCyclic d(4);
  const Rank pattern[4][4] = {{-1, 0, 1, 3}, {0, -1, 2, 4}, {1, 2, -1, 5}, {3, 4, 5, -1}};
  const Rank diagonal[3][4] = {{0, 2, 5, 3}, {1, 4, 5, 3}, {0, 2, 1, 4}};
  for (Index a = 0; a < 4; ++a) {
    for (Index b = 0; b < 4; ++b) EXPECT_TRUE(a == b || d.owner(4 + a, b) == pattern[a][b]) << a << ", " << b;
    EXPECT_EQ(d.owner(a, a), diagonal[0][a]) << a;
    EXPECT_EQ(d.owner(4 + a, a), diagonal[1][a]) << a;
    EXPECT_EQ(d.owner(4 + a, 4 + a), diagonal[2][a]) << a;
  }
}

// Over as many blocks as there are variants, every rank is on the diagonal once (r odd) or twice (r even).
TEST(SymmetricBlockCyclic, ExtendedPutsEveryRankOnTheDiagonalEquallyOften) {
  for (Index r = 3; r <= 10; ++r) {
    const SymmetricBlockCyclic d(r);
    const Index variants = r % 2 == 1 ? (r - 1) / 2 : r - 1;
    std::map<Rank, Index> times;
    Index block = 0;
    for (Index I = 0; block < variants; ++I) {
      for (Index J = 0; J <= I && block < variants; ++J, ++block) {
        for (Index a = 0; a < r; ++a) ++times[d.owner(I * r + a, J * r + a)];
      }
    }
    EXPECT_EQ(times.size(), static_cast<std::size_t>(d.num_ranks()));
    for (const auto& [rank, count] : times)
      EXPECT_EQ(count, r % 2 == 1 ? 1 : 2) << "rank " << rank << ", r = " << r;
  }
}

TEST(SymmetricBlockCyclic, ExtendedDiagonalStaysInItsColrow) {
  for (Index r = 3; r <= 10; ++r) {
    const SymmetricBlockCyclic d(r);
    for (Index a = 0; a < r; ++a) {
      std::set<Rank> colrow;
      for (Index b = 0; b < r; ++b) {
        if (b != a) colrow.insert(d.owner(a, b));
      }
      for (Index i = a; i < 8 * r; i += r) {
        for (Index j = a; j < 8 * r; j += r) EXPECT_TRUE(colrow.contains(d.owner(i, j))) << i << ", " << j;
      }
    }
  }
}

TEST(SymmetricBlockCyclic, BasicHasRanksOfItsOwnOnTheDiagonal) {
  for (const Index r : {2, 4, 6, 8}) {
    const SymmetricBlockCyclic d(r, Version::basic);
    EXPECT_EQ(d.num_ranks(), r * r / 2);
    std::map<Rank, Index> cells;
    for (Index a = 0; a < r; ++a) {
      for (Index b = 0; b < r; ++b) {
        ++cells[d.owner(a, b)];
        EXPECT_EQ(d.owner(a, b) >= r * (r - 1) / 2, a == b);
        EXPECT_EQ(d.owner(a + 3 * r, b + r), d.owner(a, b));
      }
    }
    EXPECT_EQ(cells.size(), static_cast<std::size_t>(d.num_ranks()));
    for (const auto& [rank, count] : cells) EXPECT_EQ(count, 2) << "rank " << rank << ", r = " << r;
  }
}

TEST(SymmetricBlockCyclic, SendsWhatIsKnownOfIt) {
  constexpr Index n = 96;
  const std::map<Index, Index> below_bound = {{3, 2}, {4, 6}, {5, 14}, {6, 30}, {7, 44}, {8, 77}, {9, 106}};
  for (const auto& [r, tiles] : below_bound) {
    EXPECT_EQ(potrf_volume(SymmetricBlockCyclic(r), n).total(), triangle(n) * (r - 2) - tiles) << "r = " << r;
  }
  EXPECT_EQ(potrf_volume(SymmetricBlockCyclic(9), n).total(), 32486);
  for (const auto& [r, per_tile] : std::map<Index, double>{{4, 2.998}, {6, 4.992}, {8, 6.982}}) {
    const Index sent = potrf_volume(SymmetricBlockCyclic(r, Version::basic), n).total();
    EXPECT_NEAR(static_cast<double>(sent) / triangle(n), per_tile, 0.0005) << "r = " << r;
    EXPECT_LE(sent, triangle(n) * (r - 1));
  }
}

TEST(SymmetricBlockCyclic, IsBalancedAsItIsKnownToBe) {
  for (const auto& [r, imbalance] : std::map<Index, double>{{6, 1.052}, {7, 1.068}, {8, 1.081}, {9, 1.116}}) {
    EXPECT_NEAR(potrf_imbalance(SymmetricBlockCyclic(r), 96), imbalance, 0.001) << "r = " << r;
  }
}

TEST(SymmetricBlockCyclic, RejectsOtherOrders) {
  EXPECT_THROW(SymmetricBlockCyclic(2), ArgumentError);
  EXPECT_THROW(SymmetricBlockCyclic(-3), ArgumentError);
  EXPECT_THROW(SymmetricBlockCyclic(5, Version::basic), ArgumentError);
  EXPECT_THROW(SymmetricBlockCyclic(0, Version::basic), ArgumentError);
  EXPECT_THROW(SymmetricBlockCyclic(Index{1} << 40), ArgumentError);
}

// ---- Finite fields
// ----------------------------------------------------------------------------------------------

TEST(GaloisField, SatisfiesTheAxioms) {
  for (const int q : {2, 3, 4, 5, 7, 8, 9, 16, 25, 27}) {
    const GaloisField f(q);
    for (int a = 0; a < q; ++a) {
      EXPECT_EQ(f.add(a, 0), a);
      EXPECT_EQ(f.multiply(a, 1), a);
      EXPECT_EQ(f.multiply(a, 0), 0);
      std::set<int> sums, products;
      for (int b = 0; b < q; ++b) {
        sums.insert(f.add(a, b));
        products.insert(f.multiply(a, b));
        ASSERT_EQ(f.add(a, b), f.add(b, a));
        ASSERT_EQ(f.multiply(a, b), f.multiply(b, a));
        for (int c = 0; c < q; ++c) {
          ASSERT_EQ(f.add(f.add(a, b), c), f.add(a, f.add(b, c)));
          ASSERT_EQ(f.multiply(f.multiply(a, b), c), f.multiply(a, f.multiply(b, c)));
          ASSERT_EQ(f.multiply(a, f.add(b, c)), f.add(f.multiply(a, b), f.multiply(a, c)));
        }
      }
      EXPECT_EQ(sums.size(), static_cast<std::size_t>(q));  // so there are inverses
      EXPECT_EQ(products.size(), static_cast<std::size_t>(a == 0 ? 1 : q));
    }
  }
}

TEST(GaloisField, ExistsForPrimePowersOnly) {
  std::set<int> orders;
  for (int q = -1; q <= 32; ++q) {
    if (GaloisField::exists(q)) orders.insert(q);
  }
  EXPECT_EQ(orders, (std::set{2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32}));
  EXPECT_THROW(GaloisField(6), ArgumentError);
}

// The polynomials of the documentation: their roots are x, the element p.
TEST(GaloisField, TakesTheSmallestIrreduciblePolynomial) {
  EXPECT_EQ(GaloisField(4).multiply(2, 2), 3);   // x^2 = x + 1
  EXPECT_EQ(GaloisField(8).multiply(2, 4), 3);   // x^3 = x + 1
  EXPECT_EQ(GaloisField(9).multiply(3, 3), 2);   // x^2 = -1
  EXPECT_EQ(GaloisField(16).multiply(2, 8), 3);  // x^4 = x + 1
}

// ---- Triangle block-cyclic
// --------------------------------------------------------------------------------------

TEST(TriangleBlockCyclic, HasEachTwoColrowsTogetherInOneSet) {
  for (const Rank q : {2, 3, 4, 5, 7, 8, 9}) {
    for (const Plane plane : {Plane::affine, Plane::projective}) {
      const TriangleBlockCyclic d(q, plane);
      const bool projective = plane == Plane::projective;
      EXPECT_EQ(d.num_ranks(), q * q + q + (projective ? 1 : 0));
      EXPECT_EQ(d.rows(), q * q + (projective ? q + 1 : 0));
      EXPECT_EQ(d.zbar(), q + 1);

      std::map<Rank, std::set<Index>> sets;
      for (Index a = 0; a < d.rows(); ++a) {
        EXPECT_EQ(d.cell(a, a), Pattern::free_cell);
        EXPECT_EQ(d.colrow(a).size(), static_cast<std::size_t>(q + 1));
        for (Index b = 0; b < a; ++b) {
          EXPECT_EQ(d.cell(a, b), d.cell(b, a));
          sets[d.cell(a, b)].insert({a, b});
        }
      }
      // Each pair is on one cell, so in the set of its rank. P sets of v colrows have as many pairs as there
      // are cells, so no pair is in another set, too.
      const Index v = projective ? q + 1 : q;
      EXPECT_EQ(sets.size(), static_cast<std::size_t>(d.num_ranks()));
      for (const auto& [rank, set] : sets) EXPECT_EQ(set.size(), static_cast<std::size_t>(v)) << d.name();
      EXPECT_EQ(d.num_ranks() * v * (v - 1), d.rows() * (d.rows() - 1)) << d.name();
    }
  }
}

/// Tiles that the fitted distribution sends, by S.
double volume_per_tile(const Pattern& d, Index n) {
  return static_cast<double>(potrf_volume(*d.fitted(n, n), n).total()) / static_cast<double>(triangle(n));
}

TEST(TriangleBlockCyclic, SendsWhatIsKnownOfIt) {
  const TriangleBlockCyclic of21(4, Plane::projective);
  EXPECT_EQ(potrf_volume(*of21.fitted(96, 96), 96).total(), 18574);
  EXPECT_NEAR(volume_per_tile(TriangleBlockCyclic(2, Plane::projective), 96), 1.997, 0.0005);
  EXPECT_NEAR(volume_per_tile(TriangleBlockCyclic(3, Plane::projective), 96), 2.997, 0.0005);
  EXPECT_NEAR(volume_per_tile(TriangleBlockCyclic(5, Plane::projective), 96), 4.976, 0.001);
  EXPECT_NEAR(volume_per_tile(TriangleBlockCyclic(3, Plane::affine), 96), 2.996, 0.0005);
  EXPECT_NEAR(volume_per_tile(TriangleBlockCyclic(4, Plane::affine), 96), 3.989, 0.0005);
  EXPECT_NEAR(volume_per_tile(TriangleBlockCyclic(5, Plane::affine), 96), 4.981, 0.001);
  EXPECT_EQ(potrf_volume(*of21.fitted(200, 200), 200).total(), 80362);
}

TEST(TriangleBlockCyclic, IsBalancedByItsFreeTiles) {
  const auto imbalance = [](Rank q, Plane plane, Index n) {
    return potrf_imbalance(*TriangleBlockCyclic(q, plane).fitted(n, n), n);
  };
  EXPECT_LE(imbalance(2, Plane::projective, 96), 1.0003);
  EXPECT_LE(imbalance(3, Plane::affine, 96), 1.0003);
  EXPECT_LE(imbalance(3, Plane::projective, 96), 1.0003);
  EXPECT_LE(imbalance(4, Plane::projective, 96), 1.1615);
  EXPECT_NEAR(imbalance(5, Plane::projective, 96), 1.272, 0.0005);
  EXPECT_NEAR(imbalance(4, Plane::projective, 200), 1.014, 0.0005);
}

// ---- Free diagonal cells
// ----------------------------------------------------------------------------------------

TEST(Pattern, GivesFreeTilesToTheRanksOfTheColrowInTurn) {
  const Pattern d("p", 3, {{-1, 0, 1}, {0, -1, 2}, {1, 2, -1}}, /*symmetric=*/true);
  EXPECT_EQ(d.colrow(0), (std::vector{0, 1}));
  EXPECT_EQ(d.colrow(2), (std::vector{1, 2}));
  EXPECT_EQ(d.zbar(), 2);
  EXPECT_EQ(d.owner(0, 0), 0);  // block (0, 0) is the first one
  EXPECT_EQ(d.owner(3, 0), 1);  // (1, 0)
  EXPECT_EQ(d.owner(0, 3), 1);
  EXPECT_EQ(d.owner(3, 3), 0);  // (1, 1)
  EXPECT_EQ(d.owner(6, 0), 1);  // (2, 0)
  EXPECT_EQ(d.owner(7, 1), 2);
  EXPECT_EQ(d.owner(4, 2), 2);
}

// Two ranks below the diagonal, n = 4. Work in nb^3/3 flops: tiles (1,0), (3,0), (3,2) of rank 0 make 3, 3,
// 15; tile (2,1) of rank 1 makes 9. Free tiles, most work first: (3,1) 9, (3,3) 10, ... : 10 to rank 1, which
// has less; then 9 to rank 1 (19 < 21), 7 for (2,2) to rank 0 (21 < 28), 4 to 1 or 0 with less, and so on.
TEST(Pattern, FittedGivesFreeTilesToTheRankWithLeastWork) {
  const Pattern d("p", 2, {{-1, 1}, {0, -1}}, /*symmetric=*/true);
  const auto f = d.fitted(4, 2);
  EXPECT_EQ(f->name(), "p");
  EXPECT_EQ(f->num_ranks(), 2);
  EXPECT_EQ(f->owner(1, 0), 0);
  EXPECT_EQ(f->owner(2, 1), 1);
  EXPECT_EQ(f->owner(1, 2), 1);
  EXPECT_EQ(f->owner(3, 3), 1);  // 10, loads 21 and 9
  EXPECT_EQ(f->owner(3, 1), 1);  // 9, loads 21 and 19
  EXPECT_EQ(f->owner(2, 2), 0);  // 7, loads 21 and 28
  EXPECT_EQ(f->owner(1, 1), 0);  // 4, loads 28 and 28
  EXPECT_EQ(f->owner(2, 0), 1);  // 3, loads 32 and 28
  EXPECT_EQ(f->owner(0, 0), 1);  // 1, loads 32 and 31
  EXPECT_EQ(f->owner(0, 2), 1);
  for (Index i = 4; i < 10; ++i) {
    for (Index j = 0; j <= i; ++j) EXPECT_EQ(f->owner(i, j), d.owner(i, j)) << "beyond the fitted size";
  }
}

TEST(Pattern, FittedMayHaveARaggedLastBlock) {
  const TriangleBlockCyclic d(2, Plane::projective);
  const auto f = d.fitted(10, 10);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const auto& colrow = d.colrow(i % 7);
      if (i % 7 == j % 7) {
        EXPECT_TRUE(std::ranges::binary_search(colrow, f->owner(i, j)));
        EXPECT_TRUE(i < 10 || f->owner(i, j) == d.owner(i, j));
      } else {
        EXPECT_EQ(f->owner(i, j), d.owner(i, j));
      }
    }
  }
}

TEST(Pattern, HasNothingToFitWithoutFreeCellsOrForMatricesThatNobodyFactors) {
  EXPECT_EQ(Pattern("p", 2, {{0, 1}, {1, 0}}, true).fitted(9, 9), nullptr);
  EXPECT_EQ(Pattern("p", 2, {{0, 1}}).fitted(9, 9), nullptr);
  EXPECT_EQ(TriangleBlockCyclic(2, Plane::affine).fitted(Index{1} << 40, 1), nullptr);
}

TEST(Pattern, MirrorsTheLowerTriangleOnlyWhenSymmetric) {
  const Pattern::Rows rows = {{0, 1}, {2, 3}};
  EXPECT_EQ(Pattern("p", 4, rows).owner(0, 1), 1);
  EXPECT_EQ(Pattern("p", 4, rows, true).owner(0, 1), 2);
  EXPECT_EQ(Pattern("p", 4, rows, true).owner(1, 0), 2);
  EXPECT_EQ(Pattern("p", 4, rows, true).colrow(0), (std::vector{0, 1, 2}));
}

TEST(Pattern, RejectsATableThatIsNone) {
  const auto reason = [](const Pattern::Rows& rows, bool symmetric) -> std::string {
    try {
      const Pattern pattern("mine", 3, rows, symmetric);
    } catch (const ArgumentError& e) {
      EXPECT_EQ(e.value(), "mine");
      return e.what();
    }
    return "accepted";
  };
  EXPECT_NE(reason({}, false).find("empty"), std::string::npos);
  EXPECT_NE(reason({{}, {}}, false).find("empty"), std::string::npos);
  EXPECT_NE(reason({{0, 1}, {2}}, false).find("row 2 has 1 cells, the first one 2"), std::string::npos);
  EXPECT_NE(reason({{0, 1}}, true).find("square"), std::string::npos);
  EXPECT_NE(reason({{0, 3}}, false).find("row 1, column 2: 3 is not one of the 3 ranks"), std::string::npos);
  EXPECT_NE(reason({{0}, {-2}}, false).find("row 2, column 1: -2 is not"), std::string::npos);
  EXPECT_NE(reason({{0, 1}, {1, -1}}, false).find("row 2, column 2: only a diagonal cell"),
            std::string::npos);
  EXPECT_NE(reason({{0, -1}, {1, 0}}, true).find("row 1, column 2: only a diagonal cell"), std::string::npos);
  EXPECT_NE(reason({{-1}}, true).find("no rank is in its row and column"), std::string::npos);
}

// ---- Greedy colrow & matching
// -----------------------------------------------------------------------------------

TEST(GreedyColrowMatching, CoversAllPairsAndSharesTheCells) {
  for (Rank P = 3; P <= 40; ++P) {
    const GreedyColrowMatching d(P);
    const Index r = d.rows();
    EXPECT_TRUE(gcrm_admits_order(P, r));
    std::vector<Index> cells(static_cast<std::size_t>(P));
    for (Index a = 0; a < r; ++a) {
      for (Index b = 0; b < r; ++b) {
        if (a == b) {
          EXPECT_EQ(d.cell(a, a), Pattern::free_cell);
        } else {
          ++cells[static_cast<std::size_t>(d.cell(a, b))];
        }
      }
    }
    EXPECT_GE(std::ranges::min(cells), r * (r - 1) / P) << P << " ranks";
    // More cells than a share of all r^2 the free ones could not make good.
    EXPECT_LE(std::ranges::max(cells) * P, r * r) << P << " ranks";
  }
}

// Mean number of ranks in a colrow: distributions.md, section 5, found by a longer search in another program.
TEST(GreedyColrowMatching, IsAsGoodAsThePatternsKnown) {
  const std::map<Rank, double> known = {{5, 2.778},  {7, 3.000},  {10, 3.875}, {11, 4.091}, {13, 4.467},
                                        {15, 4.813}, {16, 4.923}, {17, 5.059}, {20, 5.611}, {21, 5.789},
                                        {23, 6.048}, {28, 6.591}, {30, 6.818}, {31, 7.000}, {36, 7.500}};
  for (const auto& [P, zbar] : known)
    EXPECT_LE(GreedyColrowMatching(P).zbar(), 1.001 * zbar) << P << " ranks";
  for (Rank P = 3; P <= 64; ++P) {
    EXPECT_LE(GreedyColrowMatching(P).zbar(), 1.05 * std::sqrt(1.5 * P)) << P << " ranks";
  }
}

// Each line of the generated list says what its pattern is worth; other random numbers would give another pattern.
TEST(GreedyColrowMatching, IsWhatTheShippedListSays) {
  std::ifstream list(TESSERA_TEST_DATA "/../../distributions/gcrm_seeds.inc");
  Rank P = 0;
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with("//")) continue;
    int ranks = 0, r = 0, seed = 0;
    double zbar = 0, imbalance = 0;
    const char* const format = "{%d, {%d, %d}},  // zbar %lf, imbalance %lf";
    ASSERT_EQ(std::sscanf(line.c_str(), format, &ranks, &r, &seed, &zbar, &imbalance), 5) << line;
    EXPECT_EQ(ranks, ++P);
    const GreedyColrowMatching d(ranks), again(ranks, r, seed);
    EXPECT_NEAR(d.zbar(), zbar, 6e-5) << line;
    EXPECT_NEAR(potrf_imbalance(*d.fitted(96, 96), 96), imbalance, 6e-5) << line;
    ASSERT_EQ(d.rows(), r) << line;
    for (Index a = 0; a < r; ++a) {
      for (Index b = 0; b < r; ++b) ASSERT_EQ(d.cell(a, b), again.cell(a, b)) << line;
    }
  }
  EXPECT_EQ(P, 64);
}

TEST(GreedyColrowMatching, SendsWhatItsColrowsSay) {
  for (const Rank P : {5, 10, 21, 23, 31}) {
    const GreedyColrowMatching d(P);
    const double leading = d.zbar() - 1;
    EXPECT_NEAR(volume_per_tile(d, 96), leading, 0.02 * leading) << P << " ranks";
  }
}

TEST(GreedyColrowMatching, IsBalancedByItsFreeTiles) {
  for (Rank P = 1; P <= 21; ++P) {
    EXPECT_LE(potrf_imbalance(*GreedyColrowMatching(P).fitted(96, 96), 96), 1.16) << P << " ranks";
  }
  EXPECT_DOUBLE_EQ(gcrm_imbalance(GreedyColrowMatching(23), 96),
                   potrf_imbalance(*GreedyColrowMatching(23).fitted(96, 96), 96));
}

// The first words of the table for a seed, fixed here: all ranks of a run and all machines must find the same
// one.
TEST(GreedyColrowMatching, IsTheSameEverywhere) {
  const GreedyColrowMatching d(5, 6, 1);
  const Rank expected[6][6] = {{-1, 0, 0, 1, 4, 4}, {0, -1, 0, 2, 2, 4}, {0, 0, -1, 1, 3, 3},
                               {1, 2, 1, -1, 2, 1}, {4, 2, 3, 2, -1, 3}, {4, 4, 3, 1, 3, -1}};
  for (Index a = 0; a < 6; ++a) {
    for (Index b = 0; b < 6; ++b) EXPECT_EQ(d.cell(a, b), expected[a][b]) << a << ", " << b;
  }
  EXPECT_EQ(d.name(), "gcrm:P=5,r=6,seed=1");
}

TEST(GreedyColrowMatching, FindsPatternsForMoreRanksThanAreShipped) {
  for (const Rank P : {67, 150}) {
    const GreedyColrowMatching d(P);
    EXPECT_EQ(d.num_ranks(), P);
    EXPECT_EQ(d.name(), "gcrm:P=" + std::to_string(P));
    EXPECT_LE(d.zbar(), 1.06 * std::sqrt(1.5 * P)) << P << " ranks";
  }
  const GcrmChoice first = gcrm_search(70, 2), second = gcrm_search(70, 2);
  EXPECT_EQ(first.r, second.r);
  EXPECT_EQ(first.seed, second.seed);
}

TEST(GreedyColrowMatching, RejectsWhatCannotBeBalanced) {
  EXPECT_THROW(GreedyColrowMatching(0), ArgumentError);
  EXPECT_THROW(GreedyColrowMatching(GreedyColrowMatching::max_ranks + 1), ArgumentError);
  EXPECT_FALSE(gcrm_admits_order(23, 6));  // 30 cells: 2 for some rank, but 36 / 23 < 2
  EXPECT_THROW(GreedyColrowMatching(23, 6, 1), ArgumentError);
  EXPECT_THROW(GreedyColrowMatching(23, 4, 1), ArgumentError);  // less cells than ranks
  EXPECT_FALSE(gcrm_table(64, {16, 1}).has_value());
  EXPECT_THROW(GreedyColrowMatching(64, 16, 1),
               ArgumentError);  // a rank with two colrows has two cells, not three
}

}  // namespace
}  // namespace tessera::test
