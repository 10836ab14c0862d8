// What the liquid's inner loops share: eight particles of a cluster as lanes, offsets to a neighbour, the
// kernel, and what scales a pair of particles that differ.
//
// To be included by *_wide.c files alone, after nothing else of simd.
#ifndef THAW_MODELS_LIQUID_LANES_H
#define THAW_MODELS_LIQUID_LANES_H

#include "models/liquid/liquid.h"

#include "simd/wide.h"

// The kernel poly12 without its norm: on t = 1 − q², zero beyond q = 1, its value is t⁶ and its slope
// −f'(q)/q = 12 t⁵. No root is needed.
#define SLOPE_FACTOR THAW_LIQUID_SLOPE
#define BITS_OF_3 0x40400000 // as a float

THAW_INLINE F8 kernel_value(F8 t) {
    F8 t2 = f8_mul(t, t);
    return f8_mul(f8_mul(t2, t2), t2);
}

THAW_INLINE F8 kernel_slope(F8 t) { // over SLOPE_FACTOR
    F8 t2 = f8_mul(t, t);
    return f8_mul(f8_mul(t2, t2), t);
}

// eight lanes of places
typedef struct Lanes {
    I8 x, y, z;
    F8 lambda;
} Lanes;

// lanes that a short cluster lacks repeat its first, so that they reach nothing that it does not
THAW_INLINE Lanes load_lanes(const ThawPlace *place, const ThawCluster *cluster) {
    Lanes lanes;
    I8 w;
    ThawPlace own[THAW_LANES];
    place += cluster->first;
    if (cluster->count < THAW_LANES) {
        for (uint32_t k = 0; k < THAW_LANES; k++) own[k] = place[k < cluster->count ? k : 0];
        place = own;
    }
    i8_columns((const int32_t *)(const void *)place, &lanes.x, &lanes.y, &lanes.z, &w);
    lanes.lambda = i8_bits(w);
    return lanes;
}

// The lanes as they look through a segment's periodic image. When particles are alike the bits of 3.0f are
// added, see offset_to.
THAW_INLINE Lanes see_through(const Lanes *lanes, const ThawSegment *segment, bool mixed) {
    int32_t raise = mixed ? 0 : BITS_OF_3;
    return (Lanes){i8_sub(lanes->x, i8_set(segment->image[0] - raise)),
                   i8_sub(lanes->y, i8_set(segment->image[1] - raise)),
                   i8_sub(lanes->z, i8_set(segment->image[2] - raise)), lanes->lambda};
}

// offsets from a neighbour to the lanes: in cells, or in place units when mixed
typedef struct Offset {
    F8 x, y, z;
} Offset;

// A float from 2 to 4 counts in place units, so 3.0f's bits plus an offset of up to one cell are 3 plus the
// offset in cells, exactly. What is beyond one cell, the support, is stretched above and halved below: it
// stays beyond. Sizes up to 16 cells need a true conversion.
THAW_INLINE F8 offset_along(I8 lanes, I8 other, bool mixed) {
    I8 difference = i8_sub(lanes, other);
    return mixed ? i8_float(difference) : f8_sub(i8_bits(difference), f8_set(3.0f));
}

THAW_INLINE Offset offset_between(const Lanes *lanes, const Lanes *other, bool mixed) {
    return (Offset){offset_along(lanes->x, other->x, mixed),
                    offset_along(lanes->y, other->y, mixed),
                    offset_along(lanes->z, other->z, mixed)};
}

// one neighbour in every lane
THAW_INLINE Lanes spread(const ThawPlace *other) {
    return (Lanes){i8_set(other->x), i8_set(other->y), i8_set(other->z), f8_set(other->lambda)};
}

// the neighbour at `list` in every lane, or the two there: one in the first four lanes, one in the last
THAW_INLINE Lanes spread_listed(const ThawPlace *place, const uint32_t *list, bool two) {
    if (!two) return spread(&place[*list]);
    Lanes both;
    I8 w;
    i8_spread_two((const int32_t *)(const void *)&place[list[0]],
                  (const int32_t *)(const void *)&place[list[1]], &both.x, &both.y, &both.z, &w);
    both.lambda = i8_bits(w);
    return both;
}

THAW_INLINE Offset offset_to(const Lanes *lanes, const ThawPlace *place, bool mixed) {
    Lanes other = spread(place);
    return offset_between(lanes, &other, mixed);
}

// three numbers a lane: a correction, a velocity
typedef struct Move {
    F8 x, y, z;
} Move;

// three numbers of eight rows as columns
THAW_INLINE Move load_rows(const float *rows) {
    float columns[3][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        for (uint32_t a = 0; a < 3; a++) columns[a][k] = rows[3 * k + a];
    }
    return (Move){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2])};
}

// numbers of the lanes' own grains
typedef struct Grains {
    F8 support, density, stiffness, cap, tensile, xsph, tension, volume;
} Grains;

THAW_INLINE Grains load_grains(const ThawLiquidPass *pass, uint32_t first, bool mixed) {
    const ThawLiquidGrain *g = &pass->grain;
    Grains grains = {f8_set(g->support), f8_set(g->density), f8_set(g->stiffness),
                     f8_set(g->cap),     f8_set(g->tensile), f8_set(g->xsph),
                     f8_set(g->tension), f8_set(g->volume)};
    if (!mixed) return grains;
    float columns[8][THAW_LANES];
    for (uint32_t k = 0; k < THAW_LANES; k++) {
        g = &pass->grains[first + k];
        columns[0][k] = g->support;
        columns[1][k] = g->density;
        columns[2][k] = g->stiffness;
        columns[3][k] = g->cap;
        columns[4][k] = g->tensile;
        columns[5][k] = g->xsph;
        columns[6][k] = g->tension;
        columns[7][k] = g->volume;
    }
    return (Grains){f8_load(columns[0]), f8_load(columns[1]), f8_load(columns[2]),
                    f8_load(columns[3]), f8_load(columns[4]), f8_load(columns[5]),
                    f8_load(columns[6]), f8_load(columns[7])};
}

// what scales a pair's kernel
typedef struct PairScale {
    F8 inverse_h2; // 1/h² in place units; 1 when alike
    F8 weight;     // norm / S · V_j / h^dimensions
} PairScale;

// 1 − q², negative beyond the support
THAW_INLINE F8 nearness(const Offset *d, F8 inverse_h2, bool mixed) {
    if (mixed) {
        F8 r2 = f8_fma(d->z, d->z, f8_fma(d->y, d->y, f8_mul(d->x, d->x)));
        return f8_nma(r2, inverse_h2, f8_set(1.0f));
    }
    // the support is one cell
    return f8_nma(d->z, d->z, f8_nma(d->y, d->y, f8_nma(d->x, d->x, f8_set(1.0f))));
}

// t = 1 − q², zero beyond the support
THAW_INLINE F8 falloff(const Offset *d, F8 inverse_h2, bool mixed) {
    return f8_max(nearness(d, inverse_h2, mixed), f8_set(0.0f));
}

#define UNIT2 (THAW_PLACE_CELLS * THAW_PLACE_CELLS) // cells² a place unit²

THAW_INLINE PairScale same_scale(const ThawLiquidPass *pass) {
    return (PairScale){f8_set(1.0f), f8_set(pass->norm * pass->grain.volume)};
}

THAW_INLINE PairScale mixed_scale(const ThawLiquidPass *pass, const Grains *own,
                                  const ThawLiquidGrain *other) {
    F8 h = f8_mul(f8_add(own->support, f8_set(other->support)), f8_set(0.5f));
    F8 inverse = f8_div(f8_set(1.0f), h);
    F8 inverse2 = f8_mul(inverse, inverse);
    F8 power = pass->dimensions == 3 ? f8_mul(inverse2, inverse) : inverse2;
    return (PairScale){f8_mul(inverse2, f8_set(UNIT2)),
                       f8_mul(power, f8_set(other->volume * pass->norm))};
}

// 2 ρ_j / (ρ_i + ρ_j): what makes pair impulses between different densities symmetric
THAW_INLINE F8 density_share(const Grains *own, const ThawLiquidGrain *other) {
    return f8_div(f8_set(2.0f * other->density), f8_add(own->density, f8_set(other->density)));
}

// ---------------------------------------------------------------- moving

// Writes whole rows to pass->next. Writing λ alone into pass->place would take
// cache lines from threads that read them.
THAW_INLINE void store_lanes(const ThawLiquidPass *pass, const ThawCluster *cluster,
                             const Lanes *lanes) {
    ThawPlace own[THAW_LANES], *next = &pass->next[cluster->first];
    ThawPlace *rows = cluster->count == THAW_LANES ? next : own;
    i8_rows((int32_t *)(void *)rows, lanes->x, lanes->y, lanes->z, f8_bits(lanes->lambda));
    for (uint32_t k = 0; rows == own && k < cluster->count; k++) next[k] = own[k];
}

// adds eight lanes of x, y, z to rows of three numbers
THAW_INLINE void add_triples(float *rows, const F8 columns[3], uint32_t count) {
    F8 triples[3];
    f8_triples(columns, triples);
    if (count == THAW_LANES) {
        for (int k = 0; k < 3; k++) {
            f8_store(rows + 8 * k, f8_add(f8_load(rows + 8 * k), triples[k]));
        }
        return;
    }
    float lanes[3 * THAW_LANES];
    for (int k = 0; k < 3; k++) f8_store(lanes + 8 * k, triples[k]);
    for (uint32_t k = 0; k < 3 * count; k++) rows[k] += lanes[k];
}

// the move in place units is applied to place, and in cells to shift
THAW_INLINE void apply_move(const ThawLiquidPass *pass, const ThawCluster *cluster,
                            const Lanes *lanes, F8 dx, F8 dy, F8 dz) {
    Lanes moved = {i8_add(lanes->x, f8_round(dx)), i8_add(lanes->y, f8_round(dy)),
                   i8_add(lanes->z, f8_round(dz)), lanes->lambda};
    store_lanes(pass, cluster, &moved);
    const F8 cells = f8_set(THAW_PLACE_CELLS);
    F8 moves[3] = {f8_mul(dx, cells), f8_mul(dy, cells), f8_mul(dz, cells)};
    add_triples(&pass->shift[3 * (size_t)cluster->first], moves, cluster->count);
}

#endif
