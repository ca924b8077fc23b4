// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors

/// \file
/// tessera-kernels: the rate of each tile kernel on one core, and its ratio to gemm's at the same tile size; the
/// vendor's routine beside each kernel that is not simply a call of it. Rates are those of the fastest run.
/// One type, size or kernel: --benchmark_filter='d/256/.*', 'trsm' and so on.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernels/cpu/blas.hpp"
#include "kernels/cpu/lapack.hpp"
#include "kernels/gemm.hpp"
#include "kernels/hemm.hpp"
#include "kernels/her2k.hpp"
#include "kernels/herk.hpp"
#include "kernels/lauum.hpp"
#include "kernels/potrf.hpp"
#include "kernels/symm.hpp"
#include "kernels/syr2k.hpp"
#include "kernels/syrk.hpp"
#include "kernels/trmm.hpp"
#include "kernels/trsm.hpp"
#include "kernels/trtri.hpp"
#include "tessera/blas.hpp"
#include "tessera/flops.hpp"

namespace {

using namespace tessera;

/// Two operands and a fresh copy of the third one for every run.
template <Scalar T>
class Workspace {
 public:
  explicit Workspace(Index n) : n_(n), a_(size()), b_(size()), c_(size()) {
    std::mt19937 random(1);
    std::uniform_real_distribution<real_t<T>> entry(-1, 1);
    for (T& x : a_) x = entry(random);
    for (T& x : b_) x = entry(random);
    for (Index i = 0; i < n; ++i) a()(i, i) = static_cast<real_t<T>>(2 * n);  // also positive definite
  }

  Tile<T> a() { return {a_.data(), n_, n_, n_}; }
  Tile<T> b() { return {b_.data(), n_, n_, n_}; }
  Tile<T> c() { return {c_.data(), n_, n_, n_}; }
  void reset() { c_ = a_; }

 private:
  std::size_t size() const { return static_cast<std::size_t>(n_ * n_); }

  Index n_;
  std::vector<T> a_, b_, c_;
};

template <Scalar T>
using Call = std::function<void(Tile<T> a, Tile<T> b, Tile<T> c)>;

/// Times `call` and reports its best rate, also relative to that of gemm, which is registered first.
template <Scalar T>
void add(Index n, const std::string& name, double flops, Call<T> call) {
  const auto run = [=](benchmark::State& state) {
    static std::map<Index, double> gemm_rate;
    Workspace<T> tiles(n);
    double best = std::numeric_limits<double>::infinity();
    for (auto _ : state) {
      tiles.reset();
      const auto start = std::chrono::steady_clock::now();
      call(tiles.a(), tiles.b(), tiles.c());
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      state.SetIterationTime(seconds.count());
      best = std::min(best, seconds.count());
    }
    const double rate = flops / best / 1e9;
    if (name == "gemm") gemm_rate[n] = rate;
    state.counters["Gflop/s"] = rate;
    if (gemm_rate.contains(n)) state.counters["of_gemm"] = rate / gemm_rate[n];
  };
  const std::string full_name = std::string(1, type_letter<T>) + '/' + std::to_string(n) + '/' + name;
  benchmark::RegisterBenchmark(full_name.c_str(), run)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond)
      ->MinTime(0.05);
}

template <Scalar T>
void add_kernels(Index n) {
  using enum Op;
  using namespace kernel;
  const double half = flops::trsm<T>(Side::Left, n, n);
  add<T>(n, "gemm", flops::gemm<T>(n, n, n), [](auto a, auto b, auto c) {
    gemm<T>{no_trans, conj_trans, T(-1), T(1)}.cpu(a, b, c);
  });
  for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
    for (const Op op : {no_trans, conj_trans}) {
      const auto letters = std::string("/") + static_cast<char>(uplo) + static_cast<char>(op);
      const auto rank_k = std::string(herk<T>::name) + letters,
                 rank_2k = std::string(her2k<T>::name) + letters;
      add<T>(n, rank_k, flops::herk<T>(n, n), [=](auto a, auto, auto c) {
        herk<T>{uplo, op, -1, 1}.cpu(a, c);
      });
      add<T>(n, rank_k + "/vendor", flops::herk<T>(n, n),
             [=](auto a, auto, auto c) { vendor::herk<T>(uplo, op, -1, a, 1, c); });
      add<T>(n, rank_2k, flops::her2k<T>(n, n), [=](auto a, auto b, auto c) {
        her2k<T>{uplo, op, op, T(-1), 1}.cpu(a, b, c);
      });
      add<T>(n, rank_2k + "/vendor", flops::her2k<T>(n, n),
             [=](auto a, auto b, auto c) { vendor::her2k<T>(uplo, op, T(-1), a, b, 1, c); });
    }
  }
  for (const Side side : {Side::Left, Side::Right}) {
    for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
      const auto product =
          std::string(hemm<T>::name) + '/' + static_cast<char>(side) + static_cast<char>(uplo);
      for (const Op op_b : {no_trans, conj_trans}) {
        add<T>(n, product + static_cast<char>(op_b), flops::hemm<T>(side, n, n), [=](auto a, auto b, auto c) {
          hemm<T>{side, uplo, op_b, T(-1), T(1)}.cpu(a, b, c);
        });
      }
      add<T>(n, product + "/vendor", flops::hemm<T>(side, n, n),
             [=](auto a, auto b, auto c) { vendor::hemm<T>(side, uplo, T(-1), a, b, T(1), c); });
    }
  }
  if constexpr (is_complex<T>) {
    add<T>(n, "syrk", flops::syrk<T>(n, n), [](auto a, auto, auto c) {
      syrk<T>{Uplo::Lower, no_trans, T(-1), T(1)}.cpu(a, c);
    });
    add<T>(n, "syr2k", flops::syr2k<T>(n, n), [](auto a, auto b, auto c) {
      syr2k<T>{Uplo::Lower, no_trans, no_trans, T(-1), T(1)}.cpu(a, b, c);
    });
    add<T>(n, "symm", flops::symm<T>(Side::Left, n, n), [](auto a, auto b, auto c) {
      symm<T>{Side::Left, Uplo::Lower, no_trans, T(-1), T(1)}.cpu(a, b, c);
    });
  }

  for (const Side side : {Side::Left, Side::Right}) {
    for (const Op op : {no_trans, conj_trans}) {
      const auto letters = std::string("/") + static_cast<char>(side) + static_cast<char>(op);
      add<T>(n, "trsm" + letters, half, [=](auto a, auto, auto c) {
        trsm<T>{side, Uplo::Lower, op, Diag::NonUnit, T(1)}.cpu(a, c);
      });
      add<T>(n, "trsm" + letters + "/vendor", half, [=](auto a, auto, auto c) {
        vendor::trsm<T>(side, Uplo::Lower, op, Diag::NonUnit, T(1), a, c);
      });
      add<T>(n, "trmm" + letters, half, [=](auto a, auto, auto c) {
        trmm<T>{side, Uplo::Lower, op, Diag::NonUnit, T(1)}.cpu(a, c);
      });
      add<T>(n, "trmm" + letters + "/vendor", half, [=](auto a, auto, auto c) {
        vendor::trmm<T>(side, Uplo::Lower, op, Diag::NonUnit, T(1), a, c);
      });
    }
  }
  for (const Uplo uplo : {Uplo::Lower, Uplo::Upper}) {
    const auto letter = std::string("/") + static_cast<char>(uplo);
    add<T>(n, "potrf" + letter, flops::potrf<T>(n), [=](auto, auto, auto c) { potrf<T>{uplo}.cpu(c); });
    add<T>(n, "potrf" + letter + "/vendor", flops::potrf<T>(n),
           [=](auto, auto, auto c) { vendor::potrf<T>(uplo, c); });
    add<T>(n, "trtri" + letter, flops::trtri<T>(n), [=](auto, auto, auto c) {
      trtri<T>{uplo, Diag::NonUnit}.cpu(c);
    });
    add<T>(n, "trtri" + letter + "/vendor", flops::trtri<T>(n),
           [=](auto, auto, auto c) { vendor::trtri<T>(uplo, Diag::NonUnit, c); });
    add<T>(n, "lauum" + letter, flops::lauum<T>(n), [=](auto, auto, auto c) { lauum<T>{uplo}.cpu(c); });
    add<T>(n, "lauum" + letter + "/vendor", flops::lauum<T>(n),
           [=](auto, auto, auto c) { vendor::lauum<T>(uplo, c); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  restart_with_best_blas_kernel(argv);
  const SingleThreadedBlas one_thread;
  for (const Index n : {64, 128, 192, 256, 320, 384, 512, 640, 768, 1024}) {
    add_kernels<float>(n);
    add_kernels<double>(n);
    add_kernels<std::complex<float>>(n);
    add_kernels<std::complex<double>>(n);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  const BlasInfo blas = blas_info();
  benchmark::AddCustomContext("BLAS", blas.library + ", kernel " + blas.kernel);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
