// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <atomic>
#include <limits>
#include <mutex>
#include <string>

#include "runtime/counter.hpp"
#include "tessera/kernel.hpp"
#include "tessera/types.hpp"

namespace tessera::detail {

/// What the tasks of a sequence share on one rank.
///
/// The status is the smallest failing global index. Ranks that have not heard of a failure go on with what they
/// have; their later failures have larger indices, so the minimum over the ranks is exact.
struct SequenceState {
  static constexpr Index none = std::numeric_limits<Index>::max();

  std::atomic<Index> first_failure{none};
  std::atomic<bool> threw{false};
  Counter pending;
  std::mutex mutex;
  std::string message;  // of the first task that threw; guarded by mutex

  bool failed() const noexcept {
    return first_failure.load(std::memory_order_relaxed) != none || threw.load(std::memory_order_relaxed);
  }

  void record_failure(Index index) noexcept;
  void record_exception(const char* what);
};

/// Runs one task on this thread unless its sequence has failed; never throws.
void execute(const TaskBody& body, const TileBuffer* tiles, SequenceState& sequence) noexcept;

}  // namespace tessera::detail
