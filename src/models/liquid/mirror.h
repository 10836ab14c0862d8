// Images: the liquid's own particles, mirrored in flat walls, in worlds of several sizes.
//
// Where sizes differ, γ and 2 λ ∇γ will not do. They have no potential: along a wall they carry too little of the
// pressure, the less the larger particles are, and small ones creep between the wall and large ones. A wall that is
// a mirror is nothing but more liquid: the images of a pair have the energy and the impulses of a pair, so that
// momentum along the wall is kept and nothing at rest is driven. Images glide along the wall as the next layer of a
// crystal does, so that a fresh one fits it (docs/theory/walls.md).
#ifndef THAW_MODELS_LIQUID_MIRROR_H
#define THAW_MODELS_LIQUID_MIRROR_H

#include "models/liquid/liquid.h"
#include "models/model.h"

// Particles of one cluster that are mirrored: neighbours among the walls' mirrors.
typedef struct ThawMirrored {
    uint32_t cluster, first, count;
} ThawMirrored;

typedef struct ThawMirrors {
    ThawMirror *mirrors; // of the walls
    ThawMirrored *groups;
    uint32_t count; // groups; 0: nothing is mirrored
    size_t bytes;
} ThawMirrors;

typedef struct ThawMirrorPass {
    const ThawLiquidPass *liquid;
    ThawMirror *mirrors;
    const ThawMirrored *groups;
    uint32_t count;
    float up[3], side[3]; // ways that images in upright walls and in floors glide
    float *wall;          // what images add to the volume fraction
} ThawMirrorPass;

#define THAW_MIRROR_CHUNK 16u    // groups a task
#define THAW_MIRROR_SUPPORT 2.0f // h in spacings

// Finds who is mirrored in this substep: nobody unless sizes differ.
ThawResult thaw_mirrors_find(ThawMirrors *mirrors, ThawStep *step);
// To be called once a step, so that what no substep asks for any more goes.
void thaw_mirrors_rest(ThawMirrors *mirrors);
void thaw_mirrors_release(ThawMirrors *mirrors);
// Writes what images add to the volume fraction to work->wall; before the density pass.
void thaw_mirrors_density(const ThawMirrors *mirrors, ThawStep *step, const ThawLiquidPass *pass);
// Leaves what images push by in the walls' mirrors; between the density pass and the correction.
void thaw_mirrors_push(const ThawMirrors *mirrors, ThawStep *step, const ThawLiquidPass *pass);

THAW_WIDE_DECLARE(void, thaw_mirror_density, (const ThawMirrorPass *pass, uint32_t chunk));
THAW_WIDE_DECLARE(void, thaw_mirror_push, (const ThawMirrorPass *pass, uint32_t chunk));

#endif
