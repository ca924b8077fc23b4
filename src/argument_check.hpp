// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "tessera/error.hpp"
#include "tessera/matrix.hpp"
#include "tessera/runtime.hpp"

namespace tessera::detail {

/// The checks at the head of a public routine, collective over the ranks of the runtime.
///
///     ArgumentCheck check(runtime, "potrf");
///     check.require(A.m() == A.n(), "A.n()", A.n(), "the matrix must be square");
///     check.done();
///
/// Each `require` also notes its value. done() throws if any rank found a fault or if the ranks noted different
/// values: the same ArgumentError everywhere, so that no rank goes on alone and waits for ever.
class ArgumentCheck {
 public:
  ArgumentCheck(const Runtime& runtime, std::string_view routine) : runtime_(runtime), routine_(routine) {}

  /// Notes `value` and, if not `ok`, that it is at fault. Later faults do not replace the first.
  template <class Value>
  ArgumentCheck& require(bool ok, std::string_view argument, const Value& value, std::string_view reason) {
    std::string text = to_text(value);
    note(argument, text);
    if (!ok) fail(argument, std::move(text), reason);
    return *this;
  }

  /// The same for a value that may differ between ranks (an address, a leading dimension on one rank).
  template <class Value>
  ArgumentCheck& require_here(bool ok, std::string_view argument, const Value& value,
                              std::string_view reason) {
    if (!ok) fail(argument, to_text(value), reason);
    return *this;
  }

  /// Notes a value that has no wrong values but must be the same on all ranks.
  template <class Value>
  ArgumentCheck& same(std::string_view argument, const Value& value) {
    return require(true, argument, value, {});
  }

  /// A value of an enumeration; a cast can make others.
  template <class Value>
  ArgumentCheck& one_of(std::string_view argument, Value value, std::initializer_list<Value> allowed,
                        std::string_view reason) {
    return require(std::ranges::find(allowed, value) != allowed.end(), argument, value, reason);
  }
  /// Room for those of single tasks below and above it.
  ArgumentCheck& priority(int priority) {
    constexpr int largest = 1'000'000'000;
    return require(-largest <= priority && priority <= largest, "priority", priority,
                   "must be between -10^9 and 10^9");
  }
  ArgumentCheck& triangle(Uplo uplo) {
    return one_of("uplo", uplo, {Uplo::Lower, Uplo::Upper}, "must be Lower or Upper");
  }
  ArgumentCheck& part(Uplo uplo) {
    return one_of("uplo", uplo, {Uplo::Lower, Uplo::Upper, Uplo::General}, "must be Lower, Upper or General");
  }
  ArgumentCheck& diag(Diag diag) {
    return one_of("diag", diag, {Diag::NonUnit, Diag::Unit}, "must be NonUnit or Unit");
  }
  ArgumentCheck& norm(Norm norm) {
    return one_of("norm", norm, {Norm::max, Norm::one, Norm::inf, Norm::frobenius},
                  "must be max, one, inf or frobenius");
  }

  /// The matrix belongs to this runtime; its shape, tiles and distribution are noted, and which matrix it is.
  template <class T>
  ArgumentCheck& matrix(std::string_view argument, const TileMatrix<T>& A) {
    require_here(&A.storage()->backend() == runtime_.backend().get(), argument, shape_text(A),
                 "the matrix belongs to another runtime");
    same(argument, shape_text(A));
    if (A.mt() > 0 && A.nt() > 0) {
      const TaskArgument first = A(0, 0).stored().argument();
      same("first tile", A.storage()->tile_id(first.i, first.j));
    }
    return *this;
  }

  /// Collective.
  void done();

 private:
  template <class Value>
  static std::string to_text(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
      return std::string(1, static_cast<char>(value));
    } else if constexpr (std::is_pointer_v<Value>) {
      return value == nullptr ? "null" : "an address";
    } else if constexpr (is_complex<Value>) {
      return fmt::format("({},{})", value.real(), value.imag());
    } else {
      return fmt::format("{}", value);
    }
  }
  template <class T>
  static std::string shape_text(const TileMatrix<T>& A) {
    return fmt::format("{} x {} in {} x {} tiles ({}, op {})", A.m(), A.n(), A.mb(), A.nb(),
                       A.distribution().name(), static_cast<char>(A.op()));
  }
  void note(std::string_view argument, std::string_view value) {
    noted_ += fmt::format("{}{} = {}", noted_.empty() ? "" : ", ", argument, value);
  }
  void fail(std::string_view argument, std::string value, std::string_view reason) {
    if (!argument_.empty()) return;
    argument_ = std::string(argument);
    value_ = std::move(value);
    reason_ = std::string(reason);
  }

  const Runtime& runtime_;
  std::string routine_;
  std::string noted_;
  std::string argument_, value_, reason_;  // the first fault on this rank; argument_ is empty without one
};

/// A task cannot read and write one tile under two names. The answer is the same on every rank.
/// \param a_name,b_name  what the routine calls A and B
/// \throws ArgumentError naming B when A and B have a tile in common
template <class T>
void require_disjoint(const char* routine, const TileMatrix<T>& A, const TileMatrix<T>& B,
                      std::string_view a_name = "A", std::string_view b_name = "B") {
  if (A.storage() != B.storage() || A.mt() * A.nt() == 0 || B.mt() * B.nt() == 0) return;
  const auto position = [](const TileMatrix<T>& X, Index i, Index j) { return X(i, j).stored().argument(); };
  const auto a_first = position(A, 0, 0), a_last = position(A, A.mt() - 1, A.nt() - 1);
  const auto b_first = position(B, 0, 0), b_last = position(B, B.mt() - 1, B.nt() - 1);
  const bool apart =
      a_last.i < b_first.i || b_last.i < a_first.i || a_last.j < b_first.j || b_last.j < a_first.j;
  if (apart) return;
  throw ArgumentError(routine, std::string(b_name), fmt::format("a view of {}'s tiles", a_name),
                      fmt::format("{} and {} must not share tiles", a_name, b_name));
}

}  // namespace tessera::detail
