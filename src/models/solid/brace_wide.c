// Following bonds in one direction, eight rows at a time.
#include "models/solid/solid.h"

#include "simd/wide.h"
#include "simd/wide_pack.h"
#include "simd/wide_pick.h"

// where in the table of slots a row's site is
THAW_INLINE I8 slot_at(I8 row, uint32_t site) {
    I8 lane = i8_and(row, THAW_LANES - 1), first = i8_sub(row, lane);
    // rows of a block are together: its first row times THAW_SITES
    I8 block = i8_add(i8_left(first, 3), i8_left(first, 2));
    return i8_add(i8_add(block, lane), i8_set((int32_t)(site * THAW_LANES)));
}

THAW_INLINE I8 kind_of(const uint16_t *kind, I8 row) {
    return i8_and(i8_pick_pair((const int16_t *)(const void *)kind, row), 0xffff);
}

void THAW_WIDE(thaw_brace_follow)(const ThawBraceFollow *follow, uint32_t block, uint32_t *slots) {
    const int32_t *slot = (const int32_t *)(const void *)follow->slot;
    I8 own = i8_add(i8_set((int32_t)(block * THAW_LANES)), i8_count());
    I8 kind = follow->kind != NULL ? kind_of(follow->kind, own) : own;
    for (uint32_t s = 0; s < THAW_SITES; s++, slots += THAW_LANES) {
        I8 at = own;
        for (int k = 0; k < THAW_BRACE; k++) {
            I8 next = i8_pick(slot, slot_at(at, s));
            if (follow->kind != NULL) {
                next = i8_where_same(kind_of(follow->kind, next), kind, next, own);
            }
            // who has come to an end is back at himself, and stays there
            next = i8_where_same(next, at, own, next);
            at = k == 0 ? next : i8_where_same(at, own, own, next);
        }
        i8_store((int32_t *)(void *)slots, at);
    }
}
