// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/lu.hpp"

#include <algorithm>
#include <memory>

#include "kernels/laset.hpp"
#include "src/algorithms/lu_check.hpp"
#include "src/algorithms/lu_panel.hpp"
#include "src/algorithms/row_exchange.hpp"
#include "src/algorithms/triangular.hpp"
#include "src/argument_check.hpp"
#include "src/tile_operations.hpp"
#include "src/workspace.hpp"
#include "tessera/algorithms/copy.hpp"
#include "tessera/algorithms/redistribute.hpp"
#include "tessera/distributions/function.hpp"

namespace tessera {
namespace {

using detail::ArgumentCheck;
using detail::check_lu;
using detail::exchange_all_rows;
using detail::report_zero_pivots;
using detail::RowExchange;

/// Weight of the longest path from the update of tile column j at step k to the end, up to a constant. A panel and the
/// exchanges around it weigh at least as much as an update, so that column j, which becomes a panel after j - k updates,
/// weighs (j - k) + 3 (nt - j): the columns that become panels first go first.
int urgency(Index j, Index k) { return -static_cast<int>(2 * j + k); }

template <Scalar T>
using Order = typename RowExchange<T>::Order;

/// P A = L U, right-looking.
template <Scalar T>
class Factorisation {
 public:
  Factorisation(Sequence& sequence, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
                const LuOptions& options)
      : seq_(sequence),
        A_(A),
        ipiv_(ipiv),
        options_(options),
        exchange_(sequence, Side::Left, A, ipiv, Order<T>::forward),
        tournament_(sequence, A) {}

  void run() {
    using namespace tile_op;
    const Index steps = std::min(A_.mt(), A_.nt());
    for (Index k = 0; k < steps; ++k) {
      factor_panel(k);
      for (Index j = k + 1; j < A_.nt(); ++j) {
        exchange_rows(k, j, at(j, k).priority);
        trsm(seq_, at(j, k), Side::Left, Uplo::Lower, Diag::Unit, T{1}, A_(k, k), A_(k, j));
        for (Index i = k + 1; i < A_.mt(); ++i) {
          gemm(seq_, at(j, k), T{-1}, A_(i, k), A_(k, j), T{1}, A_(i, j));
        }
      }
      for (Index j = 0; j < k; ++j) exchange_rows(k, j, last());
      end_step(k);
    }
  }

  /// Afterwards: what fails the sequence comes last.
  void report() { report_zero_pivots(seq_, A_, last()); }

 private:
  bool pivots() const { return options_.pivoting != Pivoting::none; }
  TaskOptions at(Index j, Index k) const { return {options_.priority + urgency(j, k), k, {}}; }
  int last() const { return at(A_.nt(), A_.nt()).priority; }

  void factor_panel(Index k) {
    switch (options_.pivoting) {
      case Pivoting::none:
        return detail::factor_panel_without_pivots(seq_, at(k, k), k, A_, ipiv_);
      case Pivoting::partial:
        detail::factor_gathered_panel(seq_, at(k, k), k, A_, ipiv_);
        return exchange_.begin(k, at(k, k).priority);
      case Pivoting::tournament:
        tournament_.hold(at(k, k), k, ipiv_);
        exchange_.begin(k, at(k, k).priority);
        exchange_.exchange(k, k, at(k, k).priority);
        return detail::factor_ordered_panel(seq_, at(k, k), k, A_);
    }
  }

  void exchange_rows(Index k, Index j, int priority) {
    if (pivots()) exchange_.exchange(k, j, priority);
  }

  void end_step(Index k) {
    if (pivots()) exchange_.end(k);
    tile_op::release(seq_, ipiv_(k, 0));
    tile_op::release_all(seq_, A_.sub(k, k, A_.mt() - k, 1));
    tile_op::release_all(seq_, A_.sub(k, k, 1, A_.nt() - k));
  }

  Sequence& seq_;
  TileMatrix<T> A_;
  TileMatrix<Index> ipiv_;
  LuOptions options_;
  RowExchange<T> exchange_;
  detail::Tournament<T> tournament_;
};

template <Scalar T>
void factor_square_tiles(Sequence& seq, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
                         const LuOptions& options) {
  Factorisation<T> factorisation(seq, A, ipiv, options);
  factorisation.run();
  factorisation.report();
}

/// The same in a copy, for A in tiles of any shape.
template <Scalar T>
void factor_copy(Sequence& seq, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
                 const LuOptions& options) {
  const Index nb = detail::square_tile_size(A);
  const TileMatrix<T> copy = redistribute(seq, A, nb, nb, nullptr);
  seq.keep(copy.storage());
  Factorisation<T> factorisation(seq, copy, ipiv, options);
  factorisation.run();
  lacpy(seq, Uplo::General, copy, A);
  factorisation.report();
}

/// What the pivots of a factor do to rows or columns of B: nothing if there was no pivoting.
template <Scalar T>
void exchange_pivots(Sequence& seq, Order<T> order, Side side, const TileMatrix<Index>& ipiv,
                     const TileMatrix<T>& B, const LuOptions& options) {
  if (options.pivoting != Pivoting::none) exchange_all_rows(seq, order, side, ipiv, B, options.priority);
}

/// op(A) X = B with P A = L U: A^-1 = U^-1 L^-1 P.
template <Scalar T>
void solve_with_factor(Sequence& seq, Op op, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
                       const TileMatrix<T>& B, const LuOptions& options) {
  const auto solve = [&](Uplo uplo, Diag diag, const TileMatrix<T>& triangle) {
    detail::solve_left(seq, uplo, diag, T{1}, triangle, B, options.priority);
  };
  if (op == Op::no_trans) {
    exchange_pivots(seq, Order<T>::forward, Side::Left, ipiv, B, options);
    solve(Uplo::Lower, Diag::Unit, A);
    solve(Uplo::Upper, Diag::NonUnit, A);
  } else {
    const TileMatrix<T> transposed = op == Op::trans ? trans(A) : conj_trans(A);
    solve(Uplo::Lower, Diag::NonUnit, transposed);
    solve(Uplo::Upper, Diag::Unit, transposed);
    exchange_pivots(seq, Order<T>::backward, Side::Left, ipiv, B, options);
  }
}

/// Moves the lower triangle of A, with the diagonal tiles, to tiles of its own; what is left below the diagonal is zero.
template <Scalar T>
TileMatrix<T> take_lower(Sequence& seq, const TileMatrix<T>& A, int priority) {
  const TaskOptions at{priority, {}, {}};
  TileMatrix<T> L = detail::scratch_like<T>(A, A.tiling());
  seq.keep(L.storage());
  for (Index k = 0; k < A.nt(); ++k) {
    for (Index i = k; i < A.nt(); ++i) {
      detail::copy_rows(seq, at, {.rows = A(i, k).rows()}, A(i, k), L(i, k));
      const kernel::laset<T> zero{i == k ? kernel::Region{Uplo::Lower, -1} : kernel::Region{}, T{0}, T{0}};
      seq.submit(zero, at, A(i, k));
    }
  }
  return L;
}

/// A = A L^-1 for a unit lower triangular L: what is known of column k is taken from the columns before it.
template <Scalar T>
void divide_by_lower(Sequence& seq, const TileMatrix<T>& L, const TileMatrix<T>& A, int priority) {
  using namespace tile_op;
  const Index nt = A.nt();
  for (Index step = 0; step < nt; ++step) {
    const Index k = nt - 1 - step;
    // The column solved next is the most urgent one to update.
    const auto at = [&](Index j) { return TaskOptions{priority - static_cast<int>(nt - 1 - j), step, {}}; };
    for (Index i = 0; i < nt; ++i) {
      trsm(seq, at(k), Side::Right, Uplo::Lower, Diag::Unit, T{1}, L(k, k), A(i, k));
    }
    for (Index j = k - 1; j >= 0; --j) {
      for (Index i = 0; i < nt; ++i) gemm(seq, at(j), T{-1}, A(i, k), L(k, j), T{1}, A(i, j));
    }
    release_all(seq, L.sub(k, 0, 1, k + 1));
    release_all(seq, A.sub(0, k, nt, 1));
  }
}

/// A^-1 = U^-1 L^-1 P.
template <Scalar T>
void invert_from_factor(Sequence& seq, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
                        const LuOptions& options) {
  detail::invert_lower(seq, Diag::NonUnit, conj_trans(A), options.priority);
  divide_by_lower(seq, take_lower(seq, A, options.priority), A, options.priority);
  exchange_pivots(seq, Order<T>::backward, Side::Right, ipiv, A, options);
}

template <class T>
void check_square(ArgumentCheck& check, const TileMatrix<T>& A) {
  check.require(A.m() == A.n(), "A.n()", A.n(), "must equal A.m(): the matrix must be square")
      .require(A.mb() == A.nb(), "A.nb()", A.nb(), "must equal A.mb(): the tiles must be square");
}

template <class T>
void check_solve(const char* routine, Sequence& sequence, Op op, const TileMatrix<T>& A,
                 const TileMatrix<Index>& ipiv, const TileMatrix<T>& B, const LuOptions& options) {
  ArgumentCheck check(sequence.runtime(), routine);
  check.one_of("op", op, {Op::no_trans, Op::trans, Op::conj_trans}, "must be no_trans, trans or conj_trans");
  check_lu(check, "A", A, ipiv, options);
  check_square(check, A);
  check.matrix("B", B)
      .require(B.op() == Op::no_trans, "B.op()", B.op(), "must be no_trans")
      .require(B.m() == A.n(), "B.m()", B.m(), "must equal A.n()")
      .require(B.mb() == A.nb(), "B.mb()", B.mb(), "must equal A.nb(): the tiles must conform");
  check.done();
  detail::require_disjoint(routine, A, B);
}

template <class T>
void check_invert(const char* routine, Sequence& sequence, const TileMatrix<T>& A,
                  const TileMatrix<Index>& ipiv, const LuOptions& options) {
  ArgumentCheck check(sequence.runtime(), routine);
  check_lu(check, "A", A, ipiv, options);
  check_square(check, A);
  check.done();
}

}  // namespace

template <Scalar T>
TileMatrix<Index> make_pivots(Runtime& runtime, const TileMatrix<T>& A) {
  ArgumentCheck(runtime, "make_pivots").matrix("A", A).done();
  const DistributionPtr tiles = A.mb() == A.nb() ? detail::owners_of(A) : default_distribution(runtime);
  auto diagonal = std::make_shared<FunctionDistribution>(
      tiles->num_ranks(), "diagonal", [tiles](Index i, Index) { return tiles->owner(i, i); });
  return {runtime, std::min(A.m(), A.n()), 1, detail::square_tile_size(A), 1, std::move(diagonal)};
}

template <Scalar T>
void getrf(Sequence& sequence, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const LuOptions& options) {
  ArgumentCheck check(sequence.runtime(), "getrf");
  check_lu(check, "A", A, ipiv, options);
  check.done();
  if (A.mb() == A.nb()) {
    factor_square_tiles(sequence, A, ipiv, options);
  } else {
    factor_copy(sequence, A, ipiv, options);
  }
}

template <Scalar T>
void getrs(Sequence& sequence, Op op, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const TileMatrix<T>& B, const LuOptions& options) {
  check_solve("getrs", sequence, op, A, ipiv, B, options);
  report_zero_pivots(sequence, A, options.priority);
  solve_with_factor(sequence, op, A, ipiv, B, options);
}

template <Scalar T>
void gesv(Sequence& sequence, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv, const TileMatrix<T>& B,
          const LuOptions& options) {
  check_solve("gesv", sequence, Op::no_trans, A, ipiv, B, options);
  factor_square_tiles(sequence, A, ipiv, options);
  solve_with_factor(sequence, Op::no_trans, A, ipiv, B, options);
}

template <Scalar T>
void getri(Sequence& sequence, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const LuOptions& options) {
  check_invert("getri", sequence, A, ipiv, options);
  report_zero_pivots(sequence, A, options.priority);
  invert_from_factor(sequence, A, ipiv, options);
}

// The blocking forms.

template <Scalar T>
Info getrf(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const LuOptions& options) {
  return run(runtime, [&](Sequence& sequence) { getrf(sequence, A, ipiv, options); });
}
template <Scalar T>
Info getrs(Runtime& runtime, Op op, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const TileMatrix<T>& B, const LuOptions& options) {
  Sequence sequence(runtime);
  check_solve("getrs", sequence, op, A, ipiv, B, options);
  report_zero_pivots(sequence, A, options.priority);
  if (const Info info = sequence.wait(); !info.ok()) return info;
  solve_with_factor(sequence, op, A, ipiv, B, options);
  return sequence.wait();
}
template <Scalar T>
Info gesv(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv, const TileMatrix<T>& B,
          const LuOptions& options) {
  Sequence sequence(runtime);
  check_solve("gesv", sequence, Op::no_trans, A, ipiv, B, options);
  factor_square_tiles(sequence, A, ipiv, options);
  if (const Info info = sequence.wait(); !info.ok()) return info;
  solve_with_factor(sequence, Op::no_trans, A, ipiv, B, options);
  return sequence.wait();
}
template <Scalar T>
Info getri(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
           const LuOptions& options) {
  Sequence sequence(runtime);
  check_invert("getri", sequence, A, ipiv, options);
  report_zero_pivots(sequence, A, options.priority);
  if (const Info info = sequence.wait(); !info.ok()) return info;
  invert_from_factor(sequence, A, ipiv, options);
  return sequence.wait();
}

#define TESSERA_INSTANTIATE(T)                                                                             \
  template TileMatrix<Index> make_pivots(Runtime&, const TileMatrix<T>&);                                  \
  template void getrf(Sequence&, const TileMatrix<T>&, const TileMatrix<Index>&, const LuOptions&);        \
  template Info getrf(Runtime&, const TileMatrix<T>&, const TileMatrix<Index>&, const LuOptions&);         \
  template void getrs(Sequence&, Op, const TileMatrix<T>&, const TileMatrix<Index>&, const TileMatrix<T>&, \
                      const LuOptions&);                                                                   \
  template Info getrs(Runtime&, Op, const TileMatrix<T>&, const TileMatrix<Index>&, const TileMatrix<T>&,  \
                      const LuOptions&);                                                                   \
  template void gesv(Sequence&, const TileMatrix<T>&, const TileMatrix<Index>&, const TileMatrix<T>&,      \
                     const LuOptions&);                                                                    \
  template Info gesv(Runtime&, const TileMatrix<T>&, const TileMatrix<Index>&, const TileMatrix<T>&,       \
                     const LuOptions&);                                                                    \
  template void getri(Sequence&, const TileMatrix<T>&, const TileMatrix<Index>&, const LuOptions&);        \
  template Info getri(Runtime&, const TileMatrix<T>&, const TileMatrix<Index>&, const LuOptions&);

TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
