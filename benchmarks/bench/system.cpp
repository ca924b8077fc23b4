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
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

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

/// The number that follows a word of a file, or, for no word, the first one.
std::optional<double> number_in(const char* path, std::string_view after) {
  std::ifstream file(path);
  std::string word;
  while (word != after && file >> word) continue;
  double value = 0;
  if (word == after && file >> value) return value;
  return {};
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
  const auto kibibytes = number_in("/proc/self/status", "VmHWM:");
  return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
}

void reset_peak_rss() { std::ofstream("/proc/self/clear_refs") << "5"; }

// proc(5): MemAvailable. Control groups, version 2 and 1: what is above the limit is killed.
std::optional<double> available_memory() {
  const auto kibibytes = number_in("/proc/meminfo", "MemAvailable:");
  if (!kibibytes) return {};
  double bytes = *kibibytes * 1024;
  constexpr std::pair<const char*, const char*> groups[] = {
      {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
      {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
  for (const auto& [limit_path, usage_path] : groups) {
    const auto limit = number_in(limit_path, {}), usage = number_in(usage_path, {});
    if (limit && usage) bytes = std::min(bytes, *limit - *usage);
  }
  return std::max(bytes, 0.0);
}

double memory_for_a_matrix(const Runtime& runtime) {
  const auto host = static_cast<double>(std::hash<std::string>{}(host_name()));
  const auto neighbours = static_cast<double>(std::ranges::count(runtime.all_gather(host), host));
  const double share = neighbours / runtime.num_ranks();
  constexpr double unknown = std::numeric_limits<double>::infinity();
  return std::ranges::min(runtime.all_gather(available_memory().value_or(unknown) / share));
}

double gemm_rate(char type, Index nb) {
  double rate = 0;
  with_type(type, [&]<Scalar T>() { rate = measure_gemm<T>(nb); });
  return rate;
}

}  // namespace tessera::bench
