// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <starpu.h>

#include <memory>

#include "runtime/sequence_state.hpp"
#include "tessera/kernel.hpp"

namespace tessera::detail {

/// What a StarPU task carries: the kernel with its scalar arguments, and whom to tell.
struct Work {
  std::unique_ptr<TaskBody> body;
  std::shared_ptr<SequenceState> sequence;
  Index number;  // of the task in its sequence
};

/// The codelet of a kernel type, made on first use from its KernelInfo; it lives to the end of the process.
/// Its functions expect a Work as cl_arg.
starpu_codelet* codelet_of(const KernelInfo& info);

}  // namespace tessera::detail
