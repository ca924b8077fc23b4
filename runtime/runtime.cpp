// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/runtime.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "runtime/backend.hpp"
#include "runtime/elsewhere.hpp"
#include "runtime/recording/recording_backend.hpp"
#include "runtime/sequence_state.hpp"
#include "runtime/sequential/sequential_backend.hpp"
#include "runtime/starpu/starpu_backend.hpp"
#include "tessera/blas.hpp"

namespace tessera {
namespace {

void warn_on_stderr(std::string_view line) {
  std::fprintf(stderr, "tessera: warning: %.*s\n", static_cast<int>(line.size()), line.data());
}

std::shared_ptr<detail::Backend> make_backend(RuntimeOptions options) {
  if (!options.warn) options.warn = warn_on_stderr;
  if (options.backend == BackendKind::starpu) return detail::make_starpu_backend(options);
  detail::check_options(options);
  if (options.backend == BackendKind::recording) {
    return std::make_shared<detail::RecordingBackend>(options);
  }
  return std::make_shared<detail::SequentialBackend>(options.warn);
}

/// Once per process: the BLAS does not change while it runs.
void warn_of_slow_blas(const detail::Backend& backend) {
  static std::once_flag once;
  std::call_once(once, [&] {
    const std::string warning = blas_kernel_warning();
    if (!warning.empty()) backend.warn(warning);
  });
}

/// Calls fail(reason) for a tile of another runtime and for what is no tile of its matrix.
void check_tile(const detail::Backend& backend, const detail::TaskArgument& tile, const auto& fail) {
  const auto& [storage, i, j] = tile;
  if (&storage->backend() != &backend) fail("belongs to another runtime");
  const Tiling& tiling = storage->tiling();
  if (i < 0 || j < 0 || i >= tiling.mt() || j >= tiling.nt()) fail("is no tile of its matrix");
}

/// \throws ArgumentError also for a tile that the task writes under another name
void check_tile(const KernelInfo& kernel, const detail::Backend& backend,
                std::span<const detail::TaskArgument> tiles, std::size_t p) {
  const auto fail = [&](const char* reason) {
    throw ArgumentError("submit", "tile", std::to_string(p + 1) + " of " + std::string(kernel.name), reason);
  };
  check_tile(backend, tiles[p], fail);
  for (std::size_t q = 0; q < p; ++q) {
    const bool written = kernel.access[p] != Access::read || kernel.access[q] != Access::read;
    if (written && tiles[p] == tiles[q])
      fail("is also another tile of the same task, and one of them is written");
  }
}

/// \throws ArgumentError for what is no rank of the runtime, and for a negative step
Rank executor_of(const detail::Backend& backend, const detail::TaskArgument& tile,
                 const TaskOptions& options) {
  if (options.step.value_or(0) < 0)
    throw ArgumentError("submit", "step", std::to_string(*options.step), "must not be negative");
  const Distribution& distribution = tile.storage->distribution();
  const Rank executor = options.executor ? *options.executor
                        : options.step   ? distribution.executor(tile.i, tile.j, *options.step)
                                         : distribution.owner(tile.i, tile.j);
  if (executor < 0 || executor >= backend.num_ranks())
    throw ArgumentError("submit", "executor", std::to_string(executor), "is not a rank of the runtime");
  return executor;
}

detail::Elsewhere& elsewhere_of(TileStorage& storage) {
  auto& elsewhere = storage.elsewhere();
  if (!elsewhere) elsewhere = std::make_unique<detail::Elsewhere>(storage);
  return *elsewhere;
}

/// What the ranks tell each other at the end of a sequence.
struct Outcome {
  Index task;  // the first that failed
  Index index;
  char message[240];  // empty unless a task threw
};

}  // namespace

Runtime::Runtime(const RuntimeOptions& options) : backend_(make_backend(options)) {
  backend_->add_user();
  if (options.backend != BackendKind::recording && backend_->rank() == 0) warn_of_slow_blas(*backend_);
}
Runtime::~Runtime() { backend_->remove_user(); }

Rank Runtime::rank() const noexcept { return backend_->rank(); }
Rank Runtime::num_ranks() const noexcept { return backend_->num_ranks(); }
int Runtime::num_workers() const noexcept { return backend_->num_workers(); }
int Runtime::num_gpus() const noexcept { return backend_->num_gpus(); }
std::string Runtime::description() const { return backend_->description(); }
BackendKind Runtime::backend_kind() const noexcept { return backend_->kind(); }
std::string Runtime::scheduler() const { return backend_->scheduler(); }
const TaskGraph& Runtime::graph() const { return backend_->graph(); }

std::vector<double> Runtime::all_gather(double value) const {
  std::vector<double> all(static_cast<std::size_t>(num_ranks()));
  backend_->all_gather(&value, sizeof(value), all.data());
  return all;
}

void Runtime::all_sum(std::span<double> values) const { backend_->all_sum(values); }

Traffic Runtime::traffic() const { return backend_->traffic(); }
std::optional<Index> Runtime::transport_bytes_sent() const { return backend_->transport_bytes_sent(); }

void detail::check_options(const RuntimeOptions& options) {
  const auto require = [](bool ok, const char* argument, Index value, const char* reason) {
    if (!ok) throw ArgumentError("Runtime", argument, std::to_string(value), reason);
  };
  require(options.workers >= 0, "workers", options.workers, "must be positive, or 0 for all cores");
  require(options.window >= 1, "window", options.window, "must be positive");
  require(options.recorded_ranks >= 1, "recorded_ranks", options.recorded_ranks, "must be positive");
}

// Where there is one process, every pretended rank says the same.
void detail::Backend::all_gather(const void* mine, std::size_t bytes, void* all) const {
  for (Rank r = 0; r < num_ranks(); ++r) {
    std::memcpy(static_cast<std::byte*>(all) + static_cast<std::size_t>(r) * bytes, mine, bytes);
  }
}

Sequence::Sequence(Runtime& runtime)
    : runtime_(&runtime), backend_(runtime.backend()), state_(std::make_shared<detail::SequenceState>()) {}

Sequence::~Sequence() {
  if (backend_->open()) release_elsewhere();
  backend_->wait(*state_);
}

Runtime& Sequence::runtime() const {
  if (!backend_->open()) throw RuntimeError("Sequence: the Runtime has ended");
  return *runtime_;
}

void Sequence::check(const TaskBody& body, std::span<const detail::TaskArgument> tiles) const {
  if (!backend_->open()) throw RuntimeError("submit: the Runtime has ended");
  for (std::size_t p = 0; p < tiles.size(); ++p) check_tile(body.info(), *backend_, tiles, p);
}

void Sequence::submit_on(Rank executor, const TaskBody& body, const TaskOptions& options,
                         std::span<const detail::TaskArgument> tiles, const detail::Turn& turn) {
  backend_->submit({body, options, tiles, executor, turn.number}, turn.sequence);
  for (std::size_t p = 0; p < tiles.size(); ++p) {
    const auto& [storage, i, j] = tiles[p];
    if (body.info().access[p] == Access::read || storage->holder(i, j) == executor) continue;
    elsewhere_of(*storage).set_holder(i, j, executor);
  }
}

void Sequence::submit(const TaskBody& body, const TaskOptions& options,
                      std::span<const detail::TaskArgument> tiles) {
  check(body, tiles);
  const auto& access = body.info().access;
  const auto written = std::ranges::find_if(access, [](Access a) { return a != Access::read; });
  const auto leading = written == access.end() ? std::ptrdiff_t{0} : written - access.begin();
  const Rank executor = executor_of(*backend_, tiles[static_cast<std::size_t>(leading)], options);
  for (std::size_t p = 0; p < tiles.size(); ++p) {
    const auto& [storage, i, j] = tiles[p];
    settle(tiles[p], access[p] == Access::read ? storage->holder(i, j) : executor);
  }
  submit_on(executor, body, options, tiles, {state_, state_->next_task()});
}

void Sequence::accumulate(const Accumulation& kernels, const TaskOptions& options,
                          std::span<const detail::TaskArgument> tiles) {
  check(kernels.adding, tiles);
  const auto [storage, i, j] = tiles.back();
  const Rank executor = executor_of(*backend_, tiles.back(), options);
  for (const auto& tile : tiles.first(tiles.size() - 1)) settle(tile, tile.storage->holder(tile.i, tile.j));
  const detail::Turn turn{state_, state_->next_task()};
  if (executor == storage->holder(i, j)) return submit_on(executor, kernels.adding, options, tiles, turn);

  detail::Elsewhere& sums = elsewhere_of(*storage);
  if (!sums.accepts(i, j, kernels.written, *state_)) settle(tiles.back(), storage->holder(i, j));
  const auto part = sums.part(i, j, executor, options.priority, kernels.joining, kernels.written, turn);
  std::array<detail::TaskArgument, max_tiles_per_task> arguments{};
  std::ranges::copy(tiles, arguments.begin());
  arguments[tiles.size() - 1] = part.tile;
  const bool fresh = part.begun.number == turn.number;
  submit_on(executor, fresh ? kernels.overwriting : kernels.adding, options,
            std::span(arguments).first(tiles.size()), turn);
}

void Sequence::settle(const detail::TaskArgument& tile, Rank rank) {
  const auto& sums = tile.storage->elsewhere();
  if (!sums || !sums->pending(tile.i, tile.j)) return;
  const TaskOptions options{sums->priority(tile.i, tile.j), {}, {}};
  for (const auto& [part, begun] : sums->take(tile.i, tile.j)) {
    // In the turn of the task that began the part: where a failure has kept that from writing it, it is not added.
    submit_on(rank, sums->join(tile.i, tile.j), options, std::array{part, tile}, begun);
    backend_->release(part);
  }
}

void Sequence::release(const detail::TaskArgument& tile) {
  if (!backend_->open()) throw RuntimeError("release: the Runtime has ended");
  check_tile(*backend_, tile, [&](const char* reason) {
    const std::string name = "(" + std::to_string(tile.i) + ", " + std::to_string(tile.j) + ")";
    throw ArgumentError("release", "tile", name, reason);
  });
  return_home(tile);
}

void Sequence::return_home(const detail::TaskArgument& tile) {
  const auto& [storage, i, j] = tile;
  const Rank owner = storage->distribution().owner(i, j);
  settle(tile, owner);
  backend_->release(tile);
  if (storage->elsewhere()) storage->elsewhere()->set_holder(i, j, owner);
}

void Sequence::release_elsewhere() {
  for (detail::Elsewhere* elsewhere : backend_->elsewhere()) {
    for (const detail::TaskArgument& tile : elsewhere->take_tiles()) return_home(tile);
  }
}

Info Sequence::wait() {
  if (backend_->open()) release_elsewhere();
  backend_->wait(*state_);
  backend_->release_all();
  kept_.clear();

  const detail::Failure here = state_->take_failure();
  Outcome mine{here.task, here.index, {}};
  std::copy_n(here.message.begin(), std::min(here.message.size(), sizeof(mine.message) - 1), mine.message);
  std::vector<Outcome> all(static_cast<std::size_t>(backend_->num_ranks()));
  backend_->all_gather(&mine, sizeof(mine), all.data());

  const auto first = std::ranges::min_element(all, {}, &Outcome::task);
  if (first->message[0] != '\0') {
    throw TaskError("a task failed on rank " + std::to_string(first - all.begin()) + ": " + first->message);
  }
  return Info(first->task == detail::Failure::none ? 0 : first->index);
}

}  // namespace tessera
