// What walls do to one particle; the loops over particles are in walls.c.
#ifndef THAW_COLLISION_RESPONSE_H
#define THAW_COLLISION_RESPONSE_H

#include "collision/walls_internal.h"

// Whether a particle moved this far may meet more than its slots.
static inline bool thaw_near_asks_all(const ThawNearWall *near, double length) {
    return near->slot_count > THAW_WALL_SLOTS || !(length < (double)near->covered);
}
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
// Stops the particle's move at every collider near it; returns whether it was changed. `clear`: a bit for
// every slot that is known to leave this move alone (look.h).
bool thaw_near_resolve(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                       ThawWallSum *sums, uint8_t clear, ThawVec3 *shift);
// What a solid's friction may hold in this substep, by its pushes of the last moments (grip.c).
void thaw_near_grip(const ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near);
// Friction: takes back what Coulomb's law allows of the slip along the wall.
bool thaw_near_rub(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                   ThawWallSum *sums, ThawVec3 *shift);
// Restitution: after a contact, the particle leaves at least as fast as restitution asks for.
void thaw_near_bounce(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                      ThawWallSum *sums, ThawVec3 shift, float velocity[3]);

// Adhesion: draws a liquid's particle towards the colliders that it sticks to, and notes which one holds it; then, when
// all else has moved it, holds it back. Both return whether they changed the shift.
#define THAW_ADHESION_FIRM 0.75 // the part of adhesion that only holds
bool thaw_near_draw(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                    ThawWallSum *sums, ThawVec3 *shift);
bool thaw_near_cling(ThawWalls *walls, const ThawWallStep *step, ThawNearWall *near,
                     ThawWallSum *sums, ThawVec3 *shift);

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

// Where a row is seen from a collider after a move, and how far the wall itself moves there in the substep, cells.
ThawVec3 thaw_wall_seen(const ThawObstacle *o, const ThawWallStep *step, uint32_t row,
                        ThawVec3 shift);
ThawVec3 thaw_wall_motion(const ThawWalls *walls, const ThawObstacle *o, const ThawWallStep *step,
                          uint32_t row, ThawVec3 shift);

// By what pushes that hold a row are to be multiplied: 1, or the painted friction where it is now.
double thaw_wall_paint(const ThawObstacle *o, const ThawWallStep *step, uint32_t row,
                       ThawVec3 shift);

// row access
ThawVec3 thaw_wall_shift(const ThawWallStep *step, uint32_t row);
// Sets a row's shift and the place that follows from it.
void thaw_wall_move(const ThawWallStep *step, uint32_t row, ThawVec3 shift);

#endif
