// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/dense.hpp"
#include "tests/support/host_mpi.hpp"

namespace tessera::test {
namespace {

const auto* const environment = testing::AddGlobalTestEnvironment(new HostOwnsMpi);

int world_rank() { return rank_in(MPI_COMM_WORLD); }

void expect_cholesky_works(Runtime& rt) {
  const TileMatrix<double> A(rt, 20, 20, 4);
  fill(rt, A, minimum_entry<double>);
  EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  EXPECT_EQ(logdet(rt, A), 0.0);
  EXPECT_EQ(lantr(rt, Norm::max, Uplo::Lower, Diag::NonUnit, A), 1.0);
}

void expect_mpi_works() {
  int one = 1, size = 0, world = 0;
  MPI_Allreduce(&one, &size, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_size(MPI_COMM_WORLD, &world);
  EXPECT_EQ(size, world);
}

TEST(MpiHost, LendsItsMpiAndKeepsIt) {
  for (int i = 0; i < 5; ++i) {
    Runtime rt;
    expect_cholesky_works(rt);
    expect_mpi_works();  // the host may talk meanwhile
  }
  expect_mpi_works();
}

TEST(MpiHost, GivesEachHalfOfTheRanksARuntimeOfItsOwn) {
  const int rank = world_rank();
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);  // ranks in reverse order
  int size = 0, half_rank = 0;
  MPI_Comm_size(half, &size);
  MPI_Comm_rank(half, &half_rank);
  {
    Runtime rt(on(half));
    EXPECT_EQ(rt.num_ranks(), size);
    EXPECT_EQ(rt.rank(), half_rank);
    expect_cholesky_works(rt);
  }
  MPI_Comm_free(&half);
  Runtime rt;  // then all together
  expect_cholesky_works(rt);
}

TEST(MpiHost, HasAMessageOfItsOwnInFlightWhileTasksRun) {
  int rank = world_rank(), size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int received = -1;
  MPI_Request requests[2];
  MPI_Irecv(&received, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, &requests[0]);
  {
    Runtime rt;
    expect_cholesky_works(rt);
  }
  MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT_EQ(received, (rank + size - 1) % size);
}

TEST(MpiHost, GetsAnErrorForTheNullCommunicatorAndForAnotherOneThanIsInUse) {
  EXPECT_THROW(Runtime{on(MPI_COMM_NULL)}, RuntimeError);
  RuntimeOptions nonsense;
  nonsense.communicator = 99999;
  EXPECT_THROW(Runtime{nonsense}, RuntimeError);
  MPI_Comm alone = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank(), 0, &alone);
  {
    Runtime rt;
    EXPECT_THROW(Runtime{on(alone)}, RuntimeError);
    Runtime same(on(MPI_COMM_WORLD));
    expect_cholesky_works(same);
  }
  Runtime single(on(alone));
  EXPECT_EQ(single.num_ranks(), 1);
  expect_cholesky_works(single);
  MPI_Comm_free(&alone);
}

TEST(MpiHost, ManyRuntimesLeaveNoCommunicatorBehind) {
  for (int i = 0; i < 50; ++i) {
    Runtime rt;
    EXPECT_GE(rt.num_workers(), 1);
  }
  expect_mpi_works();
}

/// A line of a thread's status in /proc, without its name.
std::string line_of(const std::filesystem::path& task, const std::string& name) {
  std::ifstream status(task / "status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return line.substr(name.size() + 1);
  }
  return {};
}

/// StarPU would bind it, on each rank of a machine to the same core.
TEST(MpiHost, TheCommunicationThreadMayUseEveryCoreOfTheProcess) {
  const char* before = std::getenv("STARPU_MPI_NOBIND");
  unsetenv("STARPU_MPI_NOBIND");
  {
    Runtime rt;
    int found = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      if (line_of(task.path(), "Name") != "\tMPI") continue;
      ++found;
      EXPECT_EQ(line_of(task.path(), "Cpus_allowed_list"), line_of("/proc/self", "Cpus_allowed_list"));
    }
    EXPECT_EQ(found, 1);
  }
  if (before != nullptr) setenv("STARPU_MPI_NOBIND", "1", 1);
}

}  // namespace
}  // namespace tessera::test
