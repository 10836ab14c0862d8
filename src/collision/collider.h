// A collider as the step sees it: a shape, its motion, and where it is at both ends of a substep.
#ifndef THAW_COLLISION_COLLIDER_H
#define THAW_COLLISION_COLLIDER_H

#include "materials/material.h"
#include "particles/domain.h"
#include <thaw/collider.h>

typedef struct ThawCollider {
    char name[THAW_NAME_SIZE];
    uint32_t handle; // the public id's value
    ThawShape shape; // as given, metres
    bool container;
    float friction, restitution;
    ThawKeyframe *motion; // own copy
    int motion_count;
    ThawContact contact; // of the last step
} ThawCollider;

// Checks every value; the sentence names collider and field.
ThawResult thaw_collider_check(const ThawColliderDef *def);
ThawResult thaw_collider_check_surface(const char *name, float friction, float restitution);
// A copy of a checked def (fails only for memory). Release with thaw_collider_release.
ThawResult thaw_collider_from(const ThawColliderDef *def, ThawCollider *collider);
void thaw_collider_release(ThawCollider *collider);

// How far it has moved and turned from its own pose at a time.
ThawKeyframe thaw_collider_motion(const ThawCollider *collider, double time);
// The pose at a time: the shape's own pose moved and turned by the motion.
ThawPose thaw_collider_pose(const ThawCollider *collider, double time);

#endif
