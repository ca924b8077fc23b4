// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/sequence_state.hpp"

#include <exception>

namespace tessera::detail {

void SequenceState::record_failure(Index index) noexcept {
  Index seen = first_failure.load();
  while (index < seen && !first_failure.compare_exchange_weak(seen, index)) {
  }
}

void SequenceState::record_exception(const char* what) {
  const std::lock_guard lock(mutex);
  if (threw.load()) return;
  message = what;
  threw.store(true);
}

void execute(const TaskBody& body, const TileBuffer* tiles, SequenceState& sequence) noexcept {
  // A task that can fail runs also after a failure: one with a smaller index may still be to come (the diagonal
  // tiles of trtri do not depend on each other).
  if (sequence.threw.load(std::memory_order_relaxed)) return;
  if (sequence.failed() && !body.info().reports) return;
  try {
    if (const Index index = body.run(tiles); index > 0) sequence.record_failure(index);
  } catch (const std::exception& e) {
    sequence.record_exception(e.what());
  } catch (...) {
    sequence.record_exception("exception of unknown type");
  }
}

}  // namespace tessera::detail
