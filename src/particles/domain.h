// Where particles live: the cell size that positions are measured in, and the periodic axes.
#ifndef THAW_PARTICLES_DOMAIN_H
#define THAW_PARTICLES_DOMAIN_H

#include "math/fixed.h"
#include <thaw/base.h>

typedef struct ThawDomain {
    int dimensions; // 2 or 3
    double cell;    // m, the support h of the world's usual particle
    bool periodic[3];
    int64_t lower[3];  // fixed-point cells, periodic axes only
    int64_t length[3]; // fixed-point cells, periodic axes only
} ThawDomain;

// The fixed-point position nearest to a point in metres.
static inline void thaw_domain_fix(const ThawDomain *domain, const double metres[3],
                                   int64_t fixed[3]) {
    for (int a = 0; a < 3; a++) fixed[a] = thaw_fixed_from(metres[a] / domain->cell);
}

// Brings a position back into the periodic axes. Positions are at most one period outside.
static inline void thaw_domain_wrap(const ThawDomain *domain, int64_t fixed[3]) {
    for (int a = 0; a < 3; a++) {
        if (!domain->periodic[a]) continue;
        int64_t offset = fixed[a] - domain->lower[a];
        if (offset < 0 || offset >= domain->length[a]) {
            offset %= domain->length[a];
            if (offset < 0) offset += domain->length[a];
            fixed[a] = domain->lower[a] + offset;
        }
    }
}

// Whether a position is inside the 2^21 cells of every axis, with room for neighbours.
static inline bool thaw_domain_holds(const int64_t fixed[3]) {
    for (int a = 0; a < 3; a++) {
        int64_t cell = fixed[a] >> THAW_FIXED_BITS;
        if (cell < -THAW_CELL_LIMIT + 4 || cell >= THAW_CELL_LIMIT - 4) return false;
    }
    return true;
}

#endif
