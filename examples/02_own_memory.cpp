// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// Matrices in the caller's own memory: column-major with a leading dimension, as for LAPACK. Nothing is
// copied. (On several ranks the arrays of rank 0 are meant.)
#include <tessera/tessera.hpp>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <vector>

using namespace tessera;

int main(int, char** argv) {
  restart_with_best_blas_kernel(argv);
  Runtime rt;

  // The matrix is the upper left n x n part of a larger array, so lda > n.
  const Index n = 500, nrhs = 2, lda = 512, ldb = n;
  std::vector<double> a(lda * n), b(ldb * nrhs);
  const auto set_matrix = [&] {  // A = n I + ones: positive definite
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) a[i + j * lda] = (i == j ? n : 0) + 1.0;
    }
  };
  set_matrix();
  for (Index i = 0; i < n; ++i) {
    b[i] = 2.0 * n;   // A x = 2n has the solution x = 1,
    b[i + ldb] = -n;  // A x = -n the solution x = -1/2
  }

  // The matrices are views of a and b, which must outlive them.
  auto A = TileMatrix<double>::wrap(rt, n, n, a.data(), lda);
  auto B = TileMatrix<double>::wrap(rt, n, nrhs, b.data(), ldb);
  Info info = posv(rt, Uplo::Lower, A, B);  // a has the factor in its lower triangle, b the solution
  if (rt.rank() == 0) std::cout << "info " << info.index() << ", x = " << b[0] << " and " << b[ldb] << '\n';
  const bool solved = info.ok() && std::abs(b[0] - 1) < 1e-12 && std::abs(b[ldb] + 0.5) < 1e-12;

  // A matrix that is not positive definite is no exception but an outcome, with the number LAPACK gives: the
  // order of the first leading minor that is not positive definite.
  set_matrix();
  a[299 + 299 * lda] = -1;
  info = potrf(rt, Uplo::Lower, A);
  if (rt.rank() == 0) std::cout << "info " << info.index() << '\n';
  const bool found = info.index() == 300;

  // An argument that makes no sense is an exception that names it, thrown before anything is done.
  bool refused = false;
  try {
    (void)TileMatrix<double>::wrap(rt, n, n, a.data(), n - 1);
  } catch (const ArgumentError& error) {
    if (rt.rank() == 0) std::cout << error.what() << '\n';
    refused = error.argument() == "lda";
  }
  return (solved || rt.rank() != 0) && found && refused ? EXIT_SUCCESS : EXIT_FAILURE;
}
