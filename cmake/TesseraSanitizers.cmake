# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors

# TESSERA_SANITIZE=address,undefined (or thread) instruments everything built here.
# `tessera_sanitizer_environment` is what CTest gives to the tests for it:
# a short quarantine, so that freed memory does not look like a leak to the tests of the memory in use, and no plugins
# of hwloc (StarPU has it look for GPUs), whose leaks cannot be suppressed by name as they are unloaded by then.
set(tessera_sanitizer_environment "")
if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
  set(tessera_sanitizer_environment
    "ASAN_OPTIONS=quarantine_size_mb=8:thread_local_quarantine_size_kb=64"
    "HWLOC_PLUGINS_PATH=/nonexistent"
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/lsan.supp:print_suppressions=0"
    "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan.supp"
    "UBSAN_OPTIONS=print_stacktrace=1")
endif()
