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

/// Whether the directory in which StarPU keeps its files can be written to.
/// StarPU 1.3 ends the process when it cannot create its directory there.
bool starpu_home_is_writable();

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
