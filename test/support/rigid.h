// Worlds with dynamic colliders, for the tests of rigid bodies. Only the public interface is used; a set-up
// that the library refuses ends the program: it is no finding about physics.
#ifndef TEST_SUPPORT_RIGID_H
#define TEST_SUPPORT_RIGID_H

#include <thaw/thaw.h>

#define RIGID_BODIES 8

typedef struct RigidRig {
    ThawWorld *world;
    int dimensions;
    double spacing; // m
    ThawVec3 up;
    double pull; // m/s²
    ThawMaterialId liquid;
    ThawColliderId bodies[RIGID_BODIES];
    ThawShape shapes[RIGID_BODIES]; // as given
    int body_count;
    ThawReport report; // of the last step
} RigidRig;

// One thread, gravity along −y in 2D and −z in 3D.
ThawWorldDef rigid_def(int dimensions, double spacing);
RigidRig rigid_open(const ThawWorldDef *def);
// Another world of the same kind and bodies, owned from now on.
RigidRig rigid_around(const RigidRig *like, ThawWorld *world);
void rigid_close(RigidRig *rig);

ThawColliderId rigid_floor(RigidRig *rig, float friction, float restitution);
// A container from the origin's plane upwards, `width` wide.
ThawColliderId rigid_tank(RigidRig *rig, double width, float friction);
// A pool on the floor of such a tank.
void rigid_pool(RigidRig *rig, double width, double depth);
void rigid_blob(RigidRig *rig, ThawShape shape, ThawVec3 velocity);

// A dynamic collider that is as dense as given (kg/m³), with friction 0.4.
ThawColliderDef rigid_body(ThawShape shape, double density);
int rigid_add(RigidRig *rig, const ThawColliderDef *def);             // its number
ThawShape rigid_box(const RigidRig *rig, double height, double side); // a cube on the axis

void rigid_step(RigidRig *rig, double dt);
ThawColliderState rigid_state(const RigidRig *rig, int body);
double rigid_height(const RigidRig *rig, int body); // of the centre, m
double rigid_speed(const RigidRig *rig, int body);  // m/s

// Bodies and particles together. Energy is measured from the origin's height.
ThawVec3 rigid_momentum(const RigidRig *rig);
ThawVec3 rigid_angular(const RigidRig *rig);
double rigid_energy(const RigidRig *rig);

// The least distance of any particle's centre to a body, in spacings.
double rigid_clearance(const RigidRig *rig);
// What share of a cube in a tank is below the level of a pool that has exactly its rest density.
double rigid_wet_share(const RigidRig *rig, int body, double width, double side);

#endif
