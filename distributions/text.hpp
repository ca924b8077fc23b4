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

/// A text name of a distribution taken apart: "kind:key=value,key=value", or "kind:argument" with an empty key.
/// All functions throw ArgumentError with the whole text as value.
class Text {
 public:
  explicit Text(std::string_view text);

  std::string_view kind() const { return kind_; }
  bool has(std::string_view key) const { return values_.contains(key); }

  /// The value of `key` as it stands; throws when there is none.
  std::string_view word(std::string_view key) const;
  /// The value of `key` as a positive number (from `smallest` on); throws when it is none.
  Rank number(std::string_view key, Rank smallest = 1) const;

  void allow_only(std::initializer_list<std::string_view> keys) const;

  /// Throws unless `ranks`, which follow from the text, are as many as there shall be (empty: any number).
  /// \param formula  how the ranks follow from the parameters: "p*q"
  void require_ranks(std::string_view formula, Index ranks, std::optional<Rank> wanted) const;
  /// The ranks that there shall be; throws when nobody has said, because the text alone does not tell.
  Rank ranks_from(std::optional<Rank> wanted) const;

  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::string_view text_;
  std::string_view kind_;
  std::map<std::string_view, std::string_view> values_;
};

}  // namespace tessera
