// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/real_diagonal.hpp"
#include "src/algorithms/product_check.hpp"
#include "src/tile_operations.hpp"
#include "src/views.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/copy.hpp"

namespace tessera {
namespace {

using detail::apply;

/// What updates of a symmetric and of a Hermitian matrix do not share: C = C^T or C = C^H.
template <Scalar T>
struct Symmetric {
  using Beta = T;
  static constexpr const char *rank_k = "syrk", *rank_2k = "syr2k";
  static constexpr Op mirror = Op::trans, wrong_view = Op::conj_trans;
  static void update(auto&&... arguments) { tile_op::syrk<T>(arguments...); }
  static void update2(auto&&... arguments) { tile_op::syr2k<T>(arguments...); }
  static void scale(Sequence& seq, Uplo uplo, Beta beta, const TileMatrix<T>& C) {
    if (beta != Beta{1}) lascal(seq, uplo, beta, C);
  }
};
template <Scalar T>
struct Hermitian {
  using Beta = real_t<T>;
  static constexpr const char *rank_k = "herk", *rank_2k = "her2k";
  static constexpr Op mirror = Op::conj_trans, wrong_view = Op::trans;
  static void update(auto&&... arguments) { tile_op::herk<T>(arguments...); }
  static void update2(auto&&... arguments) { tile_op::her2k<T>(arguments...); }
  static void scale(Sequence& seq, Uplo uplo, Beta beta, const TileMatrix<T>& C) {
    if (beta != Beta{1}) lascal(seq, uplo, T{beta}, C);
    for (Index k = 0; k < C.nt(); ++k) seq.submit(kernel::real_diagonal<T>{}, {}, C(k, k).stored());
  }
};

/// Whether the first update of each diagonal tile finds the tile where it runs, and not elsewhere by an earlier task.
template <Scalar T>
bool diagonal_is_in_place(const TileMatrix<T>& C) {
  for (Index k = 0; k < C.nt(); ++k) {
    const auto [storage, i, j] = C(k, k).stored().argument();
    if (storage->holder(i, j) != C.executor(k, k, 0)) return false;
  }
  return true;
}

/// Gives beta for the first updates, where they write C itself. Where they add up elsewhere, does C = beta C before and
/// gives 1; for C's diagonal, which partial sums leave as it is, also to make it real where it has to be.
template <class Kind, Scalar T>
typename Kind::Beta scale_unless_in_place(Sequence& seq, typename Kind::Beta beta, const TileMatrix<T>& C) {
  if (C.distribution().layers() == 1 && diagonal_is_in_place(C)) return beta;
  Kind::scale(seq, Uplo::Lower, beta, C);
  return 1;
}

/// The lower triangle of C = alpha A op(A) + beta C, op = mirror.
template <class Kind, Scalar T, class Alpha>
void update_rank_k(Sequence& seq, Alpha alpha, const TileMatrix<T>& A, typename Kind::Beta beta,
                   const TileMatrix<T>& C, int priority) {
  using namespace tile_op;
  beta = scale_unless_in_place<Kind>(seq, beta, C);
  for (Index k = 0; k < A.nt(); ++k) {
    const TaskOptions at{priority - static_cast<int>(k), k, {}};
    const typename Kind::Beta b = k == 0 ? beta : 1;
    for (Index j = 0; j < C.nt(); ++j) {
      Kind::update(seq, at, Uplo::Lower, alpha, A(j, k), b, C(j, j));
      for (Index i = j + 1; i < C.mt(); ++i) {
        gemm(seq, at, T{alpha}, A(i, k), A(j, k).with_op(Kind::mirror), T{b}, C(i, j));
      }
    }
    release_all(seq, A.sub(0, k, A.mt(), 1));
  }
  release_all(seq, C);
}

/// The lower triangle of C = alpha A op(B) + op(alpha) B op(A) + beta C.
template <class Kind, Scalar T>
void update_rank_2k(Sequence& seq, T alpha, const TileMatrix<T>& A, const TileMatrix<T>& B,
                    typename Kind::Beta beta, const TileMatrix<T>& C, int priority) {
  using namespace tile_op;
  beta = scale_unless_in_place<Kind>(seq, beta, C);
  for (Index k = 0; k < A.nt(); ++k) {
    const TaskOptions at{priority - static_cast<int>(k), k, {}};
    const typename Kind::Beta b = k == 0 ? beta : 1;
    for (Index j = 0; j < C.nt(); ++j) {
      Kind::update2(seq, at, Uplo::Lower, alpha, A(j, k), B(j, k), b, C(j, j));
      for (Index i = j + 1; i < C.mt(); ++i) {
        gemm(seq, at, alpha, A(i, k), B(j, k).with_op(Kind::mirror), T{b}, C(i, j));
        gemm(seq, at, apply(Kind::mirror, alpha), B(i, k), A(j, k).with_op(Kind::mirror), T{1}, C(i, j));
      }
    }
    release_all(seq, A.sub(0, k, A.mt(), 1));
    release_all(seq, B.sub(0, k, B.mt(), 1));
  }
  release_all(seq, C);
}

/// C = beta C, of which BLAS does nothing at all when beta = 1.
template <class Kind, Scalar T>
void scale_alone(Sequence& seq, Uplo uplo, typename Kind::Beta beta, const TileMatrix<T>& C) {
  if (beta != typename Kind::Beta{1}) Kind::scale(seq, uplo, beta, C);
}

template <class Kind, Scalar T>
detail::ProductCheck checked(Sequence& sequence, const char* routine, Uplo uplo, const TileMatrix<T>& A,
                             const TileMatrix<T>& C, const ProductOptions& options) {
  detail::ProductCheck check(sequence, routine, options);
  check.triangle(uplo).matrix("A", A);
  check.square("C", C);
  check.view("C.op()", C, Kind::wrong_view).view("A.op()", A, Kind::wrong_view);
  check.conform("A.m()", A.m(), A.mb(), "C.m()", C.m(), C.mb());
  return check;
}

template <class Kind, Scalar T, class Alpha>
void check_and_update(Sequence& sequence, Uplo uplo, Alpha alpha, const TileMatrix<T>& A,
                      typename Kind::Beta beta, const TileMatrix<T>& C, const ProductOptions& options) {
  auto check = checked<Kind>(sequence, Kind::rank_k, uplo, A, C, options);
  check.same("alpha", alpha).same("beta", beta).done();
  detail::require_disjoint(Kind::rank_k, A, C, "A", "C");
  if (alpha == Alpha{0} || A.n() == 0) return scale_alone<Kind>(sequence, uplo, beta, C);
  const TileMatrix<T> lower = uplo == Uplo::Lower ? C : apply(Kind::mirror, C);
  update_rank_k<Kind>(sequence, alpha, A, beta, lower, options.priority);
}

template <class Kind, Scalar T>
void check_and_update2(Sequence& sequence, Uplo uplo, T alpha, const TileMatrix<T>& A, const TileMatrix<T>& B,
                       typename Kind::Beta beta, const TileMatrix<T>& C, const ProductOptions& options) {
  auto check = checked<Kind>(sequence, Kind::rank_2k, uplo, A, C, options);
  check.same("alpha", alpha).same("beta", beta).matrix("B", B);
  check.view("B.op()", B, Kind::wrong_view)
      .conform("B.m()", B.m(), B.mb(), "A.m()", A.m(), A.mb())
      .conform("B.n()", B.n(), B.nb(), "A.n()", A.n(), A.nb());
  check.done();
  detail::require_disjoint(Kind::rank_2k, A, C, "A", "C");
  detail::require_disjoint(Kind::rank_2k, B, C, "B", "C");
  if (alpha == T{0} || A.n() == 0) return scale_alone<Kind>(sequence, uplo, beta, C);
  const TileMatrix<T> lower = uplo == Uplo::Lower ? C : apply(Kind::mirror, C);
  update_rank_2k<Kind>(sequence, alpha, A, B, beta, lower, options.priority);
}

}  // namespace

template <Scalar T>
void syrk(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
          std::type_identity_t<T> beta, const TileMatrix<T>& C, const ProductOptions& options) {
  check_and_update<Symmetric<T>>(sequence, uplo, alpha, A, beta, C, options);
}
template <Scalar T>
void herk(Sequence& sequence, Uplo uplo, std::type_identity_t<real_t<T>> alpha, const TileMatrix<T>& A,
          std::type_identity_t<real_t<T>> beta, const TileMatrix<T>& C, const ProductOptions& options) {
  check_and_update<Hermitian<T>>(sequence, uplo, alpha, A, beta, C, options);
}
template <Scalar T>
void syr2k(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           const TileMatrix<T>& B, std::type_identity_t<T> beta, const TileMatrix<T>& C,
           const ProductOptions& options) {
  check_and_update2<Symmetric<T>>(sequence, uplo, alpha, A, B, beta, C, options);
}
template <Scalar T>
void her2k(Sequence& sequence, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
           const TileMatrix<T>& B, std::type_identity_t<real_t<T>> beta, const TileMatrix<T>& C,
           const ProductOptions& options) {
  check_and_update2<Hermitian<T>>(sequence, uplo, alpha, A, B, beta, C, options);
}

#define TESSERA_INSTANTIATE(T)                                                                          \
  template void syrk(Sequence&, Uplo, T, const TileMatrix<T>&, T, const TileMatrix<T>&,                 \
                     const ProductOptions&);                                                            \
  template void herk(Sequence&, Uplo, real_t<T>, const TileMatrix<T>&, real_t<T>, const TileMatrix<T>&, \
                     const ProductOptions&);                                                            \
  template void syr2k(Sequence&, Uplo, T, const TileMatrix<T>&, const TileMatrix<T>&, T,                \
                      const TileMatrix<T>&, const ProductOptions&);                                     \
  template void her2k(Sequence&, Uplo, T, const TileMatrix<T>&, const TileMatrix<T>&, real_t<T>,        \
                      const TileMatrix<T>&, const ProductOptions&);
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
