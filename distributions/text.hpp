// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/types.hpp"

namespace tessera {

/// A text name of a distribution taken apart: "kind:key=value,key=value", or "kind:argument" with an empty
/// key. All functions throw ArgumentError with the whole text as value.
class Text {
 public:
  explicit Text(std::string_view text);

  std::string_view kind() const { return kind_; }
  /// What follows the first colon, as it stands: a file name may hold anything.
  std::string_view rest() const { return rest_; }
  bool has(std::string_view key) const { return values_.contains(key); }

  /// The value of `key` as it stands; throws when there is none.
  std::string_view word(std::string_view key) const;
  /// The value of `key` as a positive number (from `smallest` on); throws when it is none.
  Rank number(std::string_view key, Rank smallest = 1) const;

  /// What the value of `key` stands for: one of two words. Throws when it is neither.
  template <class Value>
  Value choice(std::string_view key, std::string_view word1, Value value1, std::string_view word2,
               Value value2) const {
    if (word(key) == word1) return value1;
    if (word(key) == word2) return value2;
    fail("'" + std::string(word(key)) + "' is neither " + std::string(word1) + " nor " + std::string(word2));
  }

  /// Throws when there is another key, or one of these twice. Every kind with parameters begins with it.
  void allow_only(std::initializer_list<std::string_view> keys) const;

  /// Throws unless `ranks`, which follow from the text, are as many as there shall be (empty: any number).
  /// \param formula  how the ranks follow from the parameters: "p*q"
  void require_ranks(std::string_view formula, Index ranks, std::optional<Rank> wanted) const;
  /// For a kind that exists for any number of ranks: P=..., or else the ranks that there shall be. Throws
  /// when neither is said, or they differ.
  Rank ranks_from(std::optional<Rank> wanted) const;

  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::string_view text_;
  std::string_view kind_;
  std::string_view rest_;
  std::multimap<std::string_view, std::string_view> values_;
};

}  // namespace tessera
