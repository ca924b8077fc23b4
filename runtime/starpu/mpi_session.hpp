// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "runtime/starpu/communicator.hpp"
#include "tessera/types.hpp"

namespace tessera::detail {

/// StarPU-MPI on the ranks of one communicator, from start to shutdown. What differs between its versions stays
/// in here.
class MpiSession {
 public:
  /// \throws RuntimeError on every rank of a communicator on which this StarPU-MPI could start, but not end
  static void check(const Communicator& communicator);

  /// Collective over the communicator and nobody else, as is the end.
  /// \param statistics  whether StarPU counts the bytes that it gives to MPI
  MpiSession(const Communicator& communicator, bool statistics);
  /// With StarPU's workers running.
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// What StarPU has counted.
  Index bytes_sent() const;

  bool statistics() const noexcept { return statistics_; }

 private:
  const Communicator& communicator_;
  bool statistics_;
};

}  // namespace tessera::detail
