// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string>
#include <thread>

namespace tessera::bench {

/// While it lives: after a few seconds, a line on standard error that says what is running and for how long. The
/// line goes away in the end.
class Progress {
 public:
  /// \param visible  without this, or when standard error is not a terminal, nothing is shown
  Progress(bool visible, std::string text);

 private:
  std::jthread thread_;
};

}  // namespace tessera::bench
