// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/redistribute.hpp"

#include <utility>

#include "src/argument_check.hpp"
#include "tessera/algorithms/copy.hpp"

namespace tessera {

template <Scalar T>
TileMatrix<T> redistribute(Sequence& sequence, const TileMatrix<T>& A, Index mb, Index nb,
                           DistributionPtr distribution, Uplo uplo) {
  detail::ArgumentCheck(sequence.runtime(), "redistribute")
      .part(uplo)
      .matrix("A", A)
      .require(mb >= 0, "mb", mb, "must be positive, or 0 for A's")
      .require(nb >= 0, "nb", nb, "must be positive, or 0 for A's")
      .done();
  TileMatrix<T> result(sequence.runtime(), A.m(), A.n(), mb > 0 ? mb : A.mb(), nb > 0 ? nb : A.nb(),
                       std::move(distribution));
  lacpy(sequence, uplo, A, result);
  return result;
}

#define TESSERA_INSTANTIATE(T) \
  template TileMatrix<T> redistribute(Sequence&, const TileMatrix<T>&, Index, Index, DistributionPtr, Uplo);

TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
