// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/registry.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "tessera/distributions/block_cyclic_2d.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// A text name taken apart: "kind:key=value,key=value", or "kind:argument".
class Text {
 public:
  explicit Text(std::string_view text) : text_(text), kind_(text.substr(0, text.find(':'))) {
    if (kind_.size() == text.size()) return;
    std::string_view rest = text.substr(kind_.size() + 1);
    while (!rest.empty()) {
      const std::string_view item = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), item.size() + 1));
      const auto equals = item.find('=');
      const auto key = equals == std::string_view::npos ? std::string_view{} : item.substr(0, equals);
      if (values_.contains(std::string(key))) fail("names '" + std::string(key) + "' twice");
      values_[std::string(key)] = item.substr(equals == std::string_view::npos ? 0 : equals + 1);
    }
  }

  std::string_view kind() const { return kind_; }
  bool has(const std::string& key) const { return values_.contains(key); }

  Rank number(const std::string& key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) fail(key.empty() ? "lacks a number" : "lacks " + key + "=...");
    const std::string_view digits = found->second;
    Rank value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
      fail("'" + std::string(digits) + "' is not a whole number");
    }
    return value;
  }

  void allow_only(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, value] : values_) {
      if (std::ranges::find(keys, key) == keys.end()) fail("has no parameter '" + key + "'");
    }
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw ArgumentError("make_distribution", "text", std::string(text_), reason);
  }

 private:
  std::string_view text_;
  std::string_view kind_;
  std::map<std::string, std::string_view> values_;
};

DistributionPtr make_2dbc(const Text& text, Rank num_ranks) {
  text.allow_only({"p", "q"});
  if (!text.has("p") && !text.has("q")) return BlockCyclic2D::square(num_ranks);
  const Rank p = text.number("p");
  const Rank q = text.number("q");
  if (p < 1 || q < 1) text.fail("p and q must be positive");
  if (Index{p} * q != num_ranks) {
    text.fail("p*q = " + std::to_string(Index{p} * q) + " is not the number of ranks, " +
              std::to_string(num_ranks));
  }
  return std::make_shared<BlockCyclic2D>(p, q);
}

DistributionPtr make_single(const Text& text, Rank num_ranks) {
  text.allow_only({""});
  const Rank rank = text.number("");
  if (rank < 0 || rank >= num_ranks) text.fail("is not one of the " + std::to_string(num_ranks) + " ranks");
  return std::make_shared<SingleOwner>(rank);
}

/// A new distribution is one line here, and its factory above.
const std::map<std::string_view, DistributionPtr (*)(const Text&, Rank)> kinds = {
    {"2dbc", make_2dbc},
    {"rank", make_single},
};

}  // namespace

DistributionPtr make_distribution(std::string_view text, Rank num_ranks) {
  const Text parsed(text);
  const auto kind = kinds.find(parsed.kind());
  if (kind == kinds.end()) {
    std::string known;
    for (const auto& name : distribution_kinds()) known += " " + name;
    parsed.fail("unknown kind of distribution; known are:" + known);
  }
  return kind->second(parsed, num_ranks);
}

std::vector<std::string> distribution_kinds() {
  std::vector<std::string> names;
  for (const auto& [name, make] : kinds) names.emplace_back(name);
  return names;
}

}  // namespace tessera
