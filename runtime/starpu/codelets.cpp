// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/codelets.hpp"

#include <array>
#include <mutex>
#include <string>
#include <unordered_map>

namespace tessera::detail {
namespace {

void run_on_cpu(void* buffers[], void* argument) {
  const Work& work = *static_cast<const Work*>(argument);
  std::array<TileBuffer, max_tiles_per_task> tiles;
  for (std::size_t p = 0; p < work.body->info().access.size(); ++p) {
    tiles[p] = {reinterpret_cast<void*>(STARPU_MATRIX_GET_PTR(buffers[p])),
                static_cast<Index>(STARPU_MATRIX_GET_NX(buffers[p])),
                static_cast<Index>(STARPU_MATRIX_GET_NY(buffers[p])),
                static_cast<Index>(STARPU_MATRIX_GET_LD(buffers[p]))};
  }
  execute(*work.body, work.number, tiles.data(), *work.sequence);
}

starpu_data_access_mode mode_of(Access access) {
  switch (access) {
    case Access::read:
      return STARPU_R;
    case Access::write:
      return STARPU_W;
    default:
      return STARPU_RW;
  }
}

/// A codelet with the name it points to.
struct NamedCodelet {
  std::string name;
  starpu_codelet codelet;
};

std::unique_ptr<NamedCodelet> make_codelet(const KernelInfo& info) {
  auto made = std::make_unique<NamedCodelet>();
  made->name = std::string(1, info.type).append(info.name);
  starpu_codelet& codelet = made->codelet;
  starpu_codelet_init(&codelet);
  codelet.where = STARPU_CPU;
  codelet.cpu_funcs[0] = run_on_cpu;
  codelet.nbuffers = static_cast<int>(info.access.size());
  for (std::size_t p = 0; p < info.access.size(); ++p) codelet.modes[p] = mode_of(info.access[p]);
  codelet.name = made->name.c_str();
  return made;
}

}  // namespace

starpu_codelet* codelet_of(const KernelInfo& info) {
  static std::mutex mutex;
  static std::unordered_map<const KernelInfo*, std::unique_ptr<NamedCodelet>> codelets;
  const std::lock_guard lock(mutex);
  auto& entry = codelets[&info];
  if (!entry) entry = make_codelet(info);
  return &entry->codelet;
}

}  // namespace tessera::detail
