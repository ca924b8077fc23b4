// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/flops.hpp"

#include <gtest/gtest.h>

#include <complex>

namespace {

using namespace tessera;
using Z = std::complex<double>;

// The expected values are those of LAPACK Working Note 41 at n = 10.

TEST(Flops, OfBlas3AreThoseOfTheWorkingNote) {
  EXPECT_EQ(flops::gemm<double>(10, 10, 10), 2000);
  EXPECT_EQ(flops::gemm<Z>(10, 10, 10), 8000);
  EXPECT_EQ(flops::gemm<float>(2, 3, 5), 60);
  EXPECT_EQ(flops::symm<double>(Side::Left, 10, 10), 2000);
  EXPECT_EQ(flops::hemm<Z>(Side::Left, 3, 5), 8 * 3 * 3 * 5);
  EXPECT_EQ(flops::hemm<Z>(Side::Right, 3, 5), 8 * 3 * 5 * 5);
  EXPECT_EQ(flops::syrk<double>(10, 10), 1100);
  EXPECT_EQ(flops::herk<Z>(10, 10), 4400);
  EXPECT_EQ(flops::syr2k<double>(10, 10), 2000);
  EXPECT_EQ(flops::her2k<Z>(10, 10), 8000);
  EXPECT_EQ(flops::symm<double>(Side::Left, 3, 5), 2 * 3 * 3 * 5);
  EXPECT_EQ(flops::symm<Z>(Side::Right, 3, 5), 8 * 3 * 5 * 5);
  EXPECT_EQ(flops::syrk<double>(3, 5), 5 * 3 * 4);
  EXPECT_EQ(flops::syr2k<double>(3, 5), 2 * 5 * 3 * 3);
  EXPECT_EQ(flops::her2k<Z>(3, 5), 8 * 5 * 3 * 3);
  EXPECT_EQ(flops::trmm<double>(Side::Left, 10, 10), 1000);
  EXPECT_EQ(flops::trsm<double>(Side::Right, 10, 10), 1000);
  EXPECT_EQ(flops::trsm<double>(Side::Left, 3, 5), 3 * 3 * 5);
  EXPECT_EQ(flops::trsm<double>(Side::Right, 3, 5), 3 * 5 * 5);
  EXPECT_EQ(flops::trsm<Z>(Side::Left, 3, 5), 6 * 30 + 2 * 15);
}

TEST(Flops, OfCholeskyAreThoseOfTheWorkingNote) {
  EXPECT_DOUBLE_EQ(flops::potrf<double>(10), 385);
  EXPECT_DOUBLE_EQ(flops::potrf<Z>(10), 1650);
  EXPECT_DOUBLE_EQ(flops::potrs<double>(10, 1), 200);
  EXPECT_DOUBLE_EQ(flops::potri<double>(10), 725);
  EXPECT_DOUBLE_EQ(flops::trtri<double>(10), 340);
  EXPECT_DOUBLE_EQ(flops::lauum<double>(10), 385);
}

TEST(Flops, OfLuAreThoseOfTheWorkingNote) {
  EXPECT_DOUBLE_EQ(flops::getrf<double>(10, 10), 625);
  EXPECT_DOUBLE_EQ(flops::getrf<double>(9, 5), 175);
  EXPECT_DOUBLE_EQ(flops::getrf<double>(5, 9), 175);
  EXPECT_DOUBLE_EQ(flops::getrs<double>(10, 1), 190);
  EXPECT_DOUBLE_EQ(flops::getri<double>(10), 1250);
}

TEST(Flops, OfQrAreThoseOfTheWorkingNote) {
  EXPECT_DOUBLE_EQ(flops::geqrf<double>(10, 10), 1580);
  EXPECT_DOUBLE_EQ(flops::geqrf<double>(9, 5), 460);
  EXPECT_DOUBLE_EQ(flops::geqrf<double>(5, 9), 500);
  EXPECT_DOUBLE_EQ(flops::ungqr<double>(10, 10, 10), 1420);
  EXPECT_DOUBLE_EQ(flops::unmqr<double>(Side::Left, 10, 10, 10), 2300);
  // Muls 2nmk - mk^2 + mk + nk - k^2/2 + k/2 and adds 2nmk - mk^2 + mk at m = 4, n = 6, k = 2.
  EXPECT_DOUBLE_EQ(flops::unmqr<double>(Side::Right, 4, 6, 2), (96 - 16 + 8 + 12 - 2 + 1) + (96 - 16 + 8));
}

TEST(Flops, DoNotOverflow) {
  EXPECT_EQ(flops::gemm<double>(1500, 1500, 1500), 6.75e9);
  EXPECT_NEAR(flops::potrf<double>(50000), 4.1667917e13, 5e5);
  EXPECT_GT(flops::getrf<Z>(10'000'000, 10'000'000), 2.6e21);
}

TEST(Flops, OfNothingAreZero) {
  EXPECT_EQ(flops::gemm<double>(0, 5, 5), 0);
  EXPECT_EQ(flops::symm<double>(Side::Left, 0, 5), 0);
  EXPECT_EQ(flops::herk<double>(0, 5), 0);
  EXPECT_EQ(flops::syr2k<Z>(5, 0), 0);
  EXPECT_EQ(flops::trsm<Z>(Side::Left, 0, 5), 0);
  EXPECT_EQ(flops::potrf<double>(0), 0);
  EXPECT_EQ(flops::potrs<double>(5, 0), 0);
  EXPECT_EQ(flops::potri<double>(0), 0);
  EXPECT_EQ(flops::lauum<double>(0), 0);
  EXPECT_EQ(flops::getrf<double>(0, 0), 0);
  EXPECT_EQ(flops::getri<double>(0), 0);
  EXPECT_EQ(flops::geqrf<double>(0, 0), 0);
  EXPECT_EQ(flops::ungqr<double>(0, 0, 0), 0);
}

static_assert(flops::gemm<double>(10, 10, 10) == 2000, "usable at compile time");

}  // namespace
