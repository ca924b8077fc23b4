// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "benchmarks/bench/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>

namespace tessera::bench {
namespace {

void show(const std::stop_token& stop, const std::string& text) {
  using namespace std::chrono_literals;
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any wake;
  const auto never = [] { return false; };
  std::chrono::seconds elapsed = 3s;
  wake.wait_for(lock, stop, elapsed, never);
  if (stop.stop_requested()) return;
  for (; !stop.stop_requested(); ++elapsed) {
    fmt::print(stderr, "\r{}: {} s ", text, elapsed.count());
    std::fflush(stderr);
    wake.wait_for(lock, stop, 1s, never);
  }
  constexpr const char* erase_line = "\r\033[K";
  fmt::print(stderr, "{}", erase_line);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(bool visible, std::string text) {
  if (!visible || isatty(STDERR_FILENO) == 0) return;
  thread_ = std::jthread([text = std::move(text)](const std::stop_token& stop) { show(stop, text); });
}

}  // namespace tessera::bench
