// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel.hpp"
#include "tessera/runtime.hpp"
#include "tessera/storage.hpp"
#include "tessera/traffic.hpp"

/// \file
/// The contract between the library and whoever runs its tasks.

namespace tessera::detail {

/// One submitted task, seen by every rank.
struct Task {
  const TaskBody& body;  // lives until submit() returns: clone it to keep it
  const TaskOptions& options;
  std::span<const TaskArgument> tiles;
  Rank executor;
  Index number;  // in the order of submission to its sequence
};

/// \throws ArgumentError for options that are out of range; on this rank only
void check_options(const RuntimeOptions& options);

class Backend {
 public:
  explicit Backend(std::function<void(std::string_view)> warn) : warn_(std::move(warn)) {}
  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  virtual BackendKind kind() const noexcept = 0;
  virtual Rank rank() const noexcept { return 0; }
  virtual Rank num_ranks() const noexcept { return 1; }
  virtual int num_workers() const noexcept { return 1; }
  virtual int num_gpus() const noexcept { return 0; }
  virtual std::string description() const = 0;
  virtual std::string scheduler() const { return {}; }
  virtual const TaskGraph& graph() const {
    throw RuntimeError("graph: only a recording runtime keeps a task graph");
  }

  /// Every rank calls this for every task, in the same order.
  virtual void submit(const Task& task, const std::shared_ptr<SequenceState>& sequence) = 0;
  /// The current version of the tile goes home to its owner, and copies elsewhere may go. Every rank calls this at the
  /// same place of the order.
  virtual void release(const TaskArgument& /*tile*/) {}
  /// The same for all tiles, which are at home: after a wait the caller may have changed tiles in memory. Every rank, as above.
  virtual void release_all() {}
  /// Returns when the tasks of the sequence have run on this rank; no collective.
  virtual void wait(SequenceState& sequence) = 0;
  /// The tiles' memory is about to go: waits for the tasks that use it and forgets the storage's slots.
  virtual void detach(TileStorage& /*storage*/) {}

  /// `all` receives num_ranks() x bytes, in order of rank. Collective.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) const;
  /// Entry by entry over the ranks, in place. Collective.
  virtual void all_sum(std::span<double> /*values*/) const {}

  /// Messages of this rank since the backend's start, by the library's own account.
  virtual Traffic traffic() const { return {}; }
  /// The same by the transport's account; empty where it keeps none.
  virtual std::optional<Index> transport_bytes_sent() const { return {}; }

  void warn(std::string_view line) const { warn_(line); }

  /// Runtimes that share this backend; with the last one it ends. Storages may outlive it.
  void add_user() noexcept { ++users_; }
  void remove_user() {
    if (--users_ == 0) close();
  }
  bool open() const noexcept { return users_ > 0; }

  /// What lies elsewhere, of all matrices, in the order in which they were made.
  const std::vector<Elsewhere*>& elsewhere() const noexcept { return elsewhere_; }
  void add_elsewhere(Elsewhere& tiles) { elsewhere_.push_back(&tiles); }
  void remove_elsewhere(Elsewhere& tiles) { std::erase(elsewhere_, &tiles); }

  /// Numbers for `count` tiles: the same on all ranks, because storages are made collectively.
  Index reserve_tile_ids(Index count) noexcept { return next_tile_id_.fetch_add(count); }

 private:
  /// Waits for all tasks and lets go of what runs them; afterwards submit() throws and detach() does nothing.
  virtual void close() {}

  std::function<void(std::string_view)> warn_;
  std::atomic<int> users_{0};
  std::atomic<Index> next_tile_id_{0};
  std::vector<Elsewhere*> elsewhere_;
};

}  // namespace tessera::detail
