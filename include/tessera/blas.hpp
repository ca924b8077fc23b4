// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The Tessera authors
#pragma once

#include <string>

/// \file
/// The BLAS under the kernels: which one it is, whether it runs the right kernel for this CPU, how many threads
/// it uses.

namespace tessera {

/// What is known of the BLAS that this process has loaded.
struct BlasInfo {
  std::string library;         ///< "OpenBLAS 0.3.21", or "unknown"
  std::string kernel;          ///< OpenBLAS's kernel family ("SkylakeX", "Haswell", "Prescott", ...) or empty
  std::string advised_kernel;  ///< the family that suits this CPU's instruction set, or empty
  int threads = 1;             ///< threads that a BLAS call of the caller would use
};

BlasInfo blas_info();

/// One line with the remedy when the BLAS runs a kernel below the CPU's instruction set; otherwise empty.
/// OpenBLAS 0.3.21 takes its Prescott kernel (SSE3) on CPUs newer than itself and is then several times slower.
std::string blas_kernel_warning();

/// For the first line of main(): when OpenBLAS has taken a kernel below the CPU's instruction set and
/// OPENBLAS_CORETYPE is not set, sets it and executes the program again, once (OpenBLAS reads the variable only
/// when it is loaded). Otherwise, or if that fails, returns.
void restart_with_best_blas_kernel(char** argv);

/// Threads of BLAS calls in this process. \returns 1 for a BLAS whose thread control is unknown.
int blas_threads();
/// No effect for a BLAS whose thread control is unknown.
void set_blas_threads(int threads);

/// One BLAS thread while it lives; then the count that was before.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas() : before_(blas_threads()) {
    if (before_ != 1) set_blas_threads(1);
  }
  ~SingleThreadedBlas() {
    if (before_ != 1) set_blas_threads(before_);
  }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int before_;
};

}  // namespace tessera
