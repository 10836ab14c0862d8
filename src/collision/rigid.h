// Rigid bodies: what a dynamic collider has besides its shape. How bodies move in a substep is in
// coupling.h.
//
// A body is its centre of mass, in fixed-point cells, and how far it is turned from home: the pose that
// its shape was given with. So a scene moved by whole cells moves in the same bits.
#ifndef THAW_COLLISION_RIGID_H
#define THAW_COLLISION_RIGID_H

#include "collision/mass.h"
#include "particles/domain.h"
#include <thaw/collider.h>

typedef struct ThawRigid {
    double mass;       // kg; 2D: a metre of depth
    double inertia[6]; // kg m² about the centre, at home, in the world's axes: xx yy zz xy yz zx
    ThawVec3 offset;   // m, the centre from the shape's position, at home
    double reach;      // m, no part of the shape is further from the centre
    ThawSurfacePoint *points; // own block; places from the centre, at home
    uint32_t point_count;
    double cell;     // m
    int64_t home[3]; // the centre at home, fixed-point cells
    // where it is now
    int64_t center[3];
    ThawQuat turn;     // from home
    ThawVec3 velocity; // m/s
    ThawVec3 spin;     // rad/s, in the world's axes
} ThawRigid;

// What a body is made from: a checked shape and def, in a world of `spacing`. Sentences name `owner`.
typedef struct ThawRigidDef {
    const ThawShape *shape;
    const ThawDynamicDef *dynamic;
    const ThawDomain *domain;
    double spacing; // m
    const char *owner;
} ThawRigidDef;

ThawResult thaw_rigid_create(const ThawRigidDef *def, ThawRigid **rigid);
void thaw_rigid_destroy(ThawRigid *rigid); // NULL is fine

// Where a shape with that pose at home is now.
ThawPose thaw_rigid_pose(const ThawRigid *rigid, ThawPose home);
// About the centre, in the world's axes, as the body is turned; row by row.
void thaw_rigid_inertia(const ThawRigid *rigid, ThawQuat turn, double inertia[9]);
// What an angular momentum comes to: solves inertia · spin = momentum; in 2D about z alone.
ThawVec3 thaw_rigid_spin(const double inertia[9], ThawVec3 momentum, int dimensions);
// An impulse in N s at an arm in m from the centre.
void thaw_rigid_push(ThawRigid *rigid, int dimensions, ThawVec3 impulse, ThawVec3 arm);
// Whether velocities suit a world: finite, and in 2D within the plane; the sentence names `owner`.
ThawResult thaw_rigid_check_motion(const char *owner, ThawVec3 velocity, ThawVec3 spin,
                                   int dimensions);

#endif
