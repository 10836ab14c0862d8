// Cell keys: 21 bits an axis in one number, ordered by z, then y, then x.
//
// Consecutive keys of one (z, y) are neighbouring cells along x, so that a row of cells is one
// range of keys. Each coordinate is biased by 2^20 to make it positive.
#ifndef THAW_NEIGHBORS_KEYS_H
#define THAW_NEIGHBORS_KEYS_H

#include "math/fixed.h"
#include <stdint.h>

#define THAW_KEY_BITS (3 * THAW_CELL_BITS)
#define THAW_KEY_MASK (((uint64_t)1 << THAW_CELL_BITS) - 1)

// Each coordinate in [-2^20, 2^20).
static inline uint64_t thaw_key_encode(int32_t x, int32_t y, int32_t z) {
    uint64_t bx = (uint64_t)(x + THAW_CELL_LIMIT);
    uint64_t by = (uint64_t)(y + THAW_CELL_LIMIT);
    uint64_t bz = (uint64_t)(z + THAW_CELL_LIMIT);
    return bz << (2 * THAW_CELL_BITS) | by << THAW_CELL_BITS | bx;
}

static inline void thaw_key_decode(uint64_t key, int32_t cell[3]) {
    cell[0] = (int32_t)((int64_t)(key & THAW_KEY_MASK) - THAW_CELL_LIMIT);
    cell[1] = (int32_t)((int64_t)(key >> THAW_CELL_BITS & THAW_KEY_MASK) - THAW_CELL_LIMIT);
    cell[2] = (int32_t)((int64_t)(key >> (2 * THAW_CELL_BITS) & THAW_KEY_MASK) - THAW_CELL_LIMIT);
}

#endif
