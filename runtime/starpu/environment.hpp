// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <map>
#include <optional>
#include <string>

namespace tessera::detail {

/// Environment variables as StarPU shall find them while it starts; the caller's values come back at the end.
/// StarPU reads some settings from nowhere else, and lets others overrule what the program asked for.
class ScopedEnvironment {
 public:
  ScopedEnvironment() = default;
  ~ScopedEnvironment();
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

  void set(const std::string& name, const std::string& value);
  void unset(const std::string& name);

 private:
  void remember(const std::string& name);

  std::map<std::string, std::optional<std::string>> before_;
};

/// The directory in which StarPU keeps its files, if it can be written to.
/// StarPU 1.3 ends the process when it cannot create its directory there.
std::optional<std::string> writable_starpu_home();

/// The value of an environment variable as a number >= 0; empty if it is not set.
/// \throws RuntimeError for anything else: StarPU would end the process
std::optional<int> count_from_environment(const char* variable);

/// Keeps processes that start at once on one machine from reading the files of StarPU's first calibration while one
/// of them writes them: StarPU ends the process when it finds half a file. The first one runs alone; once the
/// files are there, all run together.
class StartLock {
 public:
  explicit StartLock(const std::string& starpu_home);
  ~StartLock();
  StartLock(const StartLock&) = delete;
  StartLock& operator=(const StartLock&) = delete;

  /// StarPU has started: its files are complete.
  void started() const;

 private:
  int file_;  // -1 where no lock can be had: better to start without
};

/// A fresh private directory, removed with what is in it at the end.
class TemporaryDirectory {
 public:
  /// \throws RuntimeError when neither /tmp nor /dev/shm nor /var/tmp can be written to
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace tessera::detail
