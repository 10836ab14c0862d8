// Positions as fixed-point numbers of cells: 32 bits of cell, 32 bits of fraction.
//
// A cell is one support h of the world's usual particle. Integers make matter far from the origin
// behave in every bit as at the origin, make periodic wrapping exact, and give the cell by a shift.
#ifndef THAW_MATH_FIXED_H
#define THAW_MATH_FIXED_H

#include <math.h>
#include <stdint.h>

#define THAW_FIXED_BITS 32
#define THAW_FIXED_ONE ((int64_t)1 << THAW_FIXED_BITS)
// cells lie in [-2^20, 2^20) on each axis: 21 bits
#define THAW_CELL_BITS 21
#define THAW_CELL_LIMIT ((int64_t)1 << (THAW_CELL_BITS - 1))

// nearest fixed-point value of a length in cells; |cells| must be below 2^30
static inline int64_t thaw_fixed_from(double cells) {
    return (int64_t)llrint(cells * 4294967296.0);
}

// the same for a float: scaling by a power of two is exact, so no double is needed
static inline int64_t thaw_fixed_from_float(float cells) {
    return (int64_t)llrintf(cells * 4294967296.0f);
}

static inline double thaw_fixed_cells(int64_t fixed) {
    return (double)fixed * (1.0 / 4294967296.0);
}

static inline int32_t thaw_fixed_cell(int64_t fixed) {
    return (int32_t)(fixed >> THAW_FIXED_BITS);
}

#endif
