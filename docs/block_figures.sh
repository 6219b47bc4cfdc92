#!/usr/bin/env bash
# Makes the figures of docs/block.md: runs their scenes and draws what was measured.
#   docs/block_figures.sh [FOLDER]      FOLDER: docs/block when absent
# TENDRIL names another program than ./tendril.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(realpath -m "${1:-$root/docs/block}")
tendril=$(realpath "${TENDRIL:-$root/tendril}")
runs=$root/runs/block_figures
mkdir -p "$folder" "$runs"

# run NAME SCENE WORD…: what the scene measured, under a name that the legend shows
run() {
  local name=$1 scene=$2
  shift 2
  rm -rf "${runs:?}/$name"
  "$tendril" run "$scene" --out "$runs/$name" "$@" || [ $? -eq 1 ] # 1: the scene expects contact, which is off here
}

# figure NAME WORD…: a chart of `tendril plot`, half as large and in few colours
figure() {
  local out=$folder/$1.png full
  shift
  full=$(mktemp --suffix .png)
  (cd "$runs" && "$tendril" plot "$@" -o "$full")
  ffmpeg -v error -y -i "$full" \
    -vf "scale=iw*5/8:-1:flags=area,split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none" "$out"
  rm "$full"
}

plucked=$root/docs/block/plucked.toml
for order in 1 2; do
  for step in 5 1; do
    run "order $order, $step ms" "$plucked" --set solver.block.order=$order --set simulation.time_step=${step}e-3
  done
done
figure order "order 1, 5 ms" "order 1, 1 ms" "order 2, 5 ms" "order 2, 1 ms" tip.z

run block "$plucked"
for sweeps in 30 300 3000; do
  run "stable, $sweeps sweeps" "$plucked" --solver stable --set solver.stable.iterations=$sweeps \
    --set solver.stable.tolerance=0
done
figure sweeps block "stable, 30 sweeps" "stable, 300 sweeps" "stable, 3000 sweeps" tip.z

run snap "$root/scenes/twirled_cable.toml" --solver block --set contact.enabled=false \
  --set simulation.time_step=2e-3 --set simulation.frame_rate=100 \
  --set title="A twirled cable snaps into a loop: Newton steps per time step"
figure snap snap iterations
