// Blocks of the solid's rows as eight lanes: what finding frames and kicking share. Only for *_wide.c files.
//
// Eight rows of a block are the lanes; their sites are walked one after the other. A vacant site holds the
// particle itself, whose offset is nothing.
#ifndef THAW_MODELS_SOLID_LANES_WIDE_H
#define THAW_MODELS_SOLID_LANES_WIDE_H

#include "models/solid/solid.h"

#include "lattice/offset_wide.h"
#include "lattice/rows_wide.h"

// In place units: whole numbers, exact, and so are sums of a few. `periodic` says whether any axis is; the compiler
// knows where none is
THAW_INLINE W3 offset_to(const ThawSolidPass *pass, const I8 own[3], const I8 other[3],
                         bool periodic) {
    const int32_t none[3] = {0, 0, 0}, *period = periodic ? pass->period : none;
    return (W3){offset_axis(own[0], other[0], period[0]), offset_axis(own[1], other[1], period[1]),
                offset_axis(own[2], other[2], period[2])};
}

THAW_INLINE bool is_periodic(const ThawSolidPass *pass) {
    return (pass->period[0] | pass->period[1] | pass->period[2]) != 0;
}

// numbers of the lanes' own kinds
typedef struct Kinds {
    F8 unit, half_k, volume_k, shear_k, push, damping, law;
} Kinds;

static void mix_kinds(const ThawSolidPass *pass, uint32_t first, Kinds *kinds) {
    float columns[7][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        uint32_t row = first + k;
        const ThawSolidKind *kind = &pass->kinds[row < pass->rows ? pass->kind[row] : 0];
        columns[0][k] = kind->unit;
        columns[1][k] = kind->half_k;
        columns[2][k] = kind->volume_k;
        columns[3][k] = kind->shear_k;
        columns[4][k] = kind->push;
        columns[5][k] = kind->damping;
        columns[6][k] = (float)kind->law;
    }
    *kinds =
        (Kinds){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2]), f8_load(columns[3]),
                f8_load(columns[4]), f8_load(columns[5]), f8_load(columns[6])};
}

THAW_INLINE void load_kinds(const ThawSolidPass *pass, uint32_t first, bool alike, Kinds *kinds) {
    if (!alike) {
        mix_kinds(pass, first, kinds);
        return;
    }
    const ThawSolidKind *kind = &pass->kinds[pass->kind[first]];
    *kinds = (Kinds){f8_set(kind->unit),      f8_set(kind->half_k), f8_set(kind->volume_k),
                     f8_set(kind->shear_k),   f8_set(kind->push),   f8_set(kind->damping),
                     f8_set((float)kind->law)};
}

THAW_INLINE void gather_place(const ThawSolidPass *pass, const uint32_t *slot, I8 at[3]) {
    I8 spare;
    i8_gather((const int32_t *)(const void *)pass->place, 4, slot, &at[0], &at[1], &at[2], &spare);
}

THAW_INLINE W3 gather_speed(const ThawSolidPass *pass, const uint32_t *slot) {
    I8 x, y, z, spare;
    i8_gather((const int32_t *)(const void *)pass->speed, 4, slot, &x, &y, &z, &spare);
    return (W3){i8_bits(x), i8_bits(y), i8_bits(z)};
}

THAW_INLINE F8 gather_drag(const ThawSolidPass *pass, const uint32_t *rows) {
    float columns[THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) columns[k] = pass->drag[rows[k]];
    return f8_load(columns);
}

// the rows themselves: [0..7] from `first`, the last one again beyond the end
THAW_INLINE void own_rows(const ThawSolidPass *pass, uint32_t first, uint32_t rows[THAW_LANES]) {
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        rows[k] = first + k < pass->rows ? first + k : pass->rows - 1;
    }
}

THAW_INLINE const uint32_t *slots_of(const ThawSolidPass *pass, uint32_t block, uint32_t site) {
    return &pass->bonds->slot[((size_t)block * THAW_SITES + site) * THAW_LANES];
}

// lanes that are solid
static uint32_t solid_lanes(const ThawSolidPass *pass, uint32_t first) {
    uint32_t mask = 0;
    for (uint32_t k = 0; k < THAW_LANES && first + k < pass->rows; k++) {
        mask |= (uint32_t)(pass->kind[first + k] != 0) << k;
    }
    return mask;
}

// a block's rows, and what they are
typedef struct Lanes {
    uint32_t first, mask, rows[THAW_LANES];
    bool alike; // of one kind, and all there
    Kinds kinds;
    I8 own[3];
} Lanes;

THAW_INLINE void load_lanes(const ThawSolidPass *pass, uint32_t block, Lanes *lanes) {
    uint32_t first = lanes->first = block * THAW_LANES;
    lanes->alike = false;
    if (first + THAW_LANES <= pass->rows) {
        uint64_t kinds[2], same = pass->kind[first] * (uint64_t)0x0001000100010001u;
        __builtin_memcpy(kinds, &pass->kind[first], sizeof kinds);
        lanes->alike = pass->kind[first] != 0 && kinds[0] == same && kinds[1] == same;
    }
    lanes->mask = lanes->alike ? 0xffu : solid_lanes(pass, first);
    own_rows(pass, first, lanes->rows);
    load_kinds(pass, first, lanes->alike, &lanes->kinds);
    gather_place(pass, lanes->rows, lanes->own);
}

// a neighbourhood's rigid motion, at its particle
typedef struct Motion {
    W3 u, omega;
} Motion;

#endif
