// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/plan/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera::plan {
namespace {

constexpr double width = 720;  // of the map, pixels
constexpr double head = 34;    // title above it
constexpr double margin = 12;
constexpr double smallest_number = 11;  // side of a tile in which a rank can still be read

/// Colours that stay apart for neighbouring ranks: hues a golden angle from each other, in three shades.
std::string colour(Rank rank) {
  const double hue = std::fmod(rank * 137.508, 360);
  const int lightness = 62 + 10 * (rank / 3 % 3);
  return fmt::format("hsl({:.1f},62%,{}%)", hue, lightness);
}

bool stored(Uplo part, Index i, Index j) {
  return part == Uplo::General || (part == Uplo::Lower ? i >= j : i <= j);
}

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return escaped;
}

}  // namespace

std::string draw_map(const Distribution& distribution, Index n, Uplo part) {
  const double side = width / static_cast<double>(n);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" "
      "font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"23\" font-size=\"16\">{3}: {4} ranks, {5} x {5} tiles</text>\n"
      "<g transform=\"translate({2},{6})\" stroke=\"white\" stroke-width=\"{7:.2f}\" text-anchor=\"middle\" "
      "font-size=\"{8:.1f}\">\n",
      width + 2 * margin, width + head + margin, margin, escape(distribution.name()),
      distribution.num_ranks(), n, head, std::min(1.0, side / 12), side * 0.5);
  const bool numbers = side >= smallest_number;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (!stored(part, i, j)) continue;
      const Rank rank = distribution.owner(i, j);
      const double x = static_cast<double>(j) * side, y = static_cast<double>(i) * side;
      svg +=
          fmt::format("<rect x=\"{0:.2f}\" y=\"{1:.2f}\" width=\"{2:.2f}\" height=\"{2:.2f}\" fill=\"{3}\"/>",
                      x, y, side, colour(rank));
      if (numbers) {
        svg += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" stroke=\"none\">{}</text>", x + side / 2,
                           y + side * 0.68, rank);
      }
      svg += '\n';
    }
  }
  return svg + "</g>\n</svg>\n";
}

}  // namespace tessera::plan
