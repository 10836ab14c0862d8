#!/usr/bin/env bash
# Formats every C and C++ file of the tree in place; with --check says which differ and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

# tracked files and new ones, not ignored ones; outside of a git checkout, the source folders
list_files() {
    local folders=(include src cli test bench examples)
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' '*.cpp'
    else
        find "${folders[@]}" -name '*.[ch]' -print0 -o -name '*.cpp' -print0 2>/dev/null
    fi
}

mapfile -t -d '' listed < <(list_files)
files=()
for file in "${listed[@]}"; do
    # a tracked file may have been deleted
    if [ -e "$file" ]; then files+=("$file"); fi
done
if [ ${#files[@]} = 0 ]; then
    echo "format: no files found" >&2
    exit 1
fi
if [ "${1:-}" = --check ]; then
    clang-format --dry-run --Werror "${files[@]}"
else
    clang-format -i "${files[@]}"
fi
