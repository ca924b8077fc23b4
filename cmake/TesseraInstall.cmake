# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors

# Headers, library, CMake package (tessera::tessera) and pkg-config file.
include(CMakePackageConfigHelpers)

set(tessera_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Tessera")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/tessera" "${PROJECT_BINARY_DIR}/include/tessera"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.hpp")
install(TARGETS tessera EXPORT TesseraTargets)

# ---- find_package(Tessera) ------------------------------------------------------------------------------------

install(EXPORT TesseraTargets NAMESPACE tessera:: DESTINATION "${tessera_package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/TesseraConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/TesseraConfig.cmake" INSTALL_DESTINATION "${tessera_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/TesseraConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/TesseraConfig.cmake" "${PROJECT_BINARY_DIR}/cmake/TesseraConfigVersion.cmake"
        DESTINATION "${tessera_package_dir}")
if(NOT BUILD_SHARED_LIBS)  # whoever links a static library links what it uses
  install(FILES cmake/FindCBLAS.cmake cmake/FindHwloc.cmake cmake/FindLAPACKE.cmake cmake/FindStarPU.cmake
          DESTINATION "${tessera_package_dir}")
endif()

# ---- pkg-config tessera -----------------------------------------------------------------------------------------

# A shared library brings its dependencies itself. A static one is linked with them: `Requires` and not
# `Requires.private`, because no shared library is installed beside it and so every link needs them.
set(tessera_pc_requires "")
set(tessera_pc_libs "")
if(NOT BUILD_SHARED_LIBS)
  list(APPEND tessera_pc_requires ${StarPU_PKGCONFIG_NAME} hwloc fmt)
  if(TESSERA_MPI)
    list(PREPEND tessera_pc_requires ${StarPU_MPI_PKGCONFIG_NAME})
    list(APPEND tessera_pc_libs ${MPI_C_LIBRARIES})
  endif()
  foreach(package IN ITEMS LAPACKE CBLAS)
    if(${package}_PKGCONFIG_NAME)
      list(APPEND tessera_pc_requires ${${package}_PKGCONFIG_NAME})
    else()
      list(APPEND tessera_pc_libs ${${package}_LIBRARIES})
    endif()
  endforeach()
  if(TESSERA_CUDA)
    list(APPEND tessera_pc_libs "-L${CUDAToolkit_LIBRARY_DIR}" -lcusolver -lcublas -lcudart)
  endif()
  list(APPEND tessera_pc_libs -pthread ${CMAKE_DL_LIBS})
  list(TRANSFORM tessera_pc_libs REPLACE "^([a-z]+)$" "-l\\1")
  list(REMOVE_DUPLICATES tessera_pc_libs)
endif()
list(JOIN tessera_pc_requires ", " tessera_pc_requires)
list(JOIN tessera_pc_libs " " tessera_pc_libs)
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(tessera_pc_libdir "${CMAKE_INSTALL_LIBDIR}")
else()
  set(tessera_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(tessera_pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(tessera_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/tessera.pc.in" "${PROJECT_BINARY_DIR}/cmake/tessera.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/cmake/tessera.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
