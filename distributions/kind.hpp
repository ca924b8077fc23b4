// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "distributions/text.hpp"
#include "tessera/distribution.hpp"

namespace tessera {

/// What the registry has to know of one kind of distribution. The file `<name>.cpp` that is listed in this room's
/// CMakeLists.txt defines `constinit const Kind kinds::<name>`.
struct Kind {
  /// Before the colon of a text name: "2dbc".
  std::string_view name;

  /// The distribution of a text name. \param num_ranks  empty: as many as the text says
  /// \throws ArgumentError through Text when the text is wrong, or means another number of ranks
  DistributionPtr (*make)(const Text& text, std::optional<Rank> num_ranks);

  /// The text names over exactly `num_ranks` ranks that are worth a comparison; empty when there are none.
  std::vector<std::string> (*candidates)(Rank num_ranks);
};

}  // namespace tessera
