// Colliders: solids that particles cannot enter, or containers that they cannot leave.
#ifndef THAW_COLLIDER_H
#define THAW_COLLIDER_H

#include "base.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// One moment of a motion: how far the shape has moved and turned from its own pose. Between two
// keys the move is linear and the rotation turns at constant speed; before the first and after the
// last it stands still.
typedef struct ThawKeyframe {
    double time;       // s, strictly increasing
    ThawVec3 move;     // m
    ThawQuat rotation; // about the shape's position
} ThawKeyframe;

typedef struct ThawColliderDef {
    const char *name;           // copied; may be empty; default ""
    ThawShape shape;            // required
    bool container;             // default false: true keeps particles inside the shape
    float friction;             // –, 0.., default 0.4: Coulomb's coefficient; 0 = slides freely
    float restitution;          // –, 0..1, default 0: share of the normal speed that bounces back
    const ThawKeyframe *motion; // copied; NULL = static
    int motion_count;
} ThawColliderDef;

// What a collider felt during the last step.
typedef struct ThawContact {
    uint32_t particles; // particles pushed by it in the last substep
    ThawVec3 impulse;   // N s, given by the particles to the collider over the whole step
} ThawContact;

THAW_API ThawColliderDef thaw_collider_default(void);

#ifdef __cplusplus
}
#endif

#endif
