# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors

# TESSERA_SANITIZE=address,undefined (or thread) instruments everything built here.
# `tessera_sanitizer_environment` is what CTest gives to the tests for it.
set(tessera_sanitizer_environment "")
if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
  set(tessera_sanitizer_environment
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/lsan.supp:print_suppressions=0"
    "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan.supp"
    "UBSAN_OPTIONS=print_stacktrace=1")
endif()
