// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/recording/recording_backend.hpp"

#include <algorithm>
#include <array>

namespace tessera::detail {

void RecordingBackend::submit(const Task& task, const std::shared_ptr<SequenceState>& /*sequence*/) {
  const auto access = task.body.info().access;
  std::array<TileBuffer, max_tiles_per_task> shapes;
  std::array<LoadCounter::Use, max_tiles_per_task> uses;
  for (std::size_t p = 0; p < task.tiles.size(); ++p) {
    const auto& [storage, i, j] = task.tiles[p];
    shapes[p] = storage->tile(i, j);
    const auto elements = static_cast<std::size_t>(shapes[p].rows * shapes[p].cols);
    uses[p] = {storage->tile_id(i, j), storage->distribution().owner(i, j), access[p],
               static_cast<Index>(elements * storage->element_bytes()), storage->is_scratch()};
  }
  const std::span tiles(uses.data(), task.tiles.size());
  const double flops = task.body.flops(shapes.data());
  counter_.add_task(task.executor, flops, tiles);
  if (keep_tasks_) keep(task, flops, tiles);
}

void RecordingBackend::keep(const Task& task, double flops, std::span<const LoadCounter::Use> tiles) {
  const KernelInfo& info = task.body.info();
  RecordedTask record{
      std::string(1, info.type).append(info.name), flops, task.executor, task.options, {}, {}};
  const std::size_t self = graph_.tasks().size();
  for (std::size_t p = 0; p < tiles.size(); ++p) {
    const auto& [id, owner, access, bytes, scratch] = tiles[p];
    record.tiles.push_back({id, task.tiles[p].i, task.tiles[p].j, owner, access});

    Users& users = users_[id];
    auto& before = record.predecessors;
    before.insert(before.end(), users.writer.begin(), users.writer.end());
    if (access == Access::read) {
      users.readers.push_back(self);
    } else {
      before.insert(before.end(), users.readers.begin(), users.readers.end());
      users = {{self}, {}};
    }
  }
  std::sort(record.predecessors.begin(), record.predecessors.end());
  record.predecessors.erase(std::unique(record.predecessors.begin(), record.predecessors.end()),
                            record.predecessors.end());
  std::erase(record.predecessors, self);  // a task that reads a tile twice does not wait for itself
  graph_.add(std::move(record));
}

void RecordingBackend::release(const TaskArgument& tile) {
  counter_.release(tile.storage->tile_id(tile.i, tile.j));
}

void RecordingBackend::detach(TileStorage& storage) {
  for (Index j = 0; j < storage.tiling().nt(); ++j) {
    for (Index i = 0; i < storage.tiling().mt(); ++i) counter_.forget(storage.tile_id(i, j));
  }
}

}  // namespace tessera::detail
