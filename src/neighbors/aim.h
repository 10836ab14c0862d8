// Where rows aim, many rows at once: the formulas of ThawAim (neighbors.h) in blocks of eight rows, bit for bit.
//
// Only for domains without periodic axes. Those who call do the rest row by row, and everything where a function
// returns false.
#ifndef THAW_NEIGHBORS_AIM_H
#define THAW_NEIGHBORS_AIM_H

#include "neighbors/table.h"
#include "simd/isa.h"

#define THAW_AIM_ROWS 8u // a block

static inline bool thaw_aim_is_open(const ThawAim *aim) {
    const bool *periodic = aim->domain->periodic;
    return !periodic[0] && !periodic[1] && !periodic[2];
}

typedef struct ThawAimBounds {
    int64_t least[3], most[3]; // fixed-point tentative positions
    float max_shift2;          // cells²
} ThawAimBounds;

// False when some displacement is absurd or not finite.
THAW_WIDE_DECLARE(bool, thaw_aim_bounds,
                  (const ThawAim *aim, uint32_t first, uint32_t blocks, ThawAimBounds *bounds));
// Keys of rows of one level, none of which is in trouble.
THAW_WIDE_DECLARE(void, thaw_aim_keys,
                  (const ThawAim *aim, const ThawTable *table, int level, uint32_t first,
                   uint32_t blocks, uint64_t *keys));
// Displacements, and places with λ = 0.
THAW_WIDE_DECLARE(void, thaw_aim_places,
                  (const ThawAim *aim, uint32_t first, uint32_t blocks, float *shift,
                   ThawPlace *place));

// What came of it: `velocity` is shift · scale.
typedef struct ThawAimMoves {
    const float *shift;
    float *velocity;
    double scale;                      // m/s a cell
    float max_shift2, max_correction2; // cells², the largest; a correction is shift less the aim
} ThawAimMoves;

// False when some displacement is absurd or not finite.
THAW_WIDE_DECLARE(bool, thaw_aim_moves,
                  (const ThawAim *aim, uint32_t first, uint32_t blocks, ThawAimMoves *moves));
// Adds displacements to fixed-point positions, `count` numbers of each; false, and nothing done, as above.
THAW_WIDE_DECLARE(bool, thaw_aim_arrive, (int64_t * cells, const float *shift, size_t count));

// The key of a tentative position: level | z | y | x | fraction of x.
static inline uint64_t thaw_aim_key(const ThawTable *table, int number, const int64_t at[3]) {
    const ThawLevel *level = &table->levels[number];
    int shift = THAW_FIXED_BITS + level->shift;
    uint64_t x = (uint64_t)(at[0] - level->origin[0] * ((int64_t)1 << shift));
    uint64_t y = (uint64_t)((at[1] >> shift) - level->origin[1]);
    uint64_t z = (uint64_t)((at[2] >> shift) - level->origin[2]);
    uint64_t key =
        ((uint64_t)(number - table->level_base) << table->bits_z | z) << table->bits_y | y;
    return key << (table->bits_x + table->bits_fraction) | x >> (shift - table->bits_fraction);
}

#endif
