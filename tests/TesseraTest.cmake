# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors

# Builds what `ctest -L unit` runs, and no more.
add_custom_target(tessera_unit_tests)

# ---- tessera_add_test -------------------------------------------------------------------------------------------

# tessera_add_test(<name> [LABELS label...] [SOURCES file...] [RANKS n...] [TIMEOUT seconds])
#
# Builds bin/<name>_test from <name>_test.cpp (and SOURCES), and registers it with CTest as `<name>`.
# With RANKS (and TESSERA_MPI) it is run by mpirun instead, once per rank count, as `<name>.ranks<n>`,
# alone on the machine and with the label `mpi` added.
#   LABELS   slow, ...; by default `unit`, and nothing but `mpi` with RANKS
#   TIMEOUT  in seconds; default 120
function(tessera_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS;SOURCES;RANKS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tessera_add_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_LABELS AND NOT (arg_RANKS AND TESSERA_MPI))
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()

  add_executable(${name}_test ${name}_test.cpp ${arg_SOURCES})
  target_link_libraries(${name}_test PRIVATE tessera_test_support)
  tessera_set_warnings(${name}_test)
  target_compile_options(${name}_test PRIVATE -O1)  # the time of a test build is its compilation

  if(arg_RANKS AND TESSERA_MPI)
    foreach(ranks IN LISTS arg_RANKS)
      add_test(NAME ${name}.ranks${ranks}
        COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} --oversubscribe --bind-to none
                --mca mpi_yield_when_idle 1 $<TARGET_FILE:${name}_test>)
      tessera_test_properties(${name}.ranks${ranks} LABELS ${arg_LABELS} mpi TIMEOUT ${arg_TIMEOUT})
      set_property(TEST ${name}.ranks${ranks} PROPERTY RUN_SERIAL TRUE)
      set_property(TEST ${name}.ranks${ranks} APPEND PROPERTY ENVIRONMENT
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OPENBLAS_NUM_THREADS=1
        STARPU_WORKERS_NOBIND=1 STARPU_MPI_NOBIND=1)
    endforeach()
  else()
    add_test(NAME ${name} COMMAND ${name}_test)
    tessera_test_properties(${name} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
  endif()
  if(unit IN_LIST arg_LABELS)
    add_dependencies(tessera_unit_tests ${name}_test)
  endif()
endfunction()

# tessera_test_properties(<test> LABELS label... TIMEOUT seconds): also gives the test a StarPU directory of its own,
# and the generator of this build to those that build something.
function(tessera_test_properties test)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS")
  if(TESSERA_SANITIZE)  # which makes most of the code several times slower
    math(EXPR arg_TIMEOUT "3 * ${arg_TIMEOUT}")
  endif()
  set(starpu_home "${PROJECT_BINARY_DIR}/starpu-home/${test}")
  file(MAKE_DIRECTORY "${starpu_home}")
  set_tests_properties(${test} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT})
  set_property(TEST ${test} PROPERTY ENVIRONMENT
    "STARPU_HOME=${starpu_home}" "CMAKE_GENERATOR=${CMAKE_GENERATOR}" ${tessera_sanitizer_environment})
endfunction()
