// Buoyancy by thermal expansion: gravity pulls warm matter less (Boussinesq). Densities and masses stay as they are.
#ifndef THAW_WORLD_BUOYANCY_H
#define THAW_WORLD_BUOYANCY_H

#include <thaw/world.h>

// Accelerates every row by −expansion · (T − reference) · gravity for dt (below 0: takes it back); returns whether
// any material expands.
bool thaw_buoyancy_kick(ThawWorld *world, const double gravity[3], double dt);
// The largest share of gravity that it takes from or adds to any row; 0 when nothing expands.
double thaw_buoyancy_most(const ThawWorld *world);

#endif
