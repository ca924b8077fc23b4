// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/types.hpp"

/// \file
/// In which order tile QR reduces the rows of a panel: trees as data.

namespace tessera {

/// Tile `row` of a panel is zeroed against the triangle of tile `pivot`.
struct Elimination {
  Index pivot;  ///< tile row, counted in the matrix
  Index row;    ///< below the pivot
  bool
      triangle;  ///< the row's tile has been reduced to a triangle before; otherwise it is still a whole tile
  friend bool operator==(const Elimination&, const Elimination&) = default;
};

/// The eliminations of one panel, in an order in which they can be done one by one.
using Panel = std::vector<Elimination>;

/// A reduction tree of tile QR. Tiles that a tree uses as pivots, or eliminates as triangles, are first reduced to
/// triangles by themselves. Eliminating a whole tile does more work in one task, which BLAS likes; eliminating triangles
/// lets a panel's tiles be reduced in parallel.
///
/// A tree of a user is a class with these two functions.
class ReductionTree {
 public:
  virtual ~ReductionTree() = default;

  /// The panels 0 .. kt - 1 of a matrix with mt >= kt tile rows: panel k eliminates each of the rows k + 1 .. mt - 1
  /// once, against rows above them that have not been eliminated; a triangle's row may have been a pivot before, a whole
  /// tile's row has not.
  /// \param owner  the rank of tile (i, k), for trees that care where tiles lie
  virtual std::vector<Panel> panels(Index mt, Index kt,
                                    const std::function<Rank(Index i, Index k)>& owner) const = 0;

  /// What make_tree() makes the tree from.
  virtual std::string name() const = 0;
};

using TreePtr = std::shared_ptr<const ReductionTree>;

/// Domains of tiles that lie on one rank, each reduced tile by tile, and then a binary tree over their first tiles, those
/// of one rank before those of different ranks. In a panel, ranks send each other but triangles: one per rank, and those
/// that come home. (Demmel, Grigori, Hoemmen, Langou, SIAM J. Sci. Comput. 34(1), 2012)
class HierarchicalTree final : public ReductionTree {
 public:
  /// \param domain  tiles in a domain; 0: all that a rank has in the panel
  /// \throws ArgumentError unless domain >= 0
  explicit HierarchicalTree(Index domain = 0);
  std::vector<Panel> panels(Index mt, Index kt,
                            const std::function<Rank(Index, Index)>& owner) const override;
  std::string name() const override;

 private:
  Index domain_;
};

/// Each tile after the other against the first: the fewest operations, the longest path. (Sameh and Kuck's order;
/// Buttari, Langou, Kurzak, Dongarra, Parallel Computing 35(1), 2009)
class FlatTree final : public ReductionTree {
 public:
  /// \param triangles  whether tiles are reduced to triangles before
  explicit FlatTree(bool triangles = false) : triangles_(triangles) {}
  std::vector<Panel> panels(Index mt, Index kt,
                            const std::function<Rank(Index, Index)>& owner) const override;
  std::string name() const override { return triangles_ ? "flat:triangles" : "flat"; }

 private:
  bool triangles_;
};

/// Neighbours, then neighbours of those that are left, and so on: the shortest path of one panel.
class BinaryTree final : public ReductionTree {
 public:
  std::vector<Panel> panels(Index mt, Index kt,
                            const std::function<Rank(Index, Index)>& owner) const override;
  std::string name() const override { return "binary"; }
};

/// In every step of time, in every column, as many rows as there are triangles for. (Bouwmeester, Jacquelin, Langou,
/// Robert, Tiled QR factorization algorithms, SC11: the shortest path known for many columns)
class GreedyTree final : public ReductionTree {
 public:
  std::vector<Panel> panels(Index mt, Index kt,
                            const std::function<Rank(Index, Index)>& owner) const override;
  std::string name() const override { return "greedy"; }
};

/// Rows in groups that grow by one, eliminated at once each, and the same two steps later in the next column. (Modi and
/// Clarke, Numer. Math. 43, 1984; as in Bouwmeester et al.)
class FibonacciTree final : public ReductionTree {
 public:
  std::vector<Panel> panels(Index mt, Index kt,
                            const std::function<Rank(Index, Index)>& owner) const override;
  std::string name() const override { return "fibonacci"; }
};

/// The tree for a panel of mt tiles beside nt - 1 others and so many workers per rank: tile by tile on each rank where the
/// columns beside the panel keep the workers busy meanwhile, in domains for several workers where they do not.
TreePtr automatic_tree(Index mt, Index nt, Index workers);

/// flat, flat:triangles, binary, greedy, fibonacci, hierarchical, hierarchical:N with N tiles in a domain.
/// \throws ArgumentError for other texts
TreePtr make_tree(std::string_view text);

}  // namespace tessera
