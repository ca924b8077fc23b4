// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/copies.hpp"

#include <algorithm>

namespace tessera::detail {

void Copies::hold(Index bytes) {
  held_ += bytes;
  most_held_ = std::max(most_held_, held_);
  std::unique_lock lock(mutex_);
  less_.wait(lock, [&] { return bytes_ + bytes <= 2 * most_held_; });
  bytes_ += bytes;
}

void Copies::release(Index bytes) { held_ -= bytes; }

void Copies::freed(Index bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ -= bytes;
  less_.notify_one();
}

}  // namespace tessera::detail
