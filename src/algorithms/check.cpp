// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "kernels/he2ge.hpp"
#include "kernels/lacpy.hpp"
#include "kernels/laset.hpp"
#include "kernels/norm.hpp"
#include "src/algorithms/lu_check.hpp"
#include "src/algorithms/row_exchange.hpp"
#include "src/algorithms/triangular.hpp"
#include "src/argument_check.hpp"
#include "src/tile_operations.hpp"
#include "src/views.hpp"
#include "src/workspace.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/copy.hpp"
#include "tessera/algorithms/norm.hpp"
#include "tessera/algorithms/redistribute.hpp"

namespace tessera {
namespace {

using detail::ArgumentCheck;
using detail::lower_view;
using detail::workspace_like;

// ---- Arguments -----------------------------------------------------------------------------------------------

/// A square matrix of which one triangle is stored.
template <Scalar T>
void check_triangle(ArgumentCheck& check, const char* name, const TileMatrix<T>& A) {
  check.matrix(name, A)
      .require(A.m() == A.n(), name, A.n(), "must have as many columns as rows: the matrix must be square")
      .require(A.mb() == A.nb(), name, A.nb(), "must have square tiles")
      .require(
          !is_complex<T> || A.op() != Op::trans, name, A.op(),
          "the transpose of a complex matrix with one stored triangle is its conjugate: take conj_trans()");
}

template <class T>
void check_conform(ArgumentCheck& check, const char* name, const TileMatrix<T>& A, Index m, Index n, Index mb,
                   Index nb) {
  check.matrix(name, A)
      .require(A.m() == m, name, A.m(), "has another number of rows than its partner")
      .require(A.n() == n, name, A.n(), "has another number of columns than its partner")
      .require(A.mb() == mb, name, A.mb(), "has tiles with another number of rows than its partner's")
      .require(A.nb() == nb, name, A.nb(), "has tiles with another number of columns than its partner's");
}

/// A square matrix of which all is stored.
template <Scalar T>
void check_general(ArgumentCheck& check, const char* name, const TileMatrix<T>& A) {
  check.matrix(name, A)
      .require(A.m() == A.n(), name, A.n(), "must have as many columns as rows: the matrix must be square")
      .require(A.mb() == A.nb(), name, A.nb(), "must have square tiles")
      .require(A.op() == Op::no_trans, name, A.op(), "must not be a transposed view");
}

ArgumentCheck check_of(Runtime& runtime, const char* routine, Uplo uplo) {
  ArgumentCheck check(runtime, routine);
  check.triangle(uplo);
  return check;
}

template <Scalar T>
void check_solution(ArgumentCheck& check, const TileMatrix<T>& A, const TileMatrix<T>& X,
                    const TileMatrix<T>& B) {
  check_conform(check, "X", X, A.n(), X.n(), A.nb(), X.nb());
  check_conform(check, "B", B, X.m(), X.n(), X.mb(), X.nb());
}

// ---- Stored triangles as tiles that gemm can take --------------------------------------------------------------

/// Copies of the diagonal tiles of a lower view A, as stored, each made by kernel_for(stored triangle, order).
/// The rest of the result is not touched and takes no memory.
template <Scalar T, class KernelFor>
TileMatrix<T> diagonal_copies(Sequence& sequence, const TileMatrix<T>& A, KernelFor&& kernel_for) {
  TileMatrix<T> D = workspace_like<T>(sequence.runtime(), A, A.tiling());
  for (Index k = 0; k < A.nt(); ++k) {
    const Uplo triangle = tile_op::stored_triangle(Uplo::Lower, A(k, k));
    sequence.submit(kernel_for(triangle, A.tiling().cols(k)), {}, A(k, k).stored(), D(k, k));
  }
  return D;
}

/// (i, k) -> tile, for i >= k, of the triangular matrix that is stored in a lower view.
template <Scalar T>
auto triangular_tiles(Sequence& sequence, const TileMatrix<T>& L) {
  const auto triangle = [](Uplo uplo, Index n) {
    return kernel::lacpy<T>{.region = {uplo}, .rows = n, .cols = n};
  };
  return [L, D = diagonal_copies(sequence, L, triangle)](Index i, Index k) {
    return i == k ? D(k, k).with_op(L.op()) : L(i, k);
  };
}

/// (i, k) -> tile of the Hermitian matrix that is stored in a lower view.
template <Scalar T>
auto hermitian_tiles(Sequence& sequence, const TileMatrix<T>& A) {
  const auto both_triangles = [](Uplo uplo, Index) { return kernel::he2ge<T>{uplo}; };
  return [A, D = diagonal_copies(sequence, A, both_triangles)](Index i, Index k) {
    return i == k ? D(k, k).with_op(A.op()) : i > k ? A(i, k) : tile_op::conj_trans(A(k, i));
  };
}

// ---- Products ----------------------------------------------------------------------------------------------------

/// R -= A X, with the tiles of A and X given by functions. \param kt  tile columns of A
template <Scalar T, class TilesOfA, class TilesOfX>
void subtract_product(Sequence& sequence, Index kt, const TilesOfA& A, const TilesOfX& X,
                      const TileMatrix<T>& R) {
  for (Index k = 0; k < kt; ++k) {
    for (Index j = 0; j < R.nt(); ++j) {
      for (Index i = 0; i < R.mt(); ++i) tile_op::gemm(sequence, {}, T{-1}, A(i, k), X(k, j), T{1}, R(i, j));
    }
    for (Index i = 0; i < R.mt(); ++i) tile_op::release(sequence, A(i, k));
    for (Index j = 0; j < R.nt(); ++j) tile_op::release(sequence, X(k, j));
  }
}

/// W -= L L^H in the lower triangle of W.
template <Scalar T, class TilesOfL>
void subtract_square(Sequence& sequence, const TilesOfL& L, const TileMatrix<T>& W) {
  const Index nt = W.nt();
  for (Index k = 0; k < nt; ++k) {
    for (Index j = k; j < nt; ++j) {
      for (Index i = j; i < nt; ++i) {
        tile_op::gemm(sequence, {}, T{-1}, L(i, k), tile_op::conj_trans(L(j, k)), T{1}, W(i, j));
      }
    }
    for (Index i = k; i < nt; ++i) tile_op::release(sequence, L(i, k));
  }
}

/// W -= L U with the factors in F.
template <Scalar T>
void subtract_factors(Sequence& sequence, const TileMatrix<T>& F, const TileMatrix<T>& W) {
  const Index p = std::min(F.m(), F.n()), steps = std::min(F.mt(), F.nt()), nb = F.nb();
  const auto diagonal = [&](Index m, Index n) {
    return workspace_like<T>(sequence.runtime(), F, Tiling(m, n, nb, nb));
  };
  // The parts of the diagonal tiles; the last one may have more rows than L has columns, or more columns than U rows.
  const TileMatrix<T> L = diagonal(std::min(F.m(), steps * nb), p),
                      U = diagonal(p, std::min(F.n(), steps * nb));
  sequence.keep(L.storage());
  sequence.keep(U.storage());
  for (Index k = 0; k < steps; ++k) {
    const auto copy = [&](Uplo uplo, const TileRef<T>& to) {
      sequence.submit(kernel::lacpy<T>{.region = {uplo}, .rows = to.rows(), .cols = to.cols()}, {}, F(k, k),
                      to);
    };
    copy(Uplo::Lower, L(k, k));
    sequence.submit(kernel::laset<T>{{Uplo::Upper}, T{0}, T{1}}, {}, L(k, k));
    copy(Uplo::Upper, U(k, k));
    for (Index j = k; j < F.nt(); ++j) {
      for (Index i = k; i < F.mt(); ++i) {
        tile_op::gemm(sequence, {}, T{-1}, i == k ? L(k, k) : F(i, k), j == k ? U(k, k) : F(k, j), T{1},
                      W(i, j));
      }
    }
    for (Index i = k; i < F.mt(); ++i) tile_op::release(sequence, F(i, k));
    for (Index j = k; j < F.nt(); ++j) tile_op::release(sequence, F(k, j));
  }
}

// ---- Ratios ------------------------------------------------------------------------------------------------------

/// LAPACK's eps: half the distance from 1 to the next number.
template <Scalar T>
constexpr double eps = std::numeric_limits<real_t<T>>::epsilon() / 2.0;

/// distance / (scale eps), or 1 / eps for a scale of 0 (LAPACK). A scale that has overflowed would hide any distance.
template <Scalar T>
double ratio(double distance, double scale) {
  if (std::isinf(scale)) return std::numeric_limits<double>::quiet_NaN();
  return scale == 0 ? 1 / eps<T> : distance / scale / eps<T>;
}

/// max_j ||b_j - A x_j||_1 / (||A||_1 ||x_j||_1 eps). \param norm_of_a, tiles_of_a  give the norm and the tiles of A
template <Scalar T, class NormOfA, class TilesOfA>
double solve_ratio(Runtime& runtime, NormOfA&& norm_of_a, TilesOfA&& tiles_of_a, const TileMatrix<T>& X,
                   const TileMatrix<T>& B) {
  if (B.m() == 0 || B.n() == 0) return 0;
  const double norm_A = norm_of_a();
  if (norm_A == 0) return 1 / eps<T>;
  const TileMatrix<T> R = workspace_like<T>(runtime, B, B.tiling());
  (void)run(runtime, [&](Sequence& sequence) {
    lacpy(sequence, Uplo::General, B, R);
    subtract_product(sequence, X.mt(), tiles_of_a(sequence), X, R);
  });
  const std::vector<double> norms_R = column_norms(runtime, R);
  lacpy(runtime, Uplo::General, X, R);
  const std::vector<double> norms_X = column_norms(runtime, R);
  double worst = 0;
  for (std::size_t j = 0; j < norms_R.size(); ++j) {
    const bool exact = norms_R[j] == 0 && norms_X[j] == 0;
    if (!exact) worst = kernel::max_or_nan(worst, ratio<T>(norms_R[j], norm_A * norms_X[j]));
  }
  return worst;
}

/// ||I - A V||_1 / (n ||A||_1 ||V||_1 eps). \param norm, tiles_of  of A and of V
template <Scalar T, class NormOf, class TilesOf>
double inverse_ratio(Runtime& runtime, NormOf&& norm, TilesOf&& tiles_of, const TileMatrix<T>& A,
                     const TileMatrix<T>& V) {
  if (A.n() == 0) return 0;
  const TileMatrix<T> W = workspace_like<T>(runtime, A, A.tiling());
  (void)run(runtime, [&](Sequence& sequence) {
    laset(sequence, Uplo::General, T{0}, T{1}, W);
    subtract_product(sequence, A.nt(), tiles_of(sequence, A), tiles_of(sequence, V), W);
  });
  const double norm_A = norm(A), norm_V = norm(V);
  return ratio<T>(lange(runtime, Norm::one, W), static_cast<double>(A.n()) * norm_A * norm_V);
}

}  // namespace

template <Scalar T>
double cholesky_residual(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& F) {
  ArgumentCheck check = check_of(runtime, "cholesky_residual", uplo);
  check_triangle(check, "A", A);
  check_triangle(check, "F", F);
  check_conform(check, "F", F, A.m(), A.n(), A.mb(), A.nb());
  check.done();
  if (A.n() == 0) return 0;
  const TileMatrix<T> W = workspace_like<T>(runtime, A, A.tiling());
  (void)run(runtime, [&](Sequence& sequence) {
    lacpy(sequence, Uplo::Lower, lower_view(uplo, A), W);
    subtract_square(sequence, triangular_tiles(sequence, lower_view(uplo, F)), W);
  });
  return ratio<T>(lanhe(runtime, Norm::one, Uplo::Lower, W),
                  static_cast<double>(A.n()) * lanhe(runtime, Norm::one, uplo, A));
}

template <Scalar T>
double solve_residual(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& X,
                      const TileMatrix<T>& B) {
  ArgumentCheck check = check_of(runtime, "solve_residual", uplo);
  check_triangle(check, "A", A);
  check_solution(check, A, X, B);
  check.done();
  return solve_ratio(
      runtime, [&] { return lanhe(runtime, Norm::one, uplo, A); },
      [&](Sequence& sequence) { return hermitian_tiles(sequence, lower_view(uplo, A)); }, X, B);
}

template <Scalar T>
double solve_residual(Runtime& runtime, Op op, const TileMatrix<T>& A, const TileMatrix<T>& X,
                      const TileMatrix<T>& B) {
  ArgumentCheck check(runtime, "solve_residual");
  check.one_of("op", op, {Op::no_trans, Op::trans, Op::conj_trans}, "must be no_trans, trans or conj_trans");
  check_general(check, "A", A);
  check_solution(check, A, X, B);
  check.done();
  const TileMatrix<T> op_A = detail::apply(op, A);
  return solve_ratio(
      runtime, [&] { return lange(runtime, Norm::one, op_A); },
      [&](Sequence&) { return [&](Index i, Index k) { return op_A(i, k); }; }, X, B);
}

template <Scalar T>
double inverse_residual(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& V) {
  ArgumentCheck check = check_of(runtime, "inverse_residual", uplo);
  check_triangle(check, "A", A);
  check_triangle(check, "V", V);
  check_conform(check, "V", V, A.m(), A.n(), A.mb(), A.nb());
  check.done();
  const auto tiles_of = [uplo](Sequence& sequence, const TileMatrix<T>& M) {
    return hermitian_tiles(sequence, lower_view(uplo, M));
  };
  const auto norm = [&](const TileMatrix<T>& M) { return lanhe(runtime, Norm::one, uplo, M); };
  return inverse_ratio(runtime, norm, tiles_of, A, V);
}

template <Scalar T>
double inverse_residual(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& V) {
  ArgumentCheck check(runtime, "inverse_residual");
  check_general(check, "A", A);
  check_general(check, "V", V);
  check_conform(check, "V", V, A.m(), A.n(), A.mb(), A.nb());
  check.done();
  const auto tiles_of = [](Sequence&, const TileMatrix<T>& M) {
    return [M](Index i, Index k) { return M(i, k); };
  };
  const auto norm = [&](const TileMatrix<T>& M) { return lange(runtime, Norm::one, M); };
  return inverse_ratio(runtime, norm, tiles_of, A, V);
}

template <Scalar T>
double lu_residual(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& F,
                   const TileMatrix<Index>& ipiv) {
  ArgumentCheck check(runtime, "lu_residual");
  check.matrix("A", A).require(A.op() == Op::no_trans, "A", A.op(), "must not be a transposed view");
  const Index nb = detail::square_tile_size(A);
  check_conform(check, "F", F, A.m(), A.n(), A.mb(), A.nb());
  check.require(F.op() == Op::no_trans, "F", F.op(), "must not be a transposed view");
  check_conform(check, "ipiv", ipiv, std::min(A.m(), A.n()), 1, nb, ipiv.nb());
  check.done();
  if (A.mb() != A.nb()) {
    const auto recut = [&](const TileMatrix<T>& M) { return redistribute(runtime, M, nb, nb, nullptr); };
    return lu_residual(runtime, recut(A), recut(F), ipiv);
  }
  if (A.m() == 0 || A.n() == 0) return 0;
  const TileMatrix<T> W = workspace_like<T>(runtime, A, A.tiling());
  (void)run(runtime, [&](Sequence& sequence) {
    lacpy(sequence, Uplo::General, A, W);
    detail::exchange_all_rows<T>(sequence, detail::RowExchange<T>::Order::forward, Side::Left, ipiv, W, 0);
    subtract_factors(sequence, F, W);
  });
  return ratio<T>(lange(runtime, Norm::one, W), static_cast<double>(A.n()) * lange(runtime, Norm::one, A));
}

template <Scalar T>
double qr_residual(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& F, const Reflectors<T>& Q) {
  ArgumentCheck check(runtime, "qr_residual");
  check.matrix("A", A);
  check_conform(check, "F", F, A.m(), A.n(), A.mb(), A.nb());
  check.done();
  const Index k = std::min(A.m(), A.n());
  if (k == 0) return 0;
  const TileMatrix<T> W = workspace_like<T>(runtime, A, A.tiling());
  const TileMatrix<T> X = workspace_like<T>(runtime, A, Tiling(A.m(), k, A.mb(), A.nb()));
  const TileMatrix<T> S = workspace_like<T>(runtime, A, Tiling(k, k, A.mb(), A.nb()));
  (void)run(runtime, [&](Sequence& sequence) {
    lacpy(sequence, Uplo::Upper, F, W);
    unmqr(sequence, Side::Left, Op::no_trans, F, Q, W);
    geadd<T>(sequence, -1, A, 1, W);
    ungqr(sequence, F, Q, X);
    laset<T>(sequence, Uplo::General, 0, 1, S);
    gemm<T>(sequence, -1, conj_trans(X), X, 1, S);
  });
  const double distance = ratio<T>(lange(runtime, Norm::one, W), static_cast<double>(std::max(A.m(), A.n())) *
                                                                     lange(runtime, Norm::one, A));
  const double orthogonality = ratio<T>(lange(runtime, Norm::one, S), static_cast<double>(A.m()));
  return std::isnan(distance) ? distance : std::max(orthogonality, distance);
}

#define TESSERA_INSTANTIATE(T)                                                                             \
  template double cholesky_residual(Runtime&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&);           \
  template double solve_residual(Runtime&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&,               \
                                 const TileMatrix<T>&);                                                    \
  template double solve_residual(Runtime&, Op, const TileMatrix<T>&, const TileMatrix<T>&,                 \
                                 const TileMatrix<T>&);                                                    \
  template double lu_residual(Runtime&, const TileMatrix<T>&, const TileMatrix<T>&,                        \
                              const TileMatrix<Index>&);                                                   \
  template double qr_residual(Runtime&, const TileMatrix<T>&, const TileMatrix<T>&, const Reflectors<T>&); \
  template double inverse_residual(Runtime&, const TileMatrix<T>&, const TileMatrix<T>&);                  \
  template double inverse_residual(Runtime&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&);

TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)

}  // namespace tessera
