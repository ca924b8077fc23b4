// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/triangle_block_cyclic.hpp"

#include <string>
#include <vector>

#include "distributions/galois_field.hpp"
#include "distributions/kinds.hpp"
#include "tessera/error.hpp"

namespace tessera {

namespace {

using Plane = TriangleBlockCyclic::Plane;

Index ranks_of_plane(Index q, Plane plane) { return q * q + q + (plane == Plane::projective ? 1 : 0); }
Index points_of_plane(Index q, Plane plane) { return q * q + (plane == Plane::projective ? q + 1 : 0); }

/// The points on each line, in the order of the class's description.
std::vector<std::vector<Rank>> lines_of_plane(Rank q, Plane plane) {
  const GaloisField field(q);
  const bool projective = plane == Plane::projective;
  std::vector<std::vector<Rank>> lines;
  for (Rank m = 0; m < q; ++m) {
    for (Rank b = 0; b < q; ++b) {
      auto& line = lines.emplace_back();
      for (Rank x = 0; x < q; ++x) line.push_back(x * q + field.add(field.multiply(m, x), b));
      if (projective) line.push_back(q * q + m);
    }
  }
  for (Rank c = 0; c < q; ++c) {
    auto& line = lines.emplace_back();
    for (Rank y = 0; y < q; ++y) line.push_back(c * q + y);
    if (projective) line.push_back(q * q + q);
  }
  if (projective) {
    auto& infinity = lines.emplace_back();
    for (Rank m = 0; m <= q; ++m) infinity.push_back(q * q + m);
  }
  return lines;
}

Pattern::Rows pattern_of_plane(Rank q, Plane plane) {
  if (q > TriangleBlockCyclic::max_q || !GaloisField::exists(q)) {
    throw ArgumentError("tbc", "q", std::to_string(q),
                        "must be a prime power up to " + std::to_string(TriangleBlockCyclic::max_q));
  }
  const auto r = static_cast<std::size_t>(points_of_plane(q, plane));
  Pattern::Rows rows(r, std::vector<Rank>(r, Pattern::free_cell));
  Rank rank = 0;
  for (const auto& line : lines_of_plane(q, plane)) {
    for (const Rank a : line) {
      for (const Rank b : line) {
        if (a != b) rows[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = rank;
      }
    }
    ++rank;
  }
  return rows;
}

std::string name_of(Rank q, Plane plane) {
  return "tbc:q=" + std::to_string(q) + ",plane=" + (plane == Plane::affine ? "affine" : "projective");
}

}  // namespace

TriangleBlockCyclic::TriangleBlockCyclic(Rank q, Plane plane)
    : Pattern(name_of(q, plane), static_cast<Rank>(ranks_of_plane(q, plane)), pattern_of_plane(q, plane),
              /*symmetric=*/true) {}

namespace {

/// The plane over exactly `num_ranks` ranks, if there is one.
std::optional<Rank> order_for(Rank num_ranks, Plane plane) {
  Rank q = 2;
  while (q < TriangleBlockCyclic::max_q && ranks_of_plane(q, plane) < num_ranks) ++q;
  if (ranks_of_plane(q, plane) != num_ranks || !GaloisField::exists(q)) return {};
  return q;
}

DistributionPtr make(const Text& text, std::optional<Rank> num_ranks) {
  text.allow_only({"q", "plane"});
  std::vector<Plane> planes = {Plane::projective, Plane::affine};
  if (text.has("plane")) {
    planes = {text.choice("plane", "projective", Plane::projective, "affine", Plane::affine)};
  }
  if (text.has("q")) {
    const auto made = std::make_shared<TriangleBlockCyclic>(text.number("q"), planes.front());
    text.require_ranks(planes.front() == Plane::projective ? "q^2+q+1" : "q^2+q", made->num_ranks(),
                       num_ranks);
    return made;
  }
  const Rank wanted = text.ranks_from(num_ranks);
  for (const Plane plane : planes) {
    if (const auto q = order_for(wanted, plane)) return std::make_shared<TriangleBlockCyclic>(*q, plane);
  }
  text.fail("there is none over " + std::to_string(wanted) +
            " ranks: they must be q^2+q+1 (projective) or q^2+q (affine) for a prime power q");
}

std::vector<std::string> candidates(Rank num_ranks) {
  std::vector<std::string> names;
  for (const Plane plane : {Plane::projective, Plane::affine}) {
    if (const auto q = order_for(num_ranks, plane)) names.push_back(name_of(*q, plane));
  }
  return names;
}

}  // namespace

constinit const Kind kinds::triangle_block_cyclic = {"tbc", make, candidates};

}  // namespace tessera
