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

# Newton steps over the time step, with and without the retraction: from a table, since a build does only one of them
gnuplot <<END
set terminal pngcairo size 640,360 font "sans,10"
set output "$folder/newton_steps.png"
set logscale xy 2
set xlabel "time step [ms]"
set ylabel "Newton steps per time step"
set xtics (1, 4, 8, 16, 32)
set ytics (2, 4, 8, 16, 32, 64)
set key left top
set grid
data = "$root/docs/block/newton_steps.txt"
plot data using 1:2 with linespoints lc 1 dt 2 pt 4 title "hair in wind, x + s u", \
     data using 1:3 with linespoints lc 1 lw 2 pt 5 title "retraction", \
     data using 1:4 with linespoints lc 2 dt 2 pt 6 title "hair on a clamp that turns, x + s u", \
     data using 1:5 with linespoints lc 2 lw 2 pt 7 title "retraction", \
     data using 1:6 with linespoints lc 4 dt 2 pt 8 title "free hair in wind, x + s u", \
     data using 1:7 with linespoints lc 4 lw 2 pt 9 title "retraction"
END
