// What the tests of emitters share.
#ifndef TEST_WORLD_EMITTING_H
#define TEST_WORLD_EMITTING_H

#include "helpers.h"

#include "world/world.h"

#define PI 3.14159265358979323846

// a world without gravity: what leaves an opening flies on as it left
static inline ThawWorld *still_world(int dimensions) {
    ThawWorldDef def = small_def(dimensions);
    def.gravity = (ThawVec3){0, 0, 0};
    return make_world(&def);
}

static inline ThawEmitterDef disc_def(ThawMaterialId material, double radius, double speed) {
    ThawEmitterDef def = thaw_emitter_default();
    def.material = material;
    def.radius = radius;
    def.speed = speed;
    return def;
}

static inline ThawEmitterId add_emitter(ThawWorld *world, const ThawEmitterDef *def) {
    ThawEmitterId id = {0};
    assert_ok(thaw_world_add_emitter(world, def, &id));
    assert_true(id.value > 0);
    return id;
}

static inline ThawEmitterState state_of(const ThawWorld *world, ThawEmitterId id) {
    ThawEmitterState state;
    assert_ok(thaw_world_emitter_state(world, id, &state));
    return state;
}

static inline ThawReport step(ThawWorld *world, double dt) {
    ThawReport report;
    assert_ok(thaw_world_step(world, dt, &report));
    return report;
}

#endif
