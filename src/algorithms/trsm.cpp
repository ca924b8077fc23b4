// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "src/algorithms/product_check.hpp"
#include "src/algorithms/triangular.hpp"
#include "src/tile_operations.hpp"
#include "src/views.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/copy.hpp"

namespace tessera {
namespace {

using detail::apply;

/// B = alpha A B, A triangular. The last row of a lower A is done first: what it reads is not yet overwritten.
template <Scalar T>
void multiply_left(Sequence& seq, Uplo uplo, Diag diag, T alpha, const TileMatrix<T>& A,
                   const TileMatrix<T>& B, int priority) {
  using namespace tile_op;
  const Index nt = A.nt();
  const bool lower = uplo == Uplo::Lower;
  for (Index step = 0; step < nt; ++step) {
    const Index k = lower ? nt - 1 - step : step;
    const TaskOptions at{priority - static_cast<int>(step), step, {}};
    for (Index j = 0; j < B.nt(); ++j) {
      for (Index i = lower ? k + 1 : 0; i < (lower ? nt : k); ++i) {
        gemm(seq, at, alpha, A(i, k), B(k, j), T{1}, B(i, j));
      }
      trmm(seq, at, Side::Left, uplo, diag, alpha, A(k, k), B(k, j));
    }
    release_all(seq, A.sub(0, k, nt, 1));
  }
}

/// The equation, read from the left: B A is op(A) op(B) transposed.
template <Scalar T>
struct LeftForm {
  Uplo uplo;
  T alpha;
  TileMatrix<T> A, B;
};

template <Scalar T>
LeftForm<T> left_form(Side side, Uplo uplo, T alpha, const TileMatrix<T>& A, const TileMatrix<T>& B) {
  // One of them for which neither operand becomes a conjugate without transpose.
  const bool plain = A.op() == Op::trans || B.op() == Op::trans;
  const Op op = side == Side::Left ? Op::no_trans : plain ? Op::trans : Op::conj_trans;
  return {apply(op, uplo), apply(op, alpha), apply(op, A), apply(op, B)};
}

template <Scalar T>
void check_arguments(const char* routine, Sequence& sequence, Side side, Uplo uplo, Diag diag, T alpha,
                     const TileMatrix<T>& A, const TileMatrix<T>& B, const ProductOptions& options) {
  const bool left = side == Side::Left;
  detail::ProductCheck check(sequence, routine, options);
  check.side(side).triangle(uplo).diag(diag).same("alpha", alpha);
  check.square("A", A).matrix("B", B);
  check.conform("A.n()", A.n(), A.nb(), left ? "B.m()" : "B.n()", left ? B.m() : B.n(),
                left ? B.mb() : B.nb());
  check.done();
  detail::require_disjoint(routine, A, B);
}

}  // namespace

template <Scalar T>
void trmm(Sequence& sequence, Side side, Uplo uplo, Diag diag, std::type_identity_t<T> alpha,
          const TileMatrix<T>& A, const TileMatrix<T>& B, const ProductOptions& options) {
  check_arguments<T>("trmm", sequence, side, uplo, diag, alpha, A, B, options);
  if (alpha == T{0}) return lascal(sequence, Uplo::General, T{0}, B);
  const auto form = left_form<T>(side, uplo, alpha, A, B);
  multiply_left(sequence, form.uplo, diag, form.alpha, form.A, form.B, options.priority);
}

template <Scalar T>
void trsm(Sequence& sequence, Side side, Uplo uplo, Diag diag, std::type_identity_t<T> alpha,
          const TileMatrix<T>& A, const TileMatrix<T>& B, const ProductOptions& options) {
  check_arguments<T>("trsm", sequence, side, uplo, diag, alpha, A, B, options);
  if (alpha == T{0}) return lascal(sequence, Uplo::General, T{0}, B);
  const auto form = left_form<T>(side, uplo, alpha, A, B);
  detail::solve_left(sequence, form.uplo, diag, form.alpha, form.A, form.B, options.priority);
}

#define TESSERA_INSTANTIATE(T)                                                                   \
  template void trmm(Sequence&, Side, Uplo, Diag, T, const TileMatrix<T>&, const TileMatrix<T>&, \
                     const ProductOptions&);                                                     \
  template void trsm(Sequence&, Side, Uplo, Diag, T, const TileMatrix<T>&, const TileMatrix<T>&, \
                     const ProductOptions&);
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
