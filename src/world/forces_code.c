// Forces as bytes, both ways. Loading trusts nothing, as in snapshot.c.
#include "world/forces.h"
#include "world/parts.h"
#include "world/world.h"

#include "base/result.h"

#include <math.h>

// fewest bytes that each takes, for thaw_code_count
#define FORCE_LEAST 178u
#define BALL_LEAST 32u

static void code_region(ThawCodec *codec, ThawForceDef *def) {
    thaw_code_bool(codec, &def->bounded);
    if (!def->bounded) return;
    thaw_part_shape(codec, &def->region);
    thaw_code_f64(codec, &def->region.smooth);
}

// all but the region's balls, which need memory
static void code_force(ThawCodec *codec, ThawForce *force) {
    ThawForceDef *def = &force->def;
    int kind = (int)def->kind;
    thaw_code_u32(codec, &force->handle);
    thaw_code_name(codec, force->name, sizeof force->name);
    thaw_code_i32(codec, &kind);
    def->kind = (ThawForceKind)kind;
    thaw_code_f64(codec, &def->strength);
    thaw_part_vec(codec, &def->direction);
    thaw_part_vec(codec, &def->position);
    thaw_code_f64(codec, &def->radius);
    thaw_code_f64(codec, &def->falloff);
    thaw_code_f64(codec, &def->core);
    thaw_code_f64(codec, &def->inflow);
    thaw_code_f64(codec, &def->drag);
    thaw_code_f64(codec, &def->size);
    thaw_code_f64(codec, &def->change);
    thaw_code_u64(codec, &def->seed);
    thaw_code_u32(codec, &def->material.value);
    thaw_code_f64(codec, &def->from);
    thaw_code_f64(codec, &def->to);
    thaw_code_f64(codec, &def->ramp);
    thaw_code_f64(codec, &force->phase);
    thaw_code_f64(codec, &force->since);
    code_region(codec, def);
}

static void code_ball(ThawCodec *codec, ThawBall *ball) {
    thaw_part_vec(codec, &ball->center);
    thaw_code_f64(codec, &ball->radius);
}

void thaw_forces_save(ThawCodec *codec, ThawWorld *world) {
    thaw_code_u32(codec, &world->last_force);
    thaw_code_count(codec, &world->force_count, FORCE_LEAST);
    for (uint32_t k = 0; k < world->force_count; k++) {
        ThawForce *force = &world->forces[k];
        uint32_t balls = (uint32_t)force->def.region.ball_count;
        code_force(codec, force);
        thaw_code_count(codec, &balls, BALL_LEAST);
        for (uint32_t b = 0; b < balls; b++) {
            ThawBall ball = force->def.region.balls[b];
            code_ball(codec, &ball);
        }
    }
}

// what the check of a def does not see
static bool is_good(const ThawWorld *world, const ThawForce *read) {
    uint32_t count = world->force_count;
    uint32_t last = count == 0 ? 0 : world->forces[count - 1].handle;
    return read->handle > last && read->handle <= world->last_force && isfinite(read->phase) &&
           isfinite(read->since);
}

static ThawResult load_force(ThawCodec *codec, ThawWorld *world) {
    ThawForce read = {.def = thaw_force_default()};
    ThawBall balls[THAW_BALLS];
    uint32_t count = 0;
    code_force(codec, &read);
    thaw_code_count(codec, &count, BALL_LEAST);
    if (codec->failed || count > THAW_BALLS || !is_good(world, &read)) {
        return thaw_fail_damaged(codec, "a force");
    }
    for (uint32_t k = 0; k < count; k++) code_ball(codec, &balls[k]);
    if (codec->failed) return thaw_fail_damaged(codec, "a force's region");
    read.def.name = read.name;
    read.def.region.balls = balls;
    read.def.region.ball_count = (int)count;
    ThawResult result = thaw_force_check(world, &read.def);
    if (result == THAW_NOT_FOUND) result = thaw_fail_damaged(codec, "a force's material");
    if (result == THAW_OK) result = thaw_forces_put(world, &read.def, read.handle);
    if (result != THAW_OK) return result;
    ThawForce *fresh = &world->forces[world->force_count - 1];
    fresh->phase = read.phase;
    fresh->since = read.since;
    return THAW_OK;
}

ThawResult thaw_forces_load(ThawCodec *codec, ThawWorld *world) {
    uint32_t count = 0;
    thaw_code_u32(codec, &world->last_force);
    thaw_code_count(codec, &count, FORCE_LEAST);
    if (codec->failed || world->last_force > THAW_WORLD_HANDLES) {
        return thaw_fail_damaged(codec, "forces");
    }
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; k < count && result == THAW_OK; k++) result = load_force(codec, world);
    return result;
}
