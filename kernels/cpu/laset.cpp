// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/laset.hpp"

#include <algorithm>

namespace tessera::kernel {

template <Scalar T>
void laset<T>::cpu(Tile<T> a) const {
  for (Index c = 0; c < a.cols; ++c) {
    T* const column = a.data + c * a.ld;  // of no rows, perhaps
    std::fill(column + region.begin(c, a.rows), column + region.end(c, a.rows), off_diagonal);
    const Index r = region.diagonal(c);
    if (0 <= r && r < a.rows) column[r] = diagonal;
  }
}

template struct laset<float>;
template struct laset<double>;
template struct laset<std::complex<float>>;
template struct laset<std::complex<double>>;

}  // namespace tessera::kernel
