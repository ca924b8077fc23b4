// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/lacpy.hpp"

#include "kernels/cpu/op_element.hpp"

namespace tessera::kernel {

template <Scalar T>
void lacpy<T>::cpu(Tile<const T> a, Tile<T> b) const {
  with_elements(op, a, [&](auto element) {
    for (Index c = 0; c < cols; ++c) {
      const Index end = region.end(c, rows);
      for (Index r = region.begin(c, rows); r < end; ++r) {
        b(dst_row + r, dst_col + c) = element(src_row + r, src_col + c);
      }
    }
  });
}

template struct lacpy<float>;
template struct lacpy<double>;
template struct lacpy<std::complex<float>>;
template struct lacpy<std::complex<double>>;

}  // namespace tessera::kernel
