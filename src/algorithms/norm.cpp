// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/algorithms/norm.hpp"

#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "kernels/norm.hpp"
#include "src/argument_check.hpp"
#include "src/workspace.hpp"

// Every task leaves its tile's share of the norm in a tile of a small workspace on the same rank, so that no
// tile of the matrix is sent. Each rank then adds up its shares, and the ranks theirs.

namespace tessera {
namespace {

using detail::ArgumentCheck;
using detail::workspace_like;
using kernel::DiagonalEntry;
using kernel::Entries;

/// Which entries of a matrix count, and how.
struct Structure {
  Uplo uplo = Uplo::General;
  DiagonalEntry diagonal = DiagonalEntry::stored;
  bool symmetric = false;  // an entry off the diagonal counts for its mirror image too
};

/// Runs the tasks submit(sequence, i, j, entries), one for each tile that has referenced entries.
template <Scalar T, class Submit>
void run_on_tiles(Runtime& runtime, const TileMatrix<T>& A, const Structure& structure, Submit&& submit) {
  const Tiling& tiling = A.tiling();
  (void)run(runtime, [&](Sequence& sequence) {  // no kernel here reports a pivot
    for (Index j = 0; j < A.nt(); ++j) {
      for (Index i = 0; i < A.mt(); ++i) {
        const kernel::Region region{structure.uplo, tiling.first_row(i) - tiling.first_col(j)};
        if (region.empty(tiling.rows(i), tiling.cols(j))) continue;
        submit(sequence, i, j, Entries{region, structure.diagonal});
      }
    }
  });
}

template <class Visit>
void for_each_local_tile(const TileMatrix<double>& W, Visit&& visit) {
  for (Index j = 0; j < W.nt(); ++j) {
    for (Index i = 0; i < W.mt(); ++i) {
      if (const Tile<double> w = W.tile(i, j); w.data != nullptr) visit(i, j, w);
    }
  }
}

double largest(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0, kernel::max_or_nan);
}

template <Scalar T>
double max_norm(Runtime& runtime, const TileMatrix<T>& A, const Structure& structure) {
  const auto W = workspace_like(runtime, A, Tiling(A.mt(), A.nt(), 1, 1));
  run_on_tiles(runtime, A, structure, [&](Sequence& sequence, Index i, Index j, const Entries& entries) {
    sequence.submit(kernel::max_abs<T>{entries}, {}, A(i, j), W(i, j));
  });
  double mine = 0;
  for_each_local_tile(W, [&](Index, Index, Tile<double> w) { mine = kernel::max_or_nan(mine, w(0, 0)); });
  return largest(runtime.all_gather(mine));
}

template <Scalar T>
double frobenius_norm(Runtime& runtime, const TileMatrix<T>& A, const Structure& structure) {
  const auto W = workspace_like(runtime, A, Tiling(3 * A.mt(), A.nt(), 3, 1));
  const double weight = structure.symmetric ? 2 : 1;
  run_on_tiles(runtime, A, structure, [&](Sequence& sequence, Index i, Index j, const Entries& entries) {
    sequence.submit(kernel::sum_squares<T>{entries, weight}, {}, A(i, j), W(i, j));
  });
  double sums[3] = {};
  for_each_local_tile(W, [&](Index, Index, Tile<double> w) {
    for (Index k = 0; k < 3; ++k) sums[k] += w(k, 0);
  });
  runtime.all_sum(sums);
  return kernel::SumOfSquares{sums[0], sums[1], sums[2]}.root();
}

/// Sums of a matrix's columns or rows, each rank adding the shares of its tiles.
class Sums {
 public:
  explicit Sums(Index size) : sums_(static_cast<std::size_t>(size)) {}

  /// Adds the 1 x cols tiles of W, which belong to the columns of A.
  void add_columns(const TileMatrix<double>& W) {
    for_each_local_tile(W, [&](Index, Index j, Tile<double> w) {
      for (Index c = 0; c < w.cols; ++c) at(W.tiling().first_col(j) + c) += w(0, c);
    });
  }
  /// Adds the rows x 1 tiles of W, which belong to the rows of A.
  void add_rows(const TileMatrix<double>& W) {
    for_each_local_tile(W, [&](Index i, Index, Tile<double> w) {
      for (Index r = 0; r < w.rows; ++r) at(W.tiling().first_row(i) + r) += w(r, 0);
    });
  }
  /// With the shares of all ranks.
  const std::vector<double>& of_all(Runtime& runtime) {
    runtime.all_sum(sums_);
    return sums_;
  }

 private:
  double& at(Index k) { return sums_[static_cast<std::size_t>(k)]; }

  std::vector<double> sums_;
};

template <Scalar T>
TileMatrix<double> column_workspace(Runtime& runtime, const TileMatrix<T>& A) {
  return workspace_like(runtime, A, Tiling(A.mt(), A.n(), 1, A.nb()));
}
template <Scalar T>
TileMatrix<double> row_workspace(Runtime& runtime, const TileMatrix<T>& A) {
  return workspace_like(runtime, A, Tiling(A.m(), A.nt(), A.mb(), 1));
}

template <Scalar T>
std::vector<double> sums_of_columns(Runtime& runtime, const TileMatrix<T>& A, const Structure& structure) {
  const auto W = column_workspace(runtime, A);
  run_on_tiles(runtime, A, structure, [&](Sequence& sequence, Index i, Index j, const Entries& entries) {
    sequence.submit(kernel::column_sums<T>{entries}, {}, A(i, j), W(i, j));
  });
  Sums sums(A.n());
  sums.add_columns(W);
  return sums.of_all(runtime);
}

template <Scalar T>
double inf_norm(Runtime& runtime, const TileMatrix<T>& A, const Structure& structure) {
  const auto W = row_workspace(runtime, A);
  run_on_tiles(runtime, A, structure, [&](Sequence& sequence, Index i, Index j, const Entries& entries) {
    sequence.submit(kernel::row_sums<T>{entries}, {}, A(i, j), W(i, j));
  });
  Sums sums(A.m());
  sums.add_rows(W);
  return largest(sums.of_all(runtime));
}

/// One and inf norm of a symmetric matrix: an entry counts in its column and, mirrored, in its row's column.
template <Scalar T>
double symmetric_one_norm(Runtime& runtime, const TileMatrix<T>& A, const Structure& structure) {
  const auto columns = column_workspace(runtime, A);
  const auto rows = row_workspace(runtime, A);
  run_on_tiles(runtime, A, structure, [&](Sequence& sequence, Index i, Index j, const Entries& entries) {
    sequence.submit(kernel::symmetric_sums<T>{entries}, {}, A(i, j), columns(i, j), rows(i, j));
  });
  Sums sums(A.n());
  sums.add_columns(columns);
  sums.add_rows(rows);
  return largest(sums.of_all(runtime));
}

/// The norm of a matrix that is not transposed.
template <Scalar T>
double stored_norm(Runtime& runtime, Norm norm, const TileMatrix<T>& A, const Structure& structure) {
  if (norm == Norm::max) return max_norm(runtime, A, structure);
  if (norm == Norm::frobenius) return frobenius_norm(runtime, A, structure);
  if (structure.symmetric) return symmetric_one_norm(runtime, A, structure);
  return norm == Norm::one ? largest(sums_of_columns(runtime, A, structure))
                           : inf_norm(runtime, A, structure);
}

/// The norm of A that A^T has as `norm`.
Norm transposed(Norm norm) { return norm == Norm::one ? Norm::inf : norm == Norm::inf ? Norm::one : norm; }

void require_entries(const Runtime& runtime) {
  if (runtime.backend_kind() == BackendKind::recording) {
    throw RuntimeError("norm: the matrices of a recording runtime have no entries");
  }
}

template <Scalar T>
real_t<T> norm_of(Runtime& runtime, Norm norm, const TileMatrix<T>& A, Structure structure) {
  require_entries(runtime);
  if (A.m() == 0 || A.n() == 0) return 0;
  double value;
  if (A.op() == Op::no_trans) {
    value = stored_norm(runtime, norm, A, structure);
  } else {
    structure.uplo = flip(structure.uplo);
    value = stored_norm(runtime, transposed(norm), A.op() == Op::trans ? trans(A) : conj_trans(A), structure);
  }
  return static_cast<real_t<T>>(value);
}

template <Scalar T>
real_t<T> symmetric_norm(Runtime& runtime, const char* routine, Norm norm, Uplo uplo, const TileMatrix<T>& A,
                         DiagonalEntry diagonal) {
  ArgumentCheck(runtime, routine)
      .norm(norm)
      .triangle(uplo)
      .matrix("A", A)
      .require(A.m() == A.n(), "A.n()", A.n(), "the matrix must be square")
      .done();
  return norm_of(runtime, norm, A, {uplo, diagonal, true});
}

}  // namespace

template <Scalar T>
real_t<T> lange(Runtime& runtime, Norm norm, const TileMatrix<T>& A) {
  ArgumentCheck(runtime, "lange").norm(norm).matrix("A", A).done();
  return norm_of(runtime, norm, A, {});
}

template <Scalar T>
std::vector<double> column_norms(Runtime& runtime, const TileMatrix<T>& A) {
  ArgumentCheck(runtime, "column_norms")
      .matrix("A", A)
      .require(A.op() == Op::no_trans, "A.op()", A.op(), "must be no_trans")
      .done();
  require_entries(runtime);
  return sums_of_columns(runtime, A, {});
}

template <Scalar T>
real_t<T> lansy(Runtime& runtime, Norm norm, Uplo uplo, const TileMatrix<T>& A) {
  return symmetric_norm(runtime, "lansy", norm, uplo, A, DiagonalEntry::stored);
}

template <Scalar T>
real_t<T> lanhe(Runtime& runtime, Norm norm, Uplo uplo, const TileMatrix<T>& A) {
  return symmetric_norm(runtime, "lanhe", norm, uplo, A, DiagonalEntry::real);
}

template <Scalar T>
real_t<T> lantr(Runtime& runtime, Norm norm, Uplo uplo, Diag diag, const TileMatrix<T>& A) {
  ArgumentCheck(runtime, "lantr").norm(norm).triangle(uplo).diag(diag).matrix("A", A).done();
  return norm_of(runtime, norm, A, {uplo, diag == Diag::Unit ? DiagonalEntry::one : DiagonalEntry::stored});
}

template real_t<float> lange(Runtime&, Norm, const TileMatrix<float>&);
template real_t<double> lange(Runtime&, Norm, const TileMatrix<double>&);
template real_t<std::complex<float>> lange(Runtime&, Norm, const TileMatrix<std::complex<float>>&);
template real_t<std::complex<double>> lange(Runtime&, Norm, const TileMatrix<std::complex<double>>&);

template std::vector<double> column_norms(Runtime&, const TileMatrix<float>&);
template std::vector<double> column_norms(Runtime&, const TileMatrix<double>&);
template std::vector<double> column_norms(Runtime&, const TileMatrix<std::complex<float>>&);
template std::vector<double> column_norms(Runtime&, const TileMatrix<std::complex<double>>&);

template real_t<float> lansy(Runtime&, Norm, Uplo, const TileMatrix<float>&);
template real_t<double> lansy(Runtime&, Norm, Uplo, const TileMatrix<double>&);
template real_t<std::complex<float>> lansy(Runtime&, Norm, Uplo, const TileMatrix<std::complex<float>>&);
template real_t<std::complex<double>> lansy(Runtime&, Norm, Uplo, const TileMatrix<std::complex<double>>&);

template real_t<float> lanhe(Runtime&, Norm, Uplo, const TileMatrix<float>&);
template real_t<double> lanhe(Runtime&, Norm, Uplo, const TileMatrix<double>&);
template real_t<std::complex<float>> lanhe(Runtime&, Norm, Uplo, const TileMatrix<std::complex<float>>&);
template real_t<std::complex<double>> lanhe(Runtime&, Norm, Uplo, const TileMatrix<std::complex<double>>&);

template real_t<float> lantr(Runtime&, Norm, Uplo, Diag, const TileMatrix<float>&);
template real_t<double> lantr(Runtime&, Norm, Uplo, Diag, const TileMatrix<double>&);
template real_t<std::complex<float>> lantr(Runtime&, Norm, Uplo, Diag,
                                           const TileMatrix<std::complex<float>>&);
template real_t<std::complex<double>> lantr(Runtime&, Norm, Uplo, Diag,
                                            const TileMatrix<std::complex<double>>&);

}  // namespace tessera
