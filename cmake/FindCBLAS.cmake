# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors

# A BLAS with its C interface: target CBLAS::CBLAS, name in CBLAS_NAME.
# OpenBLAS by pkg-config, unless BLA_VENDOR asks CMake's FindBLAS for another one or there is no OpenBLAS.
set(CBLAS_NAME "")
if(NOT BLA_VENDOR)
  find_package(PkgConfig QUIET)
  pkg_check_modules(OPENBLAS QUIET openblas)
endif()

if(OPENBLAS_FOUND AND NOT BLA_VENDOR)
  set(CBLAS_NAME "OpenBLAS ${OPENBLAS_VERSION}")
  set(CBLAS_PKGCONFIG_NAME openblas)
  set(CBLAS_LIBRARIES ${OPENBLAS_LINK_LIBRARIES})
  find_path(CBLAS_INCLUDE_DIR cblas.h HINTS ${OPENBLAS_INCLUDE_DIRS} PATH_SUFFIXES openblas)
else()
  find_package(BLAS QUIET)
  if(BLAS_FOUND)
    set(CBLAS_NAME "${BLA_VENDOR}")
    set(CBLAS_LIBRARIES ${BLAS_LIBRARIES})
    find_path(CBLAS_INCLUDE_DIR NAMES cblas.h mkl_cblas.h PATH_SUFFIXES cblas openblas mkl)
    # The reference BLAS keeps the C interface in a library of its own.
    include(CheckFunctionExists)
    set(CMAKE_REQUIRED_LIBRARIES ${CBLAS_LIBRARIES})
    check_function_exists(cblas_dgemm TESSERA_BLAS_HAS_CBLAS)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(NOT TESSERA_BLAS_HAS_CBLAS)
      find_library(CBLAS_LIBRARY cblas)
      list(PREPEND CBLAS_LIBRARIES ${CBLAS_LIBRARY})
    endif()
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CBLAS REQUIRED_VARS CBLAS_LIBRARIES CBLAS_INCLUDE_DIR)
mark_as_advanced(CBLAS_INCLUDE_DIR CBLAS_LIBRARY)

if(CBLAS_FOUND AND NOT TARGET CBLAS::CBLAS)
  add_library(CBLAS::CBLAS INTERFACE IMPORTED)
  set_target_properties(CBLAS::CBLAS PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${CBLAS_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${CBLAS_LIBRARIES}")
endif()
