#!/usr/bin/env bash
# Times the step: `thaw bench` when the command is built, and every program under bench/.
# usage, from the root of the tree: tools/bench.sh BUILD_DIR [arguments for thaw bench]
set -euo pipefail
build=$1
shift

shopt -s nullglob
ran=0
for source in bench/bench_*.c; do
    "$build/bench/$(basename -s .c "$source")"
    ran=1
done
if [ -x "$build/thaw" ]; then
    "$build/thaw" bench "$@"
    ran=1
fi
if [ $ran = 0 ]; then echo "bench: neither the command thaw nor a bench_* program is built yet"; fi
