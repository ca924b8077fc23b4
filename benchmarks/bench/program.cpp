// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/program.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "benchmarks/bench/parse.hpp"
#include "tessera/blas.hpp"
#include "tessera/error.hpp"

namespace tessera::bench {
namespace {

bool is_first_process() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

}  // namespace

ExitStatus run_program(std::string_view name, char** argv,
                       const std::function<ExitStatus(bool first)>& program) {
  restart_with_best_blas_kernel(argv);
  const bool first = is_first_process();
  const auto report = [&](const std::string& what) {
    if (first) {
      fmt::print(stderr, "{}: {}\n", name, what);
    } else {
      // mpirun ends all processes as soon as one has failed: the first one shall have printed by then.
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
  };
  try {
    return program(first);
  } catch (const UsageError& e) {
    report(fmt::format("{} (--help shows all options)", e.what()));
    return wrong_usage;
  } catch (const ArgumentError& e) {
    report(e.what());
    return wrong_usage;
  } catch (const std::exception& e) {
    report(e.what());
    return something_failed;
  }
}

}  // namespace tessera::bench
