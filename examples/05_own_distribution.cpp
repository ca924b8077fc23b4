// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// A distribution of your own: a class that says which rank owns which tile. Here it is one that is made for
// symmetric matrices, and it beats the 2D grid of ScaLAPACK.
#include <tessera/tessera.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

using namespace tessera;

// Number tile rows, and tile columns, 0 .. r-1 over and over. Every pair {a, b} of numbers has a rank of
// its own, which owns tiles (a, b) and (b, a); tile (a, a) goes to a pair with a in it. So tile row a and
// tile column a, which the Cholesky factorisation needs together, lie on the same r-1 ranks.
class Pairs final : public Distribution {
 public:
  explicit Pairs(Rank r) : r_(r) {}

  Rank owner(Index i, Index j) const override {
    const auto a = static_cast<Rank>(i % r_);
    const auto b = static_cast<Rank>(j % r_);
    return a == b ? number(a, (a + 1) % r_) : number(a, b);
  }
  Rank num_ranks() const override { return r_ * (r_ - 1) / 2; }
  std::string name() const override { return "pairs:r=" + std::to_string(r_); }

 private:
  static Rank number(Rank a, Rank b) { return a > b ? a * (a - 1) / 2 + b : number(b, a); }

  Rank r_;  // at least 2
};

// Tiles that a Cholesky factorisation of 60 x 60 tiles sends. Its tasks are recorded instead of run, so this
// needs no MPI, and the matrix of 29 GB has no memory.
Index tiles_sent(const DistributionPtr& distribution) {
  RuntimeOptions options;
  options.backend = BackendKind::recording;
  options.recorded_ranks = distribution->num_ranks();
  Runtime plan(options);
  const TileMatrix<double> A(plan, 60000, 60000, 1000, distribution);
  (void)potrf(plan, Uplo::Lower, A);
  return plan.graph().tiles_sent();
}

int main(int, char** argv) {
  restart_with_best_blas_kernel(argv);
  Runtime rt;
  if (rt.rank() == 0) {
    for (const auto& [r, grid] : {std::pair{4, "2dbc:p=2,q=3"}, std::pair{6, "2dbc:p=3,q=5"}}) {
      const auto pairs = std::make_shared<Pairs>(r);
      std::cout << pairs->num_ranks() << " ranks: " << pairs->name() << " sends " << tiles_sent(pairs)
                << " tiles, " << grid << " sends " << tiles_sent(make_distribution(grid)) << '\n';
    }
  }

  // At work on the ranks at hand. A matrix may live on fewer ranks than there are.
  Rank r = 2;
  while ((r + 1) * r / 2 <= rt.num_ranks()) ++r;
  TileMatrix<double> A(rt, 900, 900, 100, std::make_shared<Pairs>(r));
  fill(rt, Uplo::Lower, A, generate::minimum<double>());  // min(i,j): its factor is all ones, det A = 1
  const Info info = potrf(rt, Uplo::Lower, A);
  const double log_det = logdet(rt, A);
  if (rt.rank() == 0) {
    std::cout << "# " << A.distribution().name() << " on " << rt.num_ranks() << " ranks\n"
              << "info " << info.index() << ", log det A = " << log_det << '\n';
  }
  return info.ok() && log_det == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
