// A collider as the step sees it: a shape, its motion, and where it is at both ends of a substep.
#ifndef THAW_COLLISION_COLLIDER_H
#define THAW_COLLISION_COLLIDER_H

#include "collision/deform.h"
#include "collision/rigid.h"
#include "materials/material.h"
#include "particles/domain.h"
#include <thaw/collider.h>

typedef struct ThawCollider {
    char name[THAW_NAME_SIZE];
    uint32_t handle; // the public id's value
    ThawShape shape; // as given, metres
    bool container;
    float friction, restitution, adhesion;
    float temperature;   // K; 0: it insulates
    float heat_transfer; // W/(m² K); 0: perfect contact
    bool frosts;
    ThawKeyframe *motion; // own copy
    int motion_count;
    ThawDeform *deform;     // of a mesh that changes its form; NULL for all others
    ThawDynamicDef dynamic; // as given
    ThawRigid *rigid;       // of a dynamic one; NULL for all others
    ThawContact contact;    // of the last step
} ThawCollider;

// Checks every value; the sentence names collider and field.
ThawResult thaw_collider_check(const ThawColliderDef *def);
ThawResult thaw_collider_check_surface(const char *name, float friction, float restitution);
ThawResult thaw_collider_check_adhesion(const char *name, float adhesion);
ThawResult thaw_collider_check_temperature(const char *name, float temperature);
// A copy of a checked def (fails only for memory). Release with thaw_collider_release. What is dynamic gets its
// body from thaw_collider_weigh.
ThawResult thaw_collider_from(const ThawColliderDef *def, ThawCollider *collider);
void thaw_collider_release(ThawCollider *collider);
// Makes the body of a dynamic collider, or makes it anew, in a world of `spacing`; the sentence names collider and
// field.
ThawResult thaw_collider_weigh(ThawCollider *collider, const ThawDomain *domain, double spacing);

// How far it has moved and turned from its own pose at a time.
ThawKeyframe thaw_collider_motion(const ThawCollider *collider, double time);
// The pose at a time: the shape's own pose moved and turned by the motion. A dynamic collider's is that it began
// with; where it is now tells thaw_rigid_pose.
ThawPose thaw_collider_pose(const ThawCollider *collider, double time);

#endif
