// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/trsm.hpp"

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/cpu/triangle.hpp"

namespace tessera::kernel {

template <Scalar T>
void trsm<T>::cpu(Tile<const T> a, Tile<T> b) const {
  if (b.rows == 0 || b.cols == 0) return;
  const Index order = side == Side::Left ? b.rows : b.cols;
  a = a.block(0, 0, order, order);
  if (alpha == T(0)) return vendor::trsm<T>(side, uplo, op, diag, alpha, a, b);
  if (a.rows <= strip_order) return apply_in_strips<T>(*this, a, b);
  const TriangularHalves<T> half(side, uplo, op, a, b, strip_order);
  cpu(half.a_first, half.b_first);
  multiply<T>(side, op, Op::no_trans, T(-1), half.off, half.b_first, alpha, half.b_second);
  trsm{side, uplo, op, diag, T(1)}.cpu(half.a_second, half.b_second);
}

template struct trsm<float>;
template struct trsm<double>;
template struct trsm<std::complex<float>>;
template struct trsm<std::complex<double>>;

}  // namespace tessera::kernel
