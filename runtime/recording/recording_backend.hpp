// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/recording/load_counter.hpp"
#include "tessera/task_graph.hpp"

namespace tessera::detail {

/// Runs nothing and keeps the task graph, or only what each rank has to do, as if submitted on several ranks.
class RecordingBackend final : public Backend {
 public:
  explicit RecordingBackend(const RuntimeOptions& options)
      : Backend(options.warn),
        keep_tasks_(options.record_tasks),
        graph_(static_cast<std::size_t>(options.recorded_ranks)) {}

  BackendKind kind() const noexcept override { return BackendKind::recording; }
  std::string description() const override { return "recording"; }
  Rank num_ranks() const noexcept override { return static_cast<Rank>(graph_.loads().size()); }
  const TaskGraph& graph() const override { return graph_; }
  void submit(const Task& task, const std::shared_ptr<SequenceState>& sequence) override;
  void wait(SequenceState& /*sequence*/) override {}

  void release(const TaskArgument& tile) override;
  void release_all() override { counter_.release_all(); }
  void detach(TileStorage& storage) override;

 private:
  /// The tasks that the next user of a tile has to wait for.
  struct Users {
    std::vector<std::size_t> writer;   // none or one
    std::vector<std::size_t> readers;  // since that write
  };

  void keep(const Task& task, double flops, std::span<const LoadCounter::Use> tiles);

  bool keep_tasks_;
  TaskGraph graph_;
  LoadCounter counter_{graph_.loads()};
  std::unordered_map<Index, Users> users_;  // by tile id
};

}  // namespace tessera::detail
