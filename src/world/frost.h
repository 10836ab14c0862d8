// Frost: particles that are frozen to a collider go where it goes, until they melt.
//
// The channel "frost" says who is frozen to what; there is nothing else to keep. A particle is moved as its collider
// moves over the substep: not at all by one that stands still, and by one that changes its form as the surface beside
// it. What is frozen to a dynamic collider rides on it: the two are one lump, which the walls move (collision/riding.h).
#ifndef THAW_WORLD_FROST_H
#define THAW_WORLD_FROST_H

#include "collision/walls.h"
#include "particles/domain.h"
#include <thaw/world.h>

// A collider over the substep.
typedef struct ThawFrostCarry {
    ThawPose begin, end;
    ThawQuat turn; // from the one to the other
    bool moves, turns;
} ThawFrostCarry;

typedef struct ThawFrost {
    ThawFrostCarry *carries; // one a collider
    ThawRider *riders;       // by row
    float *lags;
    uint32_t rider_count;
    size_t carries_bytes, riders_bytes, lags_bytes;
} ThawFrost;

// Lets go of what is no solid or has no collider any more; returns how many particles are frozen to one.
uint32_t thaw_frost_count(ThawWorld *world);
// Adds the moves of rows that nothing else holds, or makes riders of them, and marks them in world->held_block.
ThawResult thaw_frost_aim(ThawWorld *world, uint32_t frozen, double time, double dt);
void thaw_frost_release(ThawWorld *world);

// Models find the bonds that settle with riders held, and forces with riders free. These tell whether any settles, and
// keep lags meanwhile; then those of riders, or `all`, are as they were.
bool thaw_frost_settles(const ThawWorld *world);
ThawResult thaw_frost_keep_lags(ThawWorld *world);
void thaw_frost_restore_lags(ThawWorld *world, bool all);
// What is frozen to a dynamic collider moves as that does now.
void thaw_frost_set_velocity(ThawWorld *world, ThawColliderId collider);
// Lets go of what is frozen to a collider.
void thaw_frost_forget(ThawWorld *world, ThawColliderId collider);

#endif
