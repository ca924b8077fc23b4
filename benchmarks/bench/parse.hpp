// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/algorithms/reduction_tree.hpp"
#include "tessera/types.hpp"

/// \file
/// Lists as they are written on the command line.

namespace tessera::bench {

/// The command line asks for something that makes no sense; the message names the option and the value.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Sizes from a list of values and ranges, in the order given: "100,400" or "1000:8000:1000" (first, last, step;
/// the last one is included if a step falls on it) or both, "10,100:300:100".
/// \throws UsageError naming `option` for anything else, for negative values and for ranges without an element
std::vector<Index> parse_sizes(std::string_view option, std::string_view text);

/// The reduction tree of QR that a word stands for (make_tree()); null for auto.
/// \throws UsageError naming --tree for other words
TreePtr parse_tree(const std::string& text);

/// The items between commas.
/// \throws UsageError naming `option` when one is empty
std::vector<std::string> split_list(std::string_view option, std::string_view text);

}  // namespace tessera::bench
