// The working set of one substep: where particles tentatively are. Derived, never saved.
//
// Tentative positions are integers in units of 2^-22 cells, modulo 1024 cells: the difference of two
// of them, taken as int32 and turned to float, is the exact offset between neighbours anywhere in the
// domain. The unit is that of floats from 2 to 4, so that adding a difference to the bits of 3.0f
// turns it to a float without a conversion (see models/liquid). Row k here is row k of the store.
#ifndef THAW_PARTICLES_WORK_H
#define THAW_PARTICLES_WORK_H

#include "particles/domain.h"
#include "particles/store.h"

#define THAW_PLACE_BITS 22
#define THAW_PLACE_ONE 4194304.0f            // place units a cell
#define THAW_PLACE_CELLS (1.0f / 4194304.0f) // cells a place unit

typedef struct ThawPlace {
    int32_t x, y, z; // 2^-22 cells, modulo 1024 cells
    float lambda;    // the density constraint's multiplier of this iteration, cells²
} ThawPlace;

typedef struct ThawWork {
    uint32_t count;
    ThawPlace *place; // tentative positions now
    ThawPlace
        *next;    // where a Jacobi iteration writes; swapped with place after it, so that it then
                  // holds where the iteration began
    float *shift; // 3 a row: displacement since the start of the substep, cells
    float *wall;  // 1 a row: share of the kernel that lies in colliders, 0..1; 0 away from them
    const float
        *along; // 3 a row: what completes this iteration's move along walls, cells, where wall > 0;
                // NAN: the move itself does; NULL: of all rows
    size_t place_bytes, next_bytes, shift_bytes, wall_bytes;
} ThawWork;

// place units of a fixed-point coordinate
static inline int32_t thaw_place_from(int64_t fixed) {
    return (int32_t)(uint32_t)((uint64_t)fixed >> (THAW_FIXED_BITS - THAW_PLACE_BITS));
}

// wrapping sum and difference, as the vector code does them
static inline int32_t thaw_place_add(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}
static inline int32_t thaw_place_sub(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

// The image of a coordinate whose place is nearest to `before`. Neighbour lists know pairs by the images of their
// day: who has left a periodic domain at one end since then, and is back at the other, goes on outside.
static inline int32_t thaw_place_follow(const ThawDomain *domain, int axis, int64_t at,
                                        int32_t before) {
    int32_t nearest = thaw_place_from(at);
    if (!domain->periodic[axis]) return nearest;
    for (int side = -1; side <= 1; side += 2) {
        int32_t place = thaw_place_from(at + side * domain->length[axis]);
        int64_t way = thaw_place_sub(place, before), least = thaw_place_sub(nearest, before);
        if (way * way < least * least) nearest = place;
    }
    return nearest;
}

// Makes room for the store's rows (and THAW_STORE_PAD more). What was in the arrays is lost.
ThawResult thaw_work_reserve(ThawWork *work, uint32_t rows);
void thaw_work_release(ThawWork *work);

#endif
