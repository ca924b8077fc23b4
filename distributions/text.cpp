// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "distributions/text.hpp"

#include <algorithm>
#include <charconv>

#include "tessera/error.hpp"

namespace tessera {

Text::Text(std::string_view text) : text_(text), kind_(text.substr(0, text.find(':'))) {
  if (kind_.size() == text.size()) return;
  rest_ = text.substr(kind_.size() + 1);
  for (std::string_view rest = rest_; !rest.empty();) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const auto equals = item.find('=');
    if (equals == std::string_view::npos) {
      values_.emplace("", item);
    } else {
      values_.emplace(item.substr(0, equals), item.substr(equals + 1));
    }
  }
}

std::string_view Text::word(std::string_view key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) fail(key.empty() ? "lacks an argument" : "lacks " + std::string(key) + "=...");
  return found->second;
}

Rank Text::number(std::string_view key, Rank smallest) const {
  const std::string_view digits = word(key);
  Rank value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) {
    fail("'" + std::string(digits) + "' is not a whole number");
  }
  if (value < smallest) {
    fail((key.empty() ? "the argument" : std::string(key)) + " must be at least " + std::to_string(smallest));
  }
  return value;
}

void Text::allow_only(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, value] : values_) {
    if (values_.count(key) > 1) {
      fail(key.empty() ? "has more than one argument" : "names '" + std::string(key) + "' twice");
    }
    if (std::ranges::find(keys, key) != keys.end()) continue;
    fail(key.empty() ? "has no argument '" + std::string(value) + "'"
                     : "has no parameter '" + std::string(key) + "'");
  }
}

void Text::require_ranks(std::string_view formula, Index ranks, std::optional<Rank> wanted) const {
  if (!wanted || ranks == *wanted) return;
  fail(std::string(formula) + " = " + std::to_string(ranks) + " is not the number of ranks, " +
       std::to_string(*wanted));
}

Rank Text::ranks_from(std::optional<Rank> wanted) const {
  if (has("P")) {
    const Rank ranks = number("P");
    require_ranks("P", ranks, wanted);
    return ranks;
  }
  if (!wanted) fail("does not say for how many ranks");
  return *wanted;
}

void Text::fail(const std::string& reason) const {
  throw ArgumentError("make_distribution", "text", std::string(text_), reason);
}

}  // namespace tessera
