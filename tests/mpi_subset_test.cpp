// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/host_mpi.hpp"

/// Runtimes on a part of the ranks, while the other ranks call nothing, MPI included.

namespace tessera::test {
namespace {

const auto* const environment = testing::AddGlobalTestEnvironment(new HostOwnsMpi);

/// Ranks that have no work wait here for those that have, by a file: a message would be a call.
class Files {
 public:
  /// The same name on all ranks. Collective.
  Files() {
    int pid = getpid();
    MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path_ = std::filesystem::temp_directory_path() / ("tessera-subset-" + std::to_string(pid));
    if (rank_in(MPI_COMM_WORLD) == 0) std::filesystem::create_directory(path_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Files() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_in(MPI_COMM_WORLD) == 0) std::filesystem::remove_all(path_);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  void write(int group) const { std::ofstream(path_ / std::to_string(group)) << "done\n"; }
  bool appears(int group) const {
    for (int tries = 0; tries < 6000; ++tries) {
      if (std::filesystem::exists(path_ / std::to_string(group))) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

 private:
  std::filesystem::path path_;
};

constexpr int idle = -1;

/// Runs work(communicator) on groups 0 .. num_groups-1 of the ranks; the idle ones do nothing until it is done.
template <class Work>
void in_groups(int num_groups, int my_group, Work work) {
  const Files files;
  MPI_Comm group = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, my_group == idle ? MPI_UNDEFINED : my_group, 0, &group);
  if (my_group == idle) {
    for (int g = 0; g < num_groups; ++g) EXPECT_TRUE(files.appears(g)) << "group " << g << " waits for ever";
    return;
  }
  work(group);
  if (rank_in(group) == 0) files.write(my_group);
  MPI_Comm_free(&group);
}

void expect_cholesky_works(Runtime& rt, Index n = 20, DistributionPtr distribution = {}) {
  const TileMatrix<double> A(rt, n, n, 4, std::move(distribution));
  fill(rt, A, minimum_entry<double>);
  EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  EXPECT_TRUE(holds(A, [](Index i, Index j) { return i >= j ? 1 : minimum_entry<double>(i, j); }));
  if (n == 0) return;
  fill(rt, A, [n](Index i, Index j) { return i == n - 1 && j == n - 1 ? 0 : minimum_entry<double>(i, j); });
  EXPECT_EQ(potrf(rt, Uplo::Lower, A).index(), n);
}

int world_size() { return size_of(MPI_COMM_WORLD); }
int world_rank() { return rank_in(MPI_COMM_WORLD); }
int all_but(int left_out) { return world_rank() == left_out ? idle : 0; }

TEST(MpiSubset, TheOtherRanksNeedNotCallAnything) {
  for (const int left_out : {0, world_size() - 1}) {
    in_groups(1, all_but(left_out), [](MPI_Comm group) {
      Runtime rt(on(group));
      EXPECT_EQ(rt.num_ranks(), size_of(group));
      EXPECT_EQ(rt.rank(), rank_in(group));
      expect_cholesky_works(rt);
    });
  }
}

TEST(MpiSubset, OneGroupHasManyRuntimesInARow) {
  in_groups(1, all_but(0), [](MPI_Comm group) {
    for (int i = 0; i < 10; ++i) {
      Runtime rt(on(group));
      expect_cholesky_works(rt);
    }
  });
}

TEST(MpiSubset, TwoGroupsWorkAtOnceEachWithAsManyRuntimesAsItLikes) {
  const int my_group = world_rank() == 0 ? idle : 2 * (world_rank() - 1) / (world_size() - 1);
  in_groups(2, my_group, [my_group](MPI_Comm group) {
    for (int i = 0; i < 1 + 3 * my_group; ++i) {
      Runtime rt(on(group));
      EXPECT_EQ(rt.num_ranks(), size_of(group));
      expect_cholesky_works(rt);
    }
  });
}

TEST(MpiSubset, AGroupOfOneRankSendsNothing) {
  in_groups(1, world_rank() == world_size() - 1 ? 0 : idle, [](MPI_Comm group) {
    RuntimeOptions options = on(group);
    options.transport_statistics = true;
    Runtime rt(options);
    EXPECT_EQ(rt.num_ranks(), 1);
    expect_cholesky_works(rt);
    EXPECT_EQ(rt.traffic(), Traffic{});
    EXPECT_EQ(rt.transport_bytes_sent(), std::nullopt);
  });
}

TEST(MpiSubset, AllRanksWorkTogetherBeforeAndAfterAPartDoes) {
  for (const int left_out : {0, 1}) {
    {
      Runtime rt;
      EXPECT_EQ(rt.num_ranks(), world_size());
      expect_cholesky_works(rt);
    }
    in_groups(1, all_but(left_out), [](MPI_Comm group) {
      Runtime rt(on(group));
      expect_cholesky_works(rt);
    });
  }
  Runtime rt;
  expect_cholesky_works(rt);
}

TEST(MpiSubset, RanksMayOwnNothing) {
  in_groups(1, all_but(0), [](MPI_Comm group) {
    Runtime rt(on(group));
    for (const Index n : {0, 1, 4, 5})
      expect_cholesky_works(rt, n);  // no tile, one, one, three in the triangle
    for (Rank owner = 0; owner < rt.num_ranks(); ++owner) {
      expect_cholesky_works(rt, 20, make_distribution("rank:" + std::to_string(owner)));
    }
  });
}

TEST(MpiSubset, StarPUsDisplayOfBindingsDoesNotWaitForTheOtherRanks) {
  setenv("STARPU_DISPLAY_BINDINGS", "1", 1);  // with barriers on MPI_COMM_WORLD, in StarPU 1.3 and 1.4
  in_groups(1, all_but(0), [](MPI_Comm group) {
    Runtime rt(on(group));
    expect_cholesky_works(rt);
  });
  EXPECT_STREQ(std::getenv("STARPU_DISPLAY_BINDINGS"), "1");
  unsetenv("STARPU_DISPLAY_BINDINGS");
}

}  // namespace
}  // namespace tessera::test
