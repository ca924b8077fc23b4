// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

namespace tessera::bench {

/// What one has to know to judge a number: versions, machine, BLAS, runtime. One line each.
std::vector<std::string> context_lines(const Runtime& runtime, int argc, char** argv);

/// Largest memory that this process has had resident since reset_peak_rss(), in bytes; where the kernel cannot
/// reset it, since the process began.
std::optional<double> peak_rss();
void reset_peak_rss();

/// Memory that this machine has left for its processes, in bytes: what the kernel counts as available, or less, by the
/// limit of the control group. Empty where the kernel cannot tell.
std::optional<double> available_memory();
/// The largest matrix, in bytes, for which all machines together have memory, if each rank has an equal share; infinity
/// where it is not known. Collective, the same on all ranks.
double memory_for_a_matrix(const Runtime& runtime);

/// Rate of gemm on one core with nb x nb tiles, in Gflop/s: the fastest of some 0.3 s of calls.
double gemm_rate(char type, Index nb);

}  // namespace tessera::bench
