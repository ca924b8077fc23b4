// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tessera/tessera.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/elements.hpp"
#include "tests/support/tiles.hpp"

// 2.5D in real runs: right to the bit, and each rank sends, by the library's and by StarPU's account, what the plan of
// the same call says, which replicated_2_5d_test compares with the reference.

namespace tessera::test {
namespace {

using Home = Replicated25D::Home;

RuntimeOptions with_statistics() {
  RuntimeOptions options;
  options.transport_statistics = true;
  return options;
}

/// More ranks than that take long on two cores; they do a part of the cases.
constexpr Rank many = 8;

/// Every number of layers over every distribution of the remaining ranks; on many ranks over one of them.
std::vector<DistributionPtr> layered(Rank num_ranks) {
  std::vector<DistributionPtr> all;
  for (Rank c = 2; c <= num_ranks; ++c) {
    if (num_ranks % c != 0) continue;
    auto bases = distribution_candidates(num_ranks / c);
    if (num_ranks > many) bases.erase(bases.begin(), bases.end() - 1);
    for (const std::string& base : bases) {
      all.push_back(make_distribution("2.5d:c=" + std::to_string(c) + "/" + base, num_ranks));
    }
  }
  return all;
}

DistributionPtr at(const DistributionPtr& layers, Home home) {
  const auto& d = dynamic_cast<const Replicated25D&>(*layers);
  return std::make_shared<Replicated25D>(d.layers(), d.base(), home);
}

template <class T>
class MpiLayers : public testing::Test {
 protected:
  Runtime rt{with_statistics()};

  /// Runs `call(runtime)`, here and on a recording runtime, and compares what this rank sends and receives.
  void expect_as_planned(const std::function<void(Runtime&)>& call) {
    RuntimeOptions options;
    options.backend = BackendKind::recording;
    options.recorded_ranks = rt.num_ranks();
    options.record_tasks = false;
    Runtime plan(options);
    call(plan);
    const Traffic before = rt.traffic();
    const Index transport_before = rt.transport_bytes_sent().value();
    call(rt);
    const Traffic traffic = rt.traffic() - before;
    EXPECT_EQ(traffic, plan.graph().loads()[static_cast<std::size_t>(rt.rank())].traffic);
    EXPECT_EQ(rt.transport_bytes_sent().value() - transport_before, traffic.bytes_sent);
  }

  /// A matrix of f on this runtime (a recording one has no elements).
  template <class F>
  static TileMatrix<T> matrix(Runtime& runtime, Index m, Index n, Index nb, const DistributionPtr& d, F f) {
    const TileMatrix<T> A(runtime, m, n, nb, d);
    if (runtime.backend_kind() != BackendKind::recording) set_directly(A, f);
    return A;
  }
};
using RealAndComplex = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(MpiLayers, RealAndComplex);

TYPED_TEST(MpiLayers, CholeskyIsExactAndSendsWhatThePlanSays) {
  using T = TypeParam;
  const Index nb = 5;
  for (const auto& d : layered(this->rt.num_ranks())) {
    for (const Home home : {Home::diagonal, Home::base}) {
      for (const auto& [n, uplo] : {std::pair{12 * nb, Uplo::Lower}, std::pair{9 * nb - 2, Uplo::Upper}}) {
        const DistributionPtr layers = at(d, home);
        SCOPED_TRACE(layers->name() + " n=" + std::to_string(n));
        this->expect_as_planned([&, n = n, uplo = uplo](Runtime& on) {
          const auto A = this->matrix(on, n, n, nb, layers, [&](Index i, Index j) {
            return in_triangle(uplo, i, j) ? minimum_entry<T>(i, j) : marked_nan<T>();
          });
          EXPECT_TRUE(potrf(on, uplo, A).ok());
          EXPECT_TRUE(
              holds(A, [&](Index i, Index j) { return in_triangle(uplo, i, j) ? T{1} : marked_nan<T>(); }));
        });
      }
    }
  }
}

TYPED_TEST(MpiLayers, ProductsAreExactAndSendWhatThePlanSays) {
  using T = TypeParam;
  const Index n = 23, m = 14, nb = 4;
  const T alpha = scalar<T>(2, 1), beta = scalar<T>(-1, 2);
  const auto a = [](Index i, Index j) { return integer_entry<T>(1, i, j); };
  const auto b = [](Index i, Index j) { return integer_entry<T>(2, i, j); };
  const auto c = [](Index i, Index j) { return integer_entry<T>(3, i, j); };
  const auto mirrored = [&](Index i, Index j) { return i >= j ? a(i, j) : a(j, i); };
  const auto expected = [&](const auto& left, Index i, Index j) {
    T sum{};
    for (Index l = 0; l < n; ++l) sum += left(i, l) * b(l, j);
    return alpha * sum + beta * c(i, j);
  };
  for (const auto& d : layered(this->rt.num_ranks())) {
    for (const bool spread : {true, false}) {
      SCOPED_TRACE(d->name() + (spread ? " spread" : " base"));
      const auto home = [&](Home h) { return at(d, spread ? h : Home::base); };
      for (const Stationary stationary :
           {Stationary::a, Stationary::b, Stationary::c, Stationary::automatic}) {
        this->expect_as_planned([&](Runtime& on) {
          const auto A = this->matrix(on, n, n, nb, home(Home::columns), a);
          const auto B = this->matrix(on, n, m, nb, home(Home::rows), b);
          const auto C = this->matrix(on, n, m, nb, home(Home::spread), c);
          gemm<T>(on, alpha, A, B, beta, C, {.stationary = stationary});
          EXPECT_TRUE(holds(C, [&](Index i, Index j) { return expected(a, i, j); }));
        });
        this->expect_as_planned([&](Runtime& on) {
          const auto A = this->matrix(on, n, n, nb, home(Home::spread),
                                      [&](Index i, Index j) { return i >= j ? a(i, j) : marked_nan<T>(); });
          const auto B = this->matrix(on, n, m, nb, home(Home::columns), b);
          const auto C = this->matrix(on, n, m, nb, home(Home::columns), c);
          symm<T>(on, Side::Left, Uplo::Lower, alpha, A, B, beta, C, {.stationary = stationary});
          EXPECT_TRUE(holds(C, [&](Index i, Index j) { return expected(mirrored, i, j); }));
        });
      }
      this->expect_as_planned([&](Runtime& on) {
        const auto A = this->matrix(on, n, m, nb, home(Home::columns), a);
        const auto C = this->matrix(on, n, n, nb, home(Home::spread),
                                    [&](Index i, Index j) { return i >= j ? c(i, j) : marked_nan<T>(); });
        syrk<T>(on, Uplo::Lower, alpha, A, beta, C);
        EXPECT_TRUE(holds(C, [&](Index i, Index j) {
          if (i < j) return marked_nan<T>();
          T sum{};
          for (Index l = 0; l < m; ++l) sum += a(i, l) * a(j, l);
          return alpha * sum + beta * c(i, j);
        }));
      });
      this->expect_as_planned([&](Runtime& on) {
        const auto A = this->matrix(on, n, m, nb, home(Home::columns), a);
        const auto C = this->matrix(on, n, n, nb, home(Home::spread), c);  // the diagonal counts as real
        herk<T>(on, Uplo::Upper, 3, A, 1, C);
        EXPECT_TRUE(holds(C, [&](Index i, Index j) {
          if (i > j) return c(i, j);
          T sum{};
          for (Index l = 0; l < m; ++l) sum += a(i, l) * conjugate(a(j, l));
          return T{3} * sum + (i == j ? T{real_part(c(i, j))} : c(i, j));
        }));
      });
    }
  }
}

// F1: beta = 0 never reads C, nor what a partial sum finds in its memory.
TYPED_TEST(MpiLayers, WithBetaZeroNoOldNanReachesTheResult) {
  using T = TypeParam;
  if (this->rt.num_ranks() % 2 != 0) GTEST_SKIP() << "two layers need an even number of ranks";
  const auto d = make_distribution("2.5d:c=2/2dbc", this->rt.num_ranks());
  const auto nan = [](Index, Index) { return marked_nan<T>(); };
  for (int repetition = 0; repetition < 3; ++repetition) {  // memory that was used for NaNs before
    const auto A = this->matrix(this->rt, 7, 9, 3, d, [](Index, Index) { return T{1}; });
    const auto B = this->matrix(this->rt, 9, 7, 3, d, [](Index, Index) { return T{2}; });
    const auto C = this->matrix(this->rt, 7, 7, 3, d, nan), D = this->matrix(this->rt, 7, 7, 3, d, nan);
    gemm<T>(this->rt, 1, A, B, 0, C);
    EXPECT_TRUE(holds(C, [](Index, Index) { return T{18}; }));
    const auto N = this->matrix(this->rt, 7, 9, 3, d, nan);
    gemm<T>(this->rt, 1, N, B, 1, D);  // leaves NaNs in the memory of all parts
    gemm<T>(this->rt, 0, N, B, 0, D);
    EXPECT_TRUE(holds(D, [](Index, Index) { return T{0}; }));
  }
}

TYPED_TEST(MpiLayers, ABadPivotIsReportedEverywhereAndTheNextCallWorks) {
  using T = TypeParam;
  const Index n = 40, nb = 4;
  for (const Home home : {Home::diagonal, Home::base}) {
    const auto A = TileMatrix<T>(this->rt, n, n, nb, at(layered(this->rt.num_ranks()).front(), home));
    for (const Index bad : {n / 2 + 3, n, Index{0}, n - 1, n}) {
      set_directly(A, [&](Index i, Index j) { return i == bad && j == bad ? T{0} : minimum_entry<T>(i, j); });
      const Index info = potrf(this->rt, Uplo::Lower, A).index();
      for (const double other : this->rt.all_gather(static_cast<double>(info))) {
        EXPECT_EQ(other, bad < n ? bad + 1 : 0);
      }
      if (bad == n) {
        EXPECT_TRUE(holds(A, [](Index i, Index j) { return i >= j ? T{1} : minimum_entry<T>(i, j); }));
      }
    }
  }
}

TYPED_TEST(MpiLayers, OtherAlgorithmsAndSubMatricesWorkToo) {
  using T = TypeParam;
  if (this->rt.num_ranks() > many) GTEST_SKIP() << "too long on many ranks";
  const Index n = 33, nb = 4, nrhs = 7;
  for (const auto& d : layered(this->rt.num_ranks())) {
    for (const Home home : {Home::diagonal, Home::base, Home::rows, Home::columns, Home::spread}) {
      SCOPED_TRACE(at(d, home)->name());
      // A part of a matrix, so that its steps and its homes are out of step.
      const auto whole = this->matrix(this->rt, n + nb, n + nb, nb, at(d, home), [&](Index i, Index j) {
        return i < nb || j < nb ? marked_nan<T>() : minimum_entry<T>(i - nb, j - nb);
      });
      const auto A = whole.sub(1, 1, whole.mt() - 1, whole.nt() - 1);
      // x = (1, 2, ...), in integers.
      const auto B = this->matrix(this->rt, n, nrhs, nb, at(d, home), [&](Index i, Index j) {
        T sum{};
        for (Index l = 0; l < n; ++l) sum += minimum_entry<T>(i, l) * T(static_cast<real_t<T>>(l + j));
        return sum;
      });
      EXPECT_TRUE(posv(this->rt, Uplo::Lower, A, B).ok());
      EXPECT_TRUE(holds(B, [](Index i, Index j) { return T(static_cast<real_t<T>>(i + j)); }));
      EXPECT_TRUE(potri(this->rt, Uplo::Lower, A).ok());  // the second difference
      EXPECT_TRUE(holds(whole, [&](Index i, Index j) {
        if (i < nb || j < nb) return marked_nan<T>();
        const Index r = i - nb, c = j - nb;
        if (r < c) return minimum_entry<T>(r, c);
        return r == c ? T(r == n - 1 ? 1 : 2) : r == c + 1 ? T{-1} : T{0};
      }));
    }
  }
}

}  // namespace
}  // namespace tessera::test
