// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// Asynchronous calls: several algorithms in flight at once, and one wait.
//
// A call on a Sequence returns when its tasks are submitted. The runtime sees which tiles each task touches,
// so the factorisations of A and B below overlap, and the solve begins while the factorisation of A is still
// running. A factorisation alone runs out of tasks towards its end; two fill each other's gaps.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <vector>

using namespace tessera;

int main(int, char** argv) {
  restart_with_best_blas_kernel(argv);
  using Clock = std::chrono::steady_clock;
  const auto seconds_since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };

  Runtime rt;
  constexpr Index n = 1200, nb = 200;
  TileMatrix<double> A(rt, n, n, nb), B(rt, n, n, nb), X(rt, n, 1, nb);

  const auto start = Clock::now();
  Sequence seq(rt);
  fill(seq, Uplo::Lower, A, generate::minimum<double>());  // min(i,j): its factor is all ones
  fill(seq, Uplo::Upper, B, generate::hermitian<double>(/*seed=*/42, n));
  fill(seq, X, [](Index i, Index) {  // the sums of A's rows: the solution is all ones, too
    const auto row = static_cast<double>(i + 1);
    return row * (row + 1) / 2 + row * (n - row);
  });
  potrf(seq, Uplo::Lower, A, {.priority = 1000});  // of two calls in flight, the larger priority goes first
  potrf(seq, Uplo::Upper, B);
  potrs(seq, Uplo::Lower, A, X, {.priority = 1000});
  const double submitted = seconds_since(start);

  const Info info = seq.wait();  // the first failure of any of them, the same on every rank
  const double done = seconds_since(start);

  std::vector<double> x(n);
  gather(rt, X, x.data(), n);  // to rank 0
  if (rt.rank() != 0) return EXIT_SUCCESS;

  // All numbers on the way to x are whole, so floating point computes them exactly.
  const bool exact = std::ranges::all_of(x, [](double value) { return value == 1; });
  std::cout << "# submitted after " << submitted << " s, done after " << done << " s\n"
            << "info " << info.index() << '\n'
            << "the solution is " << (exact ? "exact" : "WRONG") << '\n';
  return info.ok() && exact ? EXIT_SUCCESS : EXIT_FAILURE;
}
