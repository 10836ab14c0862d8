// Pools held by meshes for 10,000 steps: what the tests of them share.
#ifndef TEST_PHYSICS_MESH_POOL_H
#define TEST_PHYSICS_MESH_POOL_H

#include "support/forms.h"
#include "support/tank.h"
#include "world/helpers.h"

#define D 0.05 // m
#define DT 0.004
#define STEPS 10000
#define CELL (0.5 * D)

static Tank open_tank(void) {
    ThawWorldDef def = tank_def(3, D);
    return tank_open(&def, NULL);
}

static ThawColliderId add_mesh(Tank *tank, const ThawField *field, const ThawKeyframe *motion,
                               int keys) {
    ThawColliderDef def = thaw_collider_default();
    ThawColliderId id;
    def.shape = thaw_shape_mesh(field);
    def.motion = motion;
    def.motion_count = keys;
    assert_ok(thaw_world_add_collider(tank->world, &def, &id));
    return id;
}

#endif
