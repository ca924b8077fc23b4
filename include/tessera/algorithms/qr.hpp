// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <vector>

#include "tessera/algorithms/cholesky.hpp"
#include "tessera/algorithms/reduction_tree.hpp"
#include "tessera/error.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// QR and LQ factorisations, the orthogonal matrices they leave, and least squares.
///
/// Each routine has an asynchronous form on a Sequence, which returns once the tasks are submitted, and a blocking form
/// on a Runtime. Both are collective over the ranks. A = Q R has LAPACK's signs up to rounding: the diagonal of R is real
/// and may be negative. It is LAPACK's R up to the signs of rows: trees reduce rows in another order.
///
/// All throw ArgumentError, on every rank and before anything is submitted, when tiles are not square, shapes or tiles
/// do not agree, the reflectors have not been made for the matrix, A is a transpose without conjugate of complex type,
/// matrices share tiles, a matrix belongs to another runtime, or arguments differ between ranks.

namespace tessera {

/// What beside A makes up a Q: made by make_reflectors(), filled by geqrf or gelqf.
template <Scalar T>
struct Reflectors {
  TileMatrix<T>
      triangles;  ///< of A's size: R of a tile; then the vectors that eliminated it, where it was a triangle
  TileMatrix<T> first;        ///< ib rows per tile: T's of the tiles that were reduced by themselves
  TileMatrix<T> second;       ///< the same of those that were eliminated
  std::vector<Panel> panels;  ///< the tree's
};

/// How a factorisation is blocked.
struct QrOptions {
  TreePtr tree;  ///< null: automatic_tree()
  Index ib = 0;  ///< inner block, columns; 0: chosen
};

/// Room for the reflectors of geqrf(A); for gelqf(A), of conj_trans(A). Collective.
/// \param A  m x n, square tiles
/// \note Memory: that of A once more where the tree reduces tiles to triangles (address space elsewhere), and 2 ib / nb
///       of it.
/// \throws ArgumentError for ib < 0 or larger than a tile; for a tree whose panels are not as ReductionTree has them
template <Scalar T>
Reflectors<T> make_reflectors(Runtime& runtime, const TileMatrix<T>& A, const QrOptions& options = {});

/// QR factorisation A = Q R.
/// \param A  m x n; overwritten by R on and above the diagonal, and vectors of Q elsewhere
/// \param Q  made for A; overwritten by the rest of Q
/// Cost: 2 m n^2 - 2 n^3/3 flops for m >= n. Source: LAPACK geqrf; Bouwmeester, Jacquelin, Langou, Robert, SC11.
template <Scalar T>
void geqrf(Sequence& sequence, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const CallOptions& options = {});
template <Scalar T>
void geqrf(Runtime& runtime, const TileMatrix<T>& A, const Reflectors<T>& Q, const CallOptions& options = {});

/// C = op(Q) C (Left) or C op(Q) (Right) for the m x m matrix Q of geqrf.
/// \param side  Left: C has m rows; Right: m columns
/// \param op    no_trans or conj_trans (trans too for real types)
/// \param A, Q  from geqrf; not changed
/// \param C     tiles as A's rows have them
/// Cost: 4 m n k - 2 n k^2 flops for k reflectors and n columns of C. Source: LAPACK unmqr, ormqr.
template <Scalar T>
void unmqr(Sequence& sequence, Side side, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const TileMatrix<T>& C, const CallOptions& options = {});
template <Scalar T>
void unmqr(Runtime& runtime, Side side, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const TileMatrix<T>& C, const CallOptions& options = {});

/// The first columns of Q.
/// \param A, Q  from geqrf; not changed
/// \param X     m x p, p <= m, tiles as A's rows have them; overwritten by the first p columns of Q
/// Cost: 4 m p k - 2 (m + p) k^2 + 4 k^3/3 flops. Source: LAPACK ungqr, orgqr.
template <Scalar T>
void ungqr(Sequence& sequence, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& X,
           const CallOptions& options = {});
template <Scalar T>
void ungqr(Runtime& runtime, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& X,
           const CallOptions& options = {});

/// LQ factorisation A = L Q.
/// \param A  m x n; overwritten by L on and below the diagonal, and vectors of Q elsewhere
/// \param Q  made for conj_trans(A); overwritten by the rest of Q
/// Cost: as geqrf of the transpose. Source: LAPACK gelqf.
template <Scalar T>
void gelqf(Sequence& sequence, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const CallOptions& options = {});
template <Scalar T>
void gelqf(Runtime& runtime, const TileMatrix<T>& A, const Reflectors<T>& Q, const CallOptions& options = {});

/// C = op(Q) C (Left) or C op(Q) (Right) for the n x n matrix Q of gelqf; otherwise as unmqr.
/// Source: LAPACK unmlq, ormlq.
template <Scalar T>
void unmlq(Sequence& sequence, Side side, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const TileMatrix<T>& C, const CallOptions& options = {});
template <Scalar T>
void unmlq(Runtime& runtime, Side side, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const TileMatrix<T>& C, const CallOptions& options = {});

/// The first rows of the Q of gelqf.
/// \param X  p x n, p <= n, tiles as A's columns have them; overwritten by the first p rows of Q
/// Source: LAPACK unglq, orglq.
template <Scalar T>
void unglq(Sequence& sequence, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& X,
           const CallOptions& options = {});
template <Scalar T>
void unglq(Runtime& runtime, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& X,
           const CallOptions& options = {});

/// Least squares, or the solution of least norm, for A of full rank.
/// \param op  no_trans: op(A) = A; conj_trans: A^H (trans too for real types)
/// \param A   m x n; overwritten by its QR (m >= n) or LQ factors
/// \param Q   made for A (m >= n) or conj_trans(A)
/// \param B   max(m, n) x nrhs, in tiles as A's: the right-hand sides in its first rows, as many as op(A) has; their place
///            is taken by X in as many rows as op(A) has columns. If op(A) has more rows than columns, X minimises
///            ||op(A) X - B||, column by column, and the squares of the further rows add up to the square of
///            that norm; otherwise X is the solution of least norm.
/// \return ok, or the 1-based index of the first diagonal element of the triangular factor that is exactly zero: A has
///         not full rank. The blocking form then leaves in B what it was multiplied by so far; the asynchronous one
///         leaves it undefined.
/// Cost: geqrf, unmqr and trsm. Source: LAPACK gels (which scales A and B; here the range of the type is the limit).
template <Scalar T>
void gels(Sequence& sequence, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& B,
          const CallOptions& options = {});
template <Scalar T>
Info gels(Runtime& runtime, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& B,
          const CallOptions& options = {});

/// A = Q R by two Cholesky factorisations of A^H A: twice the operations of geqrf, all in matrix products, for a
/// well-conditioned A with many more rows than columns. Where the condition of A is too large for it, above about
/// 1 / sqrt(eps), geqrf and ungqr do the same.
/// \param A  m x n, m >= n, square tiles; overwritten by the first n columns of Q
/// \param R  n x n, tiles as A's; its upper triangle is overwritten by R, of which the diagonal is positive unless geqrf
///           was needed; the other triangle is not touched
/// \param options  for geqrf
/// \return whether geqrf was needed
/// Cost: 4 m n^2 flops, and twice as many if geqrf is needed; memory for one more A. Source: Yamamoto, Nakatsukasa,
///       Yanagisawa, Fukaya, Electron. Trans. Numer. Anal. 44, 2015.
template <Scalar T>
bool cholqr2(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& R, const QrOptions& options = {});

}  // namespace tessera
