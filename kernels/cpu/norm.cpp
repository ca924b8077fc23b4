// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "kernels/norm.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

namespace tessera::kernel {
namespace {

// Sums of squares between these bounds are taken as they come: entries whose squares overflow would have made
// the sum too large, and what underflows is below 2^-1022, nothing beside a sum above 2^-900. Up to 2^120
// such sums can still be added.
constexpr double tiny_sum = 0x1p-900;
constexpr double huge_sum = 0x1p+900;
// Powers of two (exact) that bring 2^-1074 .. 2^-450 and 2^430 .. 2^1024 to where squares are safe.
constexpr double small_unit = 0x1p-700;
constexpr double large_unit = 0x1p+600;

double magnitude(float x) { return std::abs(static_cast<double>(x)); }
double magnitude(double x) { return std::abs(x); }
double magnitude(std::complex<float> x) {  // squares of floats fit in doubles
  const double re = x.real(), im = x.imag();
  return std::sqrt(re * re + im * im);
}
double magnitude(std::complex<double> x) {
  const double re = x.real(), im = x.imag();
  const double square = re * re + im * im;
  if (square > tiny_sum && square < huge_sum) return std::sqrt(square);
  // hypot(Inf, NaN) is Inf; here NaN wins.
  if (std::isnan(re) || std::isnan(im)) return std::numeric_limits<double>::quiet_NaN();
  return std::hypot(re, im);
}

/// Reduces map(x) for all x, from 0. The lanes are independent, so that the compiler may keep them in vector
/// registers without changing the order of any sum.
template <class T, class Map, class Combine>
double reduce(std::span<const T> x, Map map, Combine combine) {
  constexpr std::size_t lanes = 8;
  double lane[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= x.size(); k += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) lane[l] = combine(lane[l], map(x[k + l]));
  }
  for (; k < x.size(); ++k) lane[0] = combine(lane[0], map(x[k]));
  double result = 0;
  for (const double part : lane) result = combine(result, part);
  return result;
}

/// Adjacent entries of a column, the first of them in row `row` of the tile.
template <Scalar T>
struct Run {
  Index row;
  std::span<const T> entries;
};

template <Scalar T>
double largest(Run<T> run) {
  return reduce(
      run.entries, [](T x) { return magnitude(x); }, max_or_nan);
}

template <Scalar T>
double sum(Run<T> run) {
  return reduce(
      run.entries, [](T x) { return magnitude(x); }, std::plus<>{});
}

template <Scalar T>
void add_to(double* sums, Run<T> run) {
  double* w = sums + run.row;
  for (const T& x : run.entries) *w++ += magnitude(x);
}

template <Scalar T>
double squares(Run<T> run, double unit) {
  // A complex array is an array of its real and imaginary parts ([complex.numbers]).
  using Real = real_t<T>;
  const std::span<const Real> parts(reinterpret_cast<const Real*>(run.entries.data()),
                                    run.entries.size() * (sizeof(T) / sizeof(Real)));
  const double scale = 1 / unit;
  const auto square = [scale](Real x) {
    const double scaled = static_cast<double>(x) * scale;
    return scaled * scaled;
  };
  return reduce(parts, square, std::plus<>{});
}

template <Scalar T>
SumOfSquares squares(Run<T> run) {
  const double plain = squares(run, 1);
  if (plain > tiny_sum && plain < huge_sum) return {.middling = plain};
  if (plain <= tiny_sum) return {.small = squares(run, small_unit)};
  return {.large = squares(run, large_unit)};
}

/// Calls visit(c, off, on) for every column c: `off` are its entries off the matrix's diagonal and `on` is
/// its entry on the diagonal as it is to be taken; one of them or both may be empty. For a general region
/// `off` is the whole column.
template <Scalar T, class Visit>
void for_each_column(const Entries& entries, Tile<const T> a, Visit&& visit) {
  const auto& [region, diagonal] = entries;
  for (Index c = 0; c < a.cols; ++c) {
    Index begin = region.begin(c, a.rows);
    Index end = region.end(c, a.rows);
    const Index d = region.diagonal(c);
    const bool on_diagonal = region.uplo != Uplo::General && begin <= d && d < end;
    T entry{};
    if (on_diagonal) {
      switch (diagonal) {
        case DiagonalEntry::stored:
          entry = a(d, c);
          break;
        case DiagonalEntry::real:
          entry = T(real_part(a(d, c)));
          break;
        case DiagonalEntry::one:
          entry = T(1);
          break;
      }
      // The diagonal is where a triangle's column begins or ends.
      (region.uplo == Uplo::Lower ? begin : end) = region.uplo == Uplo::Lower ? d + 1 : d;
    }
    visit(c, Run<T>{begin, {a.data + begin + c * a.ld, static_cast<std::size_t>(end - begin)}},
          Run<T>{d, {&entry, on_diagonal ? std::size_t{1} : std::size_t{0}}});
  }
}

}  // namespace

SumOfSquares& SumOfSquares::operator+=(const SumOfSquares& other) noexcept {
  small += other.small;
  middling += other.middling;
  large += other.large;
  return *this;
}

double SumOfSquares::root() const noexcept {
  const auto in_units = [](double value, double unit) { return value / unit / unit; };
  if (large != 0) return large_unit * std::sqrt(large + in_units(middling, large_unit));  // also NaN, Inf
  if (middling != 0) return std::sqrt(middling + in_units(small, 1 / small_unit));
  return small_unit * std::sqrt(small);
}

template <Scalar T>
void max_abs<T>::cpu(Tile<const T> a, OutTile<double> w) const {
  double result = 0;
  for_each_column(entries, a, [&](Index, Run<T> off, Run<T> on) {
    result = max_or_nan(result, max_or_nan(largest(off), largest(on)));
  });
  w(0, 0) = result;
}

template <Scalar T>
void column_sums<T>::cpu(Tile<const T> a, OutTile<double> w) const {
  for_each_column(entries, a, [&](Index c, Run<T> off, Run<T> on) { w(0, c) = sum(off) + sum(on); });
}

template <Scalar T>
void row_sums<T>::cpu(Tile<const T> a, OutTile<double> w) const {
  std::fill_n(w.data, w.rows, 0.0);
  for_each_column(entries, a, [&](Index, Run<T> off, Run<T> on) {
    add_to(w.data, off);
    add_to(w.data, on);
  });
}

template <Scalar T>
void symmetric_sums<T>::cpu(Tile<const T> a, OutTile<double> columns, OutTile<double> rows) const {
  std::fill_n(rows.data, rows.rows, 0.0);
  for_each_column(entries, a, [&](Index c, Run<T> off, Run<T> on) {
    columns(0, c) = sum(off) + sum(on);
    add_to(rows.data, off);  // the column is in the cache now
  });
}

template <Scalar T>
void sum_squares<T>::cpu(Tile<const T> a, OutTile<double> w) const {
  SumOfSquares result;
  for_each_column(entries, a, [&](Index, Run<T> off, Run<T> on) {
    result += weight * squares(off);
    result += squares(on);
  });
  w(0, 0) = result.small;
  w(1, 0) = result.middling;
  w(2, 0) = result.large;
}

template struct max_abs<float>;
template struct max_abs<double>;
template struct max_abs<std::complex<float>>;
template struct max_abs<std::complex<double>>;

template struct column_sums<float>;
template struct column_sums<double>;
template struct column_sums<std::complex<float>>;
template struct column_sums<std::complex<double>>;

template struct row_sums<float>;
template struct row_sums<double>;
template struct row_sums<std::complex<float>>;
template struct row_sums<std::complex<double>>;

template struct symmetric_sums<float>;
template struct symmetric_sums<double>;
template struct symmetric_sums<std::complex<float>>;
template struct symmetric_sums<std::complex<double>>;

template struct sum_squares<float>;
template struct sum_squares<double>;
template struct sum_squares<std::complex<float>>;
template struct sum_squares<std::complex<double>>;

}  // namespace tessera::kernel
