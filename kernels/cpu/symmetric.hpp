// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/cpu/vectorize.hpp"
#include "kernels/region.hpp"
#include "tessera/tile.hpp"
#include "tessera/types.hpp"

/// \file
/// What the kernels of symmetric and of Hermitian tiles have in common: hemm and symm, her2k and syr2k, herk and
/// syrk.

namespace tessera::kernel {

/// How one triangle of a matrix follows from the other.
enum class Symmetry { symmetric, hermitian };

/// Element (j, i) when x is element (i, j).
template <Symmetry s, Scalar T>
constexpr T mirrored(T x) {
  return s == Symmetry::hermitian ? conjugate(x) : x;
}

/// The transpose under which the matrix stays what it is; of op(A), A or its transpose, the op of the other one.
template <Symmetry s>
constexpr Op mirrored(Op op) {
  if (op != Op::no_trans) return Op::no_trans;
  return s == Symmetry::hermitian ? Op::conj_trans : Op::trans;
}

/// `full` = A with both triangles, of which `uplo` is stored.
template <Symmetry s, Scalar T>
void expand(Uplo uplo, Tile<const T> a, Tile<T> full) {
  constexpr Index leaf = 16;
  if (a.rows <= leaf) {
    const Region stored{uplo};
    for (Index j = 0; j < a.cols; ++j) {
      for (Index i = stored.begin(j, a.rows); i < stored.end(j, a.rows); ++i) {
        full(i, j) = a(i, j);
        full(j, i) = mirrored<s>(a(i, j));
      }
      if (s == Symmetry::hermitian) full(j, j) = real_part(a(j, j));
    }
    return;
  }
  const auto source = split(uplo, a, leaf);
  const auto lower = split(Uplo::Lower, full, leaf), upper = split(Uplo::Upper, full, leaf);
  expand<s>(uplo, source.a11, lower.a11);
  copy<T>(uplo == Uplo::Lower ? Op::no_trans : mirrored<s>(Op::no_trans), source.off, lower.off);
  copy<T>(uplo == Uplo::Upper ? Op::no_trans : mirrored<s>(Op::no_trans), source.off, upper.off);
  expand<s>(uplo, source.a22, lower.a22);
}

/// Sets the imaginary parts on the diagonal to zero, which BLAS leaves when there is nothing to add.
template <Scalar T>
void make_diagonal_real(Tile<T> c) {
  for (Index i = 0; i < c.rows; ++i) c(i, i) = real_part(c(i, i));
}

/// Room on the stack for a diagonal block in full, at most 74 kB. The columns begin in different cache sets.
template <Scalar T>
class DiagonalBlock {
 public:
  static constexpr Index max_order = 64;

  Tile<T> tile(Index order) { return {elements_, order, order, ld}; }

 private:
  static constexpr Index ld = max_order + 8;
  alignas(64) T elements_[ld * max_order];
};

/// Whether a product is formed by gemm alone: BLAS's symm and hemm have no op(B), and with a small real A OpenBLAS's gemm
/// is faster by a third.
template <Scalar T>
constexpr bool is_product_by_gemm(Op op_b, Index order) {
  return op_b != Op::no_trans || (!is_complex<T> && order <= 96);
}

/// C = alpha A op(B) + beta C (Left) or alpha op(B) A + beta C (Right) with one triangle of A, by gemm alone with
/// both triangles of A in scratch memory.
template <Symmetry s, Scalar T>
void multiply_symmetric(Side side, Uplo uplo, Op op_b, const T& alpha, Tile<const T> a, Tile<const T> b,
                        const T& beta, Tile<T> c) {
  constexpr Index leaf = 512;                                                             // 2 MB of doubles
  if (alpha == T(0)) return multiply<T>(side, Op::no_trans, op_b, alpha, a, b, beta, c);  // reads neither
  if (a.rows <= leaf) {
    thread_local std::vector<T> memory;
    const Index ld = a.rows + 8;  // columns begin in different cache sets
    memory.resize(std::max(memory.size(), static_cast<std::size_t>(ld * a.rows)));
    const Tile<T> full{memory.data(), a.rows, a.rows, ld};
    expand<s>(uplo, a, full);
    return multiply<T>(side, Op::no_trans, op_b, alpha, full, b, beta, c);
  }
  const auto [a11, off, a22] = split(uplo, a, leaf);
  const bool left = side == Side::Left;
  const auto [b1, b2] = cut(left == (op_b == Op::no_trans), b, a11.rows);
  const auto [c1, c2] = cut(left, c, a11.rows);
  multiply_symmetric<s, T>(side, uplo, op_b, alpha, a11, b1, beta, c1);
  multiply_symmetric<s, T>(side, uplo, op_b, alpha, a22, b2, beta, c2);
  // A12 B2 or B2 A21, and A21 B1 or B1 A12: one of the two blocks is stored.
  const Op op_2 = left == (uplo == Uplo::Upper) ? Op::no_trans : mirrored<s>(Op::no_trans);
  multiply<T>(side, op_2, op_b, alpha, off, b2, T(1), c1);
  multiply<T>(side, mirrored<s>(op_2), op_b, alpha, off, b1, T(1), c2);
}

/// Whether an update of one triangle is faster by gemm alone than by the vendor's syrk, herk, syr2k or her2k, which in
/// OpenBLAS lack the kernels for small matrices that its real gemm has: their rate at orders 64 and 128 grows by a half.
template <Scalar T>
constexpr bool is_fast_by_gemm(Op op, Index order) {
  return !is_complex<T> && order <= (op == Op::no_trans ? 192 : 128);
}

/// One triangle of C = W + beta C.
template <Scalar T, class Beta>
void add_triangle(Uplo uplo, Tile<const T> w, Beta beta, Tile<T> c) {
  const Region stored{uplo};
  vectorized([=](auto) {
    for (Index j = 0; j < c.cols; ++j) {
      const Index end = stored.end(j, c.rows);
      for (Index i = stored.begin(j, c.rows); i < end; ++i) {
        c(i, j) = beta == Beta(0) ? w(i, j) : w(i, j) + beta * c(i, j);
      }
    }
  });
}

/// One triangle of C = alpha op(A) op(A)' + beta C, where ' is the transpose of the symmetry, by gemm alone.
template <Symmetry s, Scalar T, class Factor>
void update_rank_k(Uplo uplo, Op op, Factor alpha, Tile<const T> a, Factor beta, Tile<T> c) {
  constexpr Index leaf = 16;  // twice the work, at a lower rate if smaller
  const Op other = op == Op::no_trans ? mirrored<s>(op) : Op::no_trans;
  if (c.rows <= leaf) {
    DiagonalBlock<T> block;
    const Tile<T> w = block.tile(c.rows);
    vendor::gemm<T>(op, other, T(alpha), a, a, T(0), w);
    return add_triangle<T>(uplo, w, beta, c);
  }
  const auto [c11, off, c22] = split(uplo, c, leaf);
  const auto [a1, a2] = cut(op == Op::no_trans, a, c11.rows);
  const bool lower = uplo == Uplo::Lower;
  update_rank_k<s, T>(uplo, op, alpha, a1, beta, c11);
  vendor::gemm<T>(op, other, T(alpha), lower ? a2 : a1, lower ? a1 : a2, T(beta), off);
  update_rank_k<s, T>(uplo, op, alpha, a2, beta, c22);
}

/// One triangle of C = alpha op(A) op(B)' + mirrored(alpha) op(B) op(A)' + beta C, where ' is the transpose of the
/// symmetry, by gemm alone: for the different ops that BLAS does not have. In a diagonal block the second product is
/// the first one mirrored.
template <Symmetry s, Scalar T, class Beta>
void update_rank_2k(Uplo uplo, Op op_a, Op op_b, const T& alpha, Tile<const T> a, Tile<const T> b, Beta beta,
                    Tile<T> c) {
  constexpr Index leaf = is_complex<T> ? DiagonalBlock<T>::max_order : 32;
  if (c.rows <= leaf) {
    DiagonalBlock<T> block;
    const Tile<T> w = block.tile(c.rows);
    vendor::gemm<T>(op_a, mirrored<s>(op_b), alpha, a, b, T(0), w);
    const Region stored{uplo};
    for (Index j = 0; j < c.cols; ++j) {
      for (Index i = stored.begin(j, c.rows); i < stored.end(j, c.rows); ++i) {
        const T sum = w(i, j) + mirrored<s>(w(j, i));
        c(i, j) = beta == Beta(0) ? sum : sum + beta * c(i, j);
      }
    }
    return;
  }
  const auto [c11, off, c22] = split(uplo, c, leaf);
  const auto [a1, a2] = cut(op_a == Op::no_trans, a, c11.rows);
  const auto [b1, b2] = cut(op_b == Op::no_trans, b, c11.rows);
  update_rank_2k<s, T>(uplo, op_a, op_b, alpha, a1, b1, beta, c11);
  update_rank_2k<s, T>(uplo, op_a, op_b, alpha, a2, b2, beta, c22);
  const bool lower = uplo == Uplo::Lower;
  vendor::gemm<T>(op_a, mirrored<s>(op_b), alpha, lower ? a2 : a1, lower ? b1 : b2, T(beta), off);
  vendor::gemm<T>(op_b, mirrored<s>(op_a), mirrored<s>(alpha), lower ? b2 : b1, lower ? a1 : a2, T(1), off);
}

/// Columns first, ..., first + count - 1 of op(A).
template <Scalar T>
Tile<const T> slice(Op op, Tile<const T> a, Index first, Index count) {
  return op == Op::no_trans ? a.block(0, first, a.rows, count) : a.block(first, 0, count, a.cols);
}

/// Calls update(first, count, beta) for slices of a rank-k update, of which the later ones find beta = 1. OpenBLAS's
/// syrk and syr2k without transpose lose up to a third of their speed to cache conflicts where the depth of their
/// packed panels is 128 or 256, which common tile sizes lead to; with transpose they do not (benchmarks/kernels.cpp).
template <class Beta, class Update>
void for_each_slice(Op op, Index k, Beta beta, Update update) {
  const Index depth = op == Op::no_trans ? 224 : k;
  Index first = 0;
  do {  // also for k = 0: beta is to be applied
    const Index count = std::min(depth, k - first);
    update(first, count, first == 0 ? beta : Beta(1));
    first += count;
  } while (first < k);
}

}  // namespace tessera::kernel
