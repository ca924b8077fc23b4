// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// The largest eigenvalues of a large symmetric matrix by a randomised projection: symm, where A stays where it is, QR
// and gemm. For a symmetric matrix they are, up to signs, its largest singular values.
//
// Source: Halko, Martinsson, Tropp, SIAM Review 53(2), 2011, algorithms 4.4 and 5.3.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using namespace tessera;

/// Eigenvalues of a small symmetric k x k matrix, column-major, by Jacobi's rotations; the largest moduli first.
std::vector<double> eigenvalues(std::vector<double> t, int k) {
  const auto at = [&](int i, int j) -> double& { return t[static_cast<std::size_t>(i + j * k)]; };
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (int p = 0; p < k; ++p) {
      for (int q = p + 1; q < k; ++q) {
        const double angle = 0.5 * std::atan2(2 * at(p, q), at(q, q) - at(p, p));
        const double c = std::cos(angle), s = std::sin(angle);
        for (int i = 0; i < k; ++i) {
          const double x = at(i, p), y = at(i, q);
          at(i, p) = c * x - s * y;
          at(i, q) = s * x + c * y;
        }
        for (int i = 0; i < k; ++i) {
          const double x = at(p, i), y = at(q, i);
          at(p, i) = c * x - s * y;
          at(q, i) = s * x + c * y;
        }
      }
    }
  }
  std::vector<double> values;
  for (int i = 0; i < k; ++i) values.push_back(at(i, i));
  std::sort(values.begin(), values.end(), [](double x, double y) { return std::abs(x) > std::abs(y); });
  return values;
}

int main() {
  Runtime rt;
  const Index n = 1000, k = 12, nb = 100;

  // Eigenvalues 1, 1/2, 1/4, ... with vectors of cosines (those of the discrete cosine transform).
  const auto entry = [=](Index i, Index j) {
    double sum = 0, value = 1;
    for (int l = 0; l < 20; ++l, value /= 2) {
      const double scale = (l == 0 ? 1.0 : 2.0) / static_cast<double>(n), pi = std::acos(-1.0);
      const auto wave = [&](Index r) {
        return std::cos(pi * l * (static_cast<double>(r) + 0.5) / static_cast<double>(n));
      };
      sum += value * scale * wave(i) * wave(j);
    }
    return sum;
  };
  const TileMatrix<double> A(rt, n, n, nb);
  fill(rt, A, entry);
  const TileMatrix<double> Omega(rt, n, k, nb), Y(rt, n, k, nb), Q(rt, n, k, nb), T(rt, k, k, nb);
  fill(rt, Omega, generate::uniform<double>(1));

  // Y = A Omega, and once more A Y for a spectrum that falls slowly; Q: an orthonormal basis of Y's range.
  symm<double>(rt, Side::Left, Uplo::Lower, 1, A, Omega, 0, Y, {.stationary = Stationary::a});
  symm<double>(rt, Side::Left, Uplo::Lower, 1, A, Y, 0, Omega, {.stationary = Stationary::a});
  const Reflectors<double> reflectors = make_reflectors(rt, Omega);
  geqrf(rt, Omega, reflectors);
  ungqr(rt, Omega, reflectors, Q);

  // T = Q^T A Q has A's largest eigenvalues.
  symm<double>(rt, Side::Left, Uplo::Lower, 1, A, Q, 0, Y, {.stationary = Stationary::a});
  gemm<double>(rt, 1, trans(Q), Y, 0, T);
  std::vector<double> small(static_cast<std::size_t>(k * k));
  gather(rt, T, small.data(), k);

  const std::vector<double> values = eigenvalues(small, static_cast<int>(k));
  double worst = 0;
  for (int l = 0; l < 6; ++l)
    worst = std::max(worst, std::abs(values[static_cast<std::size_t>(l)] - std::ldexp(1.0, -l)));
  if (rt.rank() == 0) {
    for (int l = 0; l < 6; ++l) std::printf("%.6f\n", values[static_cast<std::size_t>(l)]);
    std::printf("right to six digits: %s\n", worst < 1e-6 ? "yes" : "no");
  }
  return worst < 1e-6 ? 0 : 1;
}
