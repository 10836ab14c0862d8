#!/bin/sh
# paraview.sh SERIES SCRIPT: makes a cache directory with the program SERIES and lets ParaView look at it.
# Exits with 77 (skipped) where ParaView or Xvfb is absent.
set -eu
command -v pvpython > /dev/null && command -v xvfb-run > /dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder/run" > "$folder/said"
xvfb-run -a pvpython "$2" "$folder/run" "$(sed -n 1p "$folder/said")" "$(sed -n 2p "$folder/said")" \
    "$folder/picture.png" < /dev/null
if [ -n "${THAW_KEEP_PICTURE:-}" ]; then cp "$folder/picture.png" "$THAW_KEEP_PICTURE"; fi
