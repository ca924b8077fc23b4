// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/counter.hpp"
#include "tessera/kernel.hpp"
#include "tessera/types.hpp"

namespace tessera::detail {

/// How a task failed.
struct Failure {
  static constexpr Index none = std::numeric_limits<Index>::max();

  Index task = none;    ///< its number in the order of submission, which all ranks share
  Index index = 0;      ///< LAPACK's info
  std::string message;  ///< of an exception; empty otherwise
};

/// What the tasks of a sequence share on one rank.
///
/// The status is that of sequential execution: of the failures, the one whose task was submitted first. Tasks
/// submitted after it do nothing, tasks before it run. Ranks that have not heard of a failure go on with what they
/// have; what fails there comes later in the order, so the first failure of all ranks is exact.
class SequenceState {
 public:
  Counter pending;

  /// Number of the next task; for the submitting thread.
  Index next_task() noexcept { return next_task_++; }

  /// Whether a task before this one has failed.
  bool failed_before(Index task) const noexcept {
    return first_failed_task_.load(std::memory_order_relaxed) < task;
  }
  void record(Failure failure);
  /// The first failure so far, and a fresh start.
  Failure take_failure();

 private:
  Index next_task_ = 0;
  std::atomic<Index> first_failed_task_{Failure::none};
  std::mutex mutex_;
  Failure failure_;  // guarded by mutex_
};

/// The place of a task in the order of submission to its sequence.
struct Turn {
  std::shared_ptr<SequenceState> sequence;
  Index number;
};

/// Runs task number `task` on this thread unless one before it has failed; never throws.
void execute(const TaskBody& body, Index task, const TileBuffer* tiles, SequenceState& sequence) noexcept;

}  // namespace tessera::detail
