// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/sequence_state.hpp"

#include <exception>
#include <utility>

namespace tessera::detail {

void SequenceState::record(Failure failure) {
  const std::lock_guard lock(mutex_);
  if (failure.task >= failure_.task) return;
  first_failed_task_.store(failure.task, std::memory_order_relaxed);
  failure_ = std::move(failure);
}

Failure SequenceState::take_failure() {
  const std::lock_guard lock(mutex_);
  first_failed_task_.store(Failure::none, std::memory_order_relaxed);
  next_task_ = 0;
  return std::exchange(failure_, {});
}

void execute(const TaskBody& body, Index task, const TileBuffer* tiles, SequenceState& sequence) noexcept {
  if (sequence.failed_before(task)) return;
  try {
    if (const Index index = body.run(tiles); index > 0) sequence.record({task, index, {}});
  } catch (const std::exception& e) {
    sequence.record({task, 0, *e.what() != '\0' ? e.what() : "exception without a message"});
  } catch (...) {
    sequence.record({task, 0, "exception of unknown type"});
  }
}

}  // namespace tessera::detail
