// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/geadd.hpp"

#include "kernels/cpu/op_element.hpp"
#include "kernels/lascal.hpp"

namespace tessera::kernel {

template <Scalar T>
void geadd<T>::cpu(Tile<const T> a, Tile<T> b) const {
  if (alpha == T{}) return lascal<T>{region, beta}.cpu(b);
  const bool reads_b = beta != T{};
  with_elements(op, a, [&](auto element) {
    for (Index c = 0; c < b.cols; ++c) {
      const Index end = region.end(c, b.rows);
      for (Index r = region.begin(c, b.rows); r < end; ++r) {
        const T term = alpha * element(r, c);
        b(r, c) = reads_b ? term + beta * b(r, c) : term;
      }
    }
  });
}

template struct geadd<float>;
template struct geadd<double>;
template struct geadd<std::complex<float>>;
template struct geadd<std::complex<double>>;

}  // namespace tessera::kernel
