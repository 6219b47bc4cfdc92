#!/usr/bin/env bash
# Makes the pictures of the README from scenes/: one line each is the scene, the frame that is shown, and options.
set -euo pipefail
cd "$(dirname "$0")/.."
picture() {
  local scene=$1 frame=$2
  shift 2
  rm -rf "runs/gallery-$scene"
  ./tendril run "$scene" --out "runs/gallery-$scene"
  ./tendril render "runs/gallery-$scene" -o "docs/gallery/$scene.png" --size 640x400 --samples 8 --frame="$frame" "$@"
}
picture cantilever_small -1 --stripe
picture cantilever_approximate -1 --stripe
picture cantilever_exact -1 --stripe
picture stiff_tree 40
picture three_trees 60
picture slingshot 34
picture bridge -1
# the slinky is shown while it still looks like a teapot
rm -rf runs/gallery-teapot
./tendril run teapot_slinky --set simulation.duration=0.22 --out runs/gallery-teapot || true
./tendril render runs/gallery-teapot -o docs/gallery/teapot_slinky.png --size 960x600 --samples 16 --stripe
