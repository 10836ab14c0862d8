#!/usr/bin/env bash
# Runs the validate_* programs of a build and writes what they print (Markdown) to a page, one section a program.
# usage, from the root of the tree: tools/validate.sh BUILD_DIR OUTPUT [NAME...]
# With names (heat, mixed, ...) only those run; the other sections of the page stay. A section whose program fails is
# written too, and says so.
set -euo pipefail
build=$1
output=$2
shift 2

mapfile -t all < <(find test -name 'validate_*.c' -exec basename -s .c {} + | sort)
wanted=("${@/#/validate_}")
[ $# = 0 ] && wanted=("${all[@]}")

parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
# the sections that the page has now
if [ -f "$output" ]; then
    awk -v folder="$parts" '
        /^<!-- validate_[a-z_]+ -->$/ { file = folder "/" $2; next }
        file != "" { print > file }' "$output"
fi

failed=0
for name in "${wanted[@]}"; do
    echo "validate: $name"
    if ! "$build/test/$name" | tee "$parts/$name"; then
        echo "validate: $name failed" >&2
        printf '\n**This program failed: something above is not kept.**\n' >>"$parts/$name"
        failed=1
    fi
done

page=$(mktemp "$output.XXXXXX")
{
    echo "# Validation"
    echo
    echo "Written by \`make validate\`: the physics at full size, measured against published or analytic"
    echo "figures. Each section is what one program of \`test/*/validate_*.c\` printed."
    for name in "${all[@]}"; do
        [ -f "$parts/$name" ] || continue
        printf '\n<!-- %s -->\n' "$name"
        # no blank lines at either end
        sed -e '/./,$!d' "$parts/$name" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
    done
} >"$page"
chmod 644 "$page"
mv "$page" "$output"
echo "validate: written to $output"
exit $failed
