# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors

# hwloc by pkg-config: target Hwloc::Hwloc.
find_package(PkgConfig QUIET)
pkg_check_modules(HWLOC QUIET hwloc)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hwloc REQUIRED_VARS HWLOC_LINK_LIBRARIES VERSION_VAR HWLOC_VERSION)

if(Hwloc_FOUND AND NOT TARGET Hwloc::Hwloc)
  add_library(Hwloc::Hwloc INTERFACE IMPORTED)
  set_target_properties(Hwloc::Hwloc PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${HWLOC_INCLUDE_DIRS}"
    INTERFACE_LINK_LIBRARIES "${HWLOC_LINK_LIBRARIES}")
endif()
