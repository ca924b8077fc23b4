// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/tile_record.hpp"

#include <algorithm>

namespace tessera::detail {

TileRecord::TileRecord(const TileStorage& storage, Index i, Index j, Rank me, Messages& messages,
                       Copies& copies)
    : messages_(messages),
      copies_(copies),
      id_(storage.tile_id(i, j)),
      owned_(storage.distribution().owner(i, j) == me),
      here_(owned_) {
  const TileBuffer tile = storage.tile(i, j);
  // Tiles of other ranks get memory from StarPU when a version arrives, scratch tiles when they are written.
  const bool has_memory = owned_ && !storage.is_scratch();
  const int home = has_memory ? STARPU_MAIN_RAM : -1;
  const Index ld = has_memory ? tile.ld : tile.rows;
  starpu_matrix_data_register(&handle_, home, reinterpret_cast<uintptr_t>(tile.data),
                              static_cast<uint32_t>(ld), static_cast<uint32_t>(tile.rows),
                              static_cast<uint32_t>(tile.cols), storage.element_bytes());
}

TileRecord::~TileRecord() {
  forget_copies();
  starpu_data_unregister(handle_);
}

void TileRecord::send(Rank destination, int priority) {
  if (std::ranges::find(sent_to_, destination) != sent_to_.end()) return;
  sent_to_.push_back(destination);
  messages_.send(handle_, id_, destination, priority);
}

void TileRecord::receive(Rank owner) {
  if (here_) return;
  hold();
  messages_.receive(handle_, id_, owner);
}

void TileRecord::send_home(Rank owner, int priority) {
  if (!here_) hold();
  messages_.send(handle_, id_, owner, priority);
}

void TileRecord::receive_home(Rank writer) {
  sent_to_ = {writer};
  messages_.receive(handle_, id_, writer);
}

void TileRecord::forget_copies() {
  sent_to_.clear();
  if (owned_ || !here_) return;
  here_ = false;
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

void TileRecord::discard() {
  forget_copies();
  if (owned_) starpu_data_invalidate_submit(handle_);
}

void TileRecord::hold() {
  here_ = true;
  copies_.hold(bytes());
}

}  // namespace tessera::detail
