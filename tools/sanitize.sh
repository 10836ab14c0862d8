#!/usr/bin/env bash
# The quick tests under the other compiler and under each sanitizer.
# usage: tools/sanitize.sh [PRESET...]   default: clang asan tsan
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# = 0 ]; then set -- clang asan tsan; fi

export UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
for preset in "$@"; do
    echo "sanitize: $preset"
    cmake --preset "$preset"
    cmake --build --preset "$preset"
    ctest --preset "$preset" -L quick
done
