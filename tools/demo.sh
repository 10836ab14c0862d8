#!/usr/bin/env bash
# The demo: simulates scenes/drop.yaml, draws a contact sheet and a plot, and makes a movie.
# usage, from the root of the tree: tools/demo.sh THAW DIR [OPTIONS of thaw run...]
set -euo pipefail
thaw=$1 place=$2
shift 2

if [ -e "$place/scene.yaml" ]; then rm -r "$place"; fi
"$thaw" check scenes/drop.yaml
"$thaw" run scenes/drop.yaml -o "$place" "$@"
"$thaw" movie "$place" --size 960x540 -o "$place/movie.mp4"
"$thaw" render "$place" --sheet "$place/sheet.png"
"$thaw" plot "$place" kinetic potential -o "$place/energy.png"
echo
echo "demo: $place/movie.mp4     the movie"
echo "demo: $place/sheet.png     nine moments of it"
echo "demo: $place/energy.png    kinetic and potential energy over time"
echo "demo: $place/frames.xdmf   opens in ParaView"
