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

/// A fresh private directory for StarPU's files when its own place cannot be written to.
std::string temporary_starpu_home();

}  // namespace tessera::detail
