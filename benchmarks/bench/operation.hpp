// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tessera/algorithms/blas3.hpp"
#include "tessera/algorithms/lu.hpp"
#include "tessera/algorithms/reduction_tree.hpp"
#include "tessera/distribution.hpp"
#include "tessera/plan.hpp"
#include "tessera/runtime.hpp"
#include "tessera/types.hpp"

/// \file
/// What the programs can run and plan. A new operation is a file in operations/ that derives a class template from Operation
/// and registers it, and its line in benchmarks/CMakeLists.txt.

namespace tessera::bench {

/// One configuration of an operation.
struct Case {
  char type = 'd';
  Index m = 0;
  Index n = 0;
  Index k = 0;
  Index nrhs = 1;
  Index nb = 0;  ///< 0: chosen
  Op op_a = Op::no_trans;
  Op op_b = Op::no_trans;
  Side side = Side::Left;
  Uplo uplo = Uplo::Lower;
  Diag diag = Diag::NonUnit;
  Stationary stationary = Stationary::automatic;
  Pivoting pivoting = Pivoting::partial;
  TreePtr tree;                    ///< null: chosen
  Index ib = 0;                    ///< inner block of QR; 0: chosen
  DistributionPtr distribution;    ///< of the matrix with a triangle; of gemm's A and C
  DistributionPtr distribution_b;  ///< of the other operands; null: as the operation has it
  std::uint64_t seed = 1;
};

/// Sizes as they are reported: the matrix is m x n, k is the operation's third extent if it has one.
struct Shape {
  Index m = 0;
  Index n = 0;
  std::optional<Index> k = {};
};

/// Tiles that have to be sent at least, by all ranks together (leading terms).
struct Bounds {
  double owner_computes;      ///< one copy of the matrix, every task on the owner, balanced at every step
  double memory_dependent;    ///< no more memory per rank than its share of the matrix
  double memory_independent;  ///< any memory
};

/// An operation on one case, with its matrices. All functions are collective.
class Operation {
 public:
  virtual ~Operation() = default;

  virtual Shape shape() const = 0;
  virtual Index tile_size() const = 0;
  /// Real operations of one run.
  virtual double flops() const = 0;
  /// What P ranks must send at least, where that is known.
  virtual std::optional<Bounds> bounds(Rank /*P*/) const { return {}; }

  /// Sets the operands to what they shall be before a run.
  virtual void prepare() = 0;
  /// The run, which is timed from here until sequence.wait() has returned.
  virtual void submit(Sequence& sequence) = 0;
  /// The residual of the run's result.
  virtual double residual() = 0;

  /// The same by the machine's LAPACK on a column-major copy, on one rank.
  virtual void prepare_vendor() = 0;
  /// \return LAPACK's info
  virtual Index run_vendor() = 0;
};

/// Calls f<T>() for the type with LAPACK's letter `letter`. \return whether there is one
template <class F>
bool with_type(char letter, F&& f) {
  const auto matches = [&]<Scalar T>(std::type_identity<T>) {
    if (type_letter<T> != letter) return false;
    f.template operator()<T>();
    return true;
  };
  return matches(std::type_identity<float>{}) || matches(std::type_identity<double>{}) ||
         matches(std::type_identity<std::complex<float>>{}) ||
         matches(std::type_identity<std::complex<double>>{});
}

inline bool is_type(char letter) {
  return with_type(letter, []<Scalar T>() {});
}

/// Makes the operation called `name`, which must be one of operation_names().
std::unique_ptr<Operation> make_operation(const std::string& name, Runtime& runtime, const Case& c);
std::vector<std::string> operation_names();

/// The extent that makes the operation's other operands wide or narrow beside its square matrix; null if it has none.
Index Case::*columns_of(const std::string& name);

/// The call of an operation for the planner; the case's distribution does not matter.
PlannedCall planned_call(const std::string& name, const Case& c);

using OperationFactory = std::unique_ptr<Operation> (*)(Runtime&, const Case&);

/// The factory of an operation that is a template over the element type.
template <template <class> class Op>
std::unique_ptr<Operation> make(Runtime& runtime, const Case& c) {
  std::unique_ptr<Operation> operation;
  with_type(c.type, [&]<Scalar T>() { operation = std::make_unique<Op<T>>(runtime, c); });
  return operation;
}

/// A constant of this type makes an operation known: `const Registration potrf("potrf", make<Potrf>);`
class Registration {
 public:
  /// \param columns  see columns_of()
  Registration(std::string name, OperationFactory factory, Index Case::*columns = nullptr);
};

}  // namespace tessera::bench
