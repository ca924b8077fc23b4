// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/runtime.hpp"

namespace tessera::test {

/// The backends that compute.
inline constexpr BackendKind computing_backends[] = {BackendKind::sequential, BackendKind::starpu};

inline const char* name_of(BackendKind kind) {
  switch (kind) {
    case BackendKind::starpu:
      return "starpu";
    case BackendKind::sequential:
      return "sequential";
    default:
      return "recording";
  }
}

/// A runtime with two workers, whatever the machine has.
inline Runtime make_runtime(BackendKind kind) {
  RuntimeOptions options;
  options.backend = kind;
  options.workers = 2;
  return Runtime(options);
}

}  // namespace tessera::test
