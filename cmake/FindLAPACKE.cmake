# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors

# The C interface of LAPACK: target LAPACKE::LAPACKE.
# In the BLAS library itself (MKL, many OpenBLAS builds), else by pkg-config, else liblapacke with FindLAPACK.
find_package(CBLAS QUIET)

include(CheckFunctionExists)
set(CMAKE_REQUIRED_LIBRARIES ${CBLAS_LIBRARIES})
check_function_exists(LAPACKE_dpotrf TESSERA_BLAS_HAS_LAPACKE)
unset(CMAKE_REQUIRED_LIBRARIES)

if(TESSERA_BLAS_HAS_LAPACKE)
  set(LAPACKE_LIBRARIES ${CBLAS_LIBRARIES})
else()
  find_package(PkgConfig QUIET)
  pkg_check_modules(LAPACKE_PC QUIET lapacke)
  if(LAPACKE_PC_FOUND)
    set(LAPACKE_PKGCONFIG_NAME lapacke)
    set(LAPACKE_LIBRARIES ${LAPACKE_PC_LINK_LIBRARIES})
  else()
    find_package(LAPACK QUIET)
    find_library(LAPACKE_LIBRARY lapacke)
    if(LAPACKE_LIBRARY)
      set(LAPACKE_LIBRARIES ${LAPACKE_LIBRARY} ${LAPACK_LIBRARIES})
    endif()
  endif()
endif()
find_path(LAPACKE_INCLUDE_DIR NAMES lapacke.h HINTS ${LAPACKE_PC_INCLUDE_DIRS} ${CBLAS_INCLUDE_DIR}
          PATH_SUFFIXES lapacke openblas)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LAPACKE REQUIRED_VARS LAPACKE_LIBRARIES LAPACKE_INCLUDE_DIR)
mark_as_advanced(LAPACKE_INCLUDE_DIR LAPACKE_LIBRARY)

if(LAPACKE_FOUND AND NOT TARGET LAPACKE::LAPACKE)
  add_library(LAPACKE::LAPACKE INTERFACE IMPORTED)
  set_target_properties(LAPACKE::LAPACKE PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${LAPACKE_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${LAPACKE_LIBRARIES}")
endif()
