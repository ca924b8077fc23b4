#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors
#
# usage: run_installed.sh BUILD_DIR [CXX]
#
# Installs Tessera from BUILD_DIR (where it must have been built) into a temporary prefix, builds the examples against
# it as a project of their own, runs each and compares its output with expected/<example>.txt. Lines that begin with
# `#` hold what differs from run to run and are left out. Non-zero status on any difference or failure.
set -euo pipefail

build=$(cd "$1" && pwd)
cxx=${2:-c++}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export STARPU_HOME=${STARPU_HOME:-$work}

# quietly COMMAND...: its output is shown only when it fails.
quietly() { "$@" > "$work/log" 2>&1 < /dev/null || { cat "$work/log" >&2; return 1; }; }

flags=$(sed -n 's/^TESSERA_SANITIZE:[A-Z]*=\(..*\)/-fsanitize=\1/p' "$build/CMakeCache.txt")
quietly cmake --install "$build" --prefix "$work/prefix"
quietly cmake -S "$here" -B "$work/examples" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror $flags"
quietly cmake --build "$work/examples" --parallel 2

# A table for the Gaussian process: 300 places along a spiral, with depths that vary smoothly.
awk 'BEGIN {
  print "\"lat\",\"long\",\"depth\""
  for (i = 0; i < 300; ++i) {
    lat = -30 + 0.07 * i; lon = 170 + 12 * sin(0.7 * i)
    printf "%.4f,%.4f,%.4f\n", lat, lon, 300 + 15 * (lon - 170) + 60 * cos(0.3 * lat)
  }
}' > "$work/places.csv"

failures=0
for source in "$here"/[0-9]*.cpp; do
  name=$(basename "$source" .cpp)
  arguments=()
  [[ $name != 07_* ]] || arguments=("$work/places.csv")
  status=0
  "$work/examples/$name" "${arguments[@]}" > "$work/$name.txt" 2> "$work/$name.err" < /dev/null || status=$?
  if ((status != 0)) || ! diff -u "$here/expected/$name.txt" <(grep -v '^#' "$work/$name.txt"); then
    echo "$name: FAILED, status $status; it printed:" >&2
    cat "$work/$name.txt" "$work/$name.err" >&2
    failures=$((failures + 1))
  else
    echo "$name: as expected"
  fi
done
exit $((failures > 0))
