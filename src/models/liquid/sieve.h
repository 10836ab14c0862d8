// Sorts what a cluster keeps of its rough list, so that it ends in twos (ThawSegment).
//
// To be included by *_wide.c files alone.
#ifndef THAW_MODELS_LIQUID_SIEVE_H
#define THAW_MODELS_LIQUID_SIEVE_H

#include "neighbors/neighbors.h"
#include "simd/wide.h"
#include "simd/wide_pack.h"

#define SHELF 192u // rows
#define BATCH 64u

// What a cluster keeps of a list, in the list's own place: rows near lanes of both halves at once, those near one half
// alone from shelves, as twos.
typedef struct Sieve {
    uint32_t *list, kept;
    uint32_t first, last; // on the shelves
    uint32_t of_first[SHELF], of_last[SHELF];
} Sieve;

static void keep_all(Sieve *sieve, const uint32_t *shelf, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) sieve->list[sieve->kept++] = shelf[k];
}

// a shelf without room for another batch is cleared; returns what it holds
static uint32_t clear_full(Sieve *sieve, const uint32_t *shelf, uint32_t count) {
    if (count + BATCH < SHELF) return count;
    keep_all(sieve, shelf, count);
    return 0;
}

// `near` are masks of lanes that each of the rows is near to
static void sift(Sieve *sieve, const uint32_t *rows, const uint8_t *near, uint32_t count) {
    uint32_t *list = sieve->list, kept = sieve->kept, ahead = sieve->first, behind = sieve->last;
    uint32_t k = 0;
    for (; k + THAW_LANES <= count; k += THAW_LANES) {
        I8 eight = i8_load((const int32_t *)(const void *)(rows + k));
        uint32_t first = u8_share(near + k, 0x0f), last = u8_share(near + k, 0xf0);
        kept += i8_pack(list + kept, eight, first & last);
        ahead += i8_pack(sieve->of_first + ahead, eight, first & ~last);
        behind += i8_pack(sieve->of_last + behind, eight, last & ~first);
    }
    // one by one: what follows the list is somebody else's
    for (; k < count; k++) {
        bool first = (near[k] & 0x0f) != 0, last = (near[k] & 0xf0) != 0;
        if (first && last)
            list[kept++] = rows[k];
        else if (first)
            sieve->of_first[ahead++] = rows[k];
        else if (last)
            sieve->of_last[behind++] = rows[k];
    }
    sieve->kept = kept;
    sieve->first = clear_full(sieve, sieve->of_first, ahead);
    sieve->last = clear_full(sieve, sieve->of_last, behind);
}

// what finds no other to go with stays by itself
static void end_sieve(Sieve *sieve, ThawSegment *segment) {
    uint32_t less = sieve->first < sieve->last ? sieve->first : sieve->last;
    uint32_t twos = less / THAW_TWOS * THAW_TWOS;
    keep_all(sieve, sieve->of_first + twos, sieve->first - twos);
    keep_all(sieve, sieve->of_last + twos, sieve->last - twos);
    uint32_t *list = sieve->list + sieve->kept;
    for (uint32_t k = 0; k < twos; k++) {
        list[2 * k] = sieve->of_first[k];
        list[2 * k + 1] = sieve->of_last[k];
    }
    segment->count = sieve->kept + 2 * twos;
    segment->twos = twos;
}

#endif
