// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <starpu.h>

#include <mutex>

#include "runtime/counter.hpp"
#include "runtime/starpu/communicator.hpp"
#include "tessera/traffic.hpp"
#include "tessera/types.hpp"

namespace tessera::detail {

/// The messages of one rank, each one tile: posts them, knows when they have gone and come, and counts them.
class Messages {
 public:
  explicit Messages(const Communicator& communicator) : communicator_(communicator) {}

  /// StarPU orders a message among the tasks that use the tile. Both sides post it, with the same tag, and
  /// messages of one tag between two ranks in the same order.
  void send(starpu_data_handle_t tile, Index tag, Rank destination, int priority);
  void receive(starpu_data_handle_t tile, Index tag, Rank source);

  /// Returns when all that were posted have gone or come.
  void wait() { in_flight_.wait_until_zero(); }

  /// All that were posted so far.
  Traffic traffic() const {
    const std::lock_guard lock(mutex_);
    return traffic_;
  }

 private:
  const Communicator& communicator_;
  Counter in_flight_;
  mutable std::mutex mutex_;
  Traffic traffic_;  // guarded by mutex_
};

}  // namespace tessera::detail
