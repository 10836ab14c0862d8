// A hash table of rows without keys: a slot's key is the id of the row that it names.
//
// The table has half as many slots again as there are particles, so that its memory follows the
// living however many were born before them (a table of pages by counter does not: one old survivor
// holds a whole page). Sixteen consecutive ids share a cache line, because what was born together
// usually lies together. It is made only when someone asks for a particle by id.
#include "particles/id_map.h"

#include "base/memory.h"

#include <string.h>

#define LINE 16           // slots in a cache line
#define STRIDE (LINE + 1) // to the next try: next line, next slot; prime to the number of slots
#define EMPTY UINT32_MAX

struct ThawIdMap {
    uint32_t *slots;
    uint64_t slot_count; // a multiple of LINE, not of STRIDE
    bool dirty;
};

ThawIdMap *thaw_id_map_create(void) {
    ThawIdMap *map = thaw_alloc(sizeof *map);
    if (map != NULL) map->dirty = true;
    return map;
}

void thaw_id_map_destroy(ThawIdMap *map) {
    if (map == NULL) return;
    thaw_free(map->slots);
    thaw_free(map);
}

void thaw_id_map_soil(ThawIdMap *map) {
    map->dirty = true;
}

size_t thaw_id_map_bytes(const ThawIdMap *map) {
    return sizeof *map + map->slot_count * sizeof *map->slots;
}

// the finishing steps of SplitMix64
static uint64_t mix_bits(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// where an id is tried first: a line by the id's group, turned so that ids which all end alike
// still spread over the line
static uint64_t choose_slot(const ThawIdMap *map, uint64_t id) {
    uint64_t mixed = mix_bits(id / LINE + 1);
    uint64_t line = ((mixed >> 32) * (map->slot_count / LINE)) >> 32;
    return line * LINE + ((id + mixed) & (LINE - 1));
}

static uint64_t next_slot(const ThawIdMap *map, uint64_t slot) {
    slot += STRIDE;
    return slot < map->slot_count ? slot : slot - map->slot_count;
}

// room for the rows: replaced when too small, or much too large; false when there is no memory
static bool fit_slots(ThawIdMap *map, uint32_t count) {
    uint64_t least = (uint64_t)count + count / 4 + STRIDE;
    if (map->slot_count >= least && map->slot_count <= 3 * least) return true;
    uint64_t lines = ((uint64_t)count + count / 2) / LINE + 3;
    if (lines % STRIDE == 0) lines++;
    thaw_free(map->slots);
    map->slots = thaw_alloc(lines * LINE * sizeof *map->slots);
    map->slot_count = map->slots == NULL ? 0 : lines * LINE;
    return map->slots != NULL;
}

void thaw_id_map_fit(ThawIdMap *map, uint32_t most) {
    if (thaw_scratch_fits(map->slot_count, (uint64_t)most + most / 2 + 4 * LINE)) return;
    thaw_free(map->slots);
    map->slots = NULL;
    map->slot_count = 0;
    map->dirty = true;
}

static bool refresh_slots(ThawIdMap *map, const uint64_t *ids, uint32_t count) {
    if (!fit_slots(map, count)) return false;
    memset(map->slots, 0xff, map->slot_count * sizeof *map->slots);
    for (uint32_t row = 0; row < count; row++) {
        uint64_t slot = choose_slot(map, ids[row]);
        while (map->slots[slot] != EMPTY) slot = next_slot(map, slot);
        map->slots[slot] = row;
    }
    map->dirty = false;
    return true;
}

static uint32_t search_rows(const uint64_t *ids, uint32_t count, uint64_t id) {
    for (uint32_t row = 0; row < count; row++) {
        if (ids[row] == id) return row;
    }
    return UINT32_MAX;
}

uint32_t thaw_id_map_find(ThawIdMap *map, const uint64_t *ids, uint32_t count, ThawParticleId id) {
    if (count == 0) return UINT32_MAX;
    // without memory for the table the answer is slow, but it is the same
    if (map->dirty && !refresh_slots(map, ids, count)) return search_rows(ids, count, id);
    uint64_t slot = choose_slot(map, id);
    for (uint32_t row; (row = map->slots[slot]) != EMPTY; slot = next_slot(map, slot)) {
        if (ids[row] == id) return row;
    }
    return UINT32_MAX;
}
