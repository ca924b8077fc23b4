// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tessera/blas.hpp"

namespace {

/// Under mpirun every rank runs every test; rank 0 reports as usual, the others only what fails.
class FailurePrinter : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(std::string rank) : rank_(std::move(rank)) {}

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %s: %s:%d: %s\n", rank_.c_str(), result.file_name() ? result.file_name() : "?",
                 result.line_number(), result.message());
  }

 private:
  std::string rank_;
};

}  // namespace

int main(int argc, char** argv) {
  tessera::restart_with_best_blas_kernel(argv);
  testing::InitGoogleTest(&argc, argv);
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (rank != nullptr && std::string(rank) != "0") {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(rank));
  }
  return RUN_ALL_TESTS();
}
