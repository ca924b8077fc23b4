// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/sequential/sequential_backend.hpp"

#include <array>

#include "runtime/sequence_state.hpp"
#include "tessera/blas.hpp"

namespace tessera::detail {

void SequentialBackend::submit(const Task& task, const std::shared_ptr<SequenceState>& sequence) {
  std::array<TileBuffer, max_tiles_per_task> tiles;
  for (std::size_t p = 0; p < task.tiles.size(); ++p) {
    const auto& [storage, i, j] = task.tiles[p];
    tiles[p] = storage->tile(i, j);
  }
  const SingleThreadedBlas guard;
  execute(task.body, task.number, tiles.data(), *sequence);
}

}  // namespace tessera::detail
