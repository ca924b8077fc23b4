// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/tile_record.hpp"

#include <algorithm>
#include <utility>

namespace tessera::detail {

TileRecord::TileRecord(const TileStorage& storage, Index i, Index j, Rank me, Messages& messages,
                       Copies& copies)
    : messages_(messages),
      copies_(copies),
      id_(storage.tile_id(i, j)),
      scratch_(storage.is_scratch()),
      owned_(storage.distribution().owner(i, j) == me),
      here_(storage.holder(i, j) == me) {
  const TileBuffer tile = storage.tile(i, j);
  // Tiles of other ranks get memory from StarPU when a version arrives, scratch tiles when they are written.
  const bool has_memory = owned_ && !scratch_;
  const int home = has_memory ? STARPU_MAIN_RAM : -1;
  const Index ld = has_memory ? tile.ld : tile.rows;
  starpu_matrix_data_register(&handle_, home, reinterpret_cast<uintptr_t>(tile.data),
                              static_cast<uint32_t>(ld), static_cast<uint32_t>(tile.rows),
                              static_cast<uint32_t>(tile.cols), storage.element_bytes());
}

TileRecord::~TileRecord() {
  forget();
  starpu_data_unregister(handle_);
}

void TileRecord::send(Rank destination, int priority) {
  if (std::ranges::find(sent_to_, destination) != sent_to_.end()) return;
  sent_to_.push_back(destination);
  messages_.send(handle_, id_, destination, priority);
}

void TileRecord::receive(Rank holder) {
  if (here_) return;
  hold();
  messages_.receive(handle_, id_, holder);
}

void TileRecord::written_here() {
  sent_to_.clear();
  if (!here_) hold();
}

void TileRecord::forget() {
  sent_to_.clear();
  if (!std::exchange(here_, false) || owned_) return;
  copies_.release(bytes());
  const auto free = [](void* argument) {
    const auto& record = *static_cast<TileRecord*>(argument);
    record.copies_.freed(record.bytes());
    starpu_data_release_on_node(record.handle_, STARPU_ACQUIRE_NO_NODE_LOCK_ALL);  // then the record may go
  };
  // The first of these only tells when the second one runs: when the tasks that read the copy are done.
  starpu_data_acquire_on_node_cb(handle_, STARPU_ACQUIRE_NO_NODE_LOCK_ALL, STARPU_W, free, this);
  starpu_data_invalidate_submit(handle_);
}

void TileRecord::release() {
  if (!owned_) return forget();
  sent_to_.clear();
  if (scratch_) starpu_data_invalidate_submit(handle_);
}

void TileRecord::hold() {
  here_ = true;
  if (!owned_) copies_.hold(bytes());
}

}  // namespace tessera::detail
