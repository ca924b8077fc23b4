// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/messages.hpp"

#if TESSERA_HAVE_MPI
#include <starpu_mpi.h>
#endif

namespace tessera::detail {

#if TESSERA_HAVE_MPI

namespace {

void ended(void* in_flight) { static_cast<Counter*>(in_flight)->remove(); }

Index bytes_of(starpu_data_handle_t tile) { return static_cast<Index>(starpu_data_get_size(tile)); }

}  // namespace

void Messages::send(starpu_data_handle_t tile, Index tag, Rank destination, int priority) {
  {
    const std::lock_guard lock(mutex_);
    ++traffic_.tiles_sent;
    traffic_.bytes_sent += bytes_of(tile);
  }
  in_flight_.add();
  starpu_mpi_isend_detached_prio(tile, destination, tag, priority, communicator_.get(), ended, &in_flight_);
}

void Messages::receive(starpu_data_handle_t tile, Index tag, Rank source) {
  {
    const std::lock_guard lock(mutex_);
    ++traffic_.tiles_received;
    traffic_.bytes_received += bytes_of(tile);
  }
  in_flight_.add();
  starpu_mpi_irecv_detached(tile, source, tag, communicator_.get(), ended, &in_flight_);
}

#else

void Messages::send(starpu_data_handle_t, Index, Rank, int) {}
void Messages::receive(starpu_data_handle_t, Index, Rank) {}

#endif

}  // namespace tessera::detail
