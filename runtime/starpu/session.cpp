// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/session.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <starpu.h>
#include <starpu_expert.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/starpu/environment.hpp"
#include "tessera/error.hpp"

namespace tessera::detail {
namespace {

/// Work-stealing queues with priorities: no central lock, and the critical path first.
constexpr const char* default_scheduler = "lws";

/// The cores on which this process may run.
struct Cores {
  int machine = 1;
  int allowed = 1;  // with at least one hardware thread in the process's affinity mask
};

Cores count_cores() {
  Cores cores;
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return cores;
  if (hwloc_topology_load(topology) == 0) {
    cores.machine = std::max(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE), 1);
    hwloc_bitmap_t mask = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology, mask, HWLOC_CPUBIND_PROCESS) != 0) hwloc_bitmap_fill(mask);
    int allowed = 0;
    for (hwloc_obj_t core = nullptr;
         (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != nullptr;) {
      allowed += hwloc_bitmap_intersects(core->cpuset, mask) != 0 ? 1 : 0;
    }
    cores.allowed = std::max(allowed, 1);
    hwloc_bitmap_free(mask);
  }
  hwloc_topology_destroy(topology);
  return cores;
}

/// How many workers this rank shall have, and why not more.
struct WorkerPlan {
  int cores;  // this rank's share
  int workers;
  bool bound;    // the process may not use every core: whoever bound it has chosen where threads run
  bool crowded;  // no core for each of a rank's worker and communication threads: who waits must sleep
};

WorkerPlan plan_workers(const RuntimeOptions& options, const Communicator& communicator,
                        const Session::Warn& warn) {
  const Cores cores = count_cores();
  const Rank neighbours = communicator.local_size();
  const bool bound = cores.allowed < cores.machine;
  // A launcher that binds each rank has dealt the cores already; otherwise the ranks of a machine share them.
  const int share = bound ? cores.allowed : cores.machine / neighbours;
  WorkerPlan plan{std::max(share, 1), 0, bound, neighbours > 1 && share < 2};
  auto asked = options.workers > 0 ? std::optional(options.workers) : count_from_environment("STARPU_NCPU");
  const int wanted = asked.value_or(plan.cores);
  plan.workers = std::min(wanted, STARPU_MAXCPUS);
  if (plan.workers < wanted && communicator.rank() == 0) {
    warn(
        fmt::format("this StarPU is built for {} CPU workers, so {} of {} {} per rank stay unused "
                    "(build StarPU with --enable-maxcpus={})",
                    STARPU_MAXCPUS, wanted - plan.workers, wanted, asked ? "workers" : "cores", wanted));
  }
  return plan;
}

/// A worker that finds nothing to do sleeps a little instead of polling: on cores shared by several ranks the
/// polling ones would keep the working ones from running.
unsigned sleep_when_idle(void* /*unused*/) {
  thread_local const bool precise = prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL) == 0;
  (void)precise;
  std::this_thread::sleep_for(std::chrono::microseconds(100));
  return 1;
}

/// "at least one rank said so". Collective.
bool anywhere(bool here, const Communicator& communicator) {
  std::vector<char> all(static_cast<std::size_t>(communicator.size()));
  const char mine = here ? 1 : 0;
  communicator.all_gather(&mine, 1, all.data());
  return std::ranges::find(all, 1) != all.end();
}

/// The schedulers that can be asked for. Left out: heteroprio takes priorities for numbers of buckets that must be
/// set up first, and aborts on others; graph_test waits for a call that only its test makes.
std::vector<std::string> known_schedulers() {
  std::vector<std::string> names;
  for (starpu_sched_policy** policy = starpu_sched_get_predefined_policies(); *policy != nullptr; ++policy) {
    const std::string name = (*policy)->policy_name;
    if (name != "heteroprio" && name != "graph_test") names.push_back(name);
  }
  return names;
}

/// StarPU falls back to another scheduler when it does not know the name.
void check_scheduler(const std::string& name) {
  const auto names = known_schedulers();
  if (std::ranges::find(names, name) == names.end()) {
    throw ArgumentError("Runtime", "scheduler", name,
                        fmt::format("must be one of {}", fmt::join(names, " ")));
  }
}

/// The first of the two that is not empty, or Tessera's own choice.
std::string choose_scheduler(const std::string& asked, const char* from_environment) {
  if (!asked.empty()) return asked;
  if (from_environment != nullptr && *from_environment != '\0') return from_environment;
  return default_scheduler;
}

/// What the caller has decided is not for the environment to change, and nothing there may make results wrong.
void shield(ScopedEnvironment& environment, bool workers_given) {
  // StarPU takes these whatever the precedence in starpu_conf.
  for (const char* name :
       {"STARPU_SCHED", "STARPU_NCPU", "STARPU_NCPUS", "STARPU_MIN_PRIO", "STARPU_MAX_PRIO"}) {
    environment.unset(name);
  }
  environment.unset("STARPU_DISABLE_KERNELS");  // tasks would end without having run
  if (!workers_given) return;
  for (const char* name :
       {"STARPU_RESERVE_NCPU", "STARPU_MAIN_THREAD_BIND", "STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID"}) {
    environment.unset(name);
  }
}

}  // namespace

Session::Session(const RuntimeOptions& options, const Communicator& communicator, const Warn& warn) {
  ScopedEnvironment environment;
  std::exception_ptr fault;
  try {
    start(options, communicator, warn, environment);
  } catch (...) {
    fault = std::current_exception();
  }
  if (anywhere(fault != nullptr, communicator)) {
    shut_down();
    if (fault) std::rethrow_exception(fault);
    throw RuntimeError("Runtime: StarPU did not start on another rank");
  }
  if (communicator.size() > 1) mpi_.emplace(communicator, options.transport_statistics);
  pause();
}

void Session::start(const RuntimeOptions& options, const Communicator& communicator, const Warn& warn,
                    ScopedEnvironment& environment) {
  check_options(options);
  MpiSession::check(communicator);
  scheduler_ = choose_scheduler(options.scheduler, std::getenv("STARPU_SCHED"));
  check_scheduler(scheduler_);
  const WorkerPlan plan = plan_workers(options, communicator, warn);

  shield(environment, options.workers > 0);
  if (communicator.local_size() > 1 || plan.bound || plan.workers > plan.cores) {
    // StarPU would bind its workers to the first cores of the machine, those of every rank to the same ones.
    environment.set("STARPU_WORKERS_NOBIND", "1");
    environment.set("STARPU_MPI_NOBIND", "1");
  }
  if (options.transport_statistics && communicator.size() > 1) environment.set("STARPU_SILENT", "1");
  std::optional<std::string> home = writable_starpu_home();
  if (!home) {
    home = temporary_home_.emplace().path();
    environment.set("XDG_CACHE_HOME", *home);
    environment.set("STARPU_HOME", *home);
    warn(fmt::format("StarPU's home cannot be written to; its files go to {}", *home));
  }

  starpu_conf conf;
  starpu_conf_init(&conf);
  conf.precedence_over_environment_variables = 1;
  conf.sched_policy_name = scheduler_.c_str();
  conf.ncpus = plan.workers;
  conf.ncuda = 0;  // no kernel has a CUDA implementation yet
  conf.nopencl = 0;
  conf.catch_signals = 0;  // signals belong to the host program
  conf.will_use_mpi = communicator.size() > 1 ? 1 : 0;

  const StartLock lock(*home);
  const int status = starpu_init(&conf);
  if (status == 0) lock.started();
  running_ = status == 0;
  num_workers_ = running_ ? static_cast<int>(starpu_cpu_worker_get_count()) : 0;
  if (num_workers_ == 0) {
    throw RuntimeError(fmt::format("Runtime: StarPU has no worker ({} asked for, starpu_init returned {})",
                                   plan.workers, status));
  }
  if (plan.crowded) starpu_idle_hook_register(sleep_when_idle, nullptr);
}

void Session::pause() {
  if (!std::exchange(paused_, true)) starpu_pause();
}

void Session::resume() {
  if (std::exchange(paused_, false)) starpu_resume();
}

void Session::shut_down() {
  if (!std::exchange(running_, false)) return;
  resume();
  mpi_.reset();
  starpu_shutdown();
}

}  // namespace tessera::detail
