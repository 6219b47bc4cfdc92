#!/usr/bin/env bash
# Makes the README's gallery of scenes/: runs each scene, draws it, and writes the section between the README's two
# markers, with the scene's title, its size and the command.
#   docs/gallery.sh [FOLDER [PERCENT]]      FOLDER: docs/gallery when absent; PERCENT of the pictures' size: 100
# With another FOLDER the section is written there, to gallery.md, and the README stays. TENDRIL names another program
# than ./tendril. SCENES="a b" draws only these; their rows and those of the pictures that are there are written.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(realpath -m "${1:-$root/docs/gallery}")
percent=${2:-100}
tendril=$(realpath "${TENDRIL:-$root/tendril}")
runs=$folder/runs
[ "$folder" != "$root/docs/gallery" ] || runs=$root/runs/gallery
mkdir -p "$folder"

# what shows a scene best: words for `tendril render`, the picture's size, a column to plot beside it; and what its
# title does not say
look=() width=640 height=400 chart= note=
choose_look() {
  look=(--frame=-1 --samples 8) width=640 height=400 chart= note=
  case $1 in
    alpha_spring) look=(--frame=5 --fit frame --samples 8) note="Sobottka 2008" ;;
    alpha_tress) look=(--frame=4 --fit frame --samples 8) note="Sobottka 2008" ;;
    alpha_tress_falls) look=(--frame=3 --fit frame --samples 8) chart=kinetic note="Sobottka 2008" ;;
    alpha_*) look=(--frame=-1 --fit frame --samples 8) note="Sobottka 2008" ;;
    cantilever_*) look+=(--stripe) note="Fig. 5" ;;
    stiff_tree) look=(--frame=40 --fit frame --samples 8) note="Fig. 6" ;;
    three_trees) look=(--frame=60 --camera -1.3 0.12 --samples 8) note="Fig. 7" ;;
    slingshot) look=(--frame=34 --fit frame --color strain --samples 8) note="colour: strain; Fig. 8" ;;
    teapot_slinky) look=(--frame=5 --fit frame --stripe --samples 16) width=960 height=600 note="Fig. 9" ;;
    twirled_cable) look=(--frame=-1 --fit frame --samples 8) note="Fig. 3" ;;
    knots) look=(--frame=-1 --fit frame --samples 8) note="Fig. 4" ;;
    knit_twist) look=(--frame=52 --fit frame --samples 8) note="Fig. 12, small" ;;
    knit_letters) look=(--frame=-1 --fit frame --samples 8) note="Fig. 1, small" ;;
    stairs) look=(--frame=36 --fit frame --camera -1.2 0.3 --samples 16) ;;
    hair_on_sphere) look=(--frame=-1 --fit frame --camera -0.4 0.3 --samples 8) ;;
    combed_hair) look=(--frame=18 --fit frame --camera -0.6 0.2 --samples 16) ;;
    hair_on_head) look=(--frame=-1 --fit frame --camera -1.0 0.2 --samples 16) ;;
    curly_hair | ponytail) look=(--frame=-1 --fit frame --samples 16) note="further strands follow" ;;
    groom_in_wind) look=(--frame=-1 --fit frame --samples 16) ;;
    afro) look=(--frame=18 --fit frame --camera -0.6 0.2 --samples 32) ;;
    thrown_wire) look=(--frame=-1 --fit frame --camera -1.2 0.3 --samples 8) ;;
    pile | ring | capstan | tube | cylinders) look=(--frame=-1 --fit frame --samples 8) ;;
    direct_cantilever) look+=(--stripe) note="Deul 2018" ;;
    wilberforce) look=(--frame=600 --camera -1.2 0.15 --samples 8) width=400 height=500 note="Deul 2018, Fig. 4" ;;
    compact_cylinders) look=(--frame=-1 --fit frame --camera -1.2 0.25 --samples 8) note="Zhao 2022, Fig. 17" ;;
    compact_drag) look=(--frame=41 --fit frame --samples 8) note="Zhao 2022, Fig. 11" ;;
    compact_drag_short) look=(--frame=38 --fit frame --samples 8) note="Zhao 2022, Sec. 4.1.3" ;;
    compact_helix) look=(--frame=12 --fit frame --samples 8) width=400 height=500 note="Zhao 2022, Fig. 6" ;;
    compact_knot) look=(--frame=-1 --fit frame --stripe --samples 8) note="Zhao 2022, Fig. 15" ;;
    compact_plectoneme) look=(--frame=-1 --fit frame --samples 8) note="Zhao 2022, Fig. 16" ;;
    compact_springs) look=(--frame=36 --fit frame --camera -1.57 0.12 --samples 8) note="Zhao 2022, Fig. 14" ;;
    plectoneme) look=(--frame=-1 --fit frame --samples 8) note="Deul 2018, Fig. 6" ;;
    birch | willow | pine) look=(--frame=110 --camera -1.3 0.08 --samples 8) width=480 note="Deul 2018, small" ;;
    slinky_direct) look=(--frame=14 --camera -1.2 0.3 --samples 16) note="Deul 2018, Fig. 1, short" ;;
    wrecking_ball) look=(--frame=24 --fit frame --camera -1.9 0.15 --samples 8) ;;
    bridge) look=(--frame=60 --fit frame --camera -1.3 0.2 --color strain --samples 8) note="colour: strain; Fig. 10" ;;
  esac
}

# simulates a scene and draws its picture
draw() {
  choose_look "$1"
  rm -rf "${runs:?}/$1"
  "$tendril" run "$root/scenes/$1.toml" --out "$runs/$1"
  "$tendril" render "$runs/$1" -o "$folder/$1.png" --size "$((width * percent / 100))x$((height * percent / 100))" "${look[@]}"
  [ -z "$chart" ] || "$tendril" plot "$runs/$1" "$chart" -o "$folder/$1.$chart.png"
}

# one row of the table: picture, title and size, command
row() {
  choose_look "$1"
  local summary title counts pictures
  summary=$("$tendril" check "$root/scenes/$1.toml")
  title=$(sed -n 's/^title = "\(.*\)"$/\1/p' "$root/scenes/$1.toml")
  counts=$(sed -n 's/^[0-9]* rods, \([0-9]*\) vertices, \([0-9]*\) segments.*/\1 vertices, \2 segments/p' <<<"$summary")
  pictures="<img src=\"docs/gallery/$1.png\" width=\"320\">"
  [ -z "$chart" ] || pictures+="<br><img src=\"docs/gallery/$1.$chart.png\" width=\"320\">"
  echo "| $pictures | $title ($counts${note:+; $note}).<br>\`./tendril run $1\` |"
}

section() {
  echo "| | |"
  echo "| --- | --- |"
  local file
  for file in "$root"/scenes/*.toml; do
    file=$(basename "$file" .toml)
    [ ! -f "$folder/$file.png" ] || row "$file"
  done
  echo
  echo "Made by \`docs/gallery.sh\`; the figures are those of Hsu et al. 2025, where no other paper is named."
}

for file in "$root"/scenes/*.toml; do
  scene=$(basename "$file" .toml)
  case " ${SCENES:-$scene} " in *" $scene "*) draw "$scene" ;; esac
done

if [ "$folder" = "$root/docs/gallery" ]; then
  section >"$folder/gallery.part"
  # the lines between the markers, which stay
  sed -i -e "/<!-- gallery:begin -->/,/<!-- gallery:end -->/{/<!-- gallery:begin -->/r $folder/gallery.part" \
    -e '/<!-- gallery:/!d}' "$root/README.md"
  rm "$folder/gallery.part"
else
  section >"$folder/gallery.md"
fi
