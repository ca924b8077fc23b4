// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <functional>
#include <string_view>

/// \file
/// The main() of a program that mpirun may start.

namespace tessera::bench {

enum ExitStatus { all_passed = 0, something_failed = 1, wrong_usage = 2 };

/// Runs `program(first)`, where `first` says whether this is the process that prints: before there is a Runtime to ask,
/// the first one of a launcher. An exception becomes one line on the standard error of the first process, and an exit
/// status; the BLAS gets its best kernel before.
ExitStatus run_program(std::string_view name, char** argv,
                       const std::function<ExitStatus(bool first)>& program);

}  // namespace tessera::bench
