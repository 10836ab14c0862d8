#!/bin/sh
# Makes the meshes that the scenes in scenes/ use: tools/meshes.sh [THAW [FOLDER]]
set -eu
here=$(dirname "$0")/..
thaw=${1:-$here/build/release/thaw}
to=${2:-$here/scenes/meshes}
make() {
    shape=$1 name=$2
    shift 2
    "$thaw" mesh "$shape" "$@" -o "$to/$name"
}
make paddle_wheel paddle_wheel.obj --radius 0.42 --width 0.5 --hub 0.1 --axle 0.6 --count 8
make grate grate.obj --width 1 --depth 1 --height 0.08 --thickness 0.05 --count 6
make river_bed river_bed.obj --length 5 --width 1.6 --depth 0.45 --drop 0.25 --count 4
make waterfall waterfall.obj --width 1 --drop 1 --reach 0.6 --lip 0.35
make cup cup.obj --radius 0.16 --height 0.24 --thickness 0.025
make cup glass.obj --radius 0.022 --height 0.045 --thickness 0.0025 --taper 0.75 --detail 96
make bear bear.obj --height 0.3
# two seconds of flight, a beat a second
make creature creature.obj --length 1.1 --span 1.3 --frames 24
make cup bowl.obj --radius 0.36 --height 0.14 --thickness 0.03 --taper 0.45 --detail 96
# the ring of water round the fountain's pillar: a gear with hardly any teeth
make gear pond.obj --radius 0.6 --height 0.16 --depth 0.002 --hole 0.095 --count 48
