// Where rows aim, eight rows at a time. Rows of three numbers are worked on as they lie, 24 in a line, in plain
// loops of known length that the compiler turns to vectors.
#include "neighbors/aim.h"

#include "simd/wide.h"

#include <math.h>
#include <string.h>

#define NUMBERS (3 * THAW_AIM_ROWS)
#define FAR 499999.0f // cells: what is further is looked at row by row

// A double of this size counts in ones: the sum's last bits are a whole number, rounded as llrint does. Good for
// displacements of up to 2^19 cells.
#define WHOLE 6755399441055744.0 // 1.5 · 2^52
#define WHOLE_BITS INT64_C(0x4338000000000000)

// what gravity adds, for each number of a block
THAW_INLINE void spread_pull(const ThawAim *aim, float pull[NUMBERS]) {
    for (uint32_t k = 0; k < NUMBERS; k++) pull[k] = aim->pull[k % 3];
}

THAW_INLINE void shift_block(const ThawAim *aim, const float pull[NUMBERS], uint32_t row,
                             float shift[NUMBERS]) {
    const float *velocity = &aim->velocity[3 * (size_t)row];
    for (uint32_t k = 0; k < NUMBERS; k++) shift[k] = (velocity[k] + pull[k]) * aim->factor;
}

THAW_INLINE void fix_block(const float shift[NUMBERS], int64_t fixed[NUMBERS]) {
    double wide[NUMBERS];
    for (uint32_t k = 0; k < NUMBERS; k++) wide[k] = (double)shift[k] * 4294967296.0 + WHOLE;
    memcpy(fixed, wide, sizeof wide);
    for (uint32_t k = 0; k < NUMBERS; k++) fixed[k] -= WHOLE_BITS;
}

THAW_INLINE void aim_block(const ThawAim *aim, uint32_t row, const float shift[NUMBERS],
                           int64_t at[NUMBERS]) {
    const int64_t *cells = &aim->cells[3 * (size_t)row];
    fix_block(shift, at);
    for (uint32_t k = 0; k < NUMBERS; k++) at[k] += cells[k];
}

// lengths² of eight rows; *sane loses the bits of rows that are too far
THAW_INLINE F8 square_rows(const float rows[NUMBERS], uint32_t *sane) {
    F8 x, y, z, far = f8_set(FAR);
    f8_turn_triples(rows, &x, &y, &z);
    *sane &= f8_below(f8_abs(x), far) & f8_below(f8_abs(y), far) & f8_below(f8_abs(z), far);
    return f8_add(f8_add(f8_mul(x, x), f8_mul(y, y)), f8_mul(z, z));
}

bool THAW_WIDE(thaw_aim_bounds)(const ThawAim *aim, uint32_t first, uint32_t blocks,
                                ThawAimBounds *bounds) {
    float pull[NUMBERS], shift[NUMBERS];
    int64_t at[NUMBERS], least[NUMBERS], most[NUMBERS];
    F8 longest = f8_set(0.0f);
    uint32_t sane = 0xff;
    spread_pull(aim, pull);
    for (uint32_t k = 0; k < NUMBERS; k++) {
        least[k] = INT64_MAX;
        most[k] = INT64_MIN;
    }
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t row = first + b * THAW_AIM_ROWS;
        shift_block(aim, pull, row, shift);
        aim_block(aim, row, shift, at);
        longest = f8_max(longest, square_rows(shift, &sane));
        for (uint32_t k = 0; k < NUMBERS; k++) least[k] = at[k] < least[k] ? at[k] : least[k];
        for (uint32_t k = 0; k < NUMBERS; k++) most[k] = at[k] > most[k] ? at[k] : most[k];
    }
    for (uint32_t k = 3; k < NUMBERS; k++) {
        if (least[k] < least[k % 3]) least[k % 3] = least[k];
        if (most[k] > most[k % 3]) most[k % 3] = most[k];
    }
    memcpy(bounds->least, least, sizeof bounds->least);
    memcpy(bounds->most, most, sizeof bounds->most);
    bounds->max_shift2 = f8_most(longest);
    return sane == 0xff;
}

void THAW_WIDE(thaw_aim_keys)(const ThawAim *aim, const ThawTable *table, int level, uint32_t first,
                              uint32_t blocks, uint64_t *keys) {
    float pull[NUMBERS], shift[NUMBERS];
    int64_t at[NUMBERS];
    const ThawTable own = *table; // known not to change
    spread_pull(aim, pull);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t row = first + b * THAW_AIM_ROWS;
        shift_block(aim, pull, row, shift);
        aim_block(aim, row, shift, at);
        for (uint32_t k = 0; k < THAW_AIM_ROWS; k++) {
            keys[row + k] = thaw_aim_key(&own, level, &at[3 * (size_t)k]);
        }
    }
}

void THAW_WIDE(thaw_aim_places)(const ThawAim *aim, uint32_t first, uint32_t blocks, float *shift,
                                ThawPlace *place) {
    float pull[NUMBERS], own[NUMBERS], bits[NUMBERS];
    int64_t at[NUMBERS];
    int32_t low[NUMBERS];
    spread_pull(aim, pull);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t row = first + b * THAW_AIM_ROWS;
        shift_block(aim, pull, row, own);
        memcpy(&shift[3 * (size_t)row], own, sizeof own);
        aim_block(aim, row, own, at);
        for (uint32_t k = 0; k < NUMBERS; k++) low[k] = thaw_place_from(at[k]);
        memcpy(bits, low, sizeof bits);
        F8 x, y, z;
        f8_turn_triples(bits, &x, &y, &z);
        i8_rows((int32_t *)(void *)&place[row], f8_bits(x), f8_bits(y), f8_bits(z), i8_set(0));
    }
}

bool THAW_WIDE(thaw_aim_moves)(const ThawAim *aim, uint32_t first, uint32_t blocks,
                               ThawAimMoves *moves) {
    float pull[NUMBERS], aimed[NUMBERS], own[NUMBERS], less[NUMBERS];
    F8 longest = f8_set(0.0f), farthest = f8_set(0.0f);
    uint32_t sane = 0xff, any = 0xff;
    spread_pull(aim, pull);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t row = first + b * THAW_AIM_ROWS;
        float *velocity = &moves->velocity[3 * (size_t)row];
        memcpy(own, &moves->shift[3 * (size_t)row], sizeof own);
        shift_block(aim, pull, row, aimed);
        for (uint32_t k = 0; k < NUMBERS; k++) less[k] = own[k] - aimed[k];
        longest = f8_max(longest, square_rows(own, &sane));
        farthest = f8_max(farthest, square_rows(less, &any));
        for (uint32_t k = 0; k < NUMBERS; k++) {
            velocity[k] = (float)((double)own[k] * moves->scale);
        }
    }
    moves->max_shift2 = f8_most(longest);
    moves->max_correction2 = f8_most(farthest);
    return sane == 0xff;
}

bool THAW_WIDE(thaw_aim_arrive)(int64_t *cells, const float *shift, size_t count) {
    int wild = 0;
    for (size_t k = 0; k < count; k++) wild |= !(fabsf(shift[k]) < FAR);
    if (wild != 0) return false;
    size_t k = 0;
    for (; k + NUMBERS <= count; k += NUMBERS) {
        int64_t fixed[NUMBERS];
        fix_block(&shift[k], fixed);
        for (uint32_t n = 0; n < NUMBERS; n++) cells[k + n] += fixed[n];
    }
    for (; k < count; k++) cells[k] += thaw_fixed_from_float(shift[k]);
    return true;
}
