#!/usr/bin/env bash
# Installs the packages of tools/packages.txt that are missing. Shows the command and asks first,
# unless CI is set or YES=1. Does nothing when all are there.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v dpkg-query >/dev/null; then
    echo "setup: not a Debian system; thaw needs a C17 compiler, cmake 3.20, ninja, cmocka," \
        "pkg-config, python3, libfyaml, HDF5, Embree 3, libpng and ffmpeg from your package manager."
    if command -v cc >/dev/null && command -v cmake >/dev/null; then exit 0; fi
    exit 1
fi

# one line for each wanted package: its alternatives, blank-separated
mapfile -t wanted < <(sed -e 's/#.*//' -e 's/|/ /g' -e '/^[[:space:]]*$/d' packages.txt)
# shellcheck disable=SC2068 # the words are package names
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' ${wanted[@]} 2>/dev/null || true)

missing=()
for line in "${wanted[@]}"; do
    found=0
    for name in $line; do
        if grep -qxF "installed $name" <<<"$installed"; then found=1; fi
    done
    if [ $found = 0 ]; then missing+=("$line"); fi
done
if [ ${#missing[@]} = 0 ]; then exit 0; fi

sudo=()
if [ "$(id -u)" != 0 ]; then sudo=(sudo); fi

# the first alternative that the archive knows
choose() {
    local name
    for name in "$@"; do
        if apt-cache show "$name" >/dev/null 2>&1; then
            echo "$name"
            return
        fi
    done
    echo "$1"
}

# sets `chosen` to one package for each missing line
choose_all() {
    local line
    chosen=()
    for line in "${missing[@]}"; do
        # shellcheck disable=SC2086 # split into alternatives
        chosen+=("$(choose $line)")
    done
}

choose_all
install=(apt-get install -y --no-install-recommends)
echo "setup: missing: ${chosen[*]}"
echo "setup: command: ${sudo[*]:+sudo }apt-get update && ${sudo[*]:+sudo }${install[*]} ${chosen[*]}"
if [ -z "${CI:-}" ] && [ "${YES:-}" != 1 ]; then
    read -r -p "setup: run it? [y/N] " answer || answer=n
    case $answer in
    [yY]*) ;;
    *)
        echo "setup: nothing was installed."
        exit 1
        ;;
    esac
fi
"${sudo[@]}" apt-get update
choose_all # an archive just fetched may know more names
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}" "${chosen[@]}"
