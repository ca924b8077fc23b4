// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/mpi_session.hpp"

#include "tessera/error.hpp"

#if TESSERA_HAVE_MPI

#include <starpu_mpi.h>

#include <cstdio>
#include <numeric>
#include <vector>

#include "runtime/starpu/environment.hpp"

// Functions that libstarpumpi exports without declaring them; null where it does not have them.
// NOLINTBEGIN(readability-identifier-naming): StarPU's names
extern "C" {
[[gnu::weak]] void _starpu_mpi_progress_shutdown(void** value);
[[gnu::weak]] void _starpu_mpi_comm_amounts_display(FILE* stream, int node);
[[gnu::weak]] void _starpu_mpi_comm_amounts_shutdown();
[[gnu::weak]] void _starpu_mpi_cache_shutdown();
[[gnu::weak]] void _starpu_mpi_mpi_backend_shutdown();
}
// NOLINTEND(readability-identifier-naming)

namespace tessera::detail {
namespace {

#if STARPU_MAJOR_VERSION > 1 || STARPU_MINOR_VERSION >= 4

bool can_end_on_a_part() { return true; }

/// \param quiet  no table of what was sent
void end(const Communicator& communicator, bool quiet) {
  if (quiet && _starpu_mpi_comm_amounts_shutdown != nullptr) {
    starpu_mpi_wait_for_all(communicator.get());
    _starpu_mpi_comm_amounts_shutdown();
  }
  starpu_mpi_shutdown_comm(communicator.get());
}

void retrieve_bytes_sent(std::size_t* by_destination) { starpu_mpi_comm_stats_retrieve(by_destination); }

#else

// starpu_mpi_shutdown() of StarPU 1.3 (1.3.4 to 1.3.11) begins with a barrier on MPI_COMM_WORLD, whatever
// communicator it was started with. So its steps (mpi/src/starpu_mpi_init.c) are taken here one by one, the
// barrier on our communicator; left out is only the last event of a trace, in builds with FxT.

bool can_end_on_a_part() {
  return _starpu_mpi_progress_shutdown != nullptr && _starpu_mpi_comm_amounts_display != nullptr &&
         _starpu_mpi_comm_amounts_shutdown != nullptr && _starpu_mpi_cache_shutdown != nullptr &&
         _starpu_mpi_mpi_backend_shutdown != nullptr;
}

/// \param quiet  no table of what was sent
void end(const Communicator& communicator, bool quiet) {
  if (!can_end_on_a_part()) {
    starpu_mpi_shutdown();
    return;
  }
  starpu_mpi_wait_for_all(communicator.get());
  void* unused = nullptr;
  _starpu_mpi_progress_shutdown(&unused);
  if (!quiet) _starpu_mpi_comm_amounts_display(stderr, communicator.rank());
  _starpu_mpi_comm_amounts_shutdown();
  _starpu_mpi_cache_shutdown();
  _starpu_mpi_mpi_backend_shutdown();
}

void retrieve_bytes_sent(std::size_t* by_destination) { starpu_mpi_comm_amounts_retrieve(by_destination); }

#endif

}  // namespace

void MpiSession::check(const Communicator& communicator) {
  if (communicator.size() == 1 || communicator.is_world() || can_end_on_a_part()) return;
  throw RuntimeError(
      "Runtime: this StarPU-MPI ends on all ranks of MPI_COMM_WORLD or not at all: the communicator must "
      "have all ranks");
}

MpiSession::MpiSession(const Communicator& communicator, bool statistics)
    : communicator_(communicator), statistics_(statistics) {
  ScopedEnvironment environment;
  environment.unset("STARPU_MPI_FAKE_SIZE");  // messages would not be sent
  // With barriers on MPI_COMM_WORLD.
  if (!communicator.is_world()) environment.unset("STARPU_DISPLAY_BINDINGS");
  if (statistics) {
    environment.set("STARPU_COMM_STATS", "1");
    environment.set("STARPU_MPI_STATS", "1");  // its name since 1.4
  }
  starpu_mpi_init_comm(nullptr, nullptr, 0, communicator.get());
}

MpiSession::~MpiSession() { end(communicator_, statistics_); }

Index MpiSession::bytes_sent() const {
  std::vector<std::size_t> by_destination(static_cast<std::size_t>(communicator_.size()));
  retrieve_bytes_sent(by_destination.data());
  return static_cast<Index>(std::accumulate(by_destination.begin(), by_destination.end(), std::size_t{0}));
}

}  // namespace tessera::detail

#else

namespace tessera::detail {

void MpiSession::check(const Communicator& /*communicator*/) {}
MpiSession::MpiSession(const Communicator& communicator, bool statistics)
    : communicator_(communicator), statistics_(statistics) {}
MpiSession::~MpiSession() = default;
Index MpiSession::bytes_sent() const { return 0; }

}  // namespace tessera::detail

#endif
