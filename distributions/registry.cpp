// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/registry.hpp"

#include <algorithm>

#include "distributions/kinds.hpp"  // all_kinds: generated from the list in CMakeLists.txt
#include "tessera/error.hpp"

namespace tessera {

DistributionPtr make_distribution(std::string_view text, std::optional<Rank> num_ranks) {
  const Text parsed(text);
  if (num_ranks && *num_ranks < 1) parsed.fail("there is no distribution over less than one rank");
  const auto kind = std::ranges::find_if(all_kinds, [&](const Kind* k) { return k->name == parsed.kind(); });
  if (kind == std::end(all_kinds)) {
    std::string known;
    for (const auto& name : distribution_kinds()) known += " " + name;
    parsed.fail("unknown kind of distribution; known are:" + known);
  }
  try {
    return (*kind)->make(parsed, num_ranks);
  } catch (const ArgumentError& e) {  // of a constructor, which does not know the text
    if (e.value() == text) throw;
    parsed.fail(e.what());
  }
}

std::vector<std::string> distribution_kinds() {
  std::vector<std::string> names;
  for (const Kind* kind : all_kinds) names.emplace_back(kind->name);
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> distribution_candidates(Rank num_ranks) {
  std::vector<std::string> texts;
  for (const Kind* kind : all_kinds) {
    for (std::string& text : kind->candidates(num_ranks)) texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace tessera
