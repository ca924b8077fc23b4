// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "runtime/starpu/environment.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

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

std::optional<std::string> writable_starpu_home() {
  // StarPU's order of search.
  for (const char* variable : std::array{"XDG_CACHE_HOME", "STARPU_HOME", "HOME", "TMPDIR", "TEMP", "TMP"}) {
    const char* path = std::getenv(variable);
    if (path == nullptr) continue;
    return can_write_under(path) ? std::optional<std::string>(path) : std::nullopt;
  }
  return can_write_under("/tmp") ? std::optional<std::string>("/tmp") : std::nullopt;
}

std::optional<int> count_from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return {};
  const std::string_view text = value;
  int count = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 0) {
    throw RuntimeError("Runtime: the environment variable " + std::string(variable) + " = '" + value +
                       "' is not a number");
  }
  return count;
}

namespace {
bool is_empty(int file) {
  struct stat status {};
  return fstat(file, &status) != 0 || status.st_size == 0;
}
}  // namespace

StartLock::StartLock(const std::string& starpu_home) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);  // StarPU's files are named for the host
  const std::string path = starpu_home + "/.starpu/tessera-" + host.data() + ".lock";
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) return;
  if (is_empty(file_)) flock(file_, LOCK_EX);
  if (!is_empty(file_)) flock(file_, LOCK_SH);
}

StartLock::~StartLock() {
  if (file_ >= 0) close(file_);
}

void StartLock::started() const {
  if (file_ >= 0 && is_empty(file_) && write(file_, "started\n", 8) < 0)
    return;  // then the next one runs alone too
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
