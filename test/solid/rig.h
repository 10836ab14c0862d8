// What the tests of the solid's slow twin share: blocks in the units k = m = D = 1.
#ifndef TEST_SOLID_RIG_H
#define TEST_SOLID_RIG_H

#include "solid/twin.h"
#include "support/bounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static inline Block block_3d(int nx, int ny, int nz) {
    return (Block){.dimensions = 3, .planes = {nx, ny, nz}, .distance = 1};
}

// a block of nx × ny × nz half-layers about the origin, at rest
static inline SolidTwin solid_block(int nx, int ny, int nz, Mat turn) {
    SolidTwin twin = solid_make(3);
    Block block = block_3d(nx, ny, nz);
    solid_add_block(&twin, &block, turn, (ThawVec3){0, 0, 0}, 0);
    return twin;
}

// every particle moved by up to `size` along each axis
static inline void shake(SolidTwin *twin, Dice *dice, double size) {
    for (int i = 0; i < twin->count; i++) {
        ThawVec3 shift = dice_vector(dice);
        if (twin->dimensions == 2) shift.z = 0;
        twin->particles[i].x = v_along(twin->particles[i].x, size, shift);
    }
    twin->ready = false;
}

// positions through a linear map; the particles' own frames stay as they are
static inline void deform(SolidTwin *twin, Mat map) {
    for (int i = 0; i < twin->count; i++) {
        twin->particles[i].x = m_apply(map, twin->particles[i].x);
    }
    twin->ready = false;
}

static inline void leap_for(SolidTwin *twin, double dt, int steps) {
    for (int n = 0; n < steps; n++) solid_leap(twin, dt);
}

static inline ThawVec3 *copy_places(const SolidTwin *twin) {
    ThawVec3 *places = malloc((size_t)twin->count * sizeof *places);
    assert_non_null(places);
    for (int i = 0; i < twin->count; i++) places[i] = twin->particles[i].x;
    return places;
}

static inline double energy_of(const SolidTwin *twin) {
    return solid_elastic(twin) + solid_kinetic(twin) + solid_touching(twin);
}

#endif
