// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// A linear system spread over the ranks of an MPI job, on the distribution that suits it best.
//
// usage: mpirun -n 6 --bind-to none 04_mpi       (or without mpirun: one rank)
//
// The program is the same for any number of ranks. Every rank makes every call; rank 0 prints.
#include <tessera/tessera.hpp>

#include <cstdlib>
#include <iostream>
#include <numeric>

using namespace tessera;

int main(int, char** argv) {
  restart_with_best_blas_kernel(argv);
  Runtime rt;
  constexpr Index n = 1200, nb = 100, nrhs = 3;

  // A symmetric positive definite matrix in ScaLAPACK's distribution: a grid of ranks, repeated over tiles.
  TileMatrix<double> A(rt, n, n, nb, make_distribution(rt, "2dbc"));
  TileMatrix<double> B(rt, n, nrhs, nb), X(rt, n, nrhs, nb);
  fill(rt, Uplo::Lower, A, generate::hermitian<double>(/*seed=*/1, n));
  fill(rt, B, generate::uniform<double>(/*seed=*/2));
  lacpy(rt, Uplo::General, B, X);

  // The tasks of the factorisation, unrolled without running them, tell what each distribution would send.
  const Choice choice =
      choose_distribution(rt.num_ranks(), [&](Runtime& plan, const DistributionPtr& distribution) {
        const TileMatrix<double> planned(plan, n, n, nb, distribution);
        (void)potrf(plan, Uplo::Lower, planned);
      });

  // Move the triangle there, factor, solve. Tiles travel from rank to rank as the tasks need them.
  const TileMatrix<double> L = redistribute(rt, A, choice.distribution, Uplo::Lower);
  const Traffic before = rt.traffic();
  const Info info = potrf(rt, Uplo::Lower, L);
  const auto sent = rt.all_gather(static_cast<double>((rt.traffic() - before).tiles_sent));
  potrs(rt, Uplo::Lower, L, X);
  const double residual = solve_residual(rt, Uplo::Lower, A, X, B);  // |b - A x| / (|A| |x| eps)
  const bool right = info.ok() && residual < residual_threshold;

  // What depends on the number of ranks stands in lines with a '#'.
  if (rt.rank() == 0) {
    std::cout << "# " << rt.num_ranks() << " ranks; " << choice.reason << '\n'
              << "# the factorisation sent " << std::accumulate(sent.begin(), sent.end(), 0.0) << " tiles\n"
              << "info " << info.index() << '\n'
              << "residual < " << residual_threshold << ": " << (right ? "yes" : "NO") << '\n';
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
