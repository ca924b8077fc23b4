// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/lascal.hpp"

#include "kernels/laset.hpp"

namespace tessera::kernel {

template <Scalar T>
void lascal<T>::cpu(Tile<T> a) const {
  if (alpha == T{}) return laset<T>{region, T{}, T{}}.cpu(a);
  for (Index c = 0; c < a.cols; ++c) {
    const Index end = region.end(c, a.rows);
    for (Index r = region.begin(c, a.rows); r < end; ++r) a(r, c) *= alpha;
  }
}

template struct lascal<float>;
template struct lascal<double>;
template struct lascal<std::complex<float>>;
template struct lascal<std::complex<double>>;

}  // namespace tessera::kernel
