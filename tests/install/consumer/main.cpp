// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

// A(i,j) = min(i,j), counted from 1, has the Cholesky factor of all ones: exact in floating point.
#include <tessera/tessera.hpp>

#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  const tessera::Index n = 10;
  std::vector<double> a(n * n);
  for (tessera::Index j = 0; j < n; ++j) {
    for (tessera::Index i = 0; i < n; ++i) a[i + j * n] = static_cast<double>(std::min(i, j) + 1);
  }

  tessera::Runtime rt;
  auto A = tessera::TileMatrix<double>::wrap(rt, n, n, a.data(), n);
  const auto info = tessera::potrf(rt, tessera::Uplo::Lower, A);

  bool right = info.ok();
  for (tessera::Index j = 0; j < n; ++j) {
    for (tessera::Index i = j; i < n; ++i) right = right && a[i + j * n] == 1.0;
  }
  std::cout << "tessera " << TESSERA_VERSION_STRING << ": the factor of min(i,j) is "
            << (right ? "all ones" : "WRONG") << '\n';
  return right ? 0 : 1;
}
