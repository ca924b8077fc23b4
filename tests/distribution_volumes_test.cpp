// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include "tessera/distributions/registry.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/volumes.hpp"

namespace tessera::test {
namespace {

TEST(Volumes, EqualTheReferenceToTheTile) {
  const auto rows = reference_rows("volumes.csv");
  ASSERT_EQ(rows.size(), 150U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row.line());
    const Index n = row.count("n");
    const DistributionPtr d = fitted(make_distribution(row.text("dist")), n);
    const bool is_lu = row.text("op") == "lu";
    const Volume volume = is_lu ? lu_volume(*d, n) : potrf_volume(*d, n);
    EXPECT_EQ(volume.total(), row.count("volume_tiles"));
    EXPECT_EQ(volume.max_sent(), row.count("sent_max_tiles"));
    EXPECT_EQ(volume.max_received(), row.count("recv_max_tiles"));
    if (!is_lu) {
      EXPECT_NEAR(potrf_imbalance(*d, n), row.real("flops_imbalance"), 6e-5);  // four decimals
    }
  }
}

}  // namespace
}  // namespace tessera::test
