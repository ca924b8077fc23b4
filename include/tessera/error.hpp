// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <stdexcept>
#include <string>

#include "tessera/types.hpp"

/// \file
/// Errors are of two kinds. Misuse (a wrong argument, a runtime that cannot start, a callback that throws)
/// is an exception derived from Error, the same on every rank. A numerical outcome (not positive definite,
/// singular) is an Info. The library never ends the process.

namespace tessera {

/// Base of every exception that the library throws.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument that makes no sense; thrown before anything is submitted.
class ArgumentError : public Error {
 public:
  /// The message reads "<routine>: <argument> = <value>: <reason>".
  ArgumentError(const std::string& routine, std::string argument, std::string value, std::string reason)
      : Error(routine + ": " + argument + " = " + value + ": " + reason),
        argument_(std::move(argument)),
        value_(std::move(value)),
        reason_(std::move(reason)) {}

  const std::string& argument() const noexcept { return argument_; }
  const std::string& value() const noexcept { return value_; }
  const std::string& reason() const noexcept { return reason_; }

 private:
  std::string argument_;
  std::string value_;
  std::string reason_;
};

/// The runtime cannot start or cannot do what is asked (no worker, MPI's thread level too low, ...).
class RuntimeError : public Error {
 public:
  using Error::Error;
};

/// A task threw (on this rank or another); carries the message of the first one.
class TaskError : public Error {
 public:
  using Error::Error;
};

/// Numerical outcome of a factorisation or solve, with LAPACK's meaning and the same value on every rank.
class [[nodiscard]] Info {
 public:
  Info() = default;
  /// \param index  LAPACK's positive info: 1-based global index of the first bad pivot or minor; 0 for success.
  explicit Info(Index index) : index_(index) {}

  bool ok() const noexcept { return index_ == 0; }
  /// 0, or the 1-based order of the first leading minor that is not positive definite (potrf), the index of
  /// the first exactly zero pivot (getrf), or of the first zero on the diagonal (trtri).
  Index index() const noexcept { return index_; }

  friend bool operator==(const Info&, const Info&) = default;

 private:
  Index index_ = 0;
};

}  // namespace tessera
