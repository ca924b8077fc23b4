// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tessera/error.hpp"
#include "tessera/kernel.hpp"
#include "tessera/storage.hpp"
#include "tessera/traffic.hpp"
#include "tessera/types.hpp"

namespace tessera {

class TaskGraph;
template <class T>
class TileRef;

/// Who runs the tasks.
enum class BackendKind {
  starpu,      ///< StarPU: all cores, and MPI ranks when launched under mpirun
  sequential,  ///< each task runs inside submit(): oracle, sanitizers, debugging
  recording,   ///< nothing runs and no matrix has memory; the task graph is kept
};

/// How to start a Runtime. What is left out is chosen well.
struct RuntimeOptions {
  BackendKind backend = BackendKind::starpu;
  /// CPU workers; 0: one per core that this process may use (divided among the ranks of a node). What is
  /// asked for here is not overruled by environment variables.
  int workers = 0;
  /// StarPU's scheduler by name ("lws", "prio", "dmdas", ...); empty: chosen by Tessera.
  std::string scheduler = {};
  /// MPI communicator as MPI_Comm_c2f gives it; it is duplicated. Empty: MPI_COMM_WORLD when MPI is
  /// initialised or the process was launched by mpirun, otherwise no MPI.
  std::optional<int> communicator = {};
  /// Whether StarPU-MPI counts too what it sends, for Runtime::transport_bytes_sent(). It then starts without
  /// the messages that it otherwise writes to standard error.
  bool transport_statistics = false;
  /// Tasks that may be pending on this rank before submit() waits; bounds the memory of the task graph.
  int window = 8192;
  /// Number of ranks that a recording runtime pretends to have.
  Rank recorded_ranks = 1;
  /// Whether a recording runtime keeps the tasks (some 300 bytes each), or the loads of the ranks alone.
  bool record_tasks = true;
  /// Called with one line for every warning; by default it goes to standard error.
  std::function<void(std::string_view)> warn = {};
};

/// A session of the task runtime. Collective over its ranks, RAII, may be created again and again; two that
/// live at once share one session. Between waits an idle Runtime uses no core.
///
/// A Runtime that uses MPI initialises it with MPI_THREAD_MULTIPLE if nobody has, and then also finalises it
/// at the end of the process; an MPI that the caller initialised stays the caller's.
class Runtime {
 public:
  /// \throws RuntimeError when no worker can be had, when StarPU does not start, or when the caller's MPI
  ///         has a thread level below MPI_THREAD_MULTIPLE and there is more than one rank
  /// \throws ArgumentError for options that are out of range
  explicit Runtime(const RuntimeOptions& options = {});
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  Rank rank() const noexcept;
  Rank num_ranks() const noexcept;
  int num_workers() const noexcept;
  int num_gpus() const noexcept;
  BackendKind backend_kind() const noexcept;
  /// One line for logs: the backend, its version and the limits of its build.
  std::string description() const;
  /// Name of the scheduler in use; empty where there is none.
  std::string scheduler() const;

  /// The tasks recorded so far.
  /// \throws RuntimeError unless the backend is recording
  const TaskGraph& graph() const;

  /// Every rank's value, in order of rank. Collective.
  std::vector<double> all_gather(double value) const;
  /// Sum over the ranks, entry by entry, the same bits on every rank; NaN and infinities survive. Collective.
  void all_sum(std::span<double> values) const;

  /// The messages of this rank since the start of its session, by the library's own account: all that belong to
  /// the tasks submitted so far, and after a wait all of them have gone or come. The difference of two calls is
  /// what was sent in between. Zero on one rank, and where nothing runs.
  Traffic traffic() const;
  /// Bytes of tiles that StarPU-MPI says it has given to MPI on this rank since the start of its session. After
  /// a wait they are traffic().bytes_sent, unless a tile has 2 GiB or more: StarPU multiplies in 32 bits.
  /// Empty without RuntimeOptions::transport_statistics, and on one rank.
  std::optional<Index> transport_bytes_sent() const;

  const std::shared_ptr<detail::Backend>& backend() const noexcept { return backend_; }

 private:
  std::shared_ptr<detail::Backend> backend_;
};

namespace detail {
class SequenceState;
struct Turn;

/// One tile of a task.
struct TaskArgument {
  TileStorage* storage;
  Index i;
  Index j;

  friend bool operator==(const TaskArgument&, const TaskArgument&) = default;
};
}  // namespace detail

/// A stream of tasks and the status they share. Tasks run as if one after the other in the order of
/// submission; the runtime finds what can overlap from the tiles they touch. Several calls may be submitted
/// to one sequence without waiting in between, and several sequences may be in flight.
///
/// Every rank submits the same tasks in the same order. After a failure (a bad pivot, a task that throws) the tasks
/// submitted later do nothing, but for those that ran before it on other tiles: what a failed sequence wrote is
/// undefined from there on. The status is that of the failing task submitted first. On one rank several
/// threads may submit, each to sequences of its own.
class Sequence {
 public:
  explicit Sequence(Runtime& runtime);
  /// Waits; an outcome that nobody asked for is dropped.
  ~Sequence();
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  /// Waits for everything submitted so far and gives the status, the same on every rank. Collective.
  /// The sequence can then be used again.
  /// \throws TaskError when a task threw, here or on another rank
  Info wait();

  /// Submits a kernel on tiles, one per parameter of `kernel.cpu`. It runs on the executor of the first tile
  /// that it writes, of its first tile if it writes none, or on `options.executor`. What it writes stays there until
  /// others need it, or it is released.
  /// \throws ArgumentError on every rank for a tile of another runtime or outside its matrix, for one that is written
  ///         and given twice, for an executor that is no rank of the runtime, and for a negative step
  template <Kernel K, class... T>
  void submit(const K& kernel, const TaskOptions& options, const TileRef<T>&... tiles) {
    using Signature = detail::KernelSignature<decltype(&K::cpu)>;
    static_assert(sizeof...(T) <= max_tiles_per_task);
    static_assert(Signature::template accepts<T...>,
                  "the tiles do not fit the parameters of the kernel's cpu()");
    const detail::TaskArgument arguments[] = {tiles.argument()...};
    submit(detail::KernelBody<K>(kernel), options, arguments);
  }

  /// Submits a kernel that adds to its last tile, C = f(...) + beta C with a member `beta`, as C = f(...) + C. (One
  /// that writes a triangle of C alone says so by a member function `Uplo written() const`.) It may
  /// run on any rank, `options.executor`: a rank that does not hold C adds to a partial sum of its own, and before C
  /// is read or written otherwise, is released, or the sequence has been waited for, the partial sums are added to C,
  /// each sent once: on the rank that writes it next, or on its holder.
  template <Kernel K, class... T>
  void accumulate(K kernel, const TaskOptions& options, const TileRef<T>&... tiles) {
    using Sum = std::tuple_element_t<sizeof...(T) - 1, std::tuple<T...>>;
    kernel.beta = 1;
    detail::Overwriting<K> overwriting{kernel};
    overwriting.kernel.beta = 0;
    const detail::TaskArgument arguments[] = {tiles.argument()...};
    accumulate(
        {detail::KernelBody<K>(kernel), detail::KernelBody<detail::Overwriting<K>>(overwriting),
         detail::KernelBody<detail::Join<Sum>>({detail::written_part(kernel)}), detail::written_part(kernel)},
        options, arguments);
  }

  /// Says that copies of this tile on other ranks will not be read again unless it is written first. A version that
  /// was written away from the owner goes home.
  /// \throws ArgumentError on every rank for a tile of another runtime or outside its matrix
  void release(const detail::TaskArgument& tile);

  /// Keeps `object` until the next wait has ended: memory of an algorithm that only its tasks need.
  void keep(std::shared_ptr<const void> object) { kept_.push_back(std::move(object)); }

  /// \throws RuntimeError when it has ended
  Runtime& runtime() const;

 private:
  /// The kernels that an accumulation can become.
  struct Accumulation {
    const TaskBody& adding;
    const TaskBody& overwriting;  // the first one of a rank
    const TaskBody& joining;      // of a partial sum with the tile
    Uplo written;                 // the part of the tile that they write
  };

  void submit(const TaskBody& body, const TaskOptions& options, std::span<const detail::TaskArgument> tiles);
  void accumulate(const Accumulation& kernels, const TaskOptions& options,
                  std::span<const detail::TaskArgument> tiles);
  void check(const TaskBody& body, std::span<const detail::TaskArgument> tiles) const;
  void submit_on(Rank executor, const TaskBody& body, const TaskOptions& options,
                 std::span<const detail::TaskArgument> tiles, const detail::Turn& turn);
  /// Adds the partial sums of the tile to it, on `rank`, if there are any.
  void settle(const detail::TaskArgument& tile, Rank rank);
  void return_home(const detail::TaskArgument& tile);
  /// Releases what does not lie on its owner.
  void release_elsewhere();

  Runtime* runtime_;
  std::shared_ptr<detail::Backend> backend_;
  std::shared_ptr<detail::SequenceState> state_;
  std::vector<std::shared_ptr<const void>> kept_;
};

/// The blocking form of an algorithm: submits `algorithm(sequence)` and waits.
template <class Algorithm>
Info run(Runtime& runtime, Algorithm&& algorithm) {
  Sequence sequence(runtime);
  algorithm(sequence);
  return sequence.wait();
}

}  // namespace tessera
