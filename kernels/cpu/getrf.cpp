// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/getrf.hpp"

#include <algorithm>
#include <vector>

#include "kernels/cpu/lu.hpp"
#include "kernels/trsm.hpp"

namespace tessera::kernel {

template <Scalar T>
void getrf<T>::cpu(Tile<T> a, OutTile<Index> ipiv) const {
  factor_lu(a, ipiv.data);
  for (Index r = 0; r < std::min(a.rows, a.cols); ++r) ipiv(r, 0) += first_row + 1;
}

template <Scalar T>
void getrf_ordered<T>::cpu(Tile<T> a) const {
  factor_lu(a, nullptr);
}

template <Scalar T>
void getrf_nopiv<T>::cpu(Tile<T> a, OutTile<Index> ipiv) const {
  for (Index r = 0; r < ipiv.rows; ++r) ipiv(r, 0) = first_row + r + 1;
  factor_lu(a, nullptr);
}

template <Scalar T>
void trsm_ordered<T>::cpu(Tile<const T> a, Tile<T> b) const {
  const trsm<T> solve{Side::Right, Uplo::Upper, Op::no_trans, Diag::NonUnit, T(1)};
  const Index n = b.cols;
  const auto is_zero = [&](Index j) { return a(j, j) == T(0); };
  Index zeros = 0;
  for (Index j = 0; j < n; ++j) zeros += is_zero(j) ? 1 : 0;
  if (zeros == 0) return solve.cpu(a, b);

  std::vector<T> copy(static_cast<std::size_t>(n * n));
  const Tile<T> u{copy.data(), n, n, n};
  for (Index j = 0; j < n; ++j) {
    std::copy_n(&a(0, j), j + 1, &u(0, j));
    if (is_zero(j)) u(j, j) = T(1);
  }
  solve.cpu(u, b);
}

template <Scalar T>
Index find_zero_pivot<T>::cpu(Tile<const T> a) const {
  for (Index i = 0; i < std::min(a.rows, a.cols); ++i) {
    if (a(i, i) == T(0)) return first_row + i + 1;
  }
  return 0;
}

#define TESSERA_INSTANTIATE(T)      \
  template struct getrf<T>;         \
  template struct getrf_ordered<T>; \
  template struct getrf_nopiv<T>;   \
  template struct trsm_ordered<T>;  \
  template struct find_zero_pivot<T>;
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::kernel
