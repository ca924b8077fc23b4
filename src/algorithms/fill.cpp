// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/fill.hpp"

#include "src/argument_check.hpp"

namespace tessera::detail {

template <Scalar T>
void check_fill(const Runtime& runtime, Uplo uplo, const TileMatrix<T>& A) {
  ArgumentCheck(runtime, "fill")
      .part(uplo)
      .matrix("A", A)
      .require(A.op() == Op::no_trans, "A.op()", A.op(),
               "a transposed view cannot be filled: fill the matrix itself")
      .done();
}

template void check_fill(const Runtime&, Uplo, const TileMatrix<float>&);
template void check_fill(const Runtime&, Uplo, const TileMatrix<double>&);
template void check_fill(const Runtime&, Uplo, const TileMatrix<std::complex<float>>&);
template void check_fill(const Runtime&, Uplo, const TileMatrix<std::complex<double>>&);

}  // namespace tessera::detail
