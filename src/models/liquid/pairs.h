// Pairs of particles that differ, for the liquid's inner loops.
//
// A pair's support is h = (h_i + h_j) / 2. Its part in the constraint is V_j g_ij (h / h_j) W(r, h):
// matter beside a particle is a sheet whose thickness is the neighbours' own, and only with this ratio does a
// sheet of small or of large particles count the same. g_ij = 1 + s max(h_i / h − 1, 0) h_j / h
// is more than 1 where j is smaller than i, and keeps small particles out of the room between large ones
// (docs/theory/liquid.md, Sizes). The impulse
//   m_i Δp_i = ρ_ij V_i V_j h² / (h_i h_j) (λ_i g_ij h_i + λ_j g_ji h_j) / h ∇W,
//   ρ_ij = 2 ρ_i ρ_j / (ρ_i + ρ_j)
// follows the gradients of both constraints, and changes nothing but its sign when i and j are
// exchanged.
//
// To be included by *_wide.c files alone.
#ifndef THAW_MODELS_LIQUID_PAIRS_H
#define THAW_MODELS_LIQUID_PAIRS_H

#include "models/liquid/lanes.h"

// a ThawLiquidPair of each lane
typedef struct Pair {
    F8 inverse_h2, weight, push, own, other, square, lean, tensile, pull;
} Pair;

// The table's row of a cluster whose particles are of one kind; NULL when they are not, or without a table.
THAW_INLINE const ThawLiquidPair *row_of(const ThawLiquidPass *pass, const ThawCluster *cluster) {
    if (pass->kinds == NULL) return NULL;
    const uint8_t *kind = &pass->kinds[cluster->first];
    for (uint32_t k = 1; k < cluster->count; k++) {
        if (kind[k] != kind[0]) return NULL;
    }
    return &pass->pairs[kind[0] * pass->kind_count];
}

THAW_INLINE Pair look_up_pair(const ThawLiquidPair *p) {
    return (Pair){f8_set(p->inverse_h2), f8_set(p->weight),  f8_set(p->push),
                  f8_set(p->own),        f8_set(p->other),   f8_set(p->square),
                  f8_set(p->lean),       f8_set(p->tensile), f8_set(p->pull)};
}

// g of a particle of own / h towards one of other / h
THAW_INLINE F8 guard_of(const ThawLiquidPass *pass, F8 own, F8 other) {
    F8 larger = f8_max(f8_sub(own, f8_set(1.0f)), f8_set(0.0f));
    return f8_fma(f8_mul(larger, f8_set(thaw_kinds_guard(pass))), other, f8_set(1.0f));
}

// the same as make_pair of kinds.c
THAW_INLINE Pair compute_pair(const ThawLiquidPass *pass, const Grains *own,
                              const ThawLiquidGrain *other) {
    F8 hj = f8_set(other->support), h = f8_mul(f8_add(own->support, hj), f8_set(0.5f));
    F8 inverse = f8_div(f8_set(1.0f), h), inverse2 = f8_mul(inverse, inverse);
    F8 mine = f8_mul(own->support, inverse), others = f8_mul(hj, inverse);
    F8 sheet = f8_mul(pass->dimensions == 3 ? inverse2 : inverse,
                      f8_set(other->volume / other->support * thaw_kinds_norm(pass)));
    F8 guard = guard_of(pass, mine, others), weight = f8_mul(sheet, guard);
    F8 share = density_share(own, other),
       place2 = f8_mul(inverse2, f8_set(UNIT2 / (pass->narrow * pass->narrow)));
    F8 slope = f8_mul(weight, f8_set(SLOPE_FACTOR));
    F8 volumes =
        f8_mul(own->volume, f8_set(pass->uneven / (pass->narrow * pass->narrow * other->volume)));
    F8 square = f8_mul(f8_mul(f8_mul(slope, slope), inverse2),
                       f8_mul(volumes, f8_sub(f8_set(2.0f), share)));
    return (Pair){place2,
                  weight,
                  f8_div(f8_mul(f8_mul(sheet, place2), share), mine),
                  f8_mul(mine, guard),
                  f8_mul(others, guard_of(pass, others, mine)),
                  square,
                  f8_mul(slope, f8_mul(inverse, f8_set(THAW_PLACE_CELLS / pass->narrow))),
                  f8_mul(f8_add(own->tensile, f8_set(other->tensile)), f8_set(-0.5f)),
                  f8_add(own->cap, f8_set(other->cap))};
}

// what the lanes take from neighbour j; `row` is of the lanes' kind or NULL, and the compiler knows which
THAW_INLINE Pair pair_of(const ThawLiquidPass *pass, const Grains *own, const ThawLiquidPair *row,
                         uint32_t j, bool listed) {
    if (listed) return look_up_pair(&row[pass->kinds[j]]);
    return compute_pair(pass, own, &pass->grains[j]);
}

#endif
