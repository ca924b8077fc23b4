// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/blas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

using namespace tessera;
using testing::HasSubstr;
using testing::IsEmpty;

/// What this program prints when it is run with one (disabled) test and the kernel that OpenBLAS shall take.
std::string output_with_kernel(const std::string& kernel, const std::string& test) {
  std::array<char, PATH_MAX> self{};
  if (readlink("/proc/self/exe", self.data(), self.size() - 1) < 0) return {};
  const std::string command = "OPENBLAS_CORETYPE=" + kernel + " '" + self.data() +
                              "' --gtest_also_run_disabled_tests --gtest_filter=" + test + " 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) output += static_cast<char>(c);
  return output;
}

bool can_choose_kernel() {
  return blas_info().library.starts_with("OpenBLAS") && !blas_info().advised_kernel.empty() &&
         output_with_kernel("Prescott", "BlasProbe.DISABLED_PrintsItsKernel").find("kernel Prescott") !=
             std::string::npos;
}

TEST(BlasProbe, DISABLED_PrintsItsKernel) {
  std::printf("kernel %s\nwarning %s\n", blas_info().kernel.c_str(), blas_kernel_warning().c_str());
}

TEST(BlasProbe, DISABLED_RestartsItself) {
  unsetenv("OPENBLAS_CORETYPE");
  char program[] = "probe", filter[] = "--gtest_filter=BlasProbe.DISABLED_PrintsItsKernel",
       disabled[] = "--gtest_also_run_disabled_tests";
  char* argv[] = {program, filter, disabled, nullptr};
  restart_with_best_blas_kernel(argv);
  std::printf("not restarted\n");
}

TEST(BlasInfo, NamesTheLibraryAndItsKernel) {
  const BlasInfo info = blas_info();
  EXPECT_FALSE(info.library.empty());
  EXPECT_GE(info.threads, 1);
  if (info.library.starts_with("OpenBLAS")) {
    EXPECT_THAT(info.library, testing::MatchesRegex("OpenBLAS [^ ]+"));
    EXPECT_THAT(info.kernel, testing::Not(IsEmpty()));
  }
}

TEST(BlasInfo, WarnsInOneLineWithTheRemedyWhenTheKernelIsBelowTheCpu) {
  if (!can_choose_kernel()) GTEST_SKIP() << "needs an OpenBLAS with all its kernels and a CPU with AVX2";
  const std::string remedy = "OPENBLAS_CORETYPE=" + blas_info().advised_kernel;
  const std::string output = output_with_kernel("Prescott", "BlasProbe.DISABLED_PrintsItsKernel");
  EXPECT_THAT(output, testing::ContainsRegex("warning OpenBLAS .*Prescott.*AVX.*" + remedy + ".*\n"));
}

TEST(BlasInfo, IsSilentAboutTheAdvisedKernel) {
  if (!can_choose_kernel()) GTEST_SKIP() << "needs an OpenBLAS with all its kernels and a CPU with AVX2";
  const std::string output =
      output_with_kernel(blas_info().advised_kernel, "BlasProbe.DISABLED_PrintsItsKernel");
  EXPECT_THAT(output, HasSubstr("warning \n"));
}

TEST(BlasInfo, RestartsTheProgramOnceWithTheAdvisedKernel) {
  if (!can_choose_kernel()) GTEST_SKIP() << "needs an OpenBLAS with all its kernels and a CPU with AVX2";
  const std::string output = output_with_kernel("Prescott", "BlasProbe.DISABLED_RestartsItself");
  EXPECT_THAT(output, HasSubstr("kernel " + blas_info().advised_kernel + "\n"));
  EXPECT_THAT(output, HasSubstr("warning \n"));
  EXPECT_THAT(output, testing::Not(HasSubstr("not restarted")));
}

TEST(BlasInfo, DoesNotRestartAProgramWithAGoodKernel) {
  if (!can_choose_kernel()) GTEST_SKIP() << "needs an OpenBLAS with all its kernels and a CPU with AVX2";
  EXPECT_THAT(output_with_kernel(blas_info().advised_kernel, "BlasProbe.DISABLED_RestartsItself"),
              HasSubstr("not restarted"));
}

TEST(BlasInfo, DoesNotRestartWhenTheUserHasChosenAKernel) {
  setenv("OPENBLAS_CORETYPE", "Prescott", 0);
  const std::string before = std::getenv("OPENBLAS_CORETYPE");
  char* argv[] = {nullptr};
  restart_with_best_blas_kernel(argv);  // must return
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), before);
}

TEST(SingleThreadedBlas, RestoresTheThreadCount) {
  const int before = blas_threads();
  set_blas_threads(2);
  const int possible = blas_threads();  // 1 where it cannot be controlled
  {
    const SingleThreadedBlas one_thread;
    EXPECT_EQ(blas_threads(), 1);
  }
  EXPECT_EQ(blas_threads(), possible);
  set_blas_threads(before);
  EXPECT_EQ(blas_threads(), before);
}

}  // namespace
