# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors

# StarPU 1.4 or 1.3 by pkg-config: target StarPU::StarPU; component MPI: target StarPU::MPI.
# Sets StarPU_VERSION and StarPU_PKGCONFIG_NAME (e.g. starpu-1.3), StarPU_MPI_PKGCONFIG_NAME.
find_package(PkgConfig QUIET)
pkg_search_module(STARPU QUIET starpu-1.4 starpu-1.3)
set(StarPU_VERSION "${STARPU_VERSION}")
set(StarPU_PKGCONFIG_NAME "${STARPU_MODULE_NAME}")

if(STARPU_FOUND)
  string(REPLACE "starpu-" "starpumpi-" StarPU_MPI_PKGCONFIG_NAME "${STARPU_MODULE_NAME}")
  pkg_check_modules(STARPUMPI QUIET ${StarPU_MPI_PKGCONFIG_NAME})
  if(STARPUMPI_FOUND)
    set(StarPU_MPI_FOUND TRUE)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(StarPU REQUIRED_VARS STARPU_LINK_LIBRARIES VERSION_VAR StarPU_VERSION
                                  HANDLE_COMPONENTS)

if(StarPU_FOUND AND NOT TARGET StarPU::StarPU)
  add_library(StarPU::StarPU INTERFACE IMPORTED)
  set_target_properties(StarPU::StarPU PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${STARPU_INCLUDE_DIRS}"
    INTERFACE_LINK_LIBRARIES "${STARPU_LINK_LIBRARIES}")
endif()
if(StarPU_MPI_FOUND AND NOT TARGET StarPU::MPI)
  add_library(StarPU::MPI INTERFACE IMPORTED)
  # <mpi.h> must not declare MPI's C++ bindings: they were removed from MPI, and need a library of their own.
  set_target_properties(StarPU::MPI PROPERTIES
    INTERFACE_COMPILE_DEFINITIONS "OMPI_SKIP_MPICXX;MPICH_SKIP_MPICXX"
    INTERFACE_INCLUDE_DIRECTORIES "${STARPUMPI_INCLUDE_DIRS}"
    INTERFACE_LINK_LIBRARIES "${STARPUMPI_LINK_LIBRARIES}")
endif()
