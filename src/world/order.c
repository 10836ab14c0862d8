// Radix sort, least byte first. Bytes in which all ids agree are skipped: with few sources and fewer
// than 2^24 particles three or four passes remain.
#include "world/order.h"

#include <string.h>

static bool scatter_by_byte(const ThawIdRow *from, ThawIdRow *to, uint32_t count, int shift) {
    uint32_t starts[256] = {0};
    for (uint32_t k = 0; k < count; k++) starts[(from[k].id >> shift) & 255]++;
    if (starts[(from[0].id >> shift) & 255] == count) return false;
    uint32_t sum = 0;
    for (int b = 0; b < 256; b++) {
        uint32_t size = starts[b];
        starts[b] = sum;
        sum += size;
    }
    for (uint32_t k = 0; k < count; k++) to[starts[(from[k].id >> shift) & 255]++] = from[k];
    return true;
}

void thaw_order_sort(ThawIdRow *entries, ThawIdRow *spare, uint32_t count) {
    if (count < 2) return;
    ThawIdRow *from = entries, *to = spare;
    for (int shift = 0; shift < 64; shift += 8) {
        if (!scatter_by_byte(from, to, count, shift)) continue;
        ThawIdRow *swap = from;
        from = to;
        to = swap;
    }
    if (from != entries) memcpy(entries, from, (size_t)count * sizeof *entries);
}
