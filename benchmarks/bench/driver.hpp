// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "benchmarks/bench/options.hpp"
#include "benchmarks/bench/output.hpp"
#include "tessera/runtime.hpp"

namespace tessera::bench {

/// Runs every configuration of the command line. Collective.
/// \return whether no run failed; the same on every rank
/// \throws UsageError, before anything has run, for what does not fit the runtime
bool run_all(Runtime& runtime, const Options& options, Output& output);

}  // namespace tessera::bench
