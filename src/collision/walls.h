// Walls: particles against analytic colliders, in four moments of a substep.
//
// begin    finds the particles near any collider, takes starts that lie inside one out of it (this
//          changes store->cells and no velocity), stops tentative moves that would cross a surface,
//          and measures for each of them the share γ of its kernel that lies in solid matter and the
//          gradient of γ, over the union of all colliders: exactly for boxes and planes with common
//          axes, by quadrature over the kernel's support for the rest
// density  writes work->wall = γ + ∇γ·(move since begin) for them
// correct  pushes them by the wall's share of the density constraint (pressure mirrored: 2 λ ∇γ,
//          never attractive), then stops and projects moves that end in or cross a collider; the
//          path from the start of the substep is checked, so nothing tunnels at any speed
// finish   friction (Coulomb, from the accumulated normal push), restitution, contact counts; and a
//          last path check for particles that moved further than one cell
//
// Dynamic colliders move in each of begin, correct and finish, before particles are pushed: see coupling.h.
//
// Invariant: a particle's position at the start of a substep is outside every static collider (by the
// contact distance), and so is the one at its end. Where colliders leave no room (a particle squeezed
// between two), it stays where it started.
#ifndef THAW_COLLISION_WALLS_H
#define THAW_COLLISION_WALLS_H

#include "collision/collider.h"
#include "math/kernel.h"
#include "particles/work.h"

#define THAW_WALL_CONTACT 0.1 // spacings that centres keep from surfaces
// most of γ that counts in what completes moves along walls: beyond it there is no wall to slide along
#define THAW_WALL_COMPLETED 0.75
#define THAW_WALL_FIRM_CONTACT 0.4 // the same of solids: half a layer, so that their faces touch

typedef struct ThawWalls ThawWalls;

// A row that is frozen to a dynamic collider and goes where it goes; the rest is the walls' own, see riding.h.
typedef struct ThawRider {
    uint32_t row, collider;
    uint32_t body;
    double mass;  // kg
    ThawVec3 arm; // from the body's centre at the beginning
} ThawRider;

#define THAW_HELD_RIDES 2 // a rider's, among those that are held

// What the walls need to know of a substep. Lengths in cells unless said.
typedef struct ThawWallStep {
    const ThawDomain *domain;
    ThawStore *store; // cells: positions at the start of the substep; velocity: before the substep
    ThawWork *work;
    ThawParallel *parallel;
    ThawCollider *colliders;
    uint32_t collider_count;
    const ThawMaterial *materials;
    ThawKernel kernel;   // the density kernel
    ThawIsa isa;         // of the inner loops
    double support;      // h of a particle in its spacings (2)
    double time;         // s, at the start of the substep
    double dt;           // s
    double gravity[3];   // m/s², for dynamic colliders
    double longest;      // the longest tentative move of any particle
    const uint8_t *held; // one a row: not 0 = walls leave it alone; NULL when there is none
    ThawRider *riders;
    uint32_t rider_count;
    const uint8_t
        *firm;   // one a row: 1 = a solid, without a density of its own; NULL when there is none
    float *grip; // two a row, of solids: what friction has in hand (grip.c); NULL: it forgets
    const float
        *youth; // one a row: 1 = has just melted where a solid stood, fading; NULL: none has
} ThawWallStep;

ThawResult thaw_walls_create(ThawWalls **walls);
void thaw_walls_destroy(ThawWalls *walls);

ThawResult thaw_walls_begin(ThawWalls *walls, const ThawWallStep *step);
void thaw_walls_density(ThawWalls *walls, const ThawWallStep *step);
// the push is 2 min(λ, 0) ∇γ with λ = work->place[i].lambda
void thaw_walls_correct(ThawWalls *walls, const ThawWallStep *step);
// velocity[3 i] in m/s: the velocities that follow from the moves (shift · cell / dt)
void thaw_walls_finish(ThawWalls *walls, const ThawWallStep *step, float *velocity);

// The flat walls that a particle is mirrored in. A model that asks for mirrors writes what images add to the volume
// fraction to work->wall after thaw_walls_density, and what they move it by here: that then takes the place of
// 2 λ ∇γ and of what completes it.
typedef struct ThawMirror {
    uint32_t row;
    int axes;         // perpendicular to each other; 0: it is not mirrored
    float axis[3][3]; // unit length
    float low[3],
        high[3];    // cells to the walls before and behind it on each axis, INFINITY beyond reach
    float shift[3]; // where that was measured, as work->shift
    float push[3];  // by which images move it in this iteration, cells
} ThawMirror;

// Finds the mirrors of all particles near walls, after thaw_walls_begin; `largest` is the largest support, cells. They
// are valid until the next begin, in the order of rows.
ThawResult thaw_walls_mirror(ThawWalls *walls, const ThawWallStep *step, double largest,
                             ThawMirror **mirrors, uint32_t *count);

// Particles near any collider in the last begin, and those pushed by one in the last substep.
uint32_t thaw_walls_near(const ThawWalls *walls);
uint32_t thaw_walls_touched(const ThawWalls *walls);

// Adds h ∇γ to the rows (three floats each) of liquid particles near walls, h their support. After
// thaw_walls_begin.
void thaw_walls_slopes(const ThawWalls *walls, float *rows);

// The walls' own part of the gradient of an energy that depends on slopes: moves liquid particles near walls by
// −factor / density · ∇∇γ s, cells, with s three floats a row.
typedef struct ThawWallBend {
    const float *rows;
    float factor;
} ThawWallBend;
void thaw_walls_bend(ThawWalls *walls, const ThawWallStep *step, const ThawWallBend *bend);

#endif
