// Emitters: checking their defs, keeping them, and where their openings are. What they do is in
// emission.c.
//
// A def is kept as it was given, with everything that it points to copied; a mesh's field is
// retained. What was given by later calls replaces it, but what has left or is about to leave an
// opening stays.
#include "world/emitters.h"
#include "world/sinks.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#define OWNER_SIZE (THAW_NAME_SIZE + 24)
#define MOST_SPEED 1e6 // m/s
#define MOST_SITES 4e6 // sites in one layer of an opening, at most
#define MOST_VALUES 64 // one a channel
#define MOST_COMPONENTS 16

ThawEmitterDef thaw_emitter_default(void) {
    return (ThawEmitterDef){.name = "",
                            .kind = THAW_EMITTER_DISC,
                            .pose = {.rotation = {0, 0, 0, 1}},
                            .radius = 0.1,
                            .width = 0.2,
                            .height = 0.2,
                            .shape = {.pose = {.rotation = {0, 0, 0, 1}}},
                            .speed = 1,
                            .to = INFINITY};
}

// ---------------------------------------------------------------- checks

static ThawResult check_number(const char *owner, const char *field, double value, double most) {
    if (value >= 0 && value <= most) return THAW_OK; // false for NaN
    if (most == DBL_MAX) {
        return thaw_fail(THAW_BAD_INPUT, "%s: %s must be finite and not below 0, not %g", owner,
                         field, value);
    }
    return thaw_fail(THAW_BAD_INPUT, "%s: %s must be 0 to %g, not %g", owner, field, most, value);
}

static ThawResult check_size(const char *owner, const char *field, double value) {
    if (value > 0 && value <= DBL_MAX) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: %s must be finite and above 0, not %g", owner, field,
                     value);
}

static ThawResult check_pose(const ThawWorld *world, const char *owner, const ThawPose *pose) {
    ThawQuat q = pose->rotation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    double far = (double)(THAW_CELL_LIMIT - 64) * world->domain.cell;
    ThawVec3 p = pose->position;
    if (!(fabs(p.x) < far && fabs(p.y) < far && fabs(p.z) < far)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: pose.position must be finite and inside the domain "
                         "of 2^21 supports",
                         owner);
    }
    if (!(norm > 0.25 && norm < 4)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: pose.rotation must be a unit quaternion", owner);
    }
    return THAW_OK;
}

static ThawResult check_opening(const ThawWorld *world, const char *owner,
                                const ThawEmitterDef *def) {
    ThawResult result = check_pose(world, owner, &def->pose);
    if (result != THAW_OK) return result;
    if (def->kind == THAW_EMITTER_DISC) {
        result = check_size(owner, "radius", def->radius);
    } else {
        result = check_size(owner, "width", def->width);
        if (result == THAW_OK && world->def.dimensions == 3)
            result = check_size(owner, "height", def->height);
    }
    if (result != THAW_OK) return result;
    double d = def->spacing > 0 ? (double)def->spacing : world->def.spacing;
    double sites = thaw_emitter_area(world, def) / (world->def.dimensions == 3 ? d * d : d);
    if (sites <= MOST_SITES) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT,
                     "%s: %s is too large: the opening holds more than %g particles a layer", owner,
                     def->kind == THAW_EMITTER_DISC ? "radius" : "width", MOST_SITES);
}

static ThawResult check_shape(const ThawWorld *world, const char *owner, const ThawShape *shape) {
    ThawResult result = thaw_shape_check(shape, owner);
    if (result != THAW_OK) return result;
    ThawVec3 lower, upper;
    if (!thaw_shape_local_bounds(shape, &lower, &upper)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: shape must be bounded, so not a plane", owner);
    }
    return check_pose(world, owner, &shape->pose);
}

static ThawResult check_times(const char *owner, const ThawEmitterDef *def) {
    if (!isfinite(def->from)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: from must be finite, not %g", owner, def->from);
    }
    if (def->to > def->from) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: to must be after from, %g s, not %g s", owner, def->from,
                     def->to);
}

static ThawResult check_velocity(const ThawWorld *world, const char *owner, ThawVec3 velocity) {
    double most = MOST_SPEED;
    if (!(fabs(velocity.x) <= most && fabs(velocity.y) <= most && fabs(velocity.z) <= most)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: velocity must be at most %g m/s along each axis",
                         owner, most);
    }
    if (world->def.dimensions == 2 && velocity.z != 0) {
        return thaw_fail(THAW_BAD_INPUT, "%s: velocity.z must be 0 in 2D, not %g", owner,
                         velocity.z);
    }
    return THAW_OK;
}

static ThawResult check_spacing(const ThawWorld *world, const char *owner, float spacing) {
    if (spacing != 0 && !thaw_world_fits(world, (double)spacing)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: spacing must be 0 or from 1/%g to %g times the "
                         "world's %g m, not %g m",
                         owner, THAW_WORLD_SPACING_RATIO, THAW_WORLD_SPACING_RATIO,
                         world->def.spacing, (double)spacing);
    }
    double least = 2.0 * THAW_WORLD_SUPPORT * (double)spacing / world->domain.cell;
    for (int a = 0; a < 3; a++) {
        if (!world->domain.periodic[a] || thaw_fixed_cells(world->domain.length[a]) >= least)
            continue;
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: spacing %g m is too large for the period of axis %c, "
                         "which must be "
                         "at least four of it",
                         owner, (double)spacing, "xyz"[a]);
    }
    return THAW_OK;
}

static ThawResult check_value(const ThawWorld *world, const char *owner,
                              const ThawChannelValue *value, int k) {
    if (value->channel == NULL || thaw_world_is_own_channel(world, value->channel)) {
        return thaw_fail(THAW_BAD_INPUT, "%s: values[%d].channel must name a channel of the user's",
                         owner, k);
    }
    const ThawChannel *channel = thaw_store_channel(world->store, value->channel);
    if (channel == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "%s: there is no channel \"%.40s\" for values[%d]", owner,
                         value->channel, k);
    }
    for (uint32_t c = 0; c < channel->components; c++) {
        double most = channel->type == THAW_I32 ? 2147483520.0 : (double)FLT_MAX;
        if (fabs((double)value->value[c]) <= most) continue;
        return thaw_fail(THAW_BAD_INPUT, "%s: values[%d].value[%u] does not fit channel \"%s\"",
                         owner, k, c, channel->name);
    }
    return THAW_OK;
}

static ThawResult check_values(const ThawWorld *world, const char *owner,
                               const ThawEmitterDef *def) {
    if (def->value_count < 0 || def->value_count > MOST_VALUES) {
        return thaw_fail(THAW_BAD_INPUT, "%s: value_count must be 0 to %d, not %d", owner,
                         MOST_VALUES, def->value_count);
    }
    if (def->value_count > 0 && def->values == NULL) {
        return thaw_fail(THAW_BAD_INPUT, "%s: value_count is %d but values is NULL", owner,
                         def->value_count);
    }
    ThawResult result = THAW_OK;
    for (int k = 0; k < def->value_count && result == THAW_OK; k++) {
        result = check_value(world, owner, &def->values[k], k);
    }
    return result;
}

static ThawResult check_age(ThawWorld *world, const char *owner, const ThawEmitterDef *def) {
    if (!(def->life > 0)) return THAW_OK;
    const ThawChannel *age = thaw_store_channel(world->store, THAW_AGE_CHANNEL);
    if (age != NULL && (age->type != THAW_F32 || age->components != 1)) {
        return thaw_fail(THAW_BAD_INPUT,
                         "%s: life needs the channel \"%s\" to have one float, as seconds", owner,
                         THAW_AGE_CHANNEL);
    }
    if (age != NULL || world->store->channel_count < THAW_STORE_CHANNELS) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: life needs a channel, and all %d of a world are taken",
                     owner, THAW_STORE_CHANNELS);
}

// what belongs to the kind of emitter
static ThawResult check_kind(const ThawWorld *world, const char *owner, const ThawEmitterDef *def) {
    if ((int)def->kind < THAW_EMITTER_DISC || (int)def->kind > THAW_EMITTER_VOLUME) {
        return thaw_fail(THAW_BAD_INPUT, "%s: kind must be one of ThawEmitterKind, not %d", owner,
                         (int)def->kind);
    }
    if (def->kind == THAW_EMITTER_VOLUME) return check_shape(world, owner, &def->shape);
    return check_opening(world, owner, def);
}

ThawResult thaw_emitter_check(ThawWorld *world, const ThawEmitterDef *def) {
    char owner[OWNER_SIZE] = "emitter";
    if (def->name != NULL && strnlen(def->name, THAW_NAME_SIZE) == THAW_NAME_SIZE) {
        return thaw_fail(THAW_BAD_INPUT, "emitter: name must have at most %d bytes",
                         THAW_NAME_SIZE - 1);
    }
    if (def->name != NULL && def->name[0] != '\0') {
        snprintf(owner, sizeof owner, "emitter \"%s\"", def->name);
    }
    if (thaw_world_material(world, def->material) == NULL) {
        return thaw_fail(THAW_NOT_FOUND, "%s: material %u is not in this world", owner,
                         def->material.value);
    }
    ThawResult result;
    if ((result = check_spacing(world, owner, def->spacing)) ||
        (result = check_kind(world, owner, def)) ||
        (result = check_velocity(world, owner, def->velocity)) ||
        (result = check_number(owner, "speed", def->speed, MOST_SPEED)) ||
        (result = check_number(owner, "rate", def->rate, DBL_MAX)) ||
        (result = check_times(owner, def)) ||
        (result = check_number(owner, "jitter", def->jitter, 0.5)) ||
        (result = check_number(owner, "life", def->life, DBL_MAX)) ||
        (result = thaw_heat_check_start(owner, def->temperature)) ||
        (result = check_values(world, owner, def)) || (result = check_age(world, owner, def))) {
        return result;
    }
    if (def->kind == THAW_EMITTER_VOLUME) return THAW_OK;
    if (thaw_emitter_speed(world, def) <= MOST_SPEED) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: rate asks for more than %g m/s through the opening",
                     owner, MOST_SPEED);
}

ThawResult thaw_age_open(ThawWorld *world) {
    if (thaw_store_channel(world->store, THAW_AGE_CHANNEL) != NULL) return THAW_OK;
    const ThawChannelDef age = {THAW_AGE_CHANNEL, THAW_F32, 1};
    return thaw_store_add_channel(world->store, &age);
}

// ---------------------------------------------------------------- keeping

static void release(ThawEmitter *emitter) {
    thaw_shape_drop(&emitter->def.shape);
    for (int k = 0; k < emitter->def.value_count; k++) {
        thaw_free((void *)(uintptr_t)emitter->def.values[k].channel);
    }
    thaw_free((void *)(uintptr_t)emitter->def.values);
    thaw_free(emitter->sites);
    thaw_free(emitter->places);
    thaw_free(emitter->jitter.offsets);
}

void thaw_emitters_release(ThawWorld *world) {
    for (uint32_t k = 0; k < world->emitter_count; k++) release(&world->emitters[k]);
    thaw_free(world->emitters);
    thaw_free(world->emission.marks);
    thaw_free(world->emission.counts);
    thaw_free(world->emission.barred);
    thaw_free(world->emission.scratch);
}

static void free_values(ThawChannelValue *values, int count) {
    for (int k = 0; k < count; k++) thaw_free((void *)(uintptr_t)values[k].channel);
    thaw_free(values);
}

// own copies of the values and the names of their channels
static ThawResult copy_values(const ThawEmitterDef *def, const ThawChannelValue **copy) {
    *copy = NULL;
    if (def->value_count == 0) return THAW_OK;
    size_t bytes = (size_t)def->value_count * sizeof **copy;
    ThawChannelValue *values = thaw_alloc(bytes);
    if (values == NULL) return thaw_fail_memory(bytes);
    for (int k = 0; k < def->value_count; k++) {
        size_t length = strlen(def->values[k].channel) + 1;
        char *name = thaw_alloc(length);
        if (name == NULL) {
            free_values(values, k);
            return thaw_fail_memory(length);
        }
        memcpy(name, def->values[k].channel, length);
        values[k] = def->values[k];
        values[k].channel = name;
    }
    *copy = values;
    return THAW_OK;
}

// a pose as it is kept: of unit length, in 2D about z and at z = 0
static ThawPose keep_pose(const ThawWorld *world, ThawPose pose) {
    if (world->def.dimensions == 2) {
        pose.rotation.x = pose.rotation.y = 0;
        pose.position.z = 0;
    }
    ThawQuat q = pose.rotation;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    // what is one already keeps its bits
    if (fabs(norm - 1) > 1e-15) pose.rotation = thaw_quat_normalize(q);
    return pose;
}

ThawResult thaw_emitters_put(ThawWorld *world, const ThawEmitterDef *def, uint32_t handle,
                             uint32_t source) {
    void *array = world->emitters;
    ThawResult result = thaw_world_grow(&array, &world->emitter_capacity, world->emitter_count,
                                        sizeof *world->emitters);
    world->emitters = array;
    if (result != THAW_OK) return result;
    ThawEmitter *fresh = &world->emitters[world->emitter_count];
    *fresh = (ThawEmitter){.handle = handle, .source = source, .def = *def};
    if (def->name != NULL) memcpy(fresh->name, def->name, strlen(def->name));
    fresh->def.name = NULL;
    fresh->def.values = NULL;
    fresh->def.value_count = 0;
    if (!(def->spacing > 0)) fresh->def.spacing = (float)world->def.spacing;
    bool volume = def->kind == THAW_EMITTER_VOLUME;
    fresh->def.shape = volume ? def->shape : (ThawShape){.pose = {.rotation = {0, 0, 0, 1}}};
    fresh->def.pose = keep_pose(world, volume ? thaw_emitter_default().pose : def->pose);
    fresh->pose = volume ? def->shape.pose : fresh->def.pose;
    if (volume) result = thaw_shape_keep(&def->shape, &fresh->def.shape);
    if (result == THAW_OK) {
        result = copy_values(def, &fresh->def.values);
        if (result == THAW_OK) fresh->def.value_count = def->value_count;
    }
    if (result == THAW_OK && def->life > 0) result = thaw_age_open(world);
    if (result == THAW_OK)
        world->emitter_count++;
    else
        release(fresh);
    return result;
}

ThawResult thaw_world_add_emitter(ThawWorld *world, const ThawEmitterDef *def,
                                  ThawEmitterId *emitter) {
    assert(world != NULL && def != NULL);
    ThawResult result = thaw_emitter_check(world, def);
    if (result != THAW_OK) return result;
    if (world->last_emitter >= THAW_WORLD_HANDLES || world->next_source >= THAW_WORLD_SOURCES) {
        return thaw_fail(THAW_BAD_INPUT, "emitter: the world has no %s left",
                         world->last_emitter >= THAW_WORLD_HANDLES ? "handles" : "sources");
    }
    result = thaw_emitters_put(world, def, world->last_emitter + 1, world->next_source);
    if (result != THAW_OK) return result;
    world->last_emitter++;
    if (emitter != NULL) emitter->value = world->last_emitter;
    // nothing of it is there to be settled
    if (world->settled_source == world->next_source) world->settled_source++;
    world->next_source++;
    return THAW_OK;
}

ThawEmitter *thaw_world_emitter(const ThawWorld *world, ThawEmitterId emitter) {
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        if (world->emitters[k].handle == emitter.value) return &world->emitters[k];
    }
    thaw_fail(THAW_NOT_FOUND, "emitter %u is not in this world, or was removed", emitter.value);
    return NULL;
}

ThawResult thaw_world_set_emitter(ThawWorld *world, ThawEmitterId id, const ThawEmitterDef *def) {
    assert(world != NULL && def != NULL);
    ThawEmitter *emitter = thaw_world_emitter(world, id);
    if (emitter == NULL) return THAW_NOT_FOUND;
    ThawEmitterDef changed = *def;
    changed.name = emitter->name;
    changed.material = emitter->def.material;
    changed.kind = emitter->def.kind;
    changed.spacing = emitter->def.spacing;
    changed.jitter = emitter->def.jitter;
    bool volume = changed.kind == THAW_EMITTER_VOLUME;
    changed.shape = emitter->def.shape;
    if (volume) changed.shape.pose = def->shape.pose;
    ThawResult result = thaw_emitter_check(world, &changed);
    if (result != THAW_OK) return result;
    const ThawChannelValue *values;
    result = copy_values(def, &values);
    if (result != THAW_OK) return result;
    if (def->life > 0) result = thaw_age_open(world);
    if (result != THAW_OK) {
        free_values((ThawChannelValue *)(uintptr_t)values, def->value_count);
        return result;
    }
    free_values((ThawChannelValue *)(uintptr_t)emitter->def.values, emitter->def.value_count);
    changed.name = NULL;
    changed.values = values;
    if (volume) {
        changed.pose = emitter->def.pose;
        emitter->pose = changed.shape.pose;
    } else {
        changed.pose = keep_pose(world, def->pose);
    }
    emitter->def = changed;
    return THAW_OK;
}

ThawResult thaw_world_remove_emitter(ThawWorld *world, ThawEmitterId id) {
    assert(world != NULL);
    ThawEmitter *gone = thaw_world_emitter(world, id);
    if (gone == NULL) return THAW_NOT_FOUND;
    release(gone);
    // close the gap and keep the order
    uint32_t index = (uint32_t)(gone - world->emitters);
    world->emitter_count--;
    memmove(gone, gone + 1, (world->emitter_count - index) * sizeof *gone);
    return THAW_OK;
}

ThawResult thaw_world_emitter_state(const ThawWorld *world, ThawEmitterId id,
                                    ThawEmitterState *state) {
    assert(world != NULL && state != NULL);
    const ThawEmitter *emitter = thaw_world_emitter(world, id);
    if (emitter == NULL) return THAW_NOT_FOUND;
    *state = emitter->state;
    return THAW_OK;
}

// ---------------------------------------------------------------- where they are

ThawVec3 thaw_emitter_local(const ThawWorld *world, double u, double v, double along) {
    return world->def.dimensions == 3 ? thaw_vec(u, v, along) : thaw_vec(u, along, 0);
}

ThawPose thaw_emitter_pose(const ThawEmitter *emitter, double share) {
    const ThawPose *from = &emitter->pose, *to = &emitter->def.pose;
    if (emitter->def.kind == THAW_EMITTER_VOLUME || share <= 0) return *from;
    if (share >= 1) return *to;
    ThawVec3 way = thaw_sub(to->position, from->position);
    return (ThawPose){thaw_add(from->position, thaw_scale(way, share)),
                      thaw_quat_slerp(from->rotation, to->rotation, share)};
}

double thaw_emitter_area(const ThawWorld *world, const ThawEmitterDef *def) {
    const double pi = 3.14159265358979323846;
    bool disc = def->kind == THAW_EMITTER_DISC;
    if (world->def.dimensions == 2) return disc ? 2 * def->radius : def->width;
    return disc ? pi * def->radius * def->radius : def->width * def->height;
}

double thaw_emitter_speed(const ThawWorld *world, const ThawEmitterDef *def) {
    if (def->speed > 0 || def->rate <= 0) return def->speed;
    return def->rate / thaw_emitter_area(world, def);
}

// how far the opening's rim goes on its way to the next pose
static double pose_travel(const ThawEmitter *emitter) {
    const ThawEmitterDef *def = &emitter->def;
    ThawQuat turn = thaw_quat_mul(def->pose.rotation, thaw_quat_conjugate(emitter->pose.rotation));
    double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double reach =
        def->kind == THAW_EMITTER_DISC ? def->radius : 0.5 * hypot(def->width, def->height);
    double move = thaw_length(thaw_sub(def->pose.position, emitter->pose.position));
    return move + 2 * asin(fmin(sine, 1)) * (reach + THAW_COLUMN_FREE * (double)def->spacing);
}

double thaw_emitter_travel(const ThawWorld *world, const ThawEmitter *emitter, double dt) {
    const ThawEmitterDef *def = &emitter->def;
    double time = world->time;
    if ((def->to <= time || def->from >= time + dt) && emitter->site_count == 0) return 0;
    double own = thaw_length(def->velocity) * dt;
    if (def->kind == THAW_EMITTER_VOLUME) return own;
    return own + thaw_emitter_speed(world, def) * dt + pose_travel(emitter);
}

bool thaw_emitters_act(const ThawWorld *world, double begin, double end) {
    for (uint32_t k = 0; k < world->emitter_count; k++) {
        const ThawEmitter *emitter = &world->emitters[k];
        if (emitter->def.from < end && emitter->def.to > begin) return true;
    }
    return false;
}
