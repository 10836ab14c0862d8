// Frost: particles that are frozen to a collider go where it goes, until they melt.
//
// The channel "frost" says who is frozen to what; there is nothing else to keep. A particle is moved as its collider
// moves over the substep: not at all by one that stands still, and by one that changes its form as the surface beside
// it. A dynamic collider carries its frost along without feeling it.
#ifndef THAW_WORLD_FROST_H
#define THAW_WORLD_FROST_H

#include "particles/domain.h"
#include <thaw/world.h>

// A collider over the substep.
typedef struct ThawFrostCarry {
    ThawPose begin, end;
    ThawQuat turn; // from the one to the other
    bool moves, turns;
} ThawFrostCarry;

typedef struct ThawFrost {
    uint32_t first, count;   // its moves in world->held_moves
    ThawFrostCarry *carries; // one a collider
    size_t carries_bytes;
    bool dynamic; // some collider's end is not known before its walls have finished
} ThawFrost;

// Lets go of what is no solid or has no collider any more; returns how many particles are frozen to one.
uint32_t thaw_frost_count(ThawWorld *world);
// Adds the moves of rows that nothing else holds, and marks them in world->held_block.
ThawResult thaw_frost_aim(ThawWorld *world, double time, double dt);
// Walls have finished: dynamic colliders are where they will be.
void thaw_frost_follow(ThawWorld *world);
// Lets go of what is frozen to a collider.
void thaw_frost_forget(ThawWorld *world, ThawColliderId collider);

#endif
