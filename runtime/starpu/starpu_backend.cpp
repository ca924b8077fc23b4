// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/starpu_backend.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

#include "runtime/sequence_state.hpp"
#include "runtime/starpu/codelets.hpp"
#include "runtime/starpu/communicator.hpp"
#include "runtime/starpu/copies.hpp"
#include "runtime/starpu/messages.hpp"
#include "runtime/starpu/session.hpp"
#include "runtime/starpu/tile_record.hpp"
#include "tessera/blas.hpp"

namespace tessera::detail {
namespace {

class StarpuBackend final : public Backend {
 public:
  explicit StarpuBackend(const RuntimeOptions& options)
      : Backend(options.warn),
        communicator_(options.communicator),
        session_(options, communicator_, options.warn),
        window_(options.window) {}

  BackendKind kind() const noexcept override { return BackendKind::starpu; }
  Rank rank() const noexcept override { return communicator_.rank(); }
  Rank num_ranks() const noexcept override { return communicator_.size(); }
  int num_workers() const noexcept override { return session_.num_workers(); }
  int num_gpus() const noexcept override { return static_cast<int>(starpu_cuda_worker_get_count()); }
  std::string description() const override;
  std::string scheduler() const override { return session_.scheduler(); }

  void submit(const Task& task, const std::shared_ptr<SequenceState>& sequence) override;
  void release(const TaskArgument& tile) override;
  void release_all() override;
  void wait(SequenceState& sequence) override;
  void detach(TileStorage& storage) override;

  void all_gather(const void* mine, std::size_t bytes, void* all) const override {
    communicator_.all_gather(mine, bytes, all);
  }
  void all_sum(std::span<double> values) const override { communicator_.all_sum(values); }

  Traffic traffic() const override { return messages_.traffic(); }
  std::optional<Index> transport_bytes_sent() const override {
    if (!has_transport_statistics()) return {};
    return session_.mpi()->bytes_sent();
  }
  bool has_transport_statistics() const { return session_.mpi() != nullptr && session_.mpi()->statistics(); }

  /// Whether a Runtime with these options can share this session, on every rank. Collective.
  bool satisfies_everywhere(const RuntimeOptions& options) const {
    std::vector<char> all(static_cast<std::size_t>(num_ranks()));
    const char mine = satisfies(options) ? 1 : 0;
    all_gather(&mine, 1, all.data());
    return std::ranges::find(all, 0) == all.end();
  }

 private:
  bool satisfies(const RuntimeOptions& options) const {
    return (options.workers == 0 || options.workers == num_workers()) &&
           (options.scheduler.empty() || options.scheduler == scheduler()) &&
           (!options.transport_statistics || has_transport_statistics() || num_ranks() == 1) &&
           communicator_.same_ranks(options.communicator);
  }

  void close() override;
  TileRecord& record_of(const TaskArgument& tile);
  bool has_record(const TaskArgument& tile) const;
  void fetch_inputs(const Task& task);
  void renew_outputs(const Task& task);
  void run_here(const Task& task, const std::shared_ptr<SequenceState>& sequence);
  void drop_records(TileStorage& storage);
  void start_workers();
  void stop_workers_if_idle();

  Communicator communicator_;
  Session session_;
  int window_;

  std::mutex mutex_;  // on one rank several threads may submit; workers never take it
  std::unordered_set<TileStorage*> attached_;          // storages with records here
  std::optional<SingleThreadedBlas> single_threaded_;  // while workers run
  Counter tasks_in_flight_;
  Messages messages_{communicator_};
  Copies copies_;
};

/// What runs when a StarPU task has ended, on the worker.
struct Completion {
  Work work;
  Counter* tasks_in_flight;
};

void on_completion(void* argument) {
  std::unique_ptr<Completion> completion(static_cast<Completion*>(argument));
  Counter& tasks_in_flight = *completion->tasks_in_flight;
  const std::shared_ptr<SequenceState> sequence = std::move(completion->work.sequence);
  completion.reset();  // what the kernel holds goes before wait() can return
  tasks_in_flight.remove();
  sequence->pending.remove();
}

template <class F>
void for_each_record(TileStorage& storage, F&& f) {
  for (Index j = 0; j < storage.tiling().nt(); ++j) {
    for (Index i = 0; i < storage.tiling().mt(); ++i) {
      if (void* slot = storage.slot(i, j)) f(*static_cast<TileRecord*>(slot));
    }
  }
}

std::string StarpuBackend::description() const {
  int major = 0, minor = 0, release = 0;
  starpu_get_version(&major, &minor, &release);
  return fmt::format("StarPU {}.{}.{} (built for {} CPU workers, {} tiles per task), scheduler {}", major,
                     minor, release, STARPU_MAXCPUS, STARPU_NMAXBUFS, scheduler());
}

TileRecord& StarpuBackend::record_of(const TaskArgument& tile) {
  TileStorage& storage = *tile.storage;
  if (attached_.insert(&storage).second) storage.make_slots();
  void*& slot = storage.slot(tile.i, tile.j);
  if (slot == nullptr) slot = new TileRecord(storage, tile.i, tile.j, rank(), messages_, copies_);
  return *static_cast<TileRecord*>(slot);
}

bool StarpuBackend::has_record(const TaskArgument& tile) const {
  return tile.storage->has_slots() && tile.storage->slot(tile.i, tile.j) != nullptr;
}

void StarpuBackend::submit(const Task& task, const std::shared_ptr<SequenceState>& sequence) {
  const std::lock_guard lock(mutex_);
  if (num_ranks() > 1) fetch_inputs(task);
  if (task.executor == rank()) run_here(task, sequence);
  if (num_ranks() > 1) renew_outputs(task);
}

/// Brings the tiles that the task reads to its executor, unless it has this version already.
void StarpuBackend::fetch_inputs(const Task& task) {
  const auto access = task.body.info().access;
  for (std::size_t p = 0; p < task.tiles.size(); ++p) {
    if (access[p] == Access::write) continue;
    const TaskArgument& tile = task.tiles[p];
    const Rank holder = tile.storage->holder(tile.i, tile.j);
    if (holder == task.executor) continue;
    if (rank() == holder) {
      record_of(tile).send(task.executor, task.options.priority);
    } else if (rank() == task.executor) {
      record_of(tile).receive(holder);
    }
  }
}

/// From now on the executor alone has the current version of what the task writes.
void StarpuBackend::renew_outputs(const Task& task) {
  const auto access = task.body.info().access;
  for (std::size_t p = 0; p < task.tiles.size(); ++p) {
    const TaskArgument& tile = task.tiles[p];
    if (access[p] == Access::read || !has_record(tile)) continue;
    if (rank() == task.executor) {
      record_of(tile).written_here();
    } else {
      record_of(tile).forget();
    }
  }
}

void StarpuBackend::run_here(const Task& task, const std::shared_ptr<SequenceState>& sequence) {
  start_workers();
  auto completion =
      std::make_unique<Completion>(Completion{{task.body.clone(), sequence, task.number}, &tasks_in_flight_});
  starpu_task* starpu = starpu_task_create();
  starpu->cl = codelet_of(task.body.info());
  for (std::size_t p = 0; p < task.tiles.size(); ++p) starpu->handles[p] = record_of(task.tiles[p]).handle();
  starpu->cl_arg = &completion->work;
  starpu->priority = task.options.priority;
  starpu->callback_func = on_completion;
  starpu->callback_arg = completion.get();
  sequence->pending.add();
  const Index in_flight = tasks_in_flight_.add();
  const int status = starpu_task_submit(starpu);
  if (status != 0) {
    starpu->destroy = 0;
    starpu_task_destroy(starpu);
    tasks_in_flight_.remove();
    sequence->pending.remove();
    throw RuntimeError(fmt::format("submit: StarPU refuses the task {} ({})", task.body.info().name, status));
  }
  completion.release();  // on_completion owns it now
  // A rank waits only for tasks that come earlier in the one order that all ranks submit, so this cannot deadlock.
  if (in_flight >= window_) starpu_task_wait_for_n_submitted(static_cast<unsigned>(window_ - window_ / 5));
}

void StarpuBackend::release(const TaskArgument& tile) {
  const bool scratch = tile.storage->is_scratch();  // whose contents end with the release
  if (num_ranks() == 1 && !scratch) return;
  const std::lock_guard lock(mutex_);
  const Rank owner = tile.storage->distribution().owner(tile.i, tile.j);
  const Rank holder = tile.storage->holder(tile.i, tile.j);
  if (!scratch && holder != owner && rank() == owner) record_of(tile).receive(holder);
  if (!scratch && holder != owner && rank() == holder) record_of(tile).send(owner, 0);
  if (has_record(tile)) record_of(tile).release();
}

void StarpuBackend::release_all() {
  if (num_ranks() == 1) return;
  const std::lock_guard lock(mutex_);
  for (TileStorage* storage : attached_) {
    for_each_record(*storage, [](TileRecord& record) { record.release(); });
  }
}

void StarpuBackend::wait(SequenceState& sequence) {
  sequence.pending.wait_until_zero();
  messages_.wait();
  stop_workers_if_idle();
}

void StarpuBackend::detach(TileStorage& storage) {
  const std::lock_guard lock(mutex_);
  if (attached_.erase(&storage) != 0) drop_records(storage);
}

void StarpuBackend::drop_records(TileStorage& storage) {
  for_each_record(storage, [](TileRecord& record) { delete &record; });  // waits for tasks and messages
  storage.drop_slots();
}

void StarpuBackend::close() {
  if (!session_.running()) return;
  tasks_in_flight_.wait_until_zero();
  messages_.wait();
  const std::lock_guard lock(mutex_);
  for (TileStorage* storage : attached_) drop_records(*storage);
  attached_.clear();
  start_workers();  // StarPU cannot be shut down while its workers sleep
  session_.shut_down();
  single_threaded_.reset();
}

/// StarPU's idle workers poll. Between waits they are paused instead, and the caller's BLAS has its threads back.
void StarpuBackend::start_workers() {
  if (!session_.paused()) return;
  single_threaded_.emplace();
  session_.resume();
}

void StarpuBackend::stop_workers_if_idle() {
  const std::lock_guard lock(mutex_);
  if (session_.paused() || tasks_in_flight_.value() != 0) return;
  session_.pause();
  single_threaded_.reset();
}

}  // namespace

std::shared_ptr<Backend> make_starpu_backend(const RuntimeOptions& options) {
  static std::mutex mutex;
  static std::weak_ptr<StarpuBackend> living;
  const std::lock_guard lock(mutex);
  if (auto backend = living.lock(); backend && backend->open()) {
    if (!backend->satisfies_everywhere(options)) {
      throw RuntimeError(
          fmt::format("Runtime: a session with {} workers, scheduler '{}' and {} ranks is running, {} "
                      "transport statistics, and there is one per process",
                      backend->num_workers(), backend->scheduler(), backend->num_ranks(),
                      backend->has_transport_statistics() ? "with" : "without"));
    }
    return backend;
  }
  auto backend = std::make_shared<StarpuBackend>(options);
  living = backend;
  return backend;
}

}  // namespace tessera::detail
