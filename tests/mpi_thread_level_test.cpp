// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

#include "tests/support/dense.hpp"

namespace tessera::test {
namespace {

/// With plain MPI_Init StarPU-MPI only prints a warning, and hangs later.
TEST(MpiThreadLevel, TooLowALevelIsRefusedAtOnceOnEveryRank) {
  MPI_Init(nullptr, nullptr);
  try {
    Runtime rt;
    ADD_FAILURE() << "accepted";
  } catch (const RuntimeError& e) {
    EXPECT_NE(std::string(e.what()).find("MPI_THREAD_MULTIPLE"), std::string::npos) << e.what();
  }
  RuntimeOptions options;  // without communication the level does not matter
  options.communicator = MPI_Comm_c2f(MPI_COMM_SELF);
  {
    Runtime rt(options);
    auto a = Dense<double>(10, 10).set(minimum_entry<double>);
    EXPECT_TRUE(potrf(rt, Uplo::Lower, TileMatrix<double>::wrap(rt, 10, 10, a.data(), 10, 2)).ok());
    EXPECT_EQ(a(9, 0), 1);
  }
  MPI_Finalize();
  Runtime afterwards(RuntimeOptions{});  // MPI is over: one rank
  EXPECT_EQ(afterwards.num_ranks(), 1);
}

}  // namespace
}  // namespace tessera::test
