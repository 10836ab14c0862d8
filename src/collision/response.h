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

// What completes a particle's move along the wall; false when it is near none.
bool thaw_near_completion(const ThawWallStep *step, const ThawNearWall *near, ThawVec3 *extra);

// The wall's share of the density constraint, pressure mirrored: 2 λ ∇γ, by who gives it. A body that
// gives way by δ takes stiffness · δ of the push along it back: so much less is the particle compressed.
typedef struct ThawPressing {
    int count;
    uint32_t obstacle[THAW_WALL_PARTS + 1];
    ThawVec3 push[THAW_WALL_PARTS + 1]; // cells
    double stiffness[THAW_WALL_PARTS + 1];
} ThawPressing;
void thaw_near_pressing(const ThawWalls *walls, const ThawWallStep *step, const ThawNearWall *near,
                        ThawPressing *pressing);
// By how much the solid's share has grown since it was measured because bodies have moved.
float thaw_near_advance(const ThawWalls *walls, const ThawWallStep *step, const ThawNearWall *near);

// Gives an obstacle the reverse of a push (cells).
void thaw_near_reverse(const ThawWalls *walls, const ThawNearWall *near, ThawWallSum *sums,
                       uint32_t obstacle, ThawVec3 push);

// row access
ThawVec3 thaw_wall_shift(const ThawWallStep *step, uint32_t row);
// Sets a row's shift and the place that follows from it.
void thaw_wall_move(const ThawWallStep *step, uint32_t row, ThawVec3 shift);

#endif
