// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tessera/error.hpp"

namespace tessera::bench {
namespace {

[[noreturn]] void fail(std::string_view option, std::string_view text, std::string_view reason) {
  throw UsageError(fmt::format("{}: '{}' {}", option, text, reason));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> items(1);
  for (const char c : text) {
    if (c == separator) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  return items;
}

/// \param text  the item that messages name: the digits or the range that holds them
Index parse_size(std::string_view option, std::string_view digits, std::string_view text) {
  Index value = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, value);
  if (error == std::errc::result_out_of_range) fail(option, text, "does not fit in 64 bits");
  if (error != std::errc{} || end != last) fail(option, text, "is not a whole number or a range of them");
  if (value < 0) fail(option, text, "must not be negative");
  return value;
}

void append_range(std::string_view option, std::string_view text, std::vector<Index>& sizes) {
  const auto parts = split(text, ':');
  if (parts.size() != 3) fail(option, text, "is not a range first:last:step");
  const Index first = parse_size(option, parts[0], text);
  const Index last = parse_size(option, parts[1], text);
  const Index step = parse_size(option, parts[2], text);
  if (step == 0) fail(option, text, "has a step of 0");
  if (last < first) fail(option, text, "is an empty range");
  constexpr Index longest = 100000;
  if ((last - first) / step >= longest) fail(option, text, "has too many elements");
  for (Index k = 0; k <= (last - first) / step; ++k) sizes.push_back(first + k * step);
}

}  // namespace

std::vector<std::string> split_list(std::string_view option, std::string_view text) {
  auto items = split(text, ',');
  if (std::ranges::any_of(items, &std::string::empty)) fail(option, text, "has an empty item");
  return items;
}

TreePtr parse_tree(const std::string& text) {
  if (text == "auto") return {};
  try {
    return make_tree(text);
  } catch (const ArgumentError& error) {
    throw UsageError(fmt::format("--tree: '{}' {}", text, error.reason()));
  }
}

std::vector<Index> parse_sizes(std::string_view option, std::string_view text) {
  std::vector<Index> sizes;
  for (const std::string& item : split_list(option, text)) {
    if (item.find(':') == std::string::npos) {
      sizes.push_back(parse_size(option, item, item));
    } else {
      append_range(option, item, sizes);
    }
  }
  return sizes;
}

}  // namespace tessera::bench
