// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tessera/distributions/registry.hpp"
#include "tests/support/volumes.hpp"

namespace tessera::test {
namespace {

struct Row {
  std::string operation;
  Index n = 0, volume = 0, max_sent = 0, max_received = 0, max_tasks = 0;
  double imbalance = 0;
  std::string distribution;  // the last field: a name may hold commas
};

std::vector<Row> reference_rows() {
  std::ifstream file(TESSERA_TEST_DATA "/volumes.csv");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("op,")) continue;
    Row& row = rows.emplace_back();
    char comma;
    std::istringstream fields(line);
    std::getline(fields, row.operation, ',');
    fields >> row.n >> comma >> row.volume >> comma >> row.max_sent >> comma >> row.max_received >> comma >>
        row.max_tasks >> comma >> row.imbalance >> comma;
    std::getline(fields, row.distribution);
    EXPECT_TRUE(fields) << line;
  }
  return rows;
}

TEST(Volumes, EqualTheReferenceToTheTile) {
  const auto rows = reference_rows();
  ASSERT_EQ(rows.size(), 150U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.operation + ", " + row.distribution + ", n = " + std::to_string(row.n));
    const DistributionPtr d = fitted(make_distribution(row.distribution), row.n);
    const bool is_lu = row.operation == "lu";
    const Volume volume = is_lu ? lu_volume(*d, row.n) : potrf_volume(*d, row.n);
    EXPECT_EQ(volume.total(), row.volume);
    EXPECT_EQ(volume.max_sent(), row.max_sent);
    EXPECT_EQ(volume.max_received(), row.max_received);
    EXPECT_TRUE(is_lu || std::abs(potrf_imbalance(*d, row.n) - row.imbalance) < 6e-5)  // four decimals
        << potrf_imbalance(*d, row.n) << " " << row.imbalance;
  }
}

}  // namespace
}  // namespace tessera::test
