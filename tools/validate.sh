#!/usr/bin/env bash
# Runs every validate_* program of a build and writes what they print (Markdown) to a file.
# usage, from the root of the tree: tools/validate.sh BUILD_DIR OUTPUT
set -euo pipefail
build=$1
output=$2

mapfile -t names < <(find test -name 'validate_*.c' -exec basename -s .c {} + | sort)
if [ ${#names[@]} = 0 ]; then
    echo "validate: there is no test/*/validate_*.c yet"
    exit 0
fi

page=$(mktemp "$output.XXXXXX")
trap 'rm -f "$page"' EXIT
{
    echo "# Validation"
    echo
    echo "Written by \`make validate\`: the physics at full size, measured against published or analytic"
    echo "figures. Each section is what one program of \`test/*/validate_*.c\` printed."
} >"$page"
failed=0
for name in "${names[@]}"; do
    echo "validate: $name"
    echo >>"$page"
    if ! "$build/test/$name" | tee -a "$page"; then
        echo "validate: $name failed" >&2
        failed=1
    fi
done
# a failed run leaves the last good page in place
if [ $failed = 0 ]; then
    chmod 644 "$page"
    mv "$page" "$output"
    echo "validate: written to $output"
fi
exit $failed
