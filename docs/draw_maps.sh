#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The Tessera authors
# Draws the maps of docs/distributions.md.
#
# usage: draw_maps.sh TESSERA_PLAN [DIRECTORY]   into the directory, by default docs/maps
#        draw_maps.sh TESSERA_PLAN --check       exit status 1 when a map in docs/maps is not what would be drawn
set -euo pipefail

readonly plan=$1
readonly maps="$(cd "$(dirname "$0")" && pwd)/maps"

draw_all() {
  draw() { "$plan" draw --svg "$1.svg" --tiles "$2" --dist "${@:3}"; }
  cd "$1"
  draw 2dbc 18 2dbc:p=2,q=3 --part G
  draw 1d 18 1d:rows --ranks 6 --part G
  draw sbc 20 sbc:r=5
  draw sbc_basic 16 sbc:r=4,kind=basic
  draw tbc_affine 18 tbc:q=3,plane=affine
  draw tbc_projective 28 tbc:q=2,plane=projective
  draw gcrm 33 gcrm:P=11
  draw g2dbc 21 g2dbc:P=7 --part G
}

if [[ ${2-} == --check ]]; then
  fresh=$(mktemp -d)
  trap 'rm -r "$fresh"' EXIT
  (draw_all "$fresh")
  diff -rq "$fresh" "$maps"
else
  (draw_all "${2:-$maps}")
fi
