// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <optional>
#include <string>

#include "tessera/distributions/pattern.hpp"

namespace tessera {

/// A pattern from a text file: one line per row of the table, ranks separated by blanks. Tile (i, j) lies on
/// the rank in row i mod rows, column j mod columns.
///
///            # 2 x 3 blocks over 4 ranks         * 0 1
///            0 1 2                               0 * 2
///            3 0 1                               1 2 *
///
/// Empty lines, and what follows a #, are not looked at. A cell `*` on the diagonal is free, see Pattern; the
/// table must then be square and symmetric, and tile (i, j) of the upper triangle lies with tile (j, i). A
/// rank that is not in the table owns nothing.
///
/// Ranks: as many as the caller says, or the largest one + 1. Tiles sent: see Pattern.
class TableDistribution final : public Pattern {
 public:
  /// \param file       path of the file; every rank reads it
  /// \param num_ranks  empty: the largest rank in the table + 1
  /// \throws ArgumentError naming the file, the line and the column (in characters, both from 1) and what is
  ///         wrong
  explicit TableDistribution(const std::string& file, std::optional<Rank> num_ranks = {});
};

}  // namespace tessera
