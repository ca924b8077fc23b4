// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "src/argument_check.hpp"
#include "tessera/distributions/block_cyclic_2d.hpp"
#include "tessera/distributions/registry.hpp"

namespace tessera {

Op compose(Op outer, Op inner, bool complex) {
  if (outer == Op::no_trans) return inner;
  if (inner == Op::no_trans) return complex ? outer : Op::conj_trans;
  if (complex && outer != inner) {
    throw ArgumentError("compose", "op", "conjugate without transpose", "BLAS has no such operation");
  }
  return Op::no_trans;
}

Index default_tile_size(const Runtime& runtime, Index extent) {
  // Enough tiles that every worker finds tasks to the end (a tile Cholesky of t x t tiles has a critical path of
  // about 3t of t^3/6 tasks), but tiles large enough for the BLAS to run near its peak. The constants are from
  // sweeps of `tessera-bench OP --n 1000,2000,4000,8000 --nb ...` for potrf, getrf, gemm and trmm on 2 workers.
  constexpr Index smallest = 128, largest = 800;
  constexpr Index granule = 8;  // a cache line of doubles
  if (extent <= smallest) return std::max<Index>(extent, 1);
  const auto workers = static_cast<double>(runtime.num_workers()) * runtime.num_ranks();
  const double wanted = 5.2 * std::pow(static_cast<double>(extent), 0.6) / std::sqrt(workers);
  const Index target = std::clamp(static_cast<Index>(wanted), smallest, largest);
  const Index tiles = (extent + target - 1) / target;
  const Index even = (extent + tiles - 1) / tiles;
  const Index rounded = (even + granule - 1) / granule * granule;
  const Index last = extent - (tiles - 1) * rounded;
  return last > rounded / 2 ? rounded : even;  // rounding up must not leave a sliver of a last tile
}

DistributionPtr make_distribution(const Runtime& runtime, std::string_view text) {
  detail::ArgumentCheck check(runtime, "make_distribution");
  check.same("text", text);
  DistributionPtr distribution;
  try {
    distribution = make_distribution(text, runtime.num_ranks());
  } catch (const ArgumentError& error) {
    check.require_here(false, error.argument(), error.value(), error.reason());
  } catch (const std::bad_alloc&) {
    check.require_here(false, "text", text, "needs more memory than there is");
  }
  check.done();
  return distribution;
}

DistributionPtr default_distribution(const Runtime& runtime) {
  return BlockCyclic2D::square(runtime.num_ranks());
}

template <class T>
TileMatrix<T> TileMatrix<T>::sub(Index i, Index j, Index mt, Index nt) const {
  const auto require = [](bool ok, const char* argument, Index value) {
    if (!ok) throw ArgumentError("sub", argument, std::to_string(value), "reaches beyond the matrix");
  };
  require(i >= 0 && i <= this->mt(), "i", i);
  require(j >= 0 && j <= this->nt(), "j", j);
  require(mt >= 0 && mt <= this->mt() - i, "mt", mt);
  require(nt >= 0 && nt <= this->nt() - j, "nt", nt);
  TileMatrix result = *this;
  std::tie(result.row_, result.col_) = position(i, j);
  const Index rows = std::min(mt * mb(), m() - tiling_.first_row(i));
  const Index cols = std::min(nt * nb(), n() - tiling_.first_col(j));
  result.tiling_ = Tiling(std::max<Index>(rows, 0), std::max<Index>(cols, 0), mb(), nb());
  return result;
}

template class TileMatrix<float>;
template class TileMatrix<double>;
template class TileMatrix<std::complex<float>>;
template class TileMatrix<std::complex<double>>;
template class TileMatrix<Index>;  // pivots

}  // namespace tessera
