// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/tile_record.hpp"

#include <algorithm>

#include "tessera/error.hpp"

#if TESSERA_HAVE_MPI
#include <starpu_mpi.h>
#endif

namespace tessera::detail {

TileRecord::TileRecord(const TileStorage& storage, Index i, Index j, Rank me)
    : id_(storage.tile_id(i, j)),
      owned_(storage.distribution().owner(i, j) == me),
      here_(owned_) {
  const TileBuffer tile = storage.tile(i, j);
  // Tiles of other ranks get memory from StarPU when a version arrives.
  const int home = owned_ ? STARPU_MAIN_RAM : -1;
  const Index ld = owned_ ? tile.ld : tile.rows;
  starpu_matrix_data_register(&handle_, home, reinterpret_cast<uintptr_t>(tile.data),
                              static_cast<uint32_t>(ld), static_cast<uint32_t>(tile.rows),
                              static_cast<uint32_t>(tile.cols), storage.element_bytes());
}

TileRecord::~TileRecord() { starpu_data_unregister(handle_); }

void TileRecord::send(Rank destination, int priority, const Communicator& communicator, Counter& in_flight) {
  if (std::ranges::find(sent_to_, destination) != sent_to_.end()) return;
  sent_to_.push_back(destination);
  post_send(destination, priority, communicator, in_flight);
}

void TileRecord::receive(Rank owner, const Communicator& communicator, Counter& in_flight) {
  if (here_) return;
  here_ = true;
  post_receive(owner, communicator, in_flight);
}

void TileRecord::send_home(Rank owner, int priority, const Communicator& communicator, Counter& in_flight) {
  here_ = true;
  post_send(owner, priority, communicator, in_flight);
}

void TileRecord::receive_home(Rank writer, const Communicator& communicator, Counter& in_flight) {
  sent_to_ = {writer};
  post_receive(writer, communicator, in_flight);
}

void TileRecord::forget_copies() {
  sent_to_.clear();
  if (owned_ || !here_) return;
  here_ = false;
  starpu_data_invalidate_submit(handle_);
}

#if TESSERA_HAVE_MPI

namespace {
void arrived(void* in_flight) { static_cast<Counter*>(in_flight)->remove(); }
}  // namespace

void TileRecord::post_send(Rank destination, int priority, const Communicator& communicator,
                           Counter& in_flight) {
  in_flight.add();
  starpu_mpi_isend_detached_prio(handle_, destination, id_, priority, communicator.get(), arrived,
                                 &in_flight);
}

void TileRecord::post_receive(Rank source, const Communicator& communicator, Counter& in_flight) {
  in_flight.add();
  starpu_mpi_irecv_detached(handle_, source, id_, communicator.get(), arrived, &in_flight);
}

#else

void TileRecord::post_send(Rank, int, const Communicator&, Counter&) {}
void TileRecord::post_receive(Rank, const Communicator&, Counter&) {}

#endif

}  // namespace tessera::detail
