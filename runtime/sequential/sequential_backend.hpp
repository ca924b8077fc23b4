// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "runtime/backend.hpp"

namespace tessera::detail {

/// Runs each task inside submit(), on the calling thread. The oracle for the others, and the backend for
/// sanitizers and debuggers.
class SequentialBackend final : public Backend {
 public:
  using Backend::Backend;

  BackendKind kind() const noexcept override { return BackendKind::sequential; }
  std::string description() const override { return "sequential"; }
  void submit(const Task& task, const std::shared_ptr<SequenceState>& sequence) override;
  void release(const TaskArgument& tile) override;
  void wait(SequenceState& /*sequence*/) override {}
  void detach(TileStorage& storage) override;
};

}  // namespace tessera::detail
