// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/recording/recording_backend.hpp"

#include <algorithm>
#include <array>

namespace tessera::detail {

void RecordingBackend::submit(const Task& task, const std::shared_ptr<SequenceState>& /*sequence*/) {
  const KernelInfo& info = task.body.info();
  RecordedTask record{std::string(1, info.type).append(info.name), 0, task.executor, task.options, {}, {}};
  const std::size_t self = graph_.tasks().size();
  std::array<TileBuffer, max_tiles_per_task> shapes;
  for (std::size_t p = 0; p < task.tiles.size(); ++p) {
    const auto& [storage, i, j] = task.tiles[p];
    const Access access = info.access[p];
    shapes[p] = storage->tile(i, j);
    const Index id = storage->first_tile_id() + static_cast<Index>(storage->linear(i, j));
    record.tiles.push_back({id, i, j, storage->distribution().owner(i, j), access});

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
  record.flops = task.body.flops(shapes.data());
  std::sort(record.predecessors.begin(), record.predecessors.end());
  record.predecessors.erase(std::unique(record.predecessors.begin(), record.predecessors.end()),
                            record.predecessors.end());
  std::erase(record.predecessors, self);  // a task that reads a tile twice does not wait for itself
  graph_.add(std::move(record));
}

void RecordingBackend::release(const TaskArgument& tile) {
  graph_.release(tile.storage->first_tile_id() + static_cast<Index>(tile.storage->linear(tile.i, tile.j)));
}

}  // namespace tessera::detail
