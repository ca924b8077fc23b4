// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <type_traits>

/// \file
/// Loops that no BLAS routine covers, for the vectors of the machine that runs them: the library is compiled for any
/// machine of its architecture, and on x86-64 that leaves three quarters or more of each vector unused.

/// Before a loop: its iterations do not depend on each other, though the compiler cannot see it.
#if defined(__clang__)
#define TESSERA_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TESSERA_INDEPENDENT _Pragma("GCC ivdep")
#else
#define TESSERA_INDEPENDENT
#endif

namespace tessera::kernel {

/// The bytes of a vector, for loops that are written in vectors.
template <int bytes>
using VectorBytes = std::integral_constant<int, bytes>;

#if defined(__x86_64__) && defined(__GNUC__)

namespace detail {

template <class Loops>
[[gnu::target("avx2,fma"), gnu::flatten, gnu::noinline]] void with_avx2(const Loops& loops) {
  loops(VectorBytes<32>{});
}

#if !defined(__clang__)  // it ignores the preference and takes half vectors, as with_avx2 does
template <class Loops>
[[gnu::target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"), gnu::flatten,
  gnu::noinline]] void
with_avx512(const Loops& loops) {
  loops(VectorBytes<64>{});
}
#endif

}  // namespace detail

/// Calls loops(VectorBytes<...>), inlined into a function that is compiled for the widest vectors of this machine.
template <class Loops>
void vectorized(const Loops& loops) {
#if !defined(__clang__)
  static const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (avx512) return detail::with_avx512(loops);
#endif
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2) return detail::with_avx2(loops);
  loops(VectorBytes<16>{});
}

#else

/// Calls loops(VectorBytes<16>).
template <class Loops>
void vectorized(const Loops& loops) {
  loops(VectorBytes<16>{});
}

#endif

}  // namespace tessera::kernel
