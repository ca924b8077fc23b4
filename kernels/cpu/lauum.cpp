// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/lauum.hpp"

#include "kernels/cpu/copy.hpp"
#include "kernels/cpu/split.hpp"
#include "kernels/cpu/triangle.hpp"
#include "kernels/herk.hpp"
#include "kernels/trmm.hpp"

namespace tessera::kernel {

namespace {

/// Tiles up to this order are multiplied as full matrices: three times the work, at a rate that pays for it.
constexpr Index leaf = 32;

template <Scalar T>
void multiply_small(Uplo uplo, Tile<T> a) {
  constexpr Index ld = leaf + 8;
  alignas(64) T memory[ld * leaf]{};
  const Tile<T> x{memory, a.rows, a.rows, ld};
  const bool lower = uplo == Uplo::Lower;
  copy_triangle<T>(uplo, lower ? Op::conj_trans : Op::no_trans, a, x);
  apply<T>(trmm<T>{Side::Right, uplo, lower ? Op::no_trans : Op::conj_trans, Diag::NonUnit, T(1)}, a, x);
  for (Index i = 0; i < a.rows; ++i) x(i, i) = real_part(x(i, i));
  copy_triangle<T>(uplo, Op::no_trans, x, a);
}

}  // namespace

template <Scalar T>
void lauum<T>::cpu(Tile<T> a) const {
  if (a.rows == 0) return;
  if (a.rows <= leaf) return multiply_small(uplo, a);
  const auto [a11, off, a22] = split(uplo, a, leaf);
  const bool lower = uplo == Uplo::Lower;
  cpu(a11);
  herk<T>{uplo, lower ? Op::conj_trans : Op::no_trans, 1, 1}.cpu(off, a11);
  trmm<T>{lower ? Side::Left : Side::Right, uplo, Op::conj_trans, Diag::NonUnit, T(1)}.cpu(a22, off);
  cpu(a22);
}

template struct lauum<float>;
template struct lauum<double>;
template struct lauum<std::complex<float>>;
template struct lauum<std::complex<double>>;

}  // namespace tessera::kernel
