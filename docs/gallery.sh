#!/usr/bin/env bash
# Makes the pictures of the README from scenes/.
#   docs/gallery.sh [FOLDER [PERCENT]]      FOLDER: docs/gallery when absent; PERCENT of their size: 100
# TENDRIL names another program than ./tendril. The runs are kept beside the pictures of another FOLDER, else in runs/.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(realpath -m "${1:-$root/docs/gallery}")
percent=${2:-100}
tendril=$(realpath "${TENDRIL:-$root/tendril}")
runs=$folder/runs
[ "$folder" != "$root/docs/gallery" ] || runs=$root/runs/gallery
mkdir -p "$folder"

# simulates a scene: its name, then further words for `tendril run`
simulate() {
  local scene=$1
  shift
  rm -rf "${runs:?}/$scene"
  "$tendril" run "$root/scenes/$scene.toml" --out "$runs/$scene" "$@"
}

# draws one frame of its run: scene, frame, width, height, then further words for `tendril render`
draw() {
  local scene=$1 frame=$2 size=$(($3 * percent / 100))x$(($4 * percent / 100))
  shift 4
  "$tendril" render "$runs/$scene" -o "$folder/$scene.png" --frame="$frame" --size "$size" "$@"
}

picture() {
  local scene=$1 frame=$2
  shift 2
  simulate "$scene"
  draw "$scene" "$frame" 640 400 --samples 8 "$@"
}

picture cantilever_small -1 --stripe
picture cantilever_approximate -1 --stripe
picture cantilever_exact -1 --stripe
picture stiff_tree 40
picture three_trees 60
picture slingshot 34
picture bridge -1

# the slinky is shown while it still looks like a teapot, before the time that the scene's expectation is about (exit 1)
simulate teapot_slinky --set simulation.duration=0.22 || [ $? = 1 ]
draw teapot_slinky -1 960 600 --samples 16 --stripe
