# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors

# tessera_set_warnings(<target>): the warnings of the house, as errors with TESSERA_WERROR.
function(tessera_set_warnings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wall;-Wextra;-Wconversion;-Wshadow>)
  if(TESSERA_WERROR)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Werror>)
  endif()
endfunction()
