// Bodies in a substep: how dynamic colliders move, inside the iteration.
//
// A body is two things that go on side by side. Its momentum takes, exactly reversed, every push that its
// surface gives to a particle. Its pose at the end of the substep is what surfaces are made from; each
// iteration brings it to where the momentum says it belongs. For that, before particles are pushed, the
// pushes to come are added up together with how they would change if the body gave way: a symmetric 6 × 6
// system in move and turn, in which every particle that is pushed adds its own mass to the body's. So many
// particles against a light body share one motion, and none of them throws it further than they go
// themselves. Bodies meet other colliders by points of their surfaces, in the same system.
//
// Lengths in cells, masses in kg, one substep is the unit of time. Six numbers are a move and a turn.
#ifndef THAW_COLLISION_COUPLING_H
#define THAW_COLLISION_COUPLING_H

#include "collision/response.h"

#define THAW_RIGID_SQUEEZED                                                                        \
    1024u // particles between a body and another collider that count, at most

typedef struct ThawCoupled {
    ThawRigid *rigid;
    uint32_t obstacle;
    double mass, inertia[9];
    int64_t start[3]; // the centre at the beginning, fixed-point cells
    ThawQuat turn;    // at the beginning
    ThawVec3 lever;   // the obstacle's origin from the centre, at home
    double home[9];   // the obstacle's turn at home
    double reach;
    double slack;       // how far the end pose may be from `aim`
    double before[6];   // its motion before gravity
    double aim[6];      // its motion without any push
    double pose[6];     // the end pose now, from the beginning
    double measured[6]; // the end pose for which solid fractions were measured
    double change[6];   // of the pose by the last solve
    double slip[6];     // its motion as friction sees it
    double touched[6];  // impulse from other colliders so far
    double inverse[36]; // of mass and inertia, with those of the particles that are pushed
    double u[6];        // unknown of the contact solver: a motion
    bool laden;         // something is frozen to it, see riding.h
    double ridden[6];   // impulse from that so far
    double ridden_reach;
    double joint[36];   // mass and inertia with those of what is frozen to it, at the end
    double momentum[6]; // of all of that
} ThawCoupled;

// A point of a body against another collider.
typedef struct ThawMeeting {
    uint32_t a;
    int32_t b;        // the other body, −1 for a collider that is moved by nothing
    ThawVec3 arm_a;   // from the centres at the beginning
    ThawVec3 arm_b;   // only where there is another body
    ThawVec3 axis[3]; // the normal towards a, and two directions along the surface
    ThawVec3 drift;   // how the other collider's surface moves there
    double gap;       // at the beginning
    double need;      // what n·(motion of a − of b − drift) must at least be, reversed
    double friction;
    double bounce;                         // speed at which they part, 0 = none
    double base;                           // normal impulse of earlier passes
    double given[3];                       // impulse along the axes
    double column_a[3][6], column_b[3][6]; // motion that a unit impulse along an axis gives
    double weight[3];                      // and how it changes the relative motion there
} ThawMeeting;

// What the particles of a chunk add to a body's system.
typedef struct ThawCouplingSum {
    double matrix[21]; // lower triangle, row by row
    double push[6];
} ThawCouplingSum;

// A particle that a body presses against another collider.
typedef struct ThawSqueeze {
    int32_t body; // −1: none
    int32_t other;
    ThawVec3 arm, normal;
    double need;
} ThawSqueeze;

struct ThawCoupling {
    const ThawWallStep *step; // the one that was begun
    ThawCoupled *bodies;
    uint32_t count;
    ThawMeeting *meetings;
    uint32_t meeting_count, meeting_capacity;
    uint32_t lasting; // meetings of surfaces; those after are squeezed particles of this iteration
    ThawCouplingSum *sums;
    ThawSqueeze *squeezed;  // one a near particle
    ThawCouplingSum *rides; // of what is frozen to bodies, see riding.h
    size_t bodies_bytes, sums_bytes, squeezed_bytes, rides_bytes;
};

// ---------------------------------------------------------------- moments, see walls.h

// After obstacles are made and before particles are looked for.
ThawResult thaw_coupling_begin(ThawWalls *walls, const ThawWallStep *step);
// Once the near particles are known.
ThawResult thaw_coupling_reserve(ThawWalls *walls);
// Moves the bodies to where the pushes to come will bring them. `pressed`: pressure is about to act.
void thaw_coupling_solve(ThawWalls *walls, const ThawWallStep *step, bool pressed);
// Solid fractions were measured for the bodies as they are.
void thaw_coupling_measured(ThawWalls *walls);
// Before friction and bounces: the motion that particles will be held against.
void thaw_coupling_rub(ThawWalls *walls, const ThawWallStep *step);
// After all pushes: velocities, bounces off other colliders, and where the bodies are. `velocity` is the particles', of
// which what is frozen to bodies gets theirs.
void thaw_coupling_finish(ThawWalls *walls, const ThawWallStep *step, float *velocity);
// Adds a chunk's sum to a matrix and a push.
void thaw_coupling_sum_add(const ThawCouplingSum *sum, double matrix[36], double push[6]);

// ---------------------------------------------------------------- for the response

static inline ThawVec3 thaw_motion_at(const double motion[6], ThawVec3 arm) {
    ThawVec3 turn = {motion[3], motion[4], motion[5]};
    return thaw_add(thaw_vec(motion[0], motion[1], motion[2]), thaw_cross(turn, arm));
}

// A particle's start from the centre at the beginning, the short way in periodic axes.
ThawVec3 thaw_coupled_arm(const ThawCoupled *body, const ThawDomain *domain,
                          const int64_t start[3]);

// ---------------------------------------------------------------- between bodies and colliders

// Finds where bodies are near other colliders; bodies must stand at the beginning.
ThawResult thaw_meetings_find(ThawWalls *walls, const ThawWallStep *step);
// Makes the columns for the bodies' present `inverse`.
void thaw_meetings_prepare(ThawCoupling *coupling);
// Changes the bodies' `u` until no meeting needs more. `counts`: impulses are added to `touched`.
void thaw_meetings_relax(ThawCoupling *coupling, bool friction, bool counts);
// Pulls bodies that lie in other colliders a little apart, without any motion.
void thaw_meetings_free(ThawCoupling *coupling, const ThawWallStep *step);

// The inverse of a symmetric positive 6 × 6 matrix; in 2D of its rows x, y and turn about z, 0 elsewhere.
void thaw_coupled_invert(const double matrix[36], bool flat, double inverse[36]);
void thaw_coupled_matrix(const ThawCoupled *body, double matrix[36]);
// Puts a body's obstacle where its pose says.
void thaw_coupled_place(ThawWalls *walls, const ThawCoupled *body);
// The turn at the end of a motion.
ThawQuat thaw_coupled_turn(const ThawCoupled *body, const double motion[6]);

#endif
