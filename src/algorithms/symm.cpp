// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <map>
#include <utility>
#include <vector>

#include "src/algorithms/product_check.hpp"
#include "src/algorithms/stationary.hpp"
#include "src/tile_operations.hpp"
#include "src/views.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/copy.hpp"
#include "tessera/distributions/function.hpp"

namespace tessera {
namespace {

using detail::apply;

/// What a symmetric and a Hermitian matrix do not share: A = A^T or A = A^H.
template <Scalar T>
struct Symmetric {
  static constexpr const char* routine = "symm";
  static constexpr Op mirror = Op::trans, wrong_view = Op::conj_trans;
  static void multiply(auto&&... arguments) { tile_op::symm(arguments...); }
};
template <Scalar T>
struct Hermitian {
  static constexpr const char* routine = "hemm";
  static constexpr Op mirror = Op::conj_trans, wrong_view = Op::trans;
  static void multiply(auto&&... arguments) { tile_op::hemm(arguments...); }
};

template <Scalar T>
Stationary choose(const TileMatrix<T>& A, const TileMatrix<T>& B, const TileMatrix<T>& C) {
  using namespace detail;
  using enum Lines;
  const Index m = C.mt(), n = C.nt();  // m: of the steps while B or C stays, n: while A does
  const auto a = colrow_ranks(A, n);
  return least(sent_between_layers(A, n, true) + sent_along(rows, B, a) + sent_along(rows, C, a),
               sent_between_layers(B, m) + sent_by_colrow(A, line_ranks(rows, B, m)) +
                   sent_along(columns, C, line_ranks(columns, B, m)),
               sent_between_layers(C, m) + sent_by_colrow(A, line_ranks(rows, C, m)) +
                   sent_along(columns, B, line_ranks(columns, C, m)));
}

/// C = alpha A B + beta C for the lower triangle of A.
template <class Kind, Scalar T>
void multiply(Sequence& seq, T alpha, const TileMatrix<T>& A, const TileMatrix<T>& B, T beta,
              const TileMatrix<T>& C, Stationary stationary, int priority) {
  using namespace tile_op;
  beta = detail::scale_unless_at_home(seq, stationary, beta, C);
  for (Index k = 0; k < A.nt(); ++k) {
    for (Index j = 0; j < C.nt(); ++j) {
      for (Index i = 0; i < C.mt(); ++i) {
        TaskOptions at{priority - static_cast<int>(k), k, {}};
        if (stationary == Stationary::a) at.executor = A.executor(std::max(i, k), std::min(i, k), j);
        if (stationary == Stationary::b) at.executor = B.executor(k, j, i);
        const T b = k == 0 ? beta : T{1};
        if (i == k) {
          Kind::multiply(seq, at, Side::Left, Uplo::Lower, alpha, A(k, k), B(k, j), b, C(k, j));
        } else {
          gemm(seq, at, alpha, i > k ? A(i, k) : A(k, i).with_op(Kind::mirror), B(k, j), b, C(i, j));
        }
      }
    }
    release_all(seq, B.sub(k, 0, 1, B.nt()));
  }
  release_all(seq, A);
  release_all(seq, C);
}

template <class Kind, Scalar T>
void check_and_multiply(Sequence& sequence, Side side, Uplo uplo, T alpha, const TileMatrix<T>& A,
                        const TileMatrix<T>& B, T beta, const TileMatrix<T>& C,
                        const ProductOptions& options) {
  const bool left = side == Side::Left;
  detail::ProductCheck check(sequence, Kind::routine, options);
  check.side(side).triangle(uplo).same("alpha", alpha).same("beta", beta);
  check.square("A", A).matrix("B", B).matrix("C", C);
  check.view("A.op()", A, Kind::wrong_view).view("C.op()", C, Kind::wrong_view);
  check.conform("B.m()", B.m(), B.mb(), "C.m()", C.m(), C.mb())
      .conform("B.n()", B.n(), B.nb(), "C.n()", C.n(), C.nb())
      .conform("A.n()", A.n(), A.nb(), left ? "C.m()" : "C.n()", left ? C.m() : C.n(),
               left ? C.mb() : C.nb());
  check.done();
  detail::require_disjoint(Kind::routine, A, C, "A", "C");
  detail::require_disjoint(Kind::routine, B, C, "B", "C");
  if (alpha == T{0}) return lascal(sequence, Uplo::General, beta, C);

  // The lower triangle of A = op(A), and C = B A as op(C) = A op(B).
  const TileMatrix<T> lower = uplo == Uplo::Lower ? A : apply(Kind::mirror, A);
  const Op op = left ? Op::no_trans : Kind::mirror;
  const TileMatrix<T> X = apply(op, B), Y = apply(op, C);
  const Stationary stationary =
      options.stationary == Stationary::automatic ? choose(lower, X, Y) : options.stationary;
  multiply<Kind>(sequence, apply(op, alpha), lower, X, apply(op, beta), Y, stationary, options.priority);
}

}  // namespace

template <Scalar T>
void symm(Sequence& sequence, Side side, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
          const TileMatrix<T>& B, std::type_identity_t<T> beta, const TileMatrix<T>& C,
          const ProductOptions& options) {
  check_and_multiply<Symmetric<T>>(sequence, side, uplo, alpha, A, B, beta, C, options);
}

template <Scalar T>
void hemm(Sequence& sequence, Side side, Uplo uplo, std::type_identity_t<T> alpha, const TileMatrix<T>& A,
          const TileMatrix<T>& B, std::type_identity_t<T> beta, const TileMatrix<T>& C,
          const ProductOptions& options) {
  check_and_multiply<Hermitian<T>>(sequence, side, uplo, alpha, A, B, beta, C, options);
}

DistributionPtr symmetric_operand(const Distribution& A, Index mt, Uplo uplo) {
  if (mt < 0) throw ArgumentError("symmetric_operand", "mt", std::to_string(mt), "must not be negative");
  if (uplo == Uplo::General) {
    throw ArgumentError("symmetric_operand", "uplo", "General",
                        "one triangle of A is stored: Lower or Upper");
  }
  const Index layers = A.layers();
  std::vector<std::vector<Rank>> colrows;  // of layer l: from l mt on
  // Colrows of the same ranks begin with another one each; a few columns would otherwise all meet the first ranks.
  std::vector<Index> first;
  std::map<std::vector<Rank>, Index> seen;
  for (Index line = 0; line < layers * mt; ++line) {
    const Index layer = line / mt, k = line % mt;
    detail::RankSet ranks;
    for (Index l = 0; l < mt; ++l) {
      const Index i = std::max(k, l), j = std::min(k, l);
      ranks.insert(uplo == Uplo::Lower ? A.executor(i, j, layer) : A.executor(j, i, layer));
    }
    colrows.emplace_back(ranks.begin(), ranks.end());
    first.push_back(seen[colrows.back()]++);
  }
  return std::make_shared<FunctionDistribution>(
      A.num_ranks(), "operand of " + A.name(),
      [layers, mt, colrows = std::move(colrows), first = std::move(first)](Index k, Index j) {
        const auto line = static_cast<std::size_t>(j % layers * mt + k % mt);
        const auto& ranks = colrows[line];
        return ranks[static_cast<std::size_t>(first[line] + j / layers) % ranks.size()];
      });
}

#define TESSERA_INSTANTIATE(T)                                                                \
  template void symm(Sequence&, Side, Uplo, T, const TileMatrix<T>&, const TileMatrix<T>&, T, \
                     const TileMatrix<T>&, const ProductOptions&);                            \
  template void hemm(Sequence&, Side, Uplo, T, const TileMatrix<T>&, const TileMatrix<T>&, T, \
                     const TileMatrix<T>&, const ProductOptions&);
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
