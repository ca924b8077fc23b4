// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <utility>

#include "src/algorithms/product_check.hpp"
#include "src/algorithms/stationary.hpp"
#include "src/tile_operations.hpp"
#include "src/views.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/copy.hpp"

namespace tessera {
namespace {

using detail::apply;

template <Scalar T>
Stationary choose(const TileMatrix<T>& A, const TileMatrix<T>& B, const TileMatrix<T>& C) {
  using namespace detail;
  using enum Lines;
  const Index m = C.mt(), n = C.nt(), k = A.nt();  // of the steps while B, A and C stay
  return least(sent_between_layers(A, n) + sent_along(rows, B, line_ranks(columns, A, n)) +
                   sent_along(rows, C, line_ranks(rows, A, n)),
               sent_between_layers(B, m) + sent_along(columns, A, line_ranks(rows, B, m)) +
                   sent_along(columns, C, line_ranks(columns, B, m)),
               sent_between_layers(C, k) + sent_along(rows, A, line_ranks(rows, C, k)) +
                   sent_along(columns, B, line_ranks(columns, C, k)));
}

/// C = alpha A B + beta C, C as stored.
template <Scalar T>
void multiply(Sequence& seq, T alpha, const TileMatrix<T>& A, const TileMatrix<T>& B, T beta,
              const TileMatrix<T>& C, Stationary stationary, int priority) {
  using namespace tile_op;
  beta = detail::scale_unless_at_home(seq, stationary, beta, C);
  for (Index k = 0; k < A.nt(); ++k) {
    for (Index j = 0; j < C.nt(); ++j) {
      for (Index i = 0; i < C.mt(); ++i) {
        TaskOptions at{priority - static_cast<int>(k), k, {}};
        if (stationary == Stationary::a) at.executor = A.executor(i, k, j);
        if (stationary == Stationary::b) at.executor = B.executor(k, j, i);
        gemm(seq, at, alpha, A(i, k), B(k, j), k == 0 ? beta : T{1}, C(i, j));
      }
    }
    release_all(seq, A.sub(0, k, A.mt(), 1));
    release_all(seq, B.sub(k, 0, 1, B.nt()));
  }
  release_all(seq, C);
}

}  // namespace

template <Scalar T>
void gemm(Sequence& sequence, std::type_identity_t<T> alpha, const TileMatrix<T>& A, const TileMatrix<T>& B,
          std::type_identity_t<T> beta, const TileMatrix<T>& C, const ProductOptions& options) {
  detail::ProductCheck check(sequence, "gemm", options);
  check.same("alpha", alpha).same("beta", beta).matrix("A", A).matrix("B", B).matrix("C", C);
  check.conform("A.m()", A.m(), A.mb(), "C.m()", C.m(), C.mb())
      .conform("B.n()", B.n(), B.nb(), "C.n()", C.n(), C.nb())
      .conform("B.m()", B.m(), B.mb(), "A.n()", A.n(), A.nb());
  check.done();
  detail::require_disjoint("gemm", A, C, "A", "C");
  detail::require_disjoint("gemm", B, C, "B", "C");
  if (alpha == T{0} || A.n() == 0) return lascal(sequence, Uplo::General, beta, C);

  // (A B)^T = B^T A^T
  const Op op = C.op();
  const TileMatrix<T> left = op == Op::no_trans ? A : apply(op, B),
                      right = op == Op::no_trans ? B : apply(op, A);
  const TileMatrix<T> result = apply(op, C);
  Stationary stationary = options.stationary;
  if (stationary == Stationary::automatic) {
    stationary = choose(left, right, result);
  } else if (op != Op::no_trans && stationary != Stationary::c) {
    stationary = stationary == Stationary::a ? Stationary::b : Stationary::a;
  }
  multiply(sequence, apply(op, alpha), left, right, apply(op, beta), result, stationary, options.priority);
}

#define TESSERA_INSTANTIATE(T)                                                                          \
  template void gemm(Sequence&, T, const TileMatrix<T>&, const TileMatrix<T>&, T, const TileMatrix<T>&, \
                     const ProductOptions&);
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
