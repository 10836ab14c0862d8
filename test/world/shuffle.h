// Rows in another order, as after a sort: nothing may depend on it.
#ifndef TEST_WORLD_SHUFFLE_H
#define TEST_WORLD_SHUFFLE_H

#include "world/helpers.h"
#include "world/world.h"

#include <stdlib.h>

static inline void shuffle(ThawWorld *world, uint64_t seed) {
    uint32_t count = world->store->count;
    uint32_t *order = malloc((count + 1) * sizeof *order);
    assert_non_null(order);
    for (uint32_t k = 0; k < count; k++) order[k] = k;
    for (uint32_t k = count; k > 1; k--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t other = (uint32_t)((seed >> 33) % k), kept = order[k - 1];
        order[k - 1] = order[other];
        order[other] = kept;
    }
    assert_ok(thaw_store_permute(world->store, world->parallel, order));
    free(order);
}

#endif
