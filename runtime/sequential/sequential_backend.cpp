// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/sequential/sequential_backend.hpp"

#include <array>
#include <new>
#include <utility>

#include "runtime/sequence_state.hpp"
#include "tessera/blas.hpp"

namespace tessera::detail {

namespace {

/// The tile with its memory; that of a scratch tile is made at its first use.
TileBuffer buffer_of(const TaskArgument& tile) {
  const auto& [storage, i, j] = tile;
  TileBuffer buffer = storage->tile(i, j);
  if (!storage->is_scratch()) return buffer;
  if (!storage->has_slots()) storage->make_slots();
  void*& memory = storage->slot(i, j);
  if (memory == nullptr) {
    memory = ::operator new(static_cast<std::size_t>(buffer.rows * buffer.cols) * storage->element_bytes());
  }
  buffer.data = memory;
  return buffer;
}

}  // namespace

void SequentialBackend::submit(const Task& task, const std::shared_ptr<SequenceState>& sequence) {
  std::array<TileBuffer, max_tiles_per_task> tiles;
  for (std::size_t p = 0; p < task.tiles.size(); ++p) tiles[p] = buffer_of(task.tiles[p]);
  const SingleThreadedBlas guard;
  execute(task.body, task.number, tiles.data(), *sequence);
}

void SequentialBackend::release(const TaskArgument& tile) {
  if (tile.storage->has_slots())
    ::operator delete(std::exchange(tile.storage->slot(tile.i, tile.j), nullptr));
}

void SequentialBackend::detach(TileStorage& storage) {
  if (!storage.has_slots()) return;
  for (Index j = 0; j < storage.tiling().nt(); ++j) {
    for (Index i = 0; i < storage.tiling().mt(); ++i) ::operator delete(storage.slot(i, j));
  }
  storage.drop_slots();
}

}  // namespace tessera::detail
