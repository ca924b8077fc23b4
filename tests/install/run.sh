#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors
#
# usage: run.sh find_package|pkg_config|add_subdirectory BUILD_DIR [CXX]
#
# Uses Tessera from a project that knows nothing of this tree: from a clean temporary prefix into which BUILD_DIR is
# installed (its library must have been built), or as a subdirectory. Builds the consumer and runs it.
set -euo pipefail

way=$1
build=$(cd "$2" && pwd)
cxx=${3:-c++}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../.." && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STARPU_HOME=${STARPU_HOME:-$work}
# The generator that is known to be there; CMake's own choice, make, need not be.
CMAKE_GENERATOR=${CMAKE_GENERATOR:-$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")}
export CMAKE_GENERATOR

install_prefix() {
  cmake --install "$build" --prefix "$work/prefix" > "$work/install.log" || { cat "$work/install.log"; exit 1; }
  # Moved after the installation: nothing in the package may remember where it was.
  mv "$work/prefix" "$work/moved"
}

configure() {
  cmake -S "$here/consumer" -B "$work/build" -DCMAKE_CXX_COMPILER="$cxx" "$@" > "$work/configure.log" 2>&1 ||
    { cat "$work/configure.log"; exit 1; }
}

flags=$(sed -n 's/^TESSERA_SANITIZE:[A-Z]*=\(..*\)/-fsanitize=\1/p' "$build/CMakeCache.txt")

case $way in
  find_package)
    install_prefix
    configure -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_CXX_FLAGS="$flags"
    cmake --build "$work/build"
    "$work/build/consumer"
    ;;
  pkg_config)
    install_prefix
    PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name tessera.pc)")
    export PKG_CONFIG_PATH
    set -x
    # shellcheck disable=SC2046,SC2086  # the words are meant to be split
    "$cxx" -std=c++20 $flags "$here/consumer/main.cpp" -o "$work/consumer" $(pkg-config --cflags --libs tessera)
    { set +x; } 2> /dev/null
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir tessera):${LD_LIBRARY_PATH:-} "$work/consumer"
    ;;
  add_subdirectory)
    configure -DTESSERA_SOURCE="$source" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O0
    cmake --build "$work/build" --parallel 2 > "$work/build.log" 2>&1 || { tail -n 50 "$work/build.log"; exit 1; }
    "$work/build/consumer"
    ;;
  *)
    echo "run.sh: unknown way '$way'" >&2
    exit 2
    ;;
esac
