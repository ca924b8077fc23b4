// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/qr.hpp"

#include <algorithm>
#include <cstdint>

#include "kernels/lacpy.hpp"
#include "kernels/qr.hpp"
#include "src/algorithms/row_exchange.hpp"
#include "src/algorithms/triangular.hpp"
#include "src/argument_check.hpp"
#include "src/tile_operations.hpp"
#include "src/workspace.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/copy.hpp"
#include "tessera/algorithms/norm.hpp"

namespace tessera {
namespace {

using detail::ArgumentCheck;
using kernel::Shape;

/// Q of a real or complex matrix by the one op that LAPACK's routines have for both.
Op hermitian(Op op) { return op == Op::no_trans ? op : Op::conj_trans; }
Op inverse(Op op) { return op == Op::no_trans ? Op::conj_trans : Op::no_trans; }

// ---- Tiles --------------------------------------------------------------------------------------------------

/// A <- vectors and R, R <- R with zeros below, T <- its T's.
template <Scalar T>
void geqrt(Sequence& seq, const TaskOptions& at, const TileRef<T>& A, const TileRef<T>& R,
           const TileRef<T>& t) {
  seq.submit(kernel::geqrt<T>{A.op()}, at, A.stored(), R, t);
}

/// [R; B] <- Q^H [R; B], of which B's place is taken by vectors.
template <Scalar T>
void tpqrt(Sequence& seq, const TaskOptions& at, Shape shape, const TileRef<T>& R, const TileRef<T>& B,
           const TileRef<T>& t) {
  seq.submit(kernel::tpqrt<T>{shape, B.op()}, at, R, B.stored(), t);
}

/// C <- op(Q) C for the Q of geqrt.
template <Scalar T>
void gemqrt(Sequence& seq, const TaskOptions& at, Op op, const TileRef<T>& V, const TileRef<T>& t,
            const TileRef<T>& C) {
  const bool left = C.op() == Op::no_trans;
  seq.submit(kernel::gemqrt<T>{left ? Side::Left : Side::Right, left ? op : inverse(op), V.op()}, at,
             V.stored(), t, C.stored());
}

/// [C1; C2] <- op(Q) [C1; C2] for the Q of tpqrt.
template <Scalar T>
void tpmqrt(Sequence& seq, const TaskOptions& at, Op op, Shape shape, const TileRef<T>& V,
            const TileRef<T>& t, const TileRef<T>& C1, const TileRef<T>& C2) {
  const bool left = C2.op() == Op::no_trans;
  seq.submit(kernel::tpmqrt<T>{left ? Side::Left : Side::Right, left ? op : inverse(op), shape, V.op()}, at,
             V.stored(), t, C1.stored(), C2.stored());
}

/// The upper triangle of A <- R.
template <Scalar T>
void copy_upper(Sequence& seq, const TaskOptions& at, const TileRef<T>& R, const TileRef<T>& A) {
  const kernel::Region stored{A.op() == Op::no_trans ? Uplo::Upper : Uplo::Lower};
  seq.submit(kernel::lacpy<T>{A.op(), stored, 0, 0, 0, 0, A.rows(), A.cols()}, at, R, A.stored());
}

// ---- Panels -------------------------------------------------------------------------------------------------

/// The rows of a panel that are reduced to triangles by themselves: the first, pivots, and those eliminated as triangles.
std::vector<Index> heads(const Panel& panel, Index k) {
  std::vector<Index> rows{k};
  for (const Elimination& e : panel) {
    rows.push_back(e.pivot);
    if (e.triangle) rows.push_back(e.row);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Shape shape_of(const Elimination& e) { return e.triangle ? Shape::triangle : Shape::square; }

/// Where the vectors of an elimination lie.
template <Scalar T>
TileRef<T> vectors(const Elimination& e, Index k, const TileMatrix<T>& A, const Reflectors<T>& Q) {
  return e.triangle ? Q.triangles(e.row, k) : A(e.row, k);
}

/// Copies on other ranks of what panel k consists of are not needed any more.
template <Scalar T>
void release_panel(Sequence& seq, Index k, const TileMatrix<T>& A, const Reflectors<T>& Q) {
  for (const TileMatrix<T>* X : {&A, &Q.triangles, &Q.first, &Q.second}) {
    for (Index i = k; i < A.mt(); ++i) tile_op::release(seq, (*X)(i, k));
  }
}

/// Tasks of the first panels and columns first.
int urgency(Index j, Index k) { return -static_cast<int>(j + 2 * k); }

/// A = Q R. An elimination runs where the row lies that it eliminates: a pivot then goes from rank to rank, and no row
/// goes away and comes back.
template <Scalar T>
void factor(Sequence& seq, const TileMatrix<T>& A, const Reflectors<T>& Q, int priority) {
  const TileMatrix<T>& R = Q.triangles;
  const auto at = [&](Index i, Index j, Index k) {
    return TaskOptions{priority + urgency(j, k), {}, A.owner(i, j)};
  };
  for (Index k = 0; k < std::min(A.mt(), A.nt()); ++k) {
    const Panel& panel = Q.panels[static_cast<std::size_t>(k)];
    for (const Index i : heads(panel, k)) {
      geqrt(seq, at(i, k, k), A(i, k), R(i, k), Q.first(i, k));
      for (Index j = k + 1; j < A.nt(); ++j) {
        gemqrt(seq, at(i, j, k), Op::conj_trans, A(i, k), Q.first(i, k), A(i, j));
      }
    }
    for (const Elimination& e : panel) {
      const TileRef<T> V = vectors(e, k, A, Q);
      tpqrt(seq, at(e.row, k, k), shape_of(e), R(e.pivot, k), V, Q.second(e.row, k));
      for (Index j = k + 1; j < A.nt(); ++j) {
        tpmqrt(seq, at(e.row, j, k), Op::conj_trans, shape_of(e), V, Q.second(e.row, k), A(e.pivot, j),
               A(e.row, j));
      }
    }
    copy_upper(seq, at(k, k, k), R(k, k), A(k, k));
    release_panel(seq, k, A, Q);
    for (Index j = k + 1; j < A.nt(); ++j) tile_op::release(seq, A(k, j));
  }
}

/// C <- op(Q) C, in the columns of C from tile column first_column(k) on for panel k.
template <Scalar T, class FirstColumn>
void apply_q(Sequence& seq, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& C,
             int priority, FirstColumn&& first_column) {
  const bool forward = op == Op::conj_trans;
  const Index kt = std::min(A.mt(), A.nt());
  for (Index step = 0; step < kt; ++step) {
    const Index k = forward ? step : kt - 1 - step;
    const auto at = [&](Index i, Index j) {
      return TaskOptions{priority + urgency(j, step), {}, C.owner(i, j)};
    };
    Panel panel = Q.panels[static_cast<std::size_t>(k)];
    const auto first = heads(panel, k);
    if (!forward) std::ranges::reverse(panel);
    const auto reflect_heads = [&] {
      for (const Index i : first) {
        for (Index j = first_column(k); j < C.nt(); ++j)
          gemqrt(seq, at(i, j), op, A(i, k), Q.first(i, k), C(i, j));
      }
    };
    if (forward) reflect_heads();
    for (const Elimination& e : panel) {
      for (Index j = first_column(k); j < C.nt(); ++j) {
        tpmqrt(seq, at(e.row, j), op, shape_of(e), vectors(e, k, A, Q), Q.second(e.row, k), C(e.pivot, j),
               C(e.row, j));
      }
    }
    if (!forward) reflect_heads();
    release_panel(seq, k, A, Q);
  }
}

template <Scalar T>
void apply_q(Sequence& seq, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& C,
             int priority) {
  apply_q(seq, op, A, Q, C, priority, [](Index) { return Index{0}; });
}

// ---- Arguments ----------------------------------------------------------------------------------------------

/// Whether the panels are a tree's: see ReductionTree.
bool is_reduction(const std::vector<Panel>& panels, Index mt, Index kt) {
  if (static_cast<Index>(panels.size()) != kt) return false;
  for (Index k = 0; k < kt; ++k) {
    const Panel& panel = panels[static_cast<std::size_t>(k)];
    if (static_cast<Index>(panel.size()) != mt - 1 - k) return false;
    std::vector<bool> eliminated(static_cast<std::size_t>(mt)), pivot(static_cast<std::size_t>(mt));
    for (const Elimination& e : panel) {
      if (e.pivot < k || e.row <= e.pivot || e.row >= mt) return false;
      const auto row = static_cast<std::size_t>(e.row), above = static_cast<std::size_t>(e.pivot);
      if (eliminated[row] || eliminated[above] || (pivot[row] && !e.triangle)) return false;
      eliminated[row] = pivot[above] = true;
    }
  }
  return true;
}

std::uint64_t hash_of(const std::vector<Panel>& panels) {
  std::uint64_t hash = 0;
  const auto mix = [&](Index x) { hash = hash * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(x) + 1; };
  for (const Panel& panel : panels) {
    for (const Elimination& e : panel) {
      mix(e.pivot);
      mix(e.row);
      mix(e.triangle ? 1 : 0);
    }
  }
  return hash;
}

template <class T>
void check_view(ArgumentCheck& check, const char* argument, const TileMatrix<T>& A) {
  check.require(!is_complex<T> || A.op() != Op::trans, argument, A.op(),
                "must be no_trans or conj_trans for complex matrices");
}

template <Scalar T>
void check_factored(ArgumentCheck& check, const TileMatrix<T>& A) {
  check.matrix("A", A).require(A.mb() == A.nb(), "A.nb()", A.nb(),
                               "must equal A.mb(): the tiles must be square");
  check_view(check, "A.op()", A);
}

/// \param A  as QR is to see it
template <Scalar T>
void check_factor(ArgumentCheck& check, const TileMatrix<T>& A, const Reflectors<T>& Q,
                  const CallOptions& options) {
  check_factored(check, A);
  const auto fits = [&](const TileMatrix<T>& X, Index rows) {
    return X.mt() == A.mt() && X.n() == A.n() && X.nb() == A.nb() && X.m() == rows && X.op() == Op::no_trans;
  };
  check.matrix("Q", Q.triangles)
      .require(fits(Q.triangles, A.m()) && fits(Q.first, A.mt() * Q.first.mb()) &&
                   fits(Q.second, A.mt() * Q.second.mb()) &&
                   static_cast<Index>(Q.panels.size()) == std::min(A.mt(), A.nt()),
               "Q", "reflectors", "must be those that make_reflectors() made for this shape and these tiles")
      .same("priority", options.priority);
}

/// \param A  as QR is to see it
/// \param C  as it is multiplied from the left
template <Scalar T>
void check_product(ArgumentCheck& check, const TileMatrix<T>& A, const TileMatrix<T>& C, const char* name) {
  check.matrix(name, C)
      .require(C.m() == A.m(), fmt::format("extent of {}", name), C.m(), "must be the order of Q")
      .require(C.m() != A.m() || C.mb() == A.mb() || A.mt() <= 1, fmt::format("tile size of {}", name),
               C.mb(), "must be that of A: the tiles must conform");
  check_view(check, name, C);
}

template <Scalar T>
void check_op(ArgumentCheck& check, Op op) {
  check.one_of("op", op, {Op::no_trans, Op::trans, Op::conj_trans}, "must be no_trans, trans or conj_trans")
      .require(!is_complex<T> || op != Op::trans, "op", op,
               "must be no_trans or conj_trans for complex matrices");
}

/// What geqrf and gelqf, and the two products, share: A as QR is to see it.
template <Scalar T>
void check_and_factor(const char* routine, Sequence& sequence, const TileMatrix<T>& A, const Reflectors<T>& Q,
                      const CallOptions& options) {
  ArgumentCheck check(sequence.runtime(), routine);
  check_factor(check, A, Q, options);
  check.done();
  factor(sequence, A, Q, options.priority);
}

template <Scalar T>
void check_and_apply(const char* routine, Sequence& sequence, Side side, Op op, bool inverted,
                     const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& C,
                     const CallOptions& options) {
  ArgumentCheck check(sequence.runtime(), routine);
  check.one_of("side", side, {Side::Left, Side::Right}, "must be Left or Right");
  check_op<T>(check, op);
  check_factor(check, A, Q, options);
  const bool left = side == Side::Left;
  const TileMatrix<T> from_left = left ? C : conj_trans(C);  // C op(Q) = (op(Q)^H C^H)^H
  check_product(check, A, from_left, "C");
  check.done();
  detail::require_disjoint(routine, A, C);
  const Op q = inverted ? inverse(hermitian(op)) : hermitian(op);
  apply_q(sequence, q, A, Q, from_left, options.priority);
}

template <Scalar T>
void check_and_generate(const char* routine, Sequence& sequence, const TileMatrix<T>& A,
                        const Reflectors<T>& Q, const TileMatrix<T>& X, const CallOptions& options) {
  ArgumentCheck check(sequence.runtime(), routine);
  check_factor(check, A, Q, options);
  check_product(check, A, X, "X");
  check.require(X.n() <= X.m(), "vectors in X", X.n(), "must be at most the order of Q");
  check.done();
  detail::require_disjoint(routine, A, X);
  laset(sequence, Uplo::General, T{0}, T{1}, X);
  // Panel k leaves columns alone that are still those of the identity, with ones above its rows.
  apply_q(sequence, Op::no_trans, A, Q, X, options.priority,
          [&](Index k) { return std::min(X.nt(), A.tiling().first_row(k) / std::max<Index>(1, X.nb())); });
}

// ---- Least squares ------------------------------------------------------------------------------------------

/// X(i, j) = the first rows of B(i, j), or back.
enum class Direction { from_b, to_b };
template <Scalar T>
void copy_first_rows(Sequence& seq, Direction direction, const TileMatrix<T>& B, const TileMatrix<T>& X,
                     int priority) {
  for (Index j = 0; j < X.nt(); ++j) {
    for (Index i = 0; i < X.mt(); ++i) {
      const detail::RowCopy rows{0, 0, X.tiling().rows(i), direction == Direction::from_b};
      if (direction == Direction::from_b) {
        detail::copy_rows(seq, {priority}, rows, B(i, j), X(i, j));
      } else {
        detail::copy_rows(seq, {priority}, rows, X(i, j), B(i, j));
      }
    }
  }
}

/// \param A   tall, factored
/// \param op  no_trans: least squares with A; conj_trans: least norm with A^H
template <Scalar T>
void solve_tall(Sequence& seq, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& B,
                int priority) {
  const TileMatrix<T> R = A.sub(0, 0, A.nt(), A.nt());
  const TileMatrix<T> X = detail::workspace_like<T>(seq.runtime(), B.sub(0, 0, A.nt(), B.nt()),
                                                    Tiling(A.n(), B.n(), B.mb(), B.nb()));
  seq.keep(X.storage());
  if (op == Op::no_trans) apply_q(seq, Op::conj_trans, A, Q, B, priority);
  detail::report_zero_pivots(seq, R, priority);
  copy_first_rows(seq, Direction::from_b, B, X, priority);
  if (op == Op::no_trans) {
    detail::solve_left(seq, Uplo::Upper, Diag::NonUnit, T{1}, R, X, priority);
    copy_first_rows(seq, Direction::to_b, B, X, priority);
  } else {
    detail::solve_left(seq, Uplo::Lower, Diag::NonUnit, T{1}, conj_trans(R), X, priority);
    laset(seq, Uplo::General, T{0}, T{0}, B);
    copy_first_rows(seq, Direction::to_b, B, X, priority);
    apply_q(seq, Op::no_trans, A, Q, B, priority);
  }
}

/// Wide blocks do more in gemm, narrow ones less in all: `tessera-bench geqrf --n 1000,4000,8000 --ib ...`.
Index default_inner_block(Index nb) {
  const Index eighth = nb / 64 * 8;
  return std::min(nb, std::clamp<Index>(eighth, 32, 64));
}

}  // namespace

template <Scalar T>
Reflectors<T> make_reflectors(Runtime& runtime, const TileMatrix<T>& A, const QrOptions& options) {
  ArgumentCheck check(runtime, "make_reflectors");
  check_factored(check, A);
  const Index ib = options.ib > 0 ? options.ib : default_inner_block(A.nb());
  check.require(options.ib >= 0, "ib", options.ib, "must not be negative; 0: chosen");
  check.require(ib <= A.nb(), "ib", ib, "must be at most the tile size");
  const Index kt = std::min(A.mt(), A.nt());
  const TreePtr tree = options.tree ? options.tree : automatic_tree(A.mt(), A.nt(), runtime.num_workers());
  std::vector<Panel> panels = tree->panels(A.mt(), kt, [&](Index i, Index k) { return A.owner(i, k); });
  check.require(is_reduction(panels, A.mt(), kt), "tree", tree->name(),
                "its panels do not eliminate each row once, against rows above that are left");
  check.same("hash of the tree", hash_of(panels));
  check.done();
  const Tiling factors(A.mt() * ib, A.n(), ib, A.nb());
  return {detail::workspace_like<T>(runtime, A, A.tiling()), detail::workspace_like<T>(runtime, A, factors),
          detail::workspace_like<T>(runtime, A, factors), std::move(panels)};
}

template <Scalar T>
void geqrf(Sequence& sequence, const TileMatrix<T>& A, const Reflectors<T>& Q, const CallOptions& options) {
  check_and_factor("geqrf", sequence, A, Q, options);
}
template <Scalar T>
void gelqf(Sequence& sequence, const TileMatrix<T>& A, const Reflectors<T>& Q, const CallOptions& options) {
  check_and_factor("gelqf", sequence, conj_trans(A), Q, options);
}

template <Scalar T>
void unmqr(Sequence& sequence, Side side, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const TileMatrix<T>& C, const CallOptions& options) {
  check_and_apply("unmqr", sequence, side, op, side == Side::Right, A, Q, C, options);
}
template <Scalar T>
void unmlq(Sequence& sequence, Side side, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const TileMatrix<T>& C, const CallOptions& options) {
  check_and_apply("unmlq", sequence, side, op, side == Side::Left, conj_trans(A), Q, C, options);
}

template <Scalar T>
void ungqr(Sequence& sequence, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& X,
           const CallOptions& options) {
  check_and_generate("ungqr", sequence, A, Q, X, options);
}
template <Scalar T>
void unglq(Sequence& sequence, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& X,
           const CallOptions& options) {
  check_and_generate("unglq", sequence, conj_trans(A), Q, conj_trans(X), options);
}

template <Scalar T>
void gels(Sequence& sequence, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& B,
          const CallOptions& options) {
  const bool tall = A.m() >= A.n();
  const TileMatrix<T> V = tall ? A : conj_trans(A);
  ArgumentCheck check(sequence.runtime(), "gels");
  check_op<T>(check, op);
  check_factor(check, V, Q, options);
  check_product(check, V, B, "B");
  check.done();
  detail::require_disjoint("gels", A, B);
  factor(sequence, V, Q, options.priority);
  solve_tall(sequence, tall ? hermitian(op) : inverse(hermitian(op)), V, Q, B, options.priority);
}

// The blocking forms.

template <Scalar T>
void geqrf(Runtime& runtime, const TileMatrix<T>& A, const Reflectors<T>& Q, const CallOptions& options) {
  (void)run(runtime, [&](Sequence& sequence) { geqrf(sequence, A, Q, options); });
}
template <Scalar T>
void gelqf(Runtime& runtime, const TileMatrix<T>& A, const Reflectors<T>& Q, const CallOptions& options) {
  (void)run(runtime, [&](Sequence& sequence) { gelqf(sequence, A, Q, options); });
}
template <Scalar T>
void unmqr(Runtime& runtime, Side side, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const TileMatrix<T>& C, const CallOptions& options) {
  (void)run(runtime, [&](Sequence& sequence) { unmqr(sequence, side, op, A, Q, C, options); });
}
template <Scalar T>
void unmlq(Runtime& runtime, Side side, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q,
           const TileMatrix<T>& C, const CallOptions& options) {
  (void)run(runtime, [&](Sequence& sequence) { unmlq(sequence, side, op, A, Q, C, options); });
}
template <Scalar T>
void ungqr(Runtime& runtime, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& X,
           const CallOptions& options) {
  (void)run(runtime, [&](Sequence& sequence) { ungqr(sequence, A, Q, X, options); });
}
template <Scalar T>
void unglq(Runtime& runtime, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& X,
           const CallOptions& options) {
  (void)run(runtime, [&](Sequence& sequence) { unglq(sequence, A, Q, X, options); });
}
template <Scalar T>
Info gels(Runtime& runtime, Op op, const TileMatrix<T>& A, const Reflectors<T>& Q, const TileMatrix<T>& B,
          const CallOptions& options) {
  return run(runtime, [&](Sequence& sequence) { gels(sequence, op, A, Q, B, options); });
}

// Cholesky QR.

/// A <- Q, G <- R by the factor of G = A^H A. \return whether A^H A was numerically positive definite
template <Scalar T>
bool cholesky_qr(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& G) {
  const Info info = run(runtime, [&](Sequence& sequence) {
    herk<T>(sequence, Uplo::Upper, 1, conj_trans(A), 0, G);
    potrf(sequence, Uplo::Upper, G);
    trsm<T>(sequence, Side::Right, Uplo::Upper, Diag::NonUnit, 1, G, A);
  });
  return info.ok();
}

/// Whether the columns of A are near enough to orthogonal for one more cholesky_qr() to make them so: if A^H A is no
/// further than 1/2 from the identity, its condition is at most 3.
template <Scalar T>
bool is_nearly_orthogonal(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& G) {
  (void)run(runtime, [&](Sequence& sequence) {
    laset<T>(sequence, Uplo::Upper, 0, 1, G);
    herk<T>(sequence, Uplo::Upper, -1, conj_trans(A), 1, G);
  });
  return lanhe(runtime, Norm::one, Uplo::Upper, G) <= real_t<T>(0.5);
}

template <Scalar T>
bool cholqr2(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<T>& R, const QrOptions& options) {
  ArgumentCheck check(runtime, "cholqr2");
  check_factored(check, A);
  check.require(A.m() >= A.n(), "A.n()", A.n(), "must be at most A.m()")
      .matrix("R", R)
      .require(R.m() == A.n() && R.n() == A.n(), "R", R.m(), "must be square, with as many columns as A")
      .require(R.mb() == A.nb() && R.nb() == A.nb(), "R.nb()", R.nb(), "must be A's: the tiles must conform");
  check_view(check, "R.op()", R);
  check.done();
  detail::require_disjoint("cholqr2", A, R, "A", "R");
  const TileMatrix<T> copy = detail::workspace_like<T>(runtime, A, A.tiling());
  const TileMatrix<T> G = detail::workspace_like<T>(runtime, R, R.tiling());
  lacpy(runtime, Uplo::General, A, copy);
  if (cholesky_qr(runtime, A, G)) {
    const TileMatrix<T> second = detail::workspace_like<T>(runtime, R, R.tiling());
    if (is_nearly_orthogonal(runtime, A, second) && cholesky_qr(runtime, A, second)) {
      const TileMatrix<T> product = detail::workspace_like<T>(runtime, R, R.tiling());
      lacpy(runtime, Uplo::Upper, G, product);
      trmm<T>(runtime, Side::Left, Uplo::Upper, Diag::NonUnit, 1, second, product);
      lacpy(runtime, Uplo::Upper, product, R);
      return false;
    }
  }
  const Reflectors<T> Q = make_reflectors(runtime, copy, options);
  (void)run(runtime, [&](Sequence& sequence) {
    geqrf(sequence, copy, Q);
    lacpy(sequence, Uplo::Upper, copy, R, {A.n(), A.n()});
    ungqr(sequence, copy, Q, A);
  });
  return true;
}

#define TESSERA_INSTANTIATE(T)                                                                               \
  template Reflectors<T> make_reflectors(Runtime&, const TileMatrix<T>&, const QrOptions&);                  \
  template void geqrf(Sequence&, const TileMatrix<T>&, const Reflectors<T>&, const CallOptions&);            \
  template void geqrf(Runtime&, const TileMatrix<T>&, const Reflectors<T>&, const CallOptions&);             \
  template void gelqf(Sequence&, const TileMatrix<T>&, const Reflectors<T>&, const CallOptions&);            \
  template void gelqf(Runtime&, const TileMatrix<T>&, const Reflectors<T>&, const CallOptions&);             \
  template void unmqr(Sequence&, Side, Op, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&, \
                      const CallOptions&);                                                                   \
  template void unmqr(Runtime&, Side, Op, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&,  \
                      const CallOptions&);                                                                   \
  template void unmlq(Sequence&, Side, Op, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&, \
                      const CallOptions&);                                                                   \
  template void unmlq(Runtime&, Side, Op, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&,  \
                      const CallOptions&);                                                                   \
  template void ungqr(Sequence&, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&,           \
                      const CallOptions&);                                                                   \
  template void ungqr(Runtime&, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&,            \
                      const CallOptions&);                                                                   \
  template void unglq(Sequence&, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&,           \
                      const CallOptions&);                                                                   \
  template void unglq(Runtime&, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&,            \
                      const CallOptions&);                                                                   \
  template void gels(Sequence&, Op, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&,        \
                     const CallOptions&);                                                                    \
  template bool cholqr2(Runtime&, const TileMatrix<T>&, const TileMatrix<T>&, const QrOptions&);             \
  template Info gels(Runtime&, Op, const TileMatrix<T>&, const Reflectors<T>&, const TileMatrix<T>&,         \
                     const CallOptions&);
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
