#!/usr/bin/env bash
# Bundles the page into web/dist/index.html; does nothing when that is newer than all it is made of.
#   web/build.sh            what the page needs from the npm registry, and the page
#   web/build.sh --tests    also what its tests and the type check need
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
installed=node_modules/.installed page=dist/index.html
[ "${1:-}" = --tests ] && what=tests || what=page

exec {lock}>.lock
flock "$lock"
# the marker says for what; tests need all that the page needs
if [ ! -e "$installed" ] || [ package-lock.json -nt "$installed" ] || { [ $what = tests ] && [ "$(<"$installed")" != tests ]; }; then
  [ $what = tests ] && leave_out=() || leave_out=(--omit=dev)
  npm ci --no-audit --no-fund --loglevel=error "${leave_out[@]}" >&2
  echo $what >"$installed"
fi
if [ ! -e "$page" ] || [ -n "$(find src bundle.mjs package-lock.json -newer "$page" -print -quit)" ]; then
  node bundle.mjs
fi
