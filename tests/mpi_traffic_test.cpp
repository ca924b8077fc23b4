// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"

/// What real runs send, by the library's account and by StarPU's, against the plan of the same call.

namespace tessera::test {
namespace {

RuntimeOptions with_statistics() {
  RuntimeOptions options;
  options.transport_statistics = true;
  return options;
}

/// What this rank sends and receives in potrf, by the recording runtime.
template <Scalar T>
Traffic planned(const Runtime& rt, Uplo uplo, Index n, Index nb, const std::string& distribution) {
  RuntimeOptions options;
  options.backend = BackendKind::recording;
  options.recorded_ranks = rt.num_ranks();
  options.record_tasks = false;
  Runtime plan(options);
  const TileMatrix<T> A(plan, n, n, nb, make_distribution(distribution, rt.num_ranks()));
  EXPECT_TRUE(potrf(plan, uplo, A).ok());
  return plan.graph().loads()[static_cast<std::size_t>(rt.rank())].traffic;
}

/// What `call` sends and receives on this rank; checks that StarPU has counted the same bytes.
template <class Call>
Traffic traffic_of(const Runtime& rt, Call call) {
  const Traffic before = rt.traffic();
  const Index transport_before = rt.transport_bytes_sent().value();
  call();
  const Traffic traffic = rt.traffic() - before;
  EXPECT_EQ(rt.transport_bytes_sent().value() - transport_before, traffic.bytes_sent);
  return traffic;
}

template <Scalar T>
class MpiTraffic : public testing::Test {
 protected:
  Runtime rt{with_statistics()};

  /// The factor of the minimum matrix is all ones; the other triangle is as it was.
  void expect_factor(Uplo uplo, const TileMatrix<T>& A) const {
    EXPECT_TRUE(holds(
        A, [uplo](Index i, Index j) { return in_triangle(uplo, i, j) ? T{1} : minimum_entry<T>(i, j); }));
  }
};
using RealAndComplex = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(MpiTraffic, RealAndComplex);

TYPED_TEST(MpiTraffic, EachRankSendsAndReceivesWhatThePlanSaysWithEveryDistribution) {
  using T = TypeParam;
  const Index nb = 8, nt = is_complex<T> ? 12 : 24;
  for (const std::string& distribution : distribution_candidates(this->rt.num_ranks())) {
    for (const auto& [n, uplo] : {std::pair{nt * nb, Uplo::Lower}, std::pair{13 * nb - 5, Uplo::Upper}}) {
      SCOPED_TRACE(distribution + " n=" + std::to_string(n));
      const TileMatrix<T> A(this->rt, n, n, nb, make_distribution(distribution, this->rt.num_ranks()));
      fill(this->rt, A, minimum_entry<T>);
      const Traffic traffic = traffic_of(this->rt, [&] { EXPECT_TRUE(potrf(this->rt, uplo, A).ok()); });
      const Traffic plan = planned<T>(this->rt, uplo, n, nb, distribution);
      EXPECT_EQ(traffic, plan);
      if (n % nb == 0) {
        EXPECT_EQ(traffic.bytes_sent, traffic.tiles_sent * nb * nb * Index{sizeof(T)});
      }
      this->expect_factor(uplo, A);
    }
  }
}

TYPED_TEST(MpiTraffic, WhatIsSentIsReceived) {
  using T = TypeParam;
  const TileMatrix<T> A(this->rt, 100, 100, 8);
  fill(this->rt, A, minimum_entry<T>);
  const Traffic mine = traffic_of(this->rt, [&] { EXPECT_TRUE(potrf(this->rt, Uplo::Lower, A).ok()); });
  std::array all{static_cast<double>(mine.tiles_sent), static_cast<double>(mine.tiles_received),
                 static_cast<double>(mine.bytes_sent), static_cast<double>(mine.bytes_received)};
  this->rt.all_sum(all);
  EXPECT_GT(all[0], 0);
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[2], all[3]);
}

TYPED_TEST(MpiTraffic, AFailedFactorisationSendsAsMuchAndTheNextOneWorks) {
  using T = TypeParam;
  const Index n = 96, nb = 8;
  const TileMatrix<T> A(this->rt, n, n, nb);
  const auto factorise = [&](Index bad) {
    fill(this->rt, A,
         [bad](Index i, Index j) { return i == bad && j == bad ? T{0} : minimum_entry<T>(i, j); });
    Index info = -1;
    const Traffic traffic = traffic_of(this->rt, [&] { info = potrf(this->rt, Uplo::Lower, A).index(); });
    for (const double other : this->rt.all_gather(static_cast<double>(info))) {
      EXPECT_EQ(other, bad < n ? bad + 1 : 0);
    }
    return traffic;
  };
  const Traffic good = factorise(n);
  for (const Index bad : {n / 2 + 3, Index{0}, n - 1}) {
    EXPECT_EQ(factorise(bad), good);
    EXPECT_EQ(factorise(n), good);
    this->expect_factor(Uplo::Lower, A);
  }
}

TEST(MpiTransportStatistics, ASessionHasThemOrHasNot) {
  {
    Runtime without;
    EXPECT_EQ(without.transport_bytes_sent(), std::nullopt);
    EXPECT_THROW(Runtime{with_statistics()}, RuntimeError);
  }
  Runtime with(with_statistics());
  EXPECT_EQ(with.transport_bytes_sent(), 0);
  EXPECT_EQ(with.traffic(), Traffic{});
  Runtime shared;
  EXPECT_EQ(shared.transport_bytes_sent(), 0);
}

TEST(MpiTransportStatistics, TheirSwitchIsNotLeftInTheEnvironmentAndTheyPrintNothing) {
  testing::internal::CaptureStderr();
  {
    Runtime rt(with_statistics());
    const TileMatrix<double> A(rt, 32, 32, 8);
    fill(rt, A, minimum_entry<double>);
    EXPECT_TRUE(potrf(rt, Uplo::Lower, A).ok());
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  for (const char* variable : {"STARPU_COMM_STATS", "STARPU_MPI_STATS", "STARPU_SILENT"}) {
    EXPECT_EQ(std::getenv(variable), nullptr) << variable;
  }
}

}  // namespace
}  // namespace tessera::test
