// Grains that the tests of contacts share, and two blocks of them.
#ifndef TEST_SOLID_CONTACT_GRAINS_H
#define TEST_SOLID_CONTACT_GRAINS_H

#include "rig.h"

#define MOST 4096

static Grain grains[MOST];

static inline Grain solid(int32_t group) {
    return (Grain){.group = group, .distance = D3, .weight = 1.0};
}

static inline Grain liquid(void) {
    return (Grain){.distance = D3, .weight = 1.0};
}

// two blocks, the upper one coming down and sideways on the lower
static inline uint32_t make_blocks(int dimensions) {
    Grain low = solid(1), high = solid(2);
    low.distance = high.distance = unit_distance(dimensions);
    low.friction = 0.4, high.friction = 0.9;
    high.weight = 0.01;
    int up = dimensions - 1;
    high.shift[up] = -0.4 * SPACING;
    high.shift[0] = 0.13;
    const uint32_t size[3] = {5, 4, dimensions == 3 ? 3 : 1};
    const double at[3] = {0, 0, 0};
    uint32_t count = add_block(grains, 0, size, at, low);
    double over[3] = {0.17, 0.05, 0};
    over[up] = dimensions == 3 ? (2 * sqrt(2.0 / 3.0) + 0.95) * D3 : (3 * sqrt(0.75) + 0.95) * D2;
    return count + add_block(grains, count, size, over, high);
}

#endif
