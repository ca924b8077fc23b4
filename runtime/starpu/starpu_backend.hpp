// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <memory>

#include "runtime/backend.hpp"

namespace tessera::detail {

/// The StarPU session of this process: a new one, or the living one if `options` ask for nothing else.
/// \throws RuntimeError when StarPU or MPI cannot do what is asked, or a living session contradicts `options`
std::shared_ptr<Backend> make_starpu_backend(const RuntimeOptions& options);

}  // namespace tessera::detail
