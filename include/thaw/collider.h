// Colliders: solids that particles cannot enter, or containers that they cannot leave.
//
// A collider stands still, follows a motion, or is dynamic: a rigid body that is pushed by what it
// meets, as much as it pushes.
#ifndef THAW_COLLIDER_H
#define THAW_COLLIDER_H

#include "base.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ThawWorld ThawWorld;

// One moment of a motion: how far the shape has moved and turned from its own pose. Between two
// keys the move is linear and the rotation turns at constant speed; before the first and after the
// last it stands still.
typedef struct ThawKeyframe {
    double time;       // s, strictly increasing
    ThawVec3 move;     // m
    ThawQuat rotation; // about the shape's position
} ThawKeyframe;

// A rigid body: moved by gravity, by particles, by other colliders. It starts at the shape's pose.
// In a 2D world it stays in the plane and turns about z alone, and what is said of mass and inertia is
// of one metre of depth.
typedef struct ThawDynamicDef {
    bool on;        // default false: the rest is not looked at
    double density; // kg/m³, above 0, default 1000: used where mass is 0
    double mass;    // kg, default 0 = density times volume
    ThawVec3
        inertia; // kg m² about the axes of the shape's frame through the centre; default 0 = that
                 // of the shape, filled evenly; in 2D z alone counts
    ThawVec3 center; // m, the centre of mass in the shape's frame; only with an inertia given, else
                     // it is computed
    ThawVec3 velocity; // m/s, of the centre of mass at the start
    ThawVec3 spin;     // rad/s, in the world's axes
} ThawDynamicDef;

typedef struct ThawColliderDef {
    const char *name;    // copied; may be empty; default ""
    ThawShape shape;     // required
    bool container;      // default false: true keeps particles inside the shape
    float friction;      // –, 0.., default 0.4: Coulomb's coefficient; 0 = slides freely
    float restitution;   // –, 0..1, default 0: share of the normal speed that bounces back
    float adhesion;      // –, 0..1, default 0: how strongly liquids stick to it
    float temperature;   // K, default 0 = insulates: it stays as warm as that, whatever touches it
    float heat_transfer; // W/(m² K), default 0 = perfect contact: how well heat passes its surface
    // default false; true: cold matter freezes to it, and is held by it until it melts. It goes where the collider
    // goes; with a dynamic one it is one lump
    bool frosts;
    const ThawKeyframe *motion; // copied; NULL = static
    int motion_count;
    ThawDynamicDef dynamic; // default off; not for planes, containers or colliders with a motion
} ThawColliderDef;

// What a collider felt during the last step.
typedef struct ThawContact {
    uint32_t particles; // particles pushed by it in the last substep
    ThawVec3 impulse;   // N s, given by the particles to the collider over the whole step
} ThawContact;

// Where a collider is now and how it moves, whatever moves it.
typedef struct ThawColliderState {
    bool dynamic;
    ThawPose pose;     // of the shape: world = rotation * local + position
    ThawVec3 center;   // m, the centre of mass in the world; the shape's position if not dynamic
    ThawVec3 velocity; // m/s, of that centre
    ThawVec3 spin;     // rad/s, in the world's axes
    double mass;       // kg (2D: a metre of depth); 0 if not dynamic
    double inertia[6]; // kg m² about the centre, in the world's axes: xx yy zz xy yz zx
} ThawColliderState;

THAW_API ThawColliderDef thaw_collider_default(void);

// The state of any collider at the world's time: dynamic, keyframed or static.
THAW_API ThawResult thaw_world_collider_state(const ThawWorld *world, ThawColliderId collider,
                                              ThawColliderState *state);
// Gives a collider another temperature in K; 0 = it insulates. What is frozen to it stays so until it melts.
THAW_API ThawResult thaw_world_set_collider_temperature(ThawWorld *world, ThawColliderId collider,
                                                        float temperature);
// Gives a collider another adhesion, 0..1.
THAW_API ThawResult thaw_world_set_collider_adhesion(ThawWorld *world, ThawColliderId collider,
                                                     float adhesion);
// Gives a dynamic collider other velocities: m/s of its centre of mass, and rad/s. What is frozen to it goes along.
THAW_API ThawResult thaw_world_set_collider_velocity(ThawWorld *world, ThawColliderId collider,
                                                     ThawVec3 velocity, ThawVec3 spin);
// Gives a dynamic collider an impulse in N s at a point of the world.
THAW_API ThawResult thaw_world_push_collider(ThawWorld *world, ThawColliderId collider,
                                             ThawVec3 impulse, ThawVec3 point);

#ifdef __cplusplus
}
#endif

#endif
