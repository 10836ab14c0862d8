// Objects that have grown together become one: all solids of the higher number take the lower one.
//
// Only particles of one object bond. Object 0, of what began by itself, gives way to any body.
#include "models/thermal/change.h"

#include "base/memory.h"
#include "base/result.h"

#include <thaw/body.h>

// where an object stands in the order of who gives way: 0 last
static uint32_t rank_of(int32_t object) {
    return (uint32_t)object - 1u;
}

static int32_t find_root(const ThawChanges *changes, int32_t object) {
    for (uint32_t k = 0; k < changes->weld_count;) {
        if (changes->welds[k].from == object) {
            object = changes->welds[k].to;
            k = 0;
        } else {
            k++;
        }
    }
    return object;
}

ThawResult thaw_change_weld(ThawChanges *changes, int32_t a, int32_t b) {
    a = find_root(changes, a);
    b = find_root(changes, b);
    if (a == b) return THAW_OK;
    size_t used = changes->weld_count * sizeof *changes->welds,
           bytes = used + sizeof *changes->welds;
    if (bytes > changes->welds_bytes) {
        void *grown = thaw_realloc(changes->welds, changes->welds_bytes, 2 * bytes);
        if (grown == NULL) return thaw_fail_memory(2 * bytes);
        changes->welds = grown;
        changes->welds_bytes = 2 * bytes;
    }
    bool keeps = rank_of(a) < rank_of(b);
    changes->welds[changes->weld_count++] = (ThawWeld){keeps ? b : a, keeps ? a : b};
    return THAW_OK;
}

static void relabel_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const ThawChangeRound *round = context;
    ThawStore *store = round->step->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, THAW_CHANGE_ROWS);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (store->state[row] != THAW_STATE_SOLID) continue;
        store->object[row] = find_root(round->changes, store->object[row]);
    }
}

void thaw_change_relabel(ThawChangeRound *round) {
    if (round->changes->weld_count == 0) return;
    thaw_parallel_run(round->step->parallel, relabel_chunk, round,
                      thaw_chunk_count(round->step->store->count, THAW_CHANGE_ROWS));
    round->changes->weld_count = 0;
}
