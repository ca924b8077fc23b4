// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/distributions/pattern.hpp"

namespace tessera {

/// Triangle block-cyclic (TBC), for matrices of which one triangle is stored: each rank has a set of v
/// colrows of the pattern, every two colrows are together in exactly one set, and the rank owns all cells (a,
/// b), a != b, of its set. SBC has sets of two. The sets here are the lines of a finite plane over GF(q), and
/// the colrows its points: a tile of a Cholesky factor is sent to the other q of the q+1 lines through a
/// point, another sqrt(2) less than SBC.
///
///            q = 2, projective:   * 4 0 2 0 2 4      rank 0 has colrows 0 2 4, rank 1 has 1 3 4, rank 2
///            (Fano's plane)       4 * 3 1 1 3 4      has 0 3 5, ...; the free cells *: see Pattern
///                                 0 3 * 5 0 3 5
///                                 2 1 5 * 1 2 5
///                                 0 1 0 1 * 6 6
///                                 2 3 3 2 6 * 6
///                                 4 4 5 5 6 6 *
///
/// Affine: point (x, y) is colrow x q + y; the lines y = m x + b are ranks m q + b, then x = c is rank q^2 +
/// c. Projective: also the point q^2 + m on the lines of slope m, q^2 + q on the lines x = c; they form the
/// last line.
///
/// Ranks: q^2 + q + 1 = r (projective), q^2 + q with r = q^2 (affine), q a prime power. Tiles sent by a
/// Cholesky factorisation of n x n tiles, S = n(n+1)/2:  V = S q - O(n), about S (sqrt(P) - 1/2). The pattern
/// is large: the load is even only for n of several r.
///
/// Source: triangle blocks from Steiner systems and finite geometries are in Agullo et al., On the Arithmetic
/// Intensity of Distributed-Memory Dense Matrix Multiplication Involving a Symmetric Input Matrix (SYMM),
/// IPDPS'23, and Al Daas, Ballard, Grigori, Kumar, Rouse, Verite, Communication Lower Bounds and Optimal
/// Algorithms for Symmetric Matrix Computations, 2024.
class TriangleBlockCyclic final : public Pattern {
 public:
  enum class Plane { affine, projective };

  /// The largest q: its projective pattern has 4161 ranks and 69 MB.
  static constexpr Rank max_q = 64;

  /// \param q  order of the plane: a prime power up to max_q
  /// \throws ArgumentError when it is not
  TriangleBlockCyclic(Rank q, Plane plane);
};

}  // namespace tessera
