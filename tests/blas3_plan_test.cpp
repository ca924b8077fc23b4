// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tessera/tessera.hpp"
#include "tests/support/reference.hpp"

namespace tessera::test {
namespace {

using Matrix = TileMatrix<double>;

bool is_grid(const Distribution& distribution) { return distribution.name().starts_with("2dbc:"); }

/// The call of a row, each matrix where the reference has it. Tiles of one element: only their number counts.
class Call {
 public:
  Call(Row row, DistributionPtr other) : row_(std::move(row)), other_(std::move(other)) {}

  void operator()(Runtime& plan, const DistributionPtr& distribution) const {
    const Index n = row_.count("n"), m = row_.count("m");
    const std::string& op = row_.text("op");
    const Matrix A(plan, n, n, 1, distribution);
    // A, B and C on one grid; C stays.
    if (op == "gemm") {
      const Matrix B(plan, n, m, 1, distribution), C(plan, n, m, 1, distribution);
      gemm<double>(plan, 1, A, B, 1, C, {.stationary = Stationary::c});
    }
    // The same.
    if (op == "symm-Cstat") {
      const Matrix B(plan, n, m, 1, distribution), C(plan, n, m, 1, distribution);
      symm<double>(plan, Side::Left, Uplo::Lower, 1, A, B, 1, C, {.stationary = Stationary::c});
    }
    // A stays. With A on a grid, B and C are on it too; with a symmetric distribution, row k of B and C is on the ranks
    // of A's colrow k.
    if (op == "symm-Astat") {
      const DistributionPtr rows = colrows_of(A, n, distribution);
      const Matrix B(plan, n, m, 1, rows), C(plan, n, m, 1, rows);
      symm<double>(plan, Side::Left, Uplo::Lower, 1, A, B, 1, C, {.stationary = Stationary::a});
    }
    // C stays, here the matrix on the distribution; the n x m operand lies as B and C above.
    if (op == "syrk") {
      const Matrix X(plan, n, m, 1, colrows_of(A, n, distribution));
      syrk<double>(plan, Uplo::Lower, 1, X, 1, A);
    }
    // The triangular matrix on the first, the other on the second distribution.
    if (op == "trsm") {
      const Matrix B(plan, n, m, 1, other_);
      trsm<double>(plan, Side::Left, Uplo::Lower, Diag::NonUnit, 1, A, B);
    }
  }

 private:
  static DistributionPtr colrows_of(const Matrix& A, Index n, const DistributionPtr& distribution) {
    return is_grid(*distribution) ? distribution : symmetric_operand(A.distribution(), n, Uplo::Lower);
  }

  Row row_;
  DistributionPtr other_;
};

TEST(Blas3Plan, SendsWhatTheReferenceCounts) {
  const auto rows = reference_rows("blas3_volumes.csv");
  ASSERT_EQ(rows.size(), 194U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.line());
    const std::string& text = row.text("dist");
    const auto slash = text.find(" / ");
    const DistributionPtr d = make_distribution(text.substr(0, slash));
    const DistributionPtr other = slash == std::string::npos ? d : make_distribution(text.substr(slash + 3));
    const Prediction p = predict(d, std::max(d->num_ranks(), other->num_ranks()), Call(row, other));
    EXPECT_EQ(p.tiles_sent(), row.count("volume_tiles"));
    EXPECT_EQ(p.max_tiles_sent(), row.count("sent_max_tiles"));
    EXPECT_EQ(p.max_tiles_received(), row.count("recv_max_tiles"));
  }
}

TEST(Blas3Plan, OperandsOfASymmetricMatrixNeedItsTriangleAndANumberOfRows) {
  const DistributionPtr A = make_distribution("sbc:r=3");
  EXPECT_EQ(symmetric_operand(*A, 0, Uplo::Lower)->num_ranks(), A->num_ranks());
  EXPECT_THROW(symmetric_operand(*A, -1, Uplo::Lower), ArgumentError);
  EXPECT_THROW(symmetric_operand(*A, 4, Uplo::General), ArgumentError);
}

}  // namespace
}  // namespace tessera::test
