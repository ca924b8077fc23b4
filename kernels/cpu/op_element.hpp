// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include "tessera/tile.hpp"
#include "tessera/types.hpp"

namespace tessera::kernel {

/// Calls body(element), where element(r, c) is op(a)(r, c). The body is compiled once for each op, so that
/// its loops hold no test of it.
template <Scalar T, class Body>
void with_elements(Op op, Tile<const T> a, Body&& body) {
  switch (op) {
    case Op::no_trans:
      return body([a](Index r, Index c) { return a(r, c); });
    case Op::trans:
      return body([a](Index r, Index c) { return a(c, r); });
    case Op::conj_trans:
      return body([a](Index r, Index c) { return conjugate(a(c, r)); });
  }
}

}  // namespace tessera::kernel
