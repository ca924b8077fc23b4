// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// A first matrix: allocate it, fill it by a function, factor it, solve with it, check the answer.
//
// A(i,j) = 2^-|i-j| is symmetric positive definite, det A = (3/4)^(n-1), and the sums of its rows are known:
// they are the right-hand side whose solution is all ones.
#include <tessera/tessera.hpp>

#include <cmath>
#include <cstdlib>
#include <iostream>

using namespace tessera;

int main(int, char** argv) {
  restart_with_best_blas_kernel(argv);  // OpenBLAS may not know this CPU; see docs/troubleshooting.md

  // All cores of this machine and, under mpirun, all ranks. Everything below is written once for both.
  Runtime rt;

  constexpr Index n = 1000;
  TileMatrix<double> A(rt, n, n), L(rt, n, n);  // further arguments: tile size, distribution
  TileMatrix<double> B(rt, n, 1), X(rt, n, 1);

  // One task per tile calls the function on the rank that owns the tile. Only the triangle in use is filled.
  fill(rt, Uplo::Lower, A, [](Index i, Index j) { return std::exp2(-static_cast<double>(std::abs(i - j))); });
  fill(rt, B, [](Index i, Index) {
    return 3 - std::exp2(-static_cast<double>(i)) - std::exp2(-static_cast<double>(n - 1 - i));
  });

  lacpy(rt, Uplo::Lower, A, L);
  lacpy(rt, Uplo::General, B, X);
  const Info info = potrf(rt, Uplo::Lower, L);  // L becomes the factor: A = L L^T
  if (!info.ok()) {
    std::cerr << "the leading minor of order " << info.index() << " is not positive definite\n";
    return EXIT_FAILURE;
  }
  potrs(rt, Uplo::Lower, L, X);  // X becomes the solution of A X = B
  const double log_det = logdet(rt, L);

  // |b - A x| / (|A| |x| eps), LAPACK's test of a solve, and the largest entry of x - 1. All calls so far
  // were collective, so every rank has these numbers; the condition number of A is below 9.
  const double residual = solve_residual(rt, Uplo::Lower, A, X, B);
  TileMatrix<double> E(rt, n, 1);
  fill(rt, E, generate::constant(1.0));
  geadd(rt, 1, X, -1, E);
  const double error = lange(rt, Norm::max, E);
  const bool right = residual < residual_threshold && error < 1e-12;  // false for NaN, too

  if (rt.rank() == 0) {
    std::cout << "# " << rt.num_ranks() << " ranks, " << rt.num_workers() << " workers, tiles of " << A.nb()
              << '\n'
              << "# residual " << residual << ", error " << error << '\n'
              << "n = " << n << '\n'
              << "log det A = " << log_det << ", in theory " << (n - 1) * std::log(0.75) << '\n'
              << "the solution is " << (right ? "right" : "WRONG") << '\n';
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
