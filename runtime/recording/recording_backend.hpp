// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <unordered_map>
#include <vector>

#include "runtime/backend.hpp"
#include "tessera/task_graph.hpp"

namespace tessera::detail {

/// Runs nothing and keeps the task graph, as if submitted on `ranks` ranks.
class RecordingBackend final : public Backend {
 public:
  RecordingBackend(std::function<void(std::string_view)> warn, Rank ranks)
      : Backend(std::move(warn)), ranks_(ranks) {}

  BackendKind kind() const noexcept override { return BackendKind::recording; }
  std::string description() const override { return "recording"; }
  Rank num_ranks() const noexcept override { return ranks_; }
  const TaskGraph& graph() const override { return graph_; }
  void submit(const Task& task, const std::shared_ptr<SequenceState>& sequence) override;
  void wait(SequenceState& /*sequence*/) override {}

  void release(const TaskArgument& tile) override;
  void release_all() override { graph_.release_all(); }

 private:
  /// The tasks that the next user of a tile has to wait for.
  struct Users {
    std::vector<std::size_t> writer;   // none or one
    std::vector<std::size_t> readers;  // since that write
  };

  Rank ranks_;
  TaskGraph graph_;
  std::unordered_map<Index, Users> users_;  // by tile id
};

}  // namespace tessera::detail
