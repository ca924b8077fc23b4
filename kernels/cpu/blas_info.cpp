// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#include "tessera/blas.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace tessera {
namespace {

/// A function of the BLAS that this process has loaded, or null: another vendor's BLAS may stand behind CBLAS.
template <class Signature>
Signature* function(const char* name) {
  return reinterpret_cast<Signature*>(dlsym(RTLD_DEFAULT, name));
}

/// The instruction sets that matter to BLAS kernels, slowest first.
enum class Simd { sse, avx, avx2, avx512 };

struct KernelFamily {
  std::string_view name;
  Simd simd;
};

/// OpenBLAS's kernels for x86-64 (the file dynamic.c of its driver directory). A name that is not here is newer than
/// this table and is not judged.
constexpr std::array kernel_families{
    KernelFamily{"Prescott", Simd::sse},      KernelFamily{"Core2", Simd::sse},
    KernelFamily{"Penryn", Simd::sse},        KernelFamily{"Dunnington", Simd::sse},
    KernelFamily{"Nehalem", Simd::sse},       KernelFamily{"Atom", Simd::sse},
    KernelFamily{"Nano", Simd::sse},          KernelFamily{"Athlon", Simd::sse},
    KernelFamily{"Opteron", Simd::sse},       KernelFamily{"Opteron_SSE3", Simd::sse},
    KernelFamily{"Barcelona", Simd::sse},     KernelFamily{"Bobcat", Simd::sse},
    KernelFamily{"Sandybridge", Simd::avx},   KernelFamily{"Bulldozer", Simd::avx},
    KernelFamily{"Piledriver", Simd::avx},    KernelFamily{"Steamroller", Simd::avx},
    KernelFamily{"Excavator", Simd::avx2},    KernelFamily{"Haswell", Simd::avx2},
    KernelFamily{"Zen", Simd::avx2},          KernelFamily{"SkylakeX", Simd::avx512},
    KernelFamily{"Cooperlake", Simd::avx512}, KernelFamily{"SapphireRapids", Simd::avx512},
};

struct Advice {
  std::string_view kernel;   // empty: none
  std::string_view feature;  // of the CPU
  Simd simd;
};

Advice advice() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return {"SkylakeX", "AVX-512", Simd::avx512};
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return {"Haswell", "AVX2 and FMA", Simd::avx2};
  }
#endif
  return {{}, {}, Simd::sse};
}

/// The first two words of "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY SkylakeX MAX_THREADS=64".
std::string library_name() {
  if (auto* config = function<char*()>("openblas_get_config")) {
    const std::string_view text = config();
    const auto version = text.find(' ');
    return std::string(text.substr(0, version == text.npos ? version : text.find(' ', version + 1)));
  }
  if (function<int()>("MKL_Get_Max_Threads")) return "MKL";
  if (auto* version = function<const char*()>("bli_info_get_version_str"))
    return std::string("BLIS ") + version();
  return "unknown";
}

std::string kernel_name() {
  auto* corename = function<char*()>("openblas_get_corename");
  return corename ? corename() : std::string();
}

bool is_below(std::string_view kernel, Simd simd) {
  const auto* family = std::ranges::find(kernel_families, kernel, &KernelFamily::name);
  return family != kernel_families.end() && family->simd < simd;
}

}  // namespace

BlasInfo blas_info() { return {library_name(), kernel_name(), std::string(advice().kernel), blas_threads()}; }

std::string blas_kernel_warning() {
  const std::string kernel = kernel_name();
  const Advice advised = advice();
  if (!is_below(kernel, advised.simd)) return {};
  return library_name() + " runs its " + kernel + " kernel, but this CPU has " +
         std::string(advised.feature) +
         ": start the program with OPENBLAS_CORETYPE=" + std::string(advised.kernel) + " in the environment";
}

void restart_with_best_blas_kernel(char** argv) {
  constexpr const char* variable = "OPENBLAS_CORETYPE";  // once it is set, there is no second restart
  const Advice advised = advice();
  if (std::getenv(variable) || !is_below(kernel_name(), advised.simd)) return;
  if (setenv(variable, std::string(advised.kernel).c_str(), 1) != 0) return;
  execv("/proc/self/exe", argv);
  unsetenv(variable);  // execv has failed
}

int blas_threads() {
  int threads = 1;
  if (auto* openblas = function<int()>("openblas_get_num_threads")) {
    threads = openblas();
  } else if (auto* mkl = function<int()>("MKL_Get_Max_Threads")) {
    threads = mkl();
  } else if (auto* blis = function<std::int64_t()>("bli_thread_get_num_threads")) {
    threads = static_cast<int>(blis());  // -1 if not set
  }
  return std::max(1, threads);
}

void set_blas_threads(int threads) {
  if (auto* openblas = function<void(int)>("openblas_set_num_threads")) {
    openblas(threads);
  } else if (auto* mkl = function<void(int)>("MKL_Set_Num_Threads")) {
    mkl(threads);
  } else if (auto* blis = function<void(std::int64_t)>("bli_thread_set_num_threads")) {
    blis(threads);
  }
}

}  // namespace tessera
