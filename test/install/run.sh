#!/usr/bin/env bash
# Installs a build into a temporary place and uses it from outside as a user would: through pkg-config,
# static and shared, and through find_package(thaw CONFIG).
# usage: run.sh SOURCE_DIR BUILD_DIR CC CMAKE
set -euo pipefail
source=$1 build=$2 cc=$3 cmake=$4

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() {
    echo "install: $*" >&2
    exit 1
}

# as a packager would: a prefix below DESTDIR, that is then found where it lies
DESTDIR=$place/root "$cmake" --install "$build" --prefix /opt/thaw >"$place/install.log"
prefix=$place/root/opt/thaw
libdir=$(dirname "$(find "$prefix" -name libthaw.a)")
export PKG_CONFIG_PATH=$libdir/pkgconfig

for header in "$source"/include/thaw/*.h; do
    cmp -s "$header" "$prefix/include/thaw/$(basename "$header")" || fail "$header is not installed"
done
for file in libthaw.a libthaw.so libthaw.so.0 pkgconfig/thaw.pc cmake/thaw/thawConfig.cmake; do
    [ -e "$libdir/$file" ] || fail "$file is not installed"
done
if [ -x "$build/thaw" ]; then
    for file in bin/thaw share/man/man1/thaw.1 share/bash-completion/completions/thaw \
        share/zsh/site-functions/_thaw; do
        [ -s "$prefix/$file" ] || fail "$file is not installed"
    done
fi
version=$(sed -n 's/#define THAW_VERSION "\(.*\)"/\1/p' "$source/include/thaw/base.h")
[ "$(pkg-config --modversion thaw)" = "$version" ] || fail "thaw.pc does not say version $version"

# only the names of the public headers leave the shared library
if strange=$(nm -D --defined-only "$libdir/libthaw.so" | awk '{print $3}' | grep -v '^thaw_'); then
    fail "libthaw.so exports $strange"
fi

# does a program need the shared library?
needs_shared() { readelf -d "$1" | grep -q 'NEEDED.*libthaw\.so\.0'; }

hello=$source/examples/hello.c
read -ra flags <<<"$(pkg-config --cflags --libs thaw)"
"$cc" -std=c17 "$hello" -o "$place/shared" "${flags[@]}"
needs_shared "$place/shared" || fail "the shared program does not use libthaw.so"
LD_LIBRARY_PATH=$libdir "$place/shared" >"$place/shared.txt"

read -ra flags <<<"$(pkg-config --static --cflags --libs thaw)"
"$cc" -std=c17 "$hello" -o "$place/static" -static "${flags[@]}"
if needs_shared "$place/static"; then fail "the static program uses libthaw.so"; fi
"$place/static" >"$place/static.txt"

"$cmake" -G Ninja -S "$source/test/install" -B "$place/outside" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix" -DEXAMPLE="$hello" >"$place/configure.log"
"$cmake" --build "$place/outside" >"$place/build.log" || { cat "$place/build.log" && exit 1; }
needs_shared "$place/outside/hello_shared" || fail "thaw::thaw is not the shared library"
if needs_shared "$place/outside/hello_static"; then fail "thaw::thaw_static is not static"; fi
"$place/outside/hello_shared" >"$place/outside_shared.txt"
"$place/outside/hello_static" >"$place/outside_static.txt"

# libthaw-io, where it was built
if [ -e "$libdir/pkgconfig/thaw-io.pc" ]; then
    read -ra flags <<<"$(pkg-config --cflags --libs thaw-io)"
    "$cc" -std=c17 "$source/test/install/read_scene.c" -o "$place/read_scene" "${flags[@]}"
    LD_LIBRARY_PATH=$libdir "$place/read_scene" "$source/scenes/dam_break_2d.yaml"
fi

# the same library, so the same figures
for output in static outside_shared outside_static; do
    cmp "$place/shared.txt" "$place/$output.txt" || fail "$output prints something else"
done
echo "installed tree used in four ways:"
cat "$place/shared.txt"
