// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/fill.hpp"
#include "tessera/algorithms/norm.hpp"
#include "tessera/distributions/block_cyclic_1d.hpp"
#include "tessera/generators.hpp"

namespace tessera::bench {

/// How far C is from sums of products, without making them: for a few random columns X of +1 and -1,
///
///     || C X - alpha A (B X) - beta C0 X ||_F / sqrt(columns of X)
///     ------------------------------------------------------------------,   k the inner extent,
///     (sqrt(k + 2) |alpha| ||A||_F ||B||_F + 2 |beta| ||C0||_F) eps
///
/// the scaled error of SLATE's and PLASMA's testers with its Frobenius norm estimated: ||E X||_F^2 over the number
/// of columns has the expectation ||E||_F^2 (Hutchinson 1989). Right when below residual_threshold; NaN fails. All
/// is multiplied by gemm in other shapes and another order than C was: X is only a few columns wide.
/// Cost: O(1) reads of each matrix.
template <Scalar T>
class ProductResidual {
 public:
  /// \param m, mb  rows of C and of its tiles
  /// \param n, nb  columns
  ProductResidual(Runtime& runtime, Index m, Index mb, Index n, Index nb, std::uint64_t seed)
      : rt_(runtime), X_(thin(n, nb)), R_(thin(m, mb)) {
    fill(rt_, X_, [bits = generate::integers<T>(seed + 1000, 0, 1)](Index i, Index j) -> T {
      return T{2 * real_part(bits(i, j)) - 1};
    });
  }

  /// The result.
  void subtract(const TileMatrix<T>& C) { multiply(T{-1}, C, X_, R_); }
  /// What it should be: sums of such matrices and products.
  void add(T factor, const TileMatrix<T>& C) {
    multiply(factor, C, X_, R_);
    scale_ += 2 * std::abs(factor) * norm(C);
  }
  void add(T factor, const TileMatrix<T>& A, const TileMatrix<T>& B) {
    const TileMatrix<T> W = thin(B.m(), B.mb());
    multiply(T{1}, B, X_, W);
    multiply(factor, A, W, R_);
    scale_ += std::sqrt(static_cast<double>(A.n() + 2)) * std::abs(factor) * norm(A) * norm(B);
  }

  double value() const {
    constexpr double eps = std::numeric_limits<real_t<T>>::epsilon() / 2.0;
    const double distance = norm(R_) / std::sqrt(columns);
    if (scale_ == 0) return distance == 0 ? 0 : 1 / eps;
    return distance / (scale_ * eps);
  }

 private:
  static constexpr Index columns = 4;

  TileMatrix<T> thin(Index m, Index mb) const {
    return TileMatrix<T>(rt_, m, columns, mb, columns,
                         std::make_shared<Cyclic1D>(Cyclic1D::Lines::rows, rt_.num_ranks()));
  }
  /// Y += factor A X.
  void multiply(T factor, const TileMatrix<T>& A, const TileMatrix<T>& X, const TileMatrix<T>& Y) const {
    gemm<T>(rt_, factor, A, X, T{1}, Y);
  }
  double norm(const TileMatrix<T>& A) const { return lange(rt_, Norm::frobenius, A); }

  Runtime& rt_;
  TileMatrix<T> X_, R_;
  double scale_ = 0;
};

}  // namespace tessera::bench
