// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/environment.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "tessera/error.hpp"

namespace tessera::detail {

ScopedEnvironment::~ScopedEnvironment() {
  for (const auto& [name, value] : before_) {
    if (value) {
      setenv(name.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name.c_str());
    }
  }
}

void ScopedEnvironment::remember(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  before_.try_emplace(name, value == nullptr ? std::nullopt : std::optional<std::string>(value));
}

void ScopedEnvironment::set(const std::string& name, const std::string& value) {
  remember(name);
  setenv(name.c_str(), value.c_str(), 1);
}

void ScopedEnvironment::unset(const std::string& name) {
  remember(name);
  unsetenv(name.c_str());
}

namespace {

/// Whether files can be made under `path`, which StarPU creates if it is missing. Trying is the only reliable
/// test: access() says yes to root on a read-only file system's directories.
bool can_write_under(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path / ".starpu", error);
  if (error) return false;
  std::string probe = (path / ".starpu" / "tessera-XXXXXX").string();
  const int file = mkstemp(probe.data());
  if (file < 0) return false;
  close(file);
  unlink(probe.c_str());
  return true;
}

}  // namespace

bool starpu_home_is_writable() {
  // StarPU's order of search.
  for (const char* variable : std::array{"XDG_CACHE_HOME", "STARPU_HOME", "HOME", "TMPDIR", "TEMP", "TMP"}) {
    if (const char* path = std::getenv(variable)) return can_write_under(path);
  }
  return can_write_under("/tmp");
}

TemporaryDirectory::TemporaryDirectory() {
  for (const char* base : {"/tmp", "/dev/shm", "/var/tmp"}) {
    path_ = std::string(base) + "/tessera-starpu-XXXXXX";
    if (mkdtemp(path_.data()) != nullptr) return;
  }
  throw RuntimeError("Runtime: no place for StarPU's files: neither its home nor /tmp can be written to");
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;  // what cannot be removed stays
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace tessera::detail
