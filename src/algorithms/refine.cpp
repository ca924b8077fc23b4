// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/refine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "kernels/backward_error.hpp"
#include "kernels/convert.hpp"
#include "kernels/norm.hpp"
#include "kernels/scale_columns.hpp"
#include "src/algorithms/lu_check.hpp"
#include "src/algorithms/triangular.hpp"
#include "src/argument_check.hpp"
#include "src/views.hpp"
#include "src/workspace.hpp"
#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/cholesky.hpp"
#include "tessera/algorithms/copy.hpp"
#include "tessera/algorithms/norm.hpp"

namespace tessera {
namespace {

using detail::workspace_like;

template <Scalar T>
struct LowerPrecision;
template <>
struct LowerPrecision<double> {
  using type = float;
};
template <>
struct LowerPrecision<std::complex<double>> {
  using type = std::complex<float>;
};
template <Scalar T>
using Low = typename LowerPrecision<T>::type;

/// The rounding unit.
template <Scalar T>
constexpr double eps = static_cast<double>(std::numeric_limits<real_t<T>>::epsilon()) / 2;

/// Submits kernel_for(i, j) from each tile of a part of A to that of B.
template <class From, class To, class KernelFor>
void map_tiles(Sequence& seq, Uplo part, const TileMatrix<From>& A, const TileMatrix<To>& B,
               KernelFor&& kernel_for) {
  for (Index j = 0; j < A.nt(); ++j) {
    for (Index i = 0; i < A.mt(); ++i) {
      if ((part == Uplo::Lower && i < j) || (part == Uplo::Upper && i > j)) continue;
      seq.submit(kernel_for(i, j), {}, A(i, j).stored(), B(i, j));
    }
  }
}

template <class From, class To>
void convert(Sequence& seq, Uplo part, const TileMatrix<From>& A, const TileMatrix<To>& B) {
  map_tiles(seq, part, A, B, [&](Index, Index) { return kernel::convert<From, To>{A.op()}; });
}

/// B = |op(A)|, element by element.
template <Scalar T>
void moduli(Sequence& seq, Uplo part, const TileMatrix<T>& A, const TileMatrix<real_t<T>>& B) {
  map_tiles(seq, part, A, B, [&](Index i, Index j) {
    return kernel::moduli<T>{A.op(), part != Uplo::General && i == j};
  });
}

// ---- Systems: what they do with their matrix and its factor ----------------------------------------------------

template <Scalar T>
struct CholeskySystem {
  Uplo uplo;
  TileMatrix<T> A, factor;

  Uplo part() const { return uplo; }
  double one_norm(Runtime& runtime) const { return lanhe(runtime, Norm::one, uplo, A); }
  /// R = R - A X
  void subtract_product(Sequence& seq, const TileMatrix<T>& X, const TileMatrix<T>& R) const {
    hemm<T>(seq, Side::Left, uplo, -1, A, X, 1, R);
  }
  /// S = S + |A| X for real matrices.
  void add_moduli(Sequence& seq, const TileMatrix<real_t<T>>& moduli_of_a, const TileMatrix<real_t<T>>& X,
                  const TileMatrix<real_t<T>>& S) const {
    symm<real_t<T>>(seq, Side::Left, uplo, 1, moduli_of_a, X, 1, S);
  }
  void factorise(Sequence& seq) const { potrf(seq, uplo, factor); }
  void solve(Sequence& seq, const TileMatrix<T>& B) const { potrs(seq, uplo, factor, B); }
};

template <Scalar T>
struct LuSystem {
  Op op;
  TileMatrix<T> A, factor;
  TileMatrix<Index> ipiv;
  LuOptions options = {};

  Uplo part() const { return Uplo::General; }
  double one_norm(Runtime& runtime) const { return lange(runtime, Norm::one, detail::apply(op, A)); }
  void subtract_product(Sequence& seq, const TileMatrix<T>& X, const TileMatrix<T>& R) const {
    gemm<T>(seq, -1, detail::apply(op, A), X, 1, R);
  }
  void add_moduli(Sequence& seq, const TileMatrix<real_t<T>>& moduli_of_a, const TileMatrix<real_t<T>>& X,
                  const TileMatrix<real_t<T>>& S) const {
    gemm<real_t<T>>(seq, 1, detail::apply(op, moduli_of_a), X, 1, S);
  }
  void factorise(Sequence& seq) const { getrf(seq, factor, ipiv, options); }
  void solve(Sequence& seq, const TileMatrix<T>& B) const { getrs(seq, op, factor, ipiv, B, options); }
};

// ---- Refinement -----------------------------------------------------------------------------------------------

/// The largest of each column of a small matrix, of which each rank has some entries; NaN stays NaN.
std::vector<double> column_maxima(Runtime& runtime, const TileMatrix<double>& W) {
  const auto at = [&](Index i, Index j) { return static_cast<std::size_t>(i * W.n() + j); };
  std::vector<double> entries(at(W.m(), 0));
  for (Index i = 0; i < W.mt(); ++i) {
    for (Index j = 0; j < W.nt(); ++j) {
      const Tile<double> w = W.tile(i, j);
      for (Index c = 0; w.data != nullptr && c < w.cols; ++c)
        entries[at(i, W.tiling().first_col(j) + c)] = w(0, c);
    }
  }
  runtime.all_sum(entries);
  std::vector<double> maxima(static_cast<std::size_t>(W.n()));
  for (Index i = 0; i < W.m(); ++i) {
    for (Index j = 0; j < W.n(); ++j)
      maxima[at(0, j)] = kernel::max_or_nan(maxima[at(0, j)], entries[at(i, j)]);
  }
  return maxima;
}

double largest(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0, kernel::max_or_nan);
}

/// Componentwise backward errors of solutions of one system.
template <Scalar T, class System>
class BackwardErrors {
 public:
  BackwardErrors(Sequence& sequence, const System& system, const TileMatrix<T>& B)
      : seq_(sequence),
        system_(system),
        B_(B),
        R_(workspace_like<T>(runtime(), B, B.tiling())),
        moduli_of_a_(workspace_like<real_t<T>>(runtime(), system.A, system.A.tiling())),
        moduli_of_x_(workspace_like<real_t<T>>(runtime(), B, B.tiling())),
        S_(workspace_like<real_t<T>>(runtime(), B, B.tiling())),
        W_(workspace_like(runtime(), B, Tiling(B.mt(), B.n(), 1, B.nb()))) {
    moduli(seq_, system_.part(), system_.A, moduli_of_a_);
  }

  /// Of each column of X. Waits.
  std::vector<double> of(const TileMatrix<T>& X) const {
    lacpy(seq_, Uplo::General, B_, R_);
    system_.subtract_product(seq_, X, R_);
    moduli(seq_, Uplo::General, B_, S_);
    moduli(seq_, Uplo::General, X, moduli_of_x_);
    system_.add_moduli(seq_, moduli_of_a_, moduli_of_x_, S_);
    constexpr auto smallest = static_cast<double>(std::numeric_limits<real_t<T>>::min());
    const kernel::largest_ratios<T> ratios{static_cast<double>(B_.m() + 1) * smallest};
    for (Index j = 0; j < R_.nt(); ++j) {
      for (Index i = 0; i < R_.mt(); ++i) seq_.submit(ratios, {}, R_(i, j), S_(i, j), W_(i, j));
    }
    (void)seq_.wait();  // no kernel here reports a pivot, nor does a solve with a regular factor
    return column_maxima(runtime(), W_);
  }

  /// B - A X for the last X.
  const TileMatrix<T>& residual() const { return R_; }

 private:
  Runtime& runtime() const { return seq_.runtime(); }

  Sequence& seq_;
  const System& system_;
  TileMatrix<T> B_, R_;
  TileMatrix<real_t<T>> moduli_of_a_, moduli_of_x_, S_;
  TileMatrix<double> W_;
};

/// B(:, j) = A(:, j) where `chosen(j)`, by blocks of neighbours.
template <Scalar T, class Chosen>
void copy_columns(Sequence& seq, Chosen chosen, const TileMatrix<T>& A, const TileMatrix<T>& B) {
  for (Index j = 0, end = 0; j < A.n(); j = end + 1) {
    for (end = j; end < A.n() && chosen(end);) ++end;
    if (end == j) continue;
    lacpy(seq, Uplo::General, A, B, {.rows = A.m(), .cols = end - j, .a_col = j, .b_col = j});
  }
}

/// Working precision: from a solution to a better one, with the factor at hand. Each column ends as the best of its
/// iterates; those that have converged or failed do not end the search for the others.
template <Scalar T, class System>
Refinement refine(Runtime& runtime, const System& system, const TileMatrix<T>& B, const TileMatrix<T>& X) {
  constexpr int most_iterations = 5;  // as LAPACK
  Refinement result;
  Sequence seq(runtime);
  detail::report_zero_pivots(seq, system.factor, 0);
  result.info = seq.wait();
  if (!result.info.ok()) return result;

  const BackwardErrors<T, System> errors(seq, system, B);
  const auto best = workspace_like<T>(runtime, X, X.tiling());
  lacpy(seq, Uplo::General, X, best);
  std::vector<double> least = errors.of(X);
  const auto unfinished = [](double error) { return error > eps<T>; };  // not so if it is NaN
  bool goes_on = std::ranges::any_of(least, unfinished);
  for (int iteration = 1; goes_on && iteration <= most_iterations; ++iteration) {
    system.solve(seq, errors.residual());
    geadd(seq, T{1}, errors.residual(), T{1}, X);
    const std::vector<double> now = errors.of(X);
    const auto better = [&](Index j) {
      return now[static_cast<std::size_t>(j)] < least[static_cast<std::size_t>(j)];
    };
    copy_columns(seq, better, X, best);
    goes_on = false;
    for (std::size_t j = 0; j < now.size(); ++j) {
      goes_on = goes_on || (unfinished(now[j]) && 2 * now[j] <= least[j]);
      if (!(now[j] < least[j])) continue;
      least[j] = now[j];
      result.iterations = iteration;
    }
  }
  lacpy(seq, Uplo::General, best, X);
  (void)seq.wait();
  result.backward_error = largest(least);
  return result;
}

/// The largest |r| / |x| of all columns.
double largest_column_ratio(const std::vector<double>& r, const std::vector<double>& x) {
  double largest = 0;
  for (std::size_t j = 0; j < r.size(); ++j) {
    largest = kernel::max_or_nan(largest, r[j] == 0 ? 0 : r[j] / x[j]);
  }
  return largest;
}

/// A(:, j) = 2^(sign e_j) A(:, j), where e_j is the exponent of norms[j]: with sign = -1, norms become near 1.
template <Scalar T>
void scale_columns(Sequence& seq, int sign, const std::vector<double>& norms, const TileMatrix<T>& A) {
  const auto exponent = [&](double norm) {
    int e = 0;
    if (std::isfinite(norm)) (void)std::frexp(norm, &e);
    return sign * e;
  };
  const auto exponents = std::make_shared<std::vector<int>>(norms.size());
  std::ranges::transform(norms, exponents->begin(), exponent);
  for (Index j = 0; j < A.nt(); ++j) {
    const kernel::scale_columns<T> kernel{exponents, A.tiling().first_col(j)};
    for (Index i = 0; i < A.mt(); ++i) seq.submit(kernel, {}, A(i, j));
  }
}

/// B = A^-1 B in the lower precision, of which the range matters little: columns are scaled to a norm near 1.
/// \param norms  of B's columns
/// \param low_B  workspace
template <Scalar T, class LowSystem>
void solve_low(Sequence& seq, const LowSystem& low, const std::vector<double>& norms, const TileMatrix<T>& B,
               const TileMatrix<Low<T>>& low_B) {
  scale_columns(seq, -1, norms, B);
  convert(seq, Uplo::General, B, low_B);
  low.solve(seq, low_B);
  convert(seq, Uplo::General, low_B, B);
  scale_columns(seq, 1, norms, B);
}

/// Lower precision: `system` with its factor in the working one, `low` with it in the lower one (and no A).
template <Scalar T, class System, class LowSystem>
Refinement solve_mixed(Runtime& runtime, const System& system, const LowSystem& low, const TileMatrix<T>& B,
                       const TileMatrix<T>& X) {
  constexpr int most_iterations = 30;  // as LAPACK
  const auto R = workspace_like<T>(runtime, B, B.tiling());
  const auto low_R = workspace_like<Low<T>>(runtime, B, B.tiling());
  const double norm = system.one_norm(runtime);
  // The residual itself is computed with an error of a few units, which shows where n is small.
  const double tolerance = std::max(4.0, std::sqrt(static_cast<double>(B.m()))) * eps<T> * norm;

  Refinement result;
  Sequence seq(runtime);
  convert(seq, system.part(), system.A, low.factor);
  low.factorise(seq);
  lacpy(seq, Uplo::General, B, X);
  solve_low(seq, low, column_norms(runtime, B), X, low_R);
  bool goes_on = seq.wait().ok();
  for (double last = std::numeric_limits<double>::infinity(); goes_on; ++result.iterations) {
    lacpy(seq, Uplo::General, B, R);
    system.subtract_product(seq, X, R);
    (void)seq.wait();
    const std::vector<double> norms = column_norms(runtime, R);
    const double ratio = largest_column_ratio(norms, column_norms(runtime, X));
    if (ratio <= tolerance) {
      result.backward_error = norm == 0 ? 0 : ratio / norm;
      return result;
    }
    goes_on = ratio < last && result.iterations < most_iterations;  // not so if it is NaN
    if (!goes_on) break;
    last = ratio;
    solve_low(seq, low, norms, R, low_R);
    geadd(seq, T{1}, R, T{1}, X);
  }

  result.fell_back = true;
  system.factorise(seq);
  lacpy(seq, Uplo::General, B, X);
  system.solve(seq, X);
  result.info = seq.wait();
  return result;
}

// ---- Arguments --------------------------------------------------------------------------------------------------

template <Scalar T>
detail::ArgumentCheck check_system(Runtime& runtime, const char* routine, const TileMatrix<T>& A,
                                   const TileMatrix<T>& B, const TileMatrix<T>& X) {
  detail::ArgumentCheck check(runtime, routine);
  check.matrix("A", A).matrix("B", B).matrix("X", X);
  check.require(A.m() == A.n(), "A.n()", A.n(), "must equal A.m(): the matrix must be square")
      .require(A.mb() == A.nb(), "A.nb()", A.nb(), "must equal A.mb(): the tiles must be square")
      .require(B.m() == A.n(), "B.m()", B.m(), "must equal A.n()")
      .require(B.mb() == A.nb(), "B.mb()", B.mb(), "must equal A.nb(): the tiles must conform")
      .require(X.m() == B.m(), "X.m()", X.m(), "must equal B.m()")
      .require(X.n() == B.n(), "X.n()", X.n(), "must equal B.n()")
      .require(X.mb() == B.mb(), "X.mb()", X.mb(), "must equal B.mb(): the tiles must conform")
      .require(X.nb() == B.nb(), "X.nb()", X.nb(), "must equal B.nb(): the tiles must conform");
  const auto plain = [&](const char* name, const TileMatrix<T>& M) {
    check.require(M.op() == Op::no_trans, name, M.op(),
                  "must be no_trans: refinement takes matrices as stored");
  };
  plain("A.op()", A);
  plain("B.op()", B);
  plain("X.op()", X);
  return check;
}

template <Scalar T>
void check_disjoint(const char* routine, const TileMatrix<T>& A, const TileMatrix<T>& B,
                    const TileMatrix<T>& X) {
  detail::require_disjoint(routine, A, B);
  detail::require_disjoint(routine, A, X, "A", "X");
  detail::require_disjoint(routine, B, X, "B", "X");
}

template <Scalar T>
void check_disjoint(const char* routine, const TileMatrix<T>& A, const TileMatrix<T>& factor,
                    const TileMatrix<T>& B, const TileMatrix<T>& X) {
  check_disjoint(routine, A, B, X);
  detail::require_disjoint(routine, A, factor, "A", "factor");
  detail::require_disjoint(routine, B, factor, "B", "factor");
  detail::require_disjoint(routine, X, factor, "X", "factor");
}

template <Scalar T>
void check_factor(detail::ArgumentCheck& check, const TileMatrix<T>& A, const TileMatrix<T>& factor) {
  check.matrix("factor", factor)
      .require(factor.m() == A.m(), "factor.m()", factor.m(), "must equal A.m()")
      .require(factor.n() == A.n(), "factor.n()", factor.n(), "must equal A.n()")
      .require(factor.mb() == A.mb(), "factor.mb()", factor.mb(), "must equal A.mb(): the tiles must conform")
      .require(factor.nb() == A.nb(), "factor.nb()", factor.nb(), "must equal A.nb(): the tiles must conform")
      .require(factor.op() == Op::no_trans, "factor.op()", factor.op(), "must be no_trans");
}

}  // namespace

template <Scalar T>
Refinement porfs(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& factor,
                 const TileMatrix<T>& B, const TileMatrix<T>& X) {
  auto check = check_system(runtime, "porfs", A, B, X);
  check_factor(check, A, factor);
  check.triangle(uplo).done();
  check_disjoint("porfs", A, factor, B, X);
  return refine(runtime, CholeskySystem<T>{uplo, A, factor}, B, X);
}

template <Scalar T>
Refinement posv_mixed(Runtime& runtime, Uplo uplo, const TileMatrix<T>& A, const TileMatrix<T>& B,
                      const TileMatrix<T>& X) {
  check_system(runtime, "posv_mixed", A, B, X).triangle(uplo).done();
  check_disjoint("posv_mixed", A, B, X);
  const auto low = workspace_like<Low<T>>(runtime, A, A.tiling());
  return solve_mixed(runtime, CholeskySystem<T>{uplo, A, A}, CholeskySystem<Low<T>>{uplo, low, low}, B, X);
}

template <Scalar T>
Refinement gerfs(Runtime& runtime, Op op, const TileMatrix<T>& A, const TileMatrix<T>& factor,
                 const TileMatrix<Index>& ipiv, const TileMatrix<T>& B, const TileMatrix<T>& X,
                 const LuOptions& options) {
  auto check = check_system(runtime, "gerfs", A, B, X);
  check_factor(check, A, factor);
  detail::check_lu(check, "factor", factor, ipiv, options);
  check.one_of("op", op, {Op::no_trans, Op::trans, Op::conj_trans}, "must be no_trans, trans or conj_trans");
  check.done();
  check_disjoint("gerfs", A, factor, B, X);
  return refine(runtime, LuSystem<T>{op, A, factor, ipiv, options}, B, X);
}

template <Scalar T>
Refinement gesv_mixed(Runtime& runtime, const TileMatrix<T>& A, const TileMatrix<Index>& ipiv,
                      const TileMatrix<T>& B, const TileMatrix<T>& X, const LuOptions& options) {
  auto check = check_system(runtime, "gesv_mixed", A, B, X);
  detail::check_lu(check, "A", A, ipiv, options);
  check.done();
  check_disjoint("gesv_mixed", A, B, X);
  const auto low = workspace_like<Low<T>>(runtime, A, A.tiling());
  return solve_mixed(runtime, LuSystem<T>{Op::no_trans, A, A, ipiv, options},
                     LuSystem<Low<T>>{Op::no_trans, low, low, ipiv, options}, B, X);
}

#define TESSERA_INSTANTIATE(T)                                                                    \
  template Refinement porfs(Runtime&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&,           \
                            const TileMatrix<T>&, const TileMatrix<T>&);                          \
  template Refinement gerfs(Runtime&, Op, const TileMatrix<T>&, const TileMatrix<T>&,             \
                            const TileMatrix<Index>&, const TileMatrix<T>&, const TileMatrix<T>&, \
                            const LuOptions&);
TESSERA_INSTANTIATE(float)
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<float>)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

#define TESSERA_INSTANTIATE(T)                                                               \
  template Refinement posv_mixed(Runtime&, Uplo, const TileMatrix<T>&, const TileMatrix<T>&, \
                                 const TileMatrix<T>&);                                      \
  template Refinement gesv_mixed(Runtime&, const TileMatrix<T>&, const TileMatrix<Index>&,   \
                                 const TileMatrix<T>&, const TileMatrix<T>&, const LuOptions&);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(std::complex<double>)
#undef TESSERA_INSTANTIATE

}  // namespace tessera
