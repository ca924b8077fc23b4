// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/types.hpp"

namespace tessera {

/// What one rank has sent and received: versions of tiles, one for each rank they went to, and the bytes of their
/// elements (no envelopes, no protocol).
struct Traffic {
  Index tiles_sent = 0;
  Index bytes_sent = 0;
  Index tiles_received = 0;
  Index bytes_received = 0;

  friend bool operator==(const Traffic&, const Traffic&) = default;
  friend Traffic operator-(const Traffic& a, const Traffic& b) {
    return {a.tiles_sent - b.tiles_sent, a.bytes_sent - b.bytes_sent, a.tiles_received - b.tiles_received,
            a.bytes_received - b.bytes_received};
  }
};

}  // namespace tessera
