// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/cholesky.hpp"

#include "kernels/log_det.hpp"
#include "src/algorithms/triangular.hpp"
#include "src/argument_check.hpp"
#include "src/tile_operations.hpp"
#include "src/workspace.hpp"

namespace tessera {
namespace {

using detail::ArgumentCheck;
using detail::lower_view;

/// Weight of the longest path from the update of tile column j at step k to the end, up to a constant: with
/// potrf = 1, trsm = 3, gemm = 6 (in nb^3/3 flops), 6 per remaining update of the column and 9 per column after it,
/// 6 (j - k) + 9 (nt - j) = 9 nt - 3 (j + 2 k). Tasks on the critical path first.
int urgency(Index j, Index k) { return -static_cast<int>(j + 2 * k); }

/// A = L L^H, right-looking, for a lower view.
template <Scalar T>
void cholesky(Sequence& seq, const TileMatrix<T>& A, int priority) {
  using namespace tile_op;
  const auto at = [&](Index j, Index k) { return TaskOptions{priority + urgency(j, k), k}; };
  const Index nt = A.nt();
  for (Index k = 0; k < nt; ++k) {
    potrf(seq, at(k, k), A.tiling().first_row(k), A(k, k));
    for (Index i = k + 1; i < nt; ++i) {
      trsm(seq, at(k, k), Side::Right, Uplo::Upper, Diag::NonUnit, T{1}, conj_trans(A(k, k)), A(i, k));
    }
    for (Index j = k + 1; j < nt; ++j) {
      herk<T>(seq, at(j, k), Uplo::Lower, -1, A(j, k), 1, A(j, j));
      for (Index i = j + 1; i < nt; ++i) {
        gemm(seq, at(j, k), T{-1}, A(i, k), conj_trans(A(j, k)), T{1}, A(i, j));
      }
    }
    for (Index i = k; i < nt; ++i) release(seq, A(i, k));
  }
}

/// BLAS has no conjugate without transpose, which a lower view of a complex A^T would need.
template <class T>
void check_view(ArgumentCheck& check, const char* argument, const TileMatrix<T>& A) {
  check.require(A.op() != Op::trans, argument, A.op(), "must be no_trans or conj_trans for complex matrices");
}

template <class T>
void check_factor(ArgumentCheck& check, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options) {
  check.triangle(uplo)
      .matrix("A", A)
      .require(A.m() == A.n(), "A.n()", A.n(), "must equal A.m(): the matrix must be square")
      .require(A.mb() == A.nb(), "A.nb()", A.nb(), "must equal A.mb(): the tiles must be square")
      .priority(options.priority);
  check_view(check, "A.op()", A);
}

template <class T>
void check_factor(const char* routine, Sequence& sequence, Uplo uplo, const TileMatrix<T>& A,
                  const CallOptions& options) {
  ArgumentCheck check(sequence.runtime(), routine);
  check_factor(check, uplo, A, options);
  check.done();
}

template <class T>
void check_solve(const char* routine, Sequence& sequence, Uplo uplo, const TileMatrix<T>& A,
                 const TileMatrix<T>& B, const CallOptions& options) {
  ArgumentCheck check(sequence.runtime(), routine);
  check_factor(check, uplo, A, options);
  check_view(check, "B.op()", B);
  check.matrix("B", B)
      .require(B.m() == A.n(), "B.m()", B.m(), "must equal A.n()")
      .require(B.mb() == A.nb(), "B.mb()", B.mb(), "must equal A.nb(): the tiles must conform");
  check.done();
  detail::require_disjoint(routine, A, B);
}

/// A X = B with A = L L^H for a lower view L.
template <Scalar T>
void solve_with_factor(Sequence& sequence, const TileMatrix<T>& L, const TileMatrix<T>& B, int priority) {
  detail::solve_left(sequence, Uplo::Lower, Diag::NonUnit, T{1}, L, B, priority);
  detail::solve_left(sequence, Uplo::Upper, Diag::NonUnit, T{1}, conj_trans(L), B, priority);
}

/// (L L^H)^-1 = L^-H L^-1 for a lower view L.
template <Scalar T>
void invert_from_factor(Sequence& sequence, const TileMatrix<T>& L, int priority) {
  detail::invert_lower(sequence, Diag::NonUnit, L, priority);
  detail::multiply_lower(sequence, L, priority);
}

}  // namespace

template <Scalar T>
void potrf(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options) {
  check_factor("potrf", sequence, uplo, A, options);
  cholesky(sequence, lower_view(uplo, A), options.priority);
}

template <Scalar T>
void potrs(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
           const CallOptions& options) {
  check_solve("potrs", sequence, uplo, A, B, options);
  solve_with_factor(sequence, lower_view(uplo, A), B, options.priority);
}

template <Scalar T>
void posv(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
          const CallOptions& options) {
  check_solve("posv", sequence, uplo, A, B, options);
  cholesky(sequence, lower_view(uplo, A), options.priority);
  solve_with_factor(sequence, lower_view(uplo, A), B, options.priority);
}

template <Scalar T>
void trtri(Sequence& sequence, Uplo uplo, Diag diag, const TileMatrix<T>& A, const CallOptions& options) {
  ArgumentCheck check(sequence.runtime(), "trtri");
  check.diag(diag);
  check_factor(check, uplo, A, options);
  check.done();
  detail::invert_lower(sequence, diag, lower_view(uplo, A), options.priority);
}

template <Scalar T>
void lauum(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options) {
  check_factor("lauum", sequence, uplo, A, options);
  detail::multiply_lower(sequence, lower_view(uplo, A), options.priority);
}

template <Scalar T>
void potri(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options) {
  check_factor("potri", sequence, uplo, A, options);
  invert_from_factor(sequence, lower_view(uplo, A), options.priority);
}

template <Scalar T>
void poinv(Sequence& sequence, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options) {
  check_factor("poinv", sequence, uplo, A, options);
  cholesky(sequence, lower_view(uplo, A), options.priority);
  invert_from_factor(sequence, lower_view(uplo, A), options.priority);
}

template <Scalar T>
double logdet(Runtime& runtime, const TileMatrix<T>& A) {
  {
    Sequence sequence(runtime);
    check_factor("logdet", sequence, Uplo::Lower, A, {});
  }
  const TileMatrix<double> sums = detail::workspace_like(runtime, A, Tiling(A.nt(), A.nt(), 1, 1));
  (void)run(runtime, [&](Sequence& seq) {
    for (Index k = 0; k < A.nt(); ++k) seq.submit(kernel::log_det<T>{}, {}, A(k, k).stored(), sums(k, k));
  });
  double sum = 0;
  for (Index k = 0; k < A.nt(); ++k) {
    if (const auto tile = sums.tile(k, k); tile.data != nullptr) sum += tile(0, 0);
  }
  runtime.all_sum({&sum, 1});
  return sum;
}

// The blocking forms.

template <Scalar T>
Info potrf(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options) {
  return run(runtime, [&](Sequence& sequence) { potrf(sequence, uplo, A, options); });
}
template <Scalar T>
void potrs(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
           const CallOptions& options) {
  (void)run(runtime, [&](Sequence& sequence) { potrs(sequence, uplo, A, B, options); });
}
template <Scalar T>
Info posv(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
          const CallOptions& options) {
  return run(runtime, [&](Sequence& sequence) { posv(sequence, uplo, A, B, options); });
}
template <Scalar T>
Info trtri(Runtime& runtime, Uplo uplo, Diag diag, const TileMatrix<T>& A, const CallOptions& options) {
  return run(runtime, [&](Sequence& sequence) { trtri(sequence, uplo, diag, A, options); });
}
template <Scalar T>
void lauum(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options) {
  (void)run(runtime, [&](Sequence& sequence) { lauum(sequence, uplo, A, options); });
}
template <Scalar T>
Info potri(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options) {
  return run(runtime, [&](Sequence& sequence) { potri(sequence, uplo, A, options); });
}
template <Scalar T>
Info poinv(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const CallOptions& options) {
  return run(runtime, [&](Sequence& sequence) { poinv(sequence, uplo, A, options); });
}

#define TESSERA_INSTANTIATE(T)                                                                          \
  template void potrf(Sequence&, Uplo, const TileMatrix<T>&, const CallOptions&);                       \
  template Info potrf(Runtime&, Uplo, const TileMatrix<T>&, const CallOptions&);                        \
  template void potrs(Sequence&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&, const CallOptions&); \
  template void potrs(Runtime&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&, const CallOptions&);  \
  template void posv(Sequence&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&, const CallOptions&);  \
  template Info posv(Runtime&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&, const CallOptions&);   \
  template void trtri(Sequence&, Uplo, Diag, const TileMatrix<T>&, const CallOptions&);                 \
  template Info trtri(Runtime&, Uplo, Diag, const TileMatrix<T>&, const CallOptions&);                  \
  template void lauum(Sequence&, Uplo, const TileMatrix<T>&, const CallOptions&);                       \
  template void lauum(Runtime&, Uplo, const TileMatrix<T>&, const CallOptions&);                        \
  template void potri(Sequence&, Uplo, const TileMatrix<T>&, const CallOptions&);                       \
  template Info potri(Runtime&, Uplo, const TileMatrix<T>&, const CallOptions&);                        \
  template void poinv(Sequence&, Uplo, const TileMatrix<T>&, const CallOptions&);                       \
  template Info poinv(Runtime&, Uplo, const TileMatrix<T>&, const CallOptions&);                        \
  template double logdet(Runtime&, const TileMatrix<T>&);

TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)

}  // namespace tessera
