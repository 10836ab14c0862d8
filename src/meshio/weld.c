// Points found by their place: a table with open addressing, at most half full.
#include "meshio/weld.h"

#include "base/memory.h"
#include "base/result.h"

#include <string.h>

static size_t hash_point(const double point[3]) {
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int k = 0; k < 3; k++) {
        uint64_t bits;
        memcpy(&bits, &point[k], sizeof bits);
        hash = (hash ^ bits) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return (size_t)hash;
}

static void place_index(MeshWeld *weld, uint32_t index) {
    size_t mask = weld->slot_count - 1;
    size_t slot = hash_point(weld->mesh->points[index]) & mask;
    while (weld->slots[slot] != 0) slot = (slot + 1) & mask;
    weld->slots[slot] = index + 1;
}

ThawResult meshio_weld_reserve(MeshWeld *weld, size_t points) {
    size_t count = weld->slot_count == 0 ? 1024 : weld->slot_count;
    while (count / 2 < points) count *= 2;
    if (count == weld->slot_count) return THAW_OK;
    uint32_t *slots = thaw_alloc(count * sizeof *slots);
    if (slots == NULL) return thaw_fail_memory(count * sizeof *slots);
    thaw_free(weld->slots);
    weld->slots = slots;
    weld->slot_count = count;
    for (uint32_t k = 0; k < weld->mesh->point_count; k++) place_index(weld, k);
    return THAW_OK;
}

ThawResult meshio_weld_point(MeshWeld *weld, const double point[3], uint32_t *index) {
    double place[3] = {point[0] + 0.0, point[1] + 0.0, point[2] + 0.0};
    ThawResult result = meshio_weld_reserve(weld, (size_t)weld->mesh->point_count + 1);
    if (result != THAW_OK) return result;
    size_t mask = weld->slot_count - 1;
    size_t slot = hash_point(place) & mask;
    for (; weld->slots[slot] != 0; slot = (slot + 1) & mask) {
        uint32_t at = weld->slots[slot] - 1;
        if (memcmp(weld->mesh->points[at], place, sizeof place) == 0) {
            *index = at;
            return THAW_OK;
        }
    }
    result = meshio_add_point(weld->mesh, place);
    if (result != THAW_OK) return result;
    *index = weld->mesh->point_count - 1;
    weld->slots[slot] = *index + 1;
    return THAW_OK;
}

void meshio_weld_free(MeshWeld *weld) {
    thaw_free(weld->slots);
    weld->slots = NULL;
    weld->slot_count = 0;
}
