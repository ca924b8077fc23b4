// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/communicator.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "tessera/error.hpp"

namespace tessera::detail {

#if TESSERA_HAVE_MPI

namespace {

/// Whether a launcher started this process: then MPI is meant to be used. Without one, MPI_Init would start a
/// daemon for nothing.
bool launched_by_mpirun() {
  constexpr std::array variables = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                                    "MPI_LOCALNRANKS"};
  return std::ranges::any_of(variables, [](const char* name) { return std::getenv(name) != nullptr; });
}

bool initialized() {
  int flag = 0;
  MPI_Initialized(&flag);
  return flag != 0;
}

bool finalized() {
  int flag = 0;
  MPI_Finalized(&flag);
  return flag != 0;
}

void initialize() {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  std::atexit([] {
    if (!finalized()) MPI_Finalize();
  });
}

/// Number of ranks. MPI ends the process for a handle that is none, unless its error handler is changed.
Rank checked_size(MPI_Comm communicator) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int size = 0;
  const int status = MPI_Comm_size(communicator, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&before);
  if (status != MPI_SUCCESS) throw RuntimeError("Runtime: the communicator given is none");
  return size;
}

std::string thread_level_name(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED:
      return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED:
      return "MPI_THREAD_SERIALIZED";
    default:
      return "MPI_THREAD_MULTIPLE";
  }
}

}  // namespace

Communicator::Communicator(std::optional<int> handle) {
  if (finalized()) {
    if (handle) throw RuntimeError("Runtime: the communicator cannot be used: MPI has been finalized");
    return;
  }
  if (!initialized()) {
    if (handle) throw RuntimeError("Runtime: a communicator was given, but MPI is not initialized");
    if (!launched_by_mpirun()) return;
    initialize();
  }
  const MPI_Comm parent = handle ? MPI_Comm_f2c(static_cast<MPI_Fint>(*handle)) : MPI_COMM_WORLD;
  if (parent == MPI_COMM_NULL) throw RuntimeError("Runtime: the communicator is MPI_COMM_NULL");
  size_ = checked_size(parent);
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (size_ > 1 && level < MPI_THREAD_MULTIPLE) {
    throw RuntimeError("Runtime: MPI was initialized with " + thread_level_name(level) +
                       ", but tasks communicate from a thread of their own: call MPI_Init_thread with "
                       "MPI_THREAD_MULTIPLE");
  }
  MPI_Comm_dup(parent, &comm_);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local);
  MPI_Comm_size(local, &local_size_);
  MPI_Comm_free(&local);
}

Communicator::~Communicator() {
  if (comm_ != MPI_COMM_NULL && !finalized()) MPI_Comm_free(&comm_);
}

bool Communicator::same_ranks(std::optional<int> handle) const {
  if (!handle) return true;
  if (comm_ == MPI_COMM_NULL) return false;
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(comm_, MPI_Comm_f2c(static_cast<MPI_Fint>(*handle)), &relation);
  return relation == MPI_IDENT || relation == MPI_CONGRUENT;
}

bool Communicator::is_world() const {
  if (comm_ == MPI_COMM_NULL) return false;
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(comm_, MPI_COMM_WORLD, &relation);
  return relation != MPI_UNEQUAL;
}

void Communicator::all_gather(const void* mine, std::size_t bytes, void* all) const {
  if (size_ == 1) {
    std::memcpy(all, mine, bytes);
    return;
  }
  MPI_Allgather(mine, static_cast<int>(bytes), MPI_BYTE, all, static_cast<int>(bytes), MPI_BYTE, comm_);
}

void Communicator::all_sum(std::span<double> values) const {
  if (size_ == 1) return;
  constexpr std::size_t largest = std::size_t{1} << 30;  // MPI counts in 32 bits
  for (std::size_t first = 0; first < values.size(); first += largest) {
    const auto count = static_cast<int>(std::min(largest, values.size() - first));
    double* chunk = values.data() + first;
    // Not MPI_Allreduce: MPI does not promise that every rank adds in the same order, and the bits must agree.
    MPI_Reduce(rank_ == 0 ? MPI_IN_PLACE : chunk, chunk, count, MPI_DOUBLE, MPI_SUM, 0, comm_);
    MPI_Bcast(chunk, count, MPI_DOUBLE, 0, comm_);
  }
}

#else

Communicator::Communicator(std::optional<int> handle) {
  if (handle) throw RuntimeError("Runtime: a communicator was given, but Tessera was built without MPI");
}
Communicator::~Communicator() = default;
bool Communicator::same_ranks(std::optional<int> handle) const { return !handle; }
bool Communicator::is_world() const { return false; }
void Communicator::all_gather(const void* mine, std::size_t bytes, void* all) const {
  std::memcpy(all, mine, bytes);
}
void Communicator::all_sum(std::span<double> /*values*/) const {}

#endif

}  // namespace tessera::detail
