// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "tests/support/dense.hpp"

/// In a program of its own: memory that other tests have used would hide what these use.

namespace tessera::test {
namespace {

Index resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  Index size = 0, resident = 0;
  statm >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// What has been allocated and not freed; the allocator may keep more of the system's memory for the next call.
Index allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<Index>(info.uordblks + info.hblkhd);
}

/// By how much the memory of this process has grown at most while `call` ran.
template <class Call>
Index growth_during(Call call) {
  const Index before = resident_bytes();
  std::atomic<bool> done = false;
  Index most = before;
  std::thread observer([&] {
    while (!done) {
      most = std::max(most, resident_bytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  call();
  done = true;
  observer.join();
  return std::max(most, resident_bytes()) - before;
}

constexpr Index n = 5120, nb = 128, tile_bytes = nb * nb * Index{sizeof(double)};
/// StarPU's tasks and handles.
constexpr Index overhead = Index{16} << 20;

/// What the plan of a factorisation says about this rank.
RankLoad planned(const Runtime& rt, const DistributionPtr& distribution) {
  RuntimeOptions recording;
  recording.backend = BackendKind::recording;
  recording.recorded_ranks = rt.num_ranks();
  Runtime plan(recording);
  EXPECT_TRUE(potrf(plan, Uplo::Lower, TileMatrix<double>(plan, n, n, nb, distribution)).ok());
  return plan.graph().loads()[static_cast<std::size_t>(rt.rank())];
}

TEST(MpiMemory, AFactorisationNeedsWhatItOwnsAndFewPanels) {
  Runtime rt;
  const RankLoad load = planned(rt, {});
  const Index panel = (load.tiles_held - load.tiles_owned) * tile_bytes;

  const TileMatrix<double> A(rt, n, n, nb);
  fill(rt, A, minimum_entry<double>);
  const Index grown = growth_during([&] { EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok()); });
  // Two panels, as runtime/starpu/copies.hpp says; one more for messages that come before they are waited for.
  const Index bound = 3 * panel + overhead;
  EXPECT_LT(grown, bound);

  std::vector<double> received = rt.all_gather(static_cast<double>(rt.traffic().bytes_received));
  EXPECT_GT(std::ranges::max(received), 2 * static_cast<double>(bound))
      << "too small a case to show anything";
}

TEST(MpiMemory, LayersNeedWhatThePlanSaysAndGiveItBack) {
  Runtime rt;
  const DistributionPtr layers = make_distribution("2.5d:c=2/1d:rows", rt.num_ranks());
  const RankLoad load = planned(rt, layers);
  const Index beside = (load.tiles_held - load.tiles_owned) * tile_bytes;  // partial sums, above all
  EXPECT_GT(beside, 3 * overhead / 2) << "too small a case to show anything";

  const TileMatrix<double> A(rt, n, n, nb, layers);
  for (int call = 0; call < 3; ++call) {
    fill(rt, A, minimum_entry<double>);
    const Index before = allocated_bytes();
    const Index grown = growth_during([&] { EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok()); });
    EXPECT_LT(grown, 3 * beside / 2 + overhead);
    EXPECT_LT(allocated_bytes() - before, overhead) << "not given back";
  }
}

}  // namespace
}  // namespace tessera::test
