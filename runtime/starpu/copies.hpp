// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <condition_variable>
#include <mutex>

#include "tessera/types.hpp"

namespace tessera::detail {

/// The memory of this rank's copies of tiles that other ranks own.
///
/// StarPU allocates a copy when its receive is posted, long before the tile arrives when submission runs ahead
/// of execution. So that memory does not grow with the lead, a rank posts a receive only while its copies stay
/// below twice the most that the order of submission has asked it to hold at once: what tasks read now, and as
/// much in advance.
///
/// Not counted, and not bounded: what StarPU-MPI takes in before its receive is posted, which it does as long as any
/// receive is pending (docs/architecture.md).
///
/// This cannot deadlock. A rank waits only while it has copies that were released earlier in the order, and
/// these wait for tasks that come earlier in the one order that all ranks submit.
class Copies {
 public:
  /// One more, in the order of submission; waits as said.
  void hold(Index bytes);
  /// One is not needed any more, in the order of submission; freed() follows when its readers are done.
  void release(Index bytes);
  /// From any thread.
  void freed(Index bytes);

 private:
  Index held_ = 0;  // by the order of submission
  Index most_held_ = 0;
  std::mutex mutex_;
  std::condition_variable less_;
  Index bytes_ = 0;  // in memory; guarded by mutex_
};

}  // namespace tessera::detail
