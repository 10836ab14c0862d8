// What walls do to one particle; the loops over particles are in walls.c.
#ifndef THAW_COLLISION_RESPONSE_H
#define THAW_COLLISION_RESPONSE_H

#include "collision/walls_internal.h"

// Obstacles that may matter for a particle moved by `shift`: how many, and which is the k-th.
uint32_t thaw_near_candidates(const ThawWalls *walls, const ThawNearWall *near, ThawVec3 shift);
uint32_t thaw_near_candidate(const ThawWalls *walls, const ThawNearWall *near, uint32_t candidates,
                             uint32_t k);

// Friction of pressed fluid along the wall, and damping across it: acts on the velocity alone.
// Taking the move back as well would undo what the density constraint has just done, and push the next
// layer again and again.
void thaw_near_drag(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                    ThawWallSum *sums, ThawVec3 shift, float velocity[3]);

// Keeps account of a push (cells) given by an obstacle: impulse, friction's grip, contact.
void thaw_near_account(ThawWalls *walls, ThawNearWall *near, ThawWallSum *sums, uint32_t obstacle,
                       ThawVec3 push, bool contact);
// Stops the particle's move at every collider near it; returns whether it was changed.
bool thaw_near_resolve(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                       ThawWallSum *sums, ThawVec3 *shift);
// Friction: takes back what Coulomb's law allows of the slip along the wall.
bool thaw_near_rub(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                   ThawWallSum *sums, ThawVec3 *shift);
// Restitution: after a contact, the particle leaves at least as fast as restitution asks for.
void thaw_near_bounce(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                      ThawWallSum *sums, ThawVec3 shift, float velocity[3]);

// row access
ThawVec3 thaw_wall_shift(const ThawWallStep *step, uint32_t row);
// Sets a row's shift and the place that follows from it.
void thaw_wall_move(const ThawWallStep *step, uint32_t row, ThawVec3 shift);

#endif
