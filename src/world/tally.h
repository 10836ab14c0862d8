// Passes over all particles at the end of a substep or step: moves, final positions, sums for the report.
#ifndef THAW_WORLD_TALLY_H
#define THAW_WORLD_TALLY_H

#include "world/world.h"

// What a substep's moves were like.
typedef struct ThawMoves {
    double max_shift;      // cells
    double max_correction; // cells, the largest difference from the tentative move
    uint32_t nonfinite;
    uint32_t first_trouble; // row
} ThawMoves;

// velocity[3 row] = shift / dt in m/s; rows that are not finite are counted and left where they began.
ThawResult thaw_tally_moves(ThawWorld *world, const ThawSearch *search, float *velocity,
                            ThawMoves *moves);
// Moves the particles by their shifts, and takes over the velocities (NULL: they stay).
void thaw_tally_commit(ThawWorld *world, const float *velocity);
// Sets the zero of potential energy at the lowest particle, once.
void thaw_tally_datum(ThawWorld *world);
// Fills the report's sums from the particles as they are.
void thaw_tally_report(ThawWorld *world, ThawReport *report);

#endif
