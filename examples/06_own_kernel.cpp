// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// A kernel of your own in the middle of the library's: written as a struct, submitted like any other task.
//
// The matrix of all ones is singular. A "nugget" added to its diagonal, as one adds the variance of the
// measurements to a covariance matrix, makes it positive definite.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

using namespace tessera;

// The members are the kernel's scalar arguments; the parameters of cpu() are the tiles it works on, as they
// are stored. Tile<T> is read and written, Tile<const T> only read, OutTile<T> overwritten: from that the
// runtime knows what has to run before what. Nothing has to be registered.
template <Scalar T>
struct add_nugget {
  static constexpr std::string_view name = "add_nugget";

  T nugget;

  void cpu(Tile<T> a) const {
    for (Index i = 0; i < std::min(a.rows, a.cols); ++i) a(i, i) += nugget;
  }
  double flops(Tile<const T> a) const { return static_cast<double>(std::min(a.rows, a.cols)); }  // optional
};

// Algorithms are plain loops over tiles. On several ranks each task runs where the tile it writes lies.
template <Scalar T>
void add_to_diagonal(Sequence& seq, T nugget, const TileMatrix<T>& A) {
  for (Index k = 0; k < std::min(A.mt(), A.nt()); ++k)
    seq.submit(add_nugget<T>{nugget}, {}, A(k, k).stored());
}

int main(int, char** argv) {
  restart_with_best_blas_kernel(argv);
  Runtime rt;
  constexpr Index n = 900;
  TileMatrix<double> A(rt, n, n);

  // Without the nugget: the leading minor of order 2 is zero.
  fill(rt, Uplo::Lower, A, generate::constant(1.0));
  const Info singular = potrf(rt, Uplo::Lower, A);

  // With it: three calls in one sequence, no wait between them.
  Sequence seq(rt);
  fill(seq, Uplo::Lower, A, generate::constant(1.0));
  add_to_diagonal(seq, 0.5, A);
  potrf(seq, Uplo::Lower, A);
  const Info regular = seq.wait();

  const double log_det = logdet(rt, A);  // the eigenvalues are n + 1/2 and, n-1 times, 1/2
  const double in_theory = std::log(n + 0.5) + (n - 1) * std::log(0.5);
  if (rt.rank() != 0) return EXIT_SUCCESS;

  std::cout << "without the nugget: info " << singular.index() << '\n'
            << "with the nugget:    info " << regular.index() << ", log det A = " << log_det << ", in theory "
            << in_theory << '\n';
  const bool right = singular.index() == 2 && regular.ok() && std::abs(log_det - in_theory) < 1e-9;
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
