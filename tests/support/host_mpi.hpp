// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include "tessera/runtime.hpp"

/// \file
/// A host program that owns MPI: it starts it, lends communicators, and ends it.

namespace tessera::test {

/// testing::AddGlobalTestEnvironment(new HostOwnsMpi)
class HostOwnsMpi : public testing::Environment {
 public:
  void SetUp() override {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    ASSERT_EQ(provided, MPI_THREAD_MULTIPLE);
  }
  void TearDown() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    ASSERT_FALSE(finalized) << "the library ended the host's MPI";
    MPI_Finalize();
  }
};

inline int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

inline int size_of(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}

inline RuntimeOptions on(MPI_Comm communicator) {
  RuntimeOptions options;
  options.communicator = MPI_Comm_c2f(communicator);
  return options;
}

}  // namespace tessera::test
