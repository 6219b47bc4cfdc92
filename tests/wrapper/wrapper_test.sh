#!/usr/bin/env bash
# The script ./tendril with a project of one line in place of the engine, and as many sources as the engine has.
#   wrapper_test.sh SOURCE_DIR quick|rebuilds|unwritable|packages
set -euo pipefail
source=$1 case=$2
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
root=$scratch/checkout
export HOME=$scratch/home
unset XDG_CACHE_HOME
mkdir -p "$root" "$HOME"
cp -r "$source"/{src,apps,bench,cmake,tendril} "$root"
cat >"$root/src/program.cpp" <<'END'
#include <cstdio>
int main(int count, char** words) { for (int k = 1; k < count; ++k) std::printf("first %s\n", words[k]); }
END
cat >"$root/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(tendril LANGUAGES CXX)
add_executable(tendril src/program.cpp)
END
cp "$source/CMakePresets.json" "$root"

# commands that are slow, or that ask for packages, leave a trace
shims=$scratch/shims
mkdir "$shims"
for name in ninja cmake dpkg-query; do
  printf '#!/bin/sh\necho %s >>"%s/trace"\nexec %s "$@"\n' $name "$scratch" "$(command -v $name)" >"$shims/$name"
done
chmod 755 "$shims"/*
touch "$scratch/trace"
chmod 666 "$scratch/trace"
export PATH=$shims:$PATH

fail() {
  echo "$*" >&2
  exit 1
}
expect() {  # WHAT IT PRINTS, COMMAND…
  local wanted=$1 got
  shift
  got=$("$@" 2>"$scratch/errors") || fail "$*: exit $?: $(cat "$scratch/errors")"
  [ "$got" = "$wanted" ] || fail "$*: '$got' in place of '$wanted'"
}
as_stranger() {  # somebody who may not write to the checkout
  if [ "$UID" = 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
  else
    "$@"
  fi
}
milliseconds() {  # processor time, which others at work do not lengthen: the least of ten runs
  local least=1000000 k user system used TIMEFORMAT='%3U %3S'
  for ((k = 0; k < 10; ++k)); do
    read -r user system < <({ time "$@" >/dev/null 2>&1; } 2>&1)
    used=$((10#${user/./} + 10#${system/./}))
    ((used < least)) && least=$used
  done
  echo "$least"
}

case $case in
  quick)
    expect "first a" "$root/tendril" a
    : >"$scratch/trace"
    expect "first a" "$root/tendril" a
    [ ! -s "$scratch/trace" ] || fail "ran $(tr '\n' ' ' <"$scratch/trace")though nothing was to be built"
    wrapper=$(milliseconds "$root/tendril" a) program=$(milliseconds "$root/build/release/tendril" a)
    echo "wrapper: $wrapper ms, program: $program ms"
    ((wrapper - program <= 20)) || fail "the wrapper costs $((wrapper - program)) ms"
    ;;
  rebuilds)
    expect "first a" "$root/tendril" a
    sed -i s/first/second/ "$root/src/program.cpp"
    expect "second a" "$root/tendril" a
    mv "$root/src/program.cpp" "$root/src/renamed.cpp"
    ! "$root/tendril" a 2>"$scratch/errors" || fail "what lacks a source is run"
    mv "$root/src/renamed.cpp" "$root/src/program.cpp"
    expect "second a" "$root/tendril" a
    echo 'syntax error' >>"$root/src/program.cpp"
    ! "$root/tendril" a 2>"$scratch/errors" || fail "what cannot be built is run"
    grep -q 'could not build' "$scratch/errors" || fail "$(cat "$scratch/errors")"
    ;;
  unwritable)
    expect "first a" "$root/tendril" a
    chmod -R a-w "$root"
    chmod -R a+rX "$root"
    expect "first a" as_stranger "$root/tendril" a     # what is built there, though others built it
    [ ! -s "$scratch/errors" ] || fail "$(cat "$scratch/errors")"
    [ "$UID" != 0 ] || chown 65534 "$HOME"
    chmod u+w "$root/src" "$root/src/program.cpp"
    sed -i s/first/second/ "$root/src/program.cpp"
    chmod -R a-w "$root/src"
    expect "second a" as_stranger "$root/tendril" a    # which is out of date: a build of one's own
    : >"$scratch/trace"
    expect "second a" as_stranger "$root/tendril" a
    [ ! -s "$scratch/trace" ] || fail "ran $(tr '\n' ' ' <"$scratch/trace")though nothing was to be built"
    [ "$("$root/build/release/tendril" a)" = "first a" ] || fail "the common build was changed"
    [ "$UID" != 0 ] || chmod -R u+w "$root"
    HOME=/nonexistent TMPDIR=$scratch/home expect "second a" as_stranger "$root/tendril" a
    ;;
  packages)  # on a machine that has none: each verb brings what it uses
    bin=$scratch/bin
    mkdir "$bin"
    ln -s /usr/bin/* "$bin"
    rm -f "$bin"/{ffmpeg,gnuplot,node,npm,chromium,apt-get,sudo}
    printf '#!/bin/sh\n' >"$shims/dpkg-query"
    printf '#!/bin/sh\nexec "$@"\n' >"$shims/sudo"
    printf '#!/bin/sh\necho "$@" >>"%s/asked"\n' "$scratch" >"$shims/apt-get"
    chmod 755 "$shims"/*
    export PATH=$shims:$bin
    asks() {  # VERB, then what it asks for and, after a dash, what it does not
      rm -rf "$root/build" "$scratch/asked"
      "$root/tendril" "$1" x.mp4 >/dev/null 2>"$scratch/errors" || true   # no test is to be found
      local asked package wanted=yes verb=$1
      asked=" $(tr '\n' ' ' <"$scratch/asked") "
      for package in "${@:2}"; do
        case $package in
          -) wanted=no ;;
          *) [[ $asked == *" $package "* ]] && found=yes || found=no
             [ $found = $wanted ] || fail "$verb: $package asked for: $found; all: $asked" ;;
        esac
      done
    }
    asks run g++ libembree-dev - ffmpeg gnuplot-nox libgtest-dev python3-vtk9 nodejs npm chromium
    asks render ffmpeg - gnuplot-nox libgtest-dev
    asks demo ffmpeg gnuplot-nox - libgtest-dev python3-vtk9 nodejs
    asks test g++ ffmpeg gnuplot-nox libgtest-dev python3-numpy python3-vtk9 nodejs npm chromium
    ;;
  *) fail "no such case: $case" ;;
esac
