#!/bin/sh
# paraview.sh SERIES SCRIPT: makes a cache directory with the program SERIES and lets ParaView look at it.
# Exits with 77 (skipped) where ParaView or Xvfb is absent.
set -eu
command -v pvpython > /dev/null && command -v xvfb-run > /dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder/run" > "$folder/said"
look() {
    xvfb-run -a pvpython "$script" "$folder/run" "$(sed -n 1p "$folder/said")" \
        "$(sed -n 2p "$folder/said")" "$folder/picture.png" < /dev/null > "$folder/log" 2>&1
}
script=$2
# on a busy machine the X server may come too late: that is not what is tested
tries=1
while ! look; do
    if [ $tries -ge 3 ] || ! grep -q "bad X server connection" "$folder/log"; then
        cat "$folder/log"
        exit 1
    fi
    tries=$((tries + 1))
done
cat "$folder/log"
if [ -n "${THAW_KEEP_PICTURE:-}" ]; then cp "$folder/picture.png" "$THAW_KEEP_PICTURE"; fi
