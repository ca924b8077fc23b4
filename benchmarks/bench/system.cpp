// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/system.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <fstream>
#include <span>
#include <thread>

#include "benchmarks/bench/operation.hpp"
#include "kernels/gemm.hpp"
#include "tessera/blas.hpp"
#include "tessera/flops.hpp"
#include "tessera/version.hpp"

namespace tessera::bench {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string blas_line() {
  const BlasInfo blas = blas_info();
  std::string line = "BLAS: " + blas.library;
  if (!blas.kernel.empty()) line += ", kernel " + blas.kernel;
  if (!blas_kernel_warning().empty()) line += fmt::format(" (advised: {})", blas.advised_kernel);
  return line;
}

template <Scalar T>
double measure_gemm(Index nb) {
  using Clock = std::chrono::steady_clock;
  const auto size = static_cast<std::size_t>(nb * nb);
  std::vector<T> a(size, T{1}), b(size, T{1}), c(size, T{0});
  const auto tile = [nb](std::vector<T>& data) { return Tile<T>{data.data(), nb, nb, nb}; };
  const kernel::gemm<T> gemm{Op::no_trans, Op::conj_trans, T{-1}, T{1}};
  const SingleThreadedBlas single_threaded;
  double shortest = std::numeric_limits<double>::infinity();
  const auto start = Clock::now();
  while (Clock::now() - start < std::chrono::milliseconds(300)) {
    const auto before = Clock::now();
    gemm.cpu(tile(a), tile(b), tile(c));
    shortest = std::min(shortest, std::chrono::duration<double>(Clock::now() - before).count());
  }
  return flops::gemm<T>(nb, nb, nb) / shortest / 1e9;
}

}  // namespace

std::vector<std::string> context_lines(const Runtime& runtime, int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  return {
      "tessera " TESSERA_VERSION_STRING,
      fmt::format("command: {}", fmt::join(arguments, " ")),
      fmt::format("date: {:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
      fmt::format("host: {}, {} cores for this process", host_name(), std::thread::hardware_concurrency()),
      blas_line(),
      "backend: " + runtime.description(),
      fmt::format("ranks: {}, workers per rank: {}, GPUs per rank: {}", runtime.num_ranks(),
                  runtime.num_workers(), runtime.num_gpus()),
  };
}

// proc(5): VmHWM is the peak; writing 5 to clear_refs resets it.
std::optional<double> peak_rss() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (double kibibytes = 0; word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
  }
  return {};
}

void reset_peak_rss() { std::ofstream("/proc/self/clear_refs") << "5"; }

double gemm_rate(char type, Index nb) {
  double rate = 0;
  with_type(type, [&]<Scalar T>() { rate = measure_gemm<T>(nb); });
  return rate;
}

}  // namespace tessera::bench
