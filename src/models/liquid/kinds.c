// Kinds of particles; the formulas for a pair are those of pairs.h, which
// computes them in the loop for worlds with too many kinds.
#include "models/liquid/kinds.h"

#include <math.h>

static bool same_key(const ThawKindKey *a, const ThawKindKey *b) {
    return a->spacing == b->spacing && a->material == b->material && a->firm == b->firm;
}

uint32_t thaw_kinds_find(ThawKinds *kinds, const ThawKindKey *key) {
    // neighbours in memory are mostly alike
    if (kinds->last < kinds->count && same_key(&kinds->keys[kinds->last], key)) return kinds->last;
    for (uint32_t k = 0; k < kinds->count; k++) {
        if (!same_key(&kinds->keys[k], key)) continue;
        kinds->last = k;
        return k;
    }
    return kinds->count;
}

void thaw_kinds_add(ThawKinds *kinds, const ThawKindKey *key, const ThawLiquidGrain *grain) {
    if (kinds->count == THAW_LIQUID_KINDS) {
        kinds->many = true;
        kinds->count = 0;
    }
    kinds->last = kinds->count++;
    kinds->keys[kinds->last] = *key;
    kinds->grains[kinds->last] = *grain;
}

bool thaw_kinds_uneven(const ThawKinds *kinds) {
    for (uint32_t k = 1; k < kinds->count; k++) {
        if (kinds->grains[k].support != kinds->grains[0].support) return true;
        if (kinds->grains[k].density != kinds->grains[0].density) return true;
    }
    return kinds->many;
}

static float guard_of(const ThawLiquidPass *pass, float own, float other) {
    return 1.0f + thaw_kinds_guard(pass) * fmaxf(own - 1.0f, 0.0f) * other;
}

static ThawLiquidPair make_pair(const ThawLiquidPass *pass, const ThawLiquidGrain *own,
                                const ThawLiquidGrain *other) {
    float inverse = 2.0f / (own->support + other->support);
    float inverse2 = inverse * inverse, power = pass->dimensions == 3 ? inverse2 : inverse;
    float mine = own->support * inverse, others = other->support * inverse;
    float sheet = power * (other->volume / other->support * thaw_kinds_norm(pass));
    float guard = guard_of(pass, mine, others), weight = sheet * guard;
    float share = 2.0f * other->density / (own->density + other->density);
    float place2 = inverse2 / (pass->narrow * pass->narrow) * (THAW_PLACE_CELLS * THAW_PLACE_CELLS);
    float slope = THAW_LIQUID_SLOPE * weight;
    return (ThawLiquidPair){.inverse_h2 = place2,
                            .weight = weight,
                            .push = sheet * place2 * share / mine,
                            .own = mine * guard,
                            .other = others * guard_of(pass, others, mine),
                            .square = slope * slope * inverse2 / (pass->narrow * pass->narrow) *
                                      own->volume / other->volume * (2.0f - share) * pass->uneven,
                            .lean = slope * inverse / pass->narrow * THAW_PLACE_CELLS,
                            .tensile = -0.5f * (own->tensile + other->tensile),
                            .pull = own->cap + other->cap};
}

void thaw_kinds_pair(ThawKinds *kinds, const ThawLiquidPass *pass) {
    for (uint32_t i = 0; i < kinds->count; i++) {
        for (uint32_t j = 0; j < kinds->count; j++) {
            kinds->pairs[i * kinds->count + j] =
                make_pair(pass, &kinds->grains[i], &kinds->grains[j]);
        }
    }
}
