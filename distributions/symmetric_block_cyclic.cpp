// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/distributions/symmetric_block_cyclic.hpp"

#include <limits>
#include <string>

#include "distributions/kinds.hpp"
#include "tessera/error.hpp"

namespace tessera {

namespace {

using Version = SymmetricBlockCyclic::Version;

Index ranks_of_pattern(Index r, Version version) {
  return version == Version::basic ? r * r / 2 : r * (r - 1) / 2;
}

bool has_pattern(Index r, Version version) {
  return version == Version::basic ? r >= 2 && r % 2 == 0 : r >= 3;
}

/// The offset from diagonal cell a to its partner; see the class.
Index partner_offset(Index a, Index variant, Index r) {
  const Index h = r / 2;
  if (r % 2 == 1 || variant < h - 1) return variant + 1;
  const Index t = variant - (h - 1);
  if (a < h) return t == 0 ? h : t;
  return t == h - 1 ? h : t + 1;
}

}  // namespace

SymmetricBlockCyclic::SymmetricBlockCyclic(Index r, Version version) : r_(r), version_(version) {
  const auto require = [&](bool ok, const char* reason) {
    if (!ok) throw ArgumentError("sbc", "r", std::to_string(r), reason);
  };
  require(has_pattern(r, version),
          version == Version::basic ? "must be even and positive" : "must be at least 3");
  require(r < Index{1} << 16 && ranks_of_pattern(r, version) <= std::numeric_limits<Rank>::max(),
          "there must be less than 2^31 ranks");
}

Rank SymmetricBlockCyclic::num_ranks() const { return static_cast<Rank>(ranks_of_pattern(r_, version_)); }

Rank SymmetricBlockCyclic::diagonal_owner(Index a, Index I, Index J) const {
  if (version_ == Version::basic) return static_cast<Rank>(r_ * (r_ - 1) / 2 + a % (r_ / 2));
  const Index variants = r_ % 2 == 1 ? (r_ - 1) / 2 : r_ - 1;
  const Index variant = (I * (I + 1) / 2 + J) % variants;
  return owner_of_pair(a, (a + partner_offset(a, variant, r_)) % r_);
}

std::string SymmetricBlockCyclic::name() const {
  return "sbc:r=" + std::to_string(r_) + (version_ == Version::basic ? ",kind=basic" : "");
}

namespace {

/// The order of the pattern over exactly `num_ranks` ranks, if there is one.
std::optional<Index> order_for(Rank num_ranks, Version version) {
  Index r = 2;
  while (ranks_of_pattern(r, version) < num_ranks) ++r;
  if (ranks_of_pattern(r, version) != num_ranks || !has_pattern(r, version)) return {};
  return r;
}

DistributionPtr make(const Text& text, std::optional<Rank> num_ranks) {
  text.allow_only({"r", "kind"});
  const auto version = text.has("kind")
                           ? text.choice("kind", "extended", Version::extended, "basic", Version::basic)
                           : Version::extended;
  const char* formula = version == Version::basic ? "r^2/2" : "r(r-1)/2";
  if (!text.has("r")) {
    const Rank wanted = text.ranks_from(num_ranks);
    const auto r = order_for(wanted, version);
    if (!r) text.fail("there is none over " + std::to_string(wanted) + " ranks: they must be " + formula);
    return std::make_shared<SymmetricBlockCyclic>(*r, version);
  }
  const auto made = std::make_shared<SymmetricBlockCyclic>(text.number("r"), version);
  text.require_ranks(formula, made->num_ranks(), num_ranks);
  return made;
}

std::vector<std::string> candidates(Rank num_ranks) {
  std::vector<std::string> patterns;
  for (const Version version : {Version::extended, Version::basic}) {
    if (const auto r = order_for(num_ranks, version))
      patterns.push_back(SymmetricBlockCyclic(*r, version).name());
  }
  return patterns;
}

}  // namespace

constinit const Kind kinds::symmetric_block_cyclic = {"sbc", make, candidates};

}  // namespace tessera
