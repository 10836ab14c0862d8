// Kinds: the few different particles that a world of mixed sizes and liquids
// has, and what scales each pair of them, so that inner loops look it up.
#ifndef THAW_MODELS_LIQUID_KINDS_H
#define THAW_MODELS_LIQUID_KINDS_H

#include "models/liquid/liquid.h"

#define THAW_LIQUID_KINDS 16u // with more, pairs are computed one by one

// What makes particles alike.
typedef struct ThawKindKey {
    float spacing; // m
    uint16_t material;
    bool firm;
} ThawKindKey;

typedef struct ThawKinds {
    uint32_t count, last; // found so far, and the one found last
    bool many;            // there are more than fit
    ThawKindKey keys[THAW_LIQUID_KINDS];
    ThawLiquidGrain grains[THAW_LIQUID_KINDS];
    ThawLiquidPair pairs[THAW_LIQUID_KINDS * THAW_LIQUID_KINDS];
} ThawKinds;

// The kind with this key, or `count` when there is none yet.
uint32_t thaw_kinds_find(ThawKinds *kinds, const ThawKindKey *key);
// Adds a kind; when there is no room, sets `many` and forgets them all.
void thaw_kinds_add(ThawKinds *kinds, const ThawKindKey *key, const ThawLiquidGrain *grain);
// Whether sizes or densities differ.
bool thaw_kinds_uneven(const ThawKinds *kinds);
// Fills the table for a pass: pairs[i * count + j] is what particle i of a pair
// takes from j.
void thaw_kinds_pair(ThawKinds *kinds, const ThawLiquidPass *pass);

#endif
