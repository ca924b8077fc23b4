// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "tessera/types.hpp"

#if TESSERA_HAVE_MPI
#include <mpi.h>
#endif

namespace tessera::detail {

/// A private duplicate of the caller's communicator, or a single rank where there is no MPI.
class Communicator {
 public:
  /// \param handle  what MPI_Comm_c2f gave, or empty for MPI_COMM_WORLD if MPI is there
  /// \throws RuntimeError for a handle without MPI, and for a thread level below MPI_THREAD_MULTIPLE on more than
  ///         one rank: StarPU's communication thread and the caller's thread both use MPI
  explicit Communicator(std::optional<int> handle);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  /// Whether `handle` (empty: whatever is in use) has the same ranks in the same order.
  bool same_ranks(std::optional<int> handle) const;
  /// Whether these are all ranks of MPI_COMM_WORLD.
  bool is_world() const;

  Rank rank() const noexcept { return rank_; }
  Rank size() const noexcept { return size_; }
  /// Ranks of this communicator on this machine.
  Rank local_size() const noexcept { return local_size_; }

  void all_gather(const void* mine, std::size_t bytes, void* all) const;
  void all_sum(std::span<double> values) const;

#if TESSERA_HAVE_MPI
  MPI_Comm get() const noexcept { return comm_; }
#endif

 private:
  Rank rank_ = 0;
  Rank size_ = 1;
  Rank local_size_ = 1;
#if TESSERA_HAVE_MPI
  MPI_Comm comm_ = MPI_COMM_NULL;
#endif
};

}  // namespace tessera::detail
