// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string>

#include "tessera/distribution.hpp"
#include "tessera/types.hpp"

namespace tessera::plan {

/// An SVG picture of who owns what: one square per tile of an n x n matrix, one colour per rank.
/// \param part  the triangle that a symmetric matrix stores, or all of it
std::string draw_map(const Distribution& distribution, Index n, Uplo part);

}  // namespace tessera::plan
