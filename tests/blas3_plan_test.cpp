// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tessera/tessera.hpp"

namespace tessera::test {
namespace {

struct Row {
  std::string operation;
  Index n = 0, m = 0, volume = 0, max_sent = 0, max_received = 0;
  std::string distribution;  // the last field: a name may hold commas
};

std::vector<Row> reference_rows() {
  std::ifstream file(TESSERA_TEST_DATA "/blas3_volumes.csv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("op,")) continue;
    Row& row = rows.emplace_back();
    char comma;
    std::istringstream fields(line);
    std::getline(fields, row.operation, ',');
    fields >> row.n >> comma >> row.m >> comma >> row.volume >> comma >> row.max_sent >> comma >>
        row.max_received >> comma;
    std::getline(fields, row.distribution);
    EXPECT_TRUE(fields) << line;
  }
  return rows;
}

using Matrix = TileMatrix<double>;

bool is_grid(const Distribution& distribution) { return distribution.name().starts_with("2dbc:"); }

/// The call of a row, each matrix where the reference has it. Tiles of one element: only their number counts.
class Call {
 public:
  Call(Row row, DistributionPtr other) : row_(std::move(row)), other_(std::move(other)) {}

  void operator()(Runtime& plan, const DistributionPtr& distribution) const {
    const Index n = row_.n, m = row_.m;
    const std::string& op = row_.operation;
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
    // C stays, here the matrix of row.distribution; the n x m operand lies as B and C above.
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
  const auto rows = reference_rows();
  ASSERT_EQ(rows.size(), 194U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.operation + ", " + row.distribution + ", n = " + std::to_string(row.n) +
                 ", m = " + std::to_string(row.m));
    const auto slash = row.distribution.find(" / ");
    const DistributionPtr d = make_distribution(row.distribution.substr(0, slash));
    const DistributionPtr other =
        slash == std::string::npos ? d : make_distribution(row.distribution.substr(slash + 3));
    const Prediction p = predict(d, std::max(d->num_ranks(), other->num_ranks()), Call(row, other));
    EXPECT_EQ(p.tiles_sent(), row.volume);
    EXPECT_EQ(p.max_tiles_sent(), row.max_sent);
    EXPECT_EQ(p.max_tiles_received(), row.max_received);
  }
}

}  // namespace
}  // namespace tessera::test
