// Emitters, sinks and forces: from the scene into the world, and on over time.
#include "scene/sources.h"

#include "base/result.h"
#include "math/vec.h"

#include <assert.h>

#define MOST_VALUES 64 // channels that a scene has

// ---------------------------------------------------------------- over time

bool scene_vector_varies(const ThawNumber3 *number) {
    return thaw_number_varies(&number->axis[0]) || thaw_number_varies(&number->axis[1]) ||
           thaw_number_varies(&number->axis[2]);
}

bool scene_emitter_varies(const ThawSceneEmitter *emitter) {
    bool varies = emitter->motion_count > 0 || thaw_number_varies(&emitter->speed) ||
                  thaw_number_varies(&emitter->rate) || scene_vector_varies(&emitter->velocity) ||
                  thaw_number_varies(&emitter->temperature);
    for (int k = 0; k < emitter->value_count && !varies; k++) {
        for (int c = 0; c < 16; c++) varies |= thaw_number_varies(&emitter->values[k].value[c]);
    }
    return varies;
}

bool scene_force_varies(const ThawSceneForce *force) {
    return thaw_number_varies(&force->strength) || thaw_number_varies(&force->drag) ||
           scene_vector_varies(&force->direction) || scene_vector_varies(&force->position);
}

ThawPose scene_pose_at(ThawPose pose, const ThawKeyframe *keys, int count, double t) {
    if (count == 0) return pose;
    int next = 0;
    while (next < count && keys[next].time <= t) next++;
    ThawVec3 move = keys[next == 0 ? 0 : next - 1].move;
    ThawQuat turn = keys[next == 0 ? 0 : next - 1].rotation;
    if (next > 0 && next < count) {
        const ThawKeyframe *a = &keys[next - 1], *b = &keys[next];
        double s = (t - a->time) / (b->time - a->time);
        move = thaw_add(a->move, thaw_scale(thaw_sub(b->move, a->move), s));
        turn = thaw_quat_slerp(a->rotation, b->rotation, s);
    }
    pose.position = thaw_add(pose.position, move);
    pose.rotation = thaw_quat_normalize(thaw_quat_mul(turn, pose.rotation));
    return pose;
}

// ---------------------------------------------------------------- emitters

ThawEmitterDef thaw_scene_emitter_at(const ThawSceneEmitter *emitter, double t) {
    assert(emitter != NULL);
    ThawMoment moment = {.t = t};
    const ThawKeyframe *keys = emitter->motion;
    int count = emitter->motion_count;
    ThawEmitterDef def = thaw_emitter_default();
    def.name = emitter->name;
    def.material = (ThawMaterialId){(uint32_t)emitter->material + 1};
    def.kind = emitter->kind;
    if (emitter->kind == THAW_EMITTER_VOLUME) {
        def.shape = emitter->shape;
        def.shape.pose = scene_pose_at(emitter->shape.pose, keys, count, t);
    } else {
        def.pose = scene_pose_at(emitter->pose, keys, count, t);
    }
    if (emitter->kind == THAW_EMITTER_DISC) def.radius = emitter->radius;
    if (emitter->kind == THAW_EMITTER_RECTANGLE) {
        def.width = emitter->size[0];
        def.height = emitter->size[1];
    }
    def.speed = thaw_number_at(&emitter->speed, &moment);
    def.rate = thaw_number_at(&emitter->rate, &moment);
    def.velocity = thaw_number3_at(&emitter->velocity, &moment);
    def.temperature = (float)thaw_number_at(&emitter->temperature, &moment);
    def.from = emitter->from;
    def.to = emitter->to;
    def.jitter = emitter->jitter;
    def.spacing = (float)emitter->spacing;
    def.life = emitter->life;
    def.most = emitter->most;
    def.total = emitter->total;
    return def;
}

// what channels begin with at time t
static int fill_values(const ThawScene *scene, const ThawSceneEmitter *emitter, double t,
                       ThawChannelValue values[MOST_VALUES]) {
    ThawMoment moment = {.t = t};
    int count = emitter->value_count < MOST_VALUES ? emitter->value_count : MOST_VALUES;
    for (int k = 0; k < count; k++) {
        const ThawSceneChannelValue *value = &emitter->values[k];
        const ThawSceneChannel *channel = &scene->channels[value->channel];
        values[k] = (ThawChannelValue){.channel = channel->name};
        for (uint32_t c = 0; c < channel->components; c++) {
            values[k].value[c] = (float)thaw_number_at(&value->value[c], &moment);
        }
    }
    return count;
}

static ThawResult add_emitter(const ThawScene *scene, ThawWorld *world, int k) {
    const ThawSceneEmitter *emitter = &scene->emitters[k];
    ThawChannelValue values[MOST_VALUES];
    ThawEmitterDef def = thaw_scene_emitter_at(emitter, 0);
    def.value_count = fill_values(scene, emitter, 0, values);
    def.values = values;
    ThawEmitterId id;
    return thaw_world_add_emitter(world, &def, &id);
}

// gives emitter k its values of time t, and the place of another time
static ThawResult set_emitter(const ThawScene *scene, ThawWorld *world, int k, double t,
                              double place) {
    const ThawSceneEmitter *emitter = &scene->emitters[k];
    ThawChannelValue values[MOST_VALUES];
    ThawEmitterDef def = thaw_scene_emitter_at(emitter, t);
    ThawEmitterDef there = thaw_scene_emitter_at(emitter, place);
    def.pose = there.pose;
    def.shape.pose = there.shape.pose;
    def.value_count = fill_values(scene, emitter, t, values);
    def.values = values;
    return thaw_world_set_emitter(world, (ThawEmitterId){(uint32_t)k + 1}, &def);
}

// ---------------------------------------------------------------- sinks

static ThawResult add_sink(const ThawSceneSink *sink, ThawWorld *world) {
    ThawSinkDef def = thaw_sink_default();
    def.name = sink->name;
    def.shape = sink->shape;
    def.outside = sink->outside;
    // any is −1, and 0 as a handle
    def.material = (ThawMaterialId){(uint32_t)(sink->material + 1)};
    def.from = sink->from;
    def.to = sink->to;
    ThawSinkId id;
    return thaw_world_add_sink(world, &def, &id);
}

// ---------------------------------------------------------------- forces

// A direction that changes may come to have no length for a moment: then there is no force.
static void set_direction(ThawForceDef *def, ThawVec3 direction) {
    double length = thaw_length(direction);
    if (length > 0) {
        def->direction = direction;
        return;
    }
    def->strength = 0;
    if (def->kind != THAW_FORCE_VORTEX) def->direction = thaw_vec(1, 0, 0);
}

static ThawForceDef force_at(const ThawSceneForce *force, double t) {
    ThawMoment moment = {.t = t};
    ThawForceKind kind = force->kind;
    ThawForceDef def = thaw_force_default();
    def.name = force->name;
    def.kind = kind;
    def.strength = thaw_number_at(&force->strength, &moment);
    if (kind == THAW_FORCE_POINT || kind == THAW_FORCE_VORTEX) {
        def.position = thaw_number3_at(&force->position, &moment);
        def.radius = force->radius;
        def.falloff = force->falloff;
        def.core = force->core;
        def.inflow = force->inflow;
    }
    if (kind != THAW_FORCE_POINT && kind != THAW_FORCE_TURBULENCE) {
        set_direction(&def, thaw_number3_at(&force->direction, &moment));
    }
    if (kind == THAW_FORCE_WIND) def.drag = thaw_number_at(&force->drag, &moment);
    if (kind == THAW_FORCE_TURBULENCE) {
        def.size = force->size;
        def.change = force->change;
        def.seed = force->seed;
    }
    def.bounded = force->bounded;
    if (force->bounded) def.region = force->region;
    def.material = (ThawMaterialId){(uint32_t)(force->material + 1)};
    def.from = force->from;
    def.to = force->to;
    def.ramp = force->ramp;
    return def;
}

static ThawResult give_force(const ThawScene *scene, ThawWorld *world, int k, double t,
                             bool first) {
    ThawForceDef def = force_at(&scene->forces[k], t);
    ThawForceId id = {(uint32_t)k + 1};
    return first ? thaw_world_add_force(world, &def, &id) : thaw_world_set_force(world, id, &def);
}

// ---------------------------------------------------------------- all of them

ThawResult scene_add_sources(const ThawScene *scene, ThawWorld *world) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->emitter_count && result == THAW_OK; k++) {
        result = add_emitter(scene, world, k);
    }
    for (int k = 0; k < scene->sink_count && result == THAW_OK; k++) {
        result = add_sink(&scene->sinks[k], world);
    }
    for (int k = 0; k < scene->force_count && result == THAW_OK; k++) {
        result = give_force(scene, world, k, 0, true);
    }
    return result;
}

ThawResult scene_animate_sources(const ThawScene *scene, ThawWorld *world, double t) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->emitter_count && result == THAW_OK; k++) {
        result = set_emitter(scene, world, k, t, t);
    }
    for (int k = 0; k < scene->force_count && result == THAW_OK; k++) {
        result = give_force(scene, world, k, t, false);
    }
    return result;
}

ThawResult scene_aim_emitters(const ThawScene *scene, ThawWorld *world, double t, double end) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->emitter_count && result == THAW_OK; k++) {
        if (scene->emitters[k].motion_count > 0) result = set_emitter(scene, world, k, t, end);
    }
    return result;
}
