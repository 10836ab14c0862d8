// Blocks cut from the perfect lattice, as the validation cases count them: in half-layers.
//
// 3D: the points (i, j, k) D/√2 with i + j + k even, 0 ≤ i < planes[0] and so on; 2D: planes[1] rows
// along x, D √3/2 apart, of planes[0] particles, every second row shifted by D/2.
#ifndef TEST_SOLID_BLOCKS_H
#define TEST_SOLID_BLOCKS_H

#include <math.h>
#include <stdbool.h>
#include <thaw/base.h>

typedef struct Block {
    int dimensions;
    int planes[3];   // 2D: the third is not read
    double distance; // D
} Block;

// Where point (i, j, k) of a block is; false where the lattice has none.
static inline bool block_point(const Block *block, const int at[3], ThawVec3 *place) {
    double d = block->distance;
    if (block->dimensions == 2) {
        *place = (ThawVec3){d * (at[0] + 0.5 * (at[1] & 1)), d * 0.5 * sqrt(3) * at[1], 0};
        return true;
    }
    if ((at[0] + at[1] + at[2]) & 1) return false;
    double half = d / sqrt(2);
    *place = (ThawVec3){half * at[0], half * at[1], half * at[2]};
    return true;
}

// Goes through a block's points: start with at = {-1, 0, 0}.
static inline bool block_next(const Block *block, int at[3], ThawVec3 *place) {
    int layers = block->dimensions == 2 ? 1 : block->planes[2];
    for (;;) {
        if (++at[0] == block->planes[0]) {
            at[0] = 0;
            if (++at[1] == block->planes[1]) {
                at[1] = 0;
                if (++at[2] == layers) return false;
            }
        }
        if (block_point(block, at, place)) return true;
    }
}

static inline int block_count(const Block *block) {
    int count = 0, at[3] = {-1, 0, 0};
    ThawVec3 place;
    while (block_next(block, at, &place)) count++;
    return count;
}

// Whether a point of a 3D block lies on its surface.
static inline bool block_on_surface(const Block *block, const int at[3]) {
    for (int k = 0; k < 3; k++) {
        if (at[k] == 0 || at[k] == block->planes[k] - 1) return true;
    }
    return false;
}

#endif
