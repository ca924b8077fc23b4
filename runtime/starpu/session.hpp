// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/starpu/communicator.hpp"
#include "runtime/starpu/environment.hpp"
#include "runtime/starpu/mpi_session.hpp"
#include "tessera/runtime.hpp"

namespace tessera::detail {

/// StarPU (and StarPU-MPI on more than one rank) from start to shutdown.
class Session {
 public:
  using Warn = std::function<void(std::string_view)>;

  /// Starts StarPU with its workers paused. Collective.
  /// \throws RuntimeError on every rank when it does not start on one of them
  Session(const RuntimeOptions& options, const Communicator& communicator, const Warn& warn);
  ~Session() { shut_down(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  bool running() const noexcept { return running_; }
  int num_workers() const noexcept { return num_workers_; }
  const std::string& scheduler() const noexcept { return scheduler_; }
  /// StarPU-MPI; null on one rank.
  const MpiSession* mpi() const noexcept { return mpi_ ? &*mpi_ : nullptr; }

  bool paused() const noexcept { return paused_; }
  void pause();
  void resume();
  /// With the workers running. Collective.
  void shut_down();

 private:
  /// This rank's part of the start; \throws RuntimeError, ArgumentError
  /// \param environment  changed to what StarPU and StarPU-MPI shall find while they start
  void start(const RuntimeOptions& options, const Communicator& communicator, const Warn& warn,
             ScopedEnvironment& environment);

  std::optional<TemporaryDirectory> temporary_home_;  // where StarPU's own place cannot be written to
  bool running_ = false;
  bool paused_ = false;
  int num_workers_ = 0;
  std::string scheduler_;
  std::optional<MpiSession> mpi_;
};

}  // namespace tessera::detail
