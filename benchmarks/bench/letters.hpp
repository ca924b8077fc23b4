// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <map>
#include <string>

#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/lu.hpp"
#include "tessera/types.hpp"

/// \file
/// What the words of the command line stand for, in both programs.

namespace tessera::bench {

inline const std::map<std::string, Op> ops = {{"N", Op::no_trans}, {"T", Op::trans}, {"C", Op::conj_trans}};
inline const std::map<std::string, Side> sides = {{"L", Side::Left}, {"R", Side::Right}};
inline const std::map<std::string, Uplo> triangles = {{"L", Uplo::Lower}, {"U", Uplo::Upper}};
inline const std::map<std::string, Diag> diagonals = {{"N", Diag::NonUnit}, {"U", Diag::Unit}};
inline const std::map<std::string, Stationary> variants = {
    {"a", Stationary::a}, {"b", Stationary::b}, {"c", Stationary::c}, {"auto", Stationary::automatic}};
inline const std::map<std::string, Pivoting> pivotings = {
    {"partial", Pivoting::partial}, {"tournament", Pivoting::tournament}, {"none", Pivoting::none}};

/// The word for a value.
template <class Value>
std::string word_for(Value value, const std::map<std::string, Value>& words) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return {};
}

}  // namespace tessera::bench
