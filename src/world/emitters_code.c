// Emitters and sinks as bytes, both ways. Loading trusts nothing, as in snapshot.c; it comes after
// channels and particles, which new particles must fit.
#include "world/emitters.h"
#include "world/parts.h"
#include "world/sinks.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>

// fewest bytes that each takes, for thaw_code_count
#define EMITTER_LEAST 321u
#define SINK_LEAST 154u
#define VALUE_LEAST 65u
#define SITE_LEAST 32u

#define MOST_VALUES 64u
#define FARTHEST 1e15 // m, of anything in a column

// ---------------------------------------------------------------- emitters, both ways

static void code_pose(ThawCodec *codec, ThawPose *pose) {
    thaw_part_vec(codec, &pose->position);
    thaw_part_quat(codec, &pose->rotation);
}

static void code_def(ThawCodec *codec, ThawEmitterDef *def) {
    int kind = (int)def->kind;
    thaw_code_u32(codec, &def->material.value);
    thaw_code_i32(codec, &kind);
    def->kind = (ThawEmitterKind)kind;
    code_pose(codec, &def->pose);
    thaw_code_f64(codec, &def->radius);
    thaw_code_f64(codec, &def->width);
    thaw_code_f64(codec, &def->height);
    thaw_part_vec(codec, &def->velocity);
    thaw_code_f64(codec, &def->speed);
    thaw_code_f64(codec, &def->rate);
    thaw_code_f64(codec, &def->from);
    thaw_code_f64(codec, &def->to);
    thaw_code_f64(codec, &def->jitter);
    thaw_code_f32(codec, &def->spacing);
    thaw_code_f64(codec, &def->life);
    thaw_code_u64(codec, &def->most);
    thaw_code_u64(codec, &def->total);
    thaw_code_f32(codec, &def->temperature);
}

// all but shape, values and sites, which need memory
static void code_emitter(ThawCodec *codec, ThawEmitter *emitter) {
    thaw_code_u32(codec, &emitter->handle);
    thaw_code_u32(codec, &emitter->source);
    thaw_code_name(codec, emitter->name, sizeof emitter->name);
    code_def(codec, &emitter->def);
    code_pose(codec, &emitter->pose);
    thaw_code_u64(codec, &emitter->state.born);
    thaw_code_u64(codec, &emitter->state.died);
    thaw_code_u64(codec, &emitter->state.blocked);
    thaw_code_f64(codec, &emitter->state.volume);
    thaw_code_f64(codec, &emitter->owed);
    thaw_code_f64(codec, &emitter->run);
    thaw_code_f64(codec, &emitter->due);
    thaw_code_u64(codec, &emitter->layer);
}

static void code_value(ThawCodec *codec, char name[32], float value[16]) {
    thaw_code_name(codec, name, 32);
    for (int c = 0; c < 16; c++) thaw_code_f32(codec, &value[c]);
}

static void code_site(ThawCodec *codec, ThawColumnSite *site) {
    thaw_code_f64(codec, &site->across[0]);
    thaw_code_f64(codec, &site->across[1]);
    thaw_code_f64(codec, &site->along);
    thaw_code_f64(codec, &site->layer);
}

// ---------------------------------------------------------------- saving

static void save_emitter(ThawCodec *codec, ThawEmitter *emitter) {
    uint32_t values = (uint32_t)emitter->def.value_count;
    code_emitter(codec, emitter);
    if (emitter->def.kind == THAW_EMITTER_VOLUME) thaw_whole_shape_save(codec, &emitter->def.shape);
    thaw_code_count(codec, &values, VALUE_LEAST);
    for (uint32_t k = 0; k < values; k++) {
        ThawChannelValue value = emitter->def.values[k];
        char name[32] = {0};
        for (int c = 0; c < 31 && value.channel[c] != '\0'; c++) name[c] = value.channel[c];
        code_value(codec, name, value.value);
    }
    thaw_code_count(codec, &emitter->site_count, SITE_LEAST);
    for (uint32_t k = 0; k < emitter->site_count; k++) code_site(codec, &emitter->sites[k]);
}

static void code_sink(ThawCodec *codec, ThawSink *sink) {
    thaw_code_u32(codec, &sink->handle);
    thaw_code_name(codec, sink->name, sizeof sink->name);
    thaw_code_bool(codec, &sink->def.outside);
    thaw_code_u32(codec, &sink->def.material.value);
    thaw_code_f64(codec, &sink->def.from);
    thaw_code_f64(codec, &sink->def.to);
    thaw_code_u64(codec, &sink->removed);
}

void thaw_emitters_save(ThawCodec *codec, ThawWorld *world) {
    thaw_code_u32(codec, &world->last_emitter);
    thaw_code_count(codec, &world->emitter_count, EMITTER_LEAST);
    for (uint32_t k = 0; k < world->emitter_count; k++) save_emitter(codec, &world->emitters[k]);
    thaw_code_u32(codec, &world->last_sink);
    thaw_code_count(codec, &world->sink_count, SINK_LEAST);
    for (uint32_t k = 0; k < world->sink_count; k++) {
        code_sink(codec, &world->sinks[k]);
        thaw_whole_shape_save(codec, &world->sinks[k].def.shape);
    }
}

// ---------------------------------------------------------------- loading emitters

static bool is_length(double value) {
    return value >= 0 && value < FARTHEST;
}

// a source makes the particles of one body or one emitter
static bool is_own_source(const ThawWorld *world, uint32_t source) {
    uint32_t count = world->emitter_count;
    if (count > 0 && source <= world->emitters[count - 1].source) return false;
    for (uint32_t k = 0; k < world->body_count; k++) {
        if (world->bodies[k].source == source) return false;
    }
    return source >= 1 && source < world->next_source;
}

// whether later births could give an id a second time
static bool counts_fit(const ThawWorld *world, const ThawEmitter *read) {
    for (uint32_t row = 0; row < world->store->count; row++) {
        uint64_t id = world->store->id[row];
        bool own = id >> THAW_ID_SOURCE_SHIFT == read->source;
        if (own && (id & THAW_ID_COUNT_MASK) > read->state.born) return false;
    }
    return true;
}

// what the check of a def does not see
static bool is_good(const ThawWorld *world, const ThawEmitter *read) {
    uint32_t count = world->emitter_count;
    uint32_t last = count == 0 ? 0 : world->emitters[count - 1].handle;
    ThawQuat q = read->pose.rotation;
    ThawVec3 p = read->pose.position;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    bool flat = world->def.dimensions == 3 || (q.x == 0 && q.y == 0);
    return read->handle > last && read->handle <= world->last_emitter &&
           is_own_source(world, read->source) && read->state.born <= THAW_ID_COUNT_MASK &&
           read->state.died <= read->state.born && isfinite(read->state.volume) &&
           is_length(read->owed) && is_length(read->run) && is_length(read->due) &&
           read->layer < (uint64_t)1 << 52 && fabs(p.x) < FARTHEST && fabs(p.y) < FARTHEST &&
           fabs(p.z) < FARTHEST && norm > 0.25 && norm < 4 && flat && read->def.spacing > 0 &&
           counts_fit(world, read);
}

static ThawResult load_values(ThawCodec *codec, char names[MOST_VALUES][32],
                              ThawChannelValue values[MOST_VALUES], ThawEmitterDef *def) {
    uint32_t count = 0;
    thaw_code_count(codec, &count, VALUE_LEAST);
    if (codec->failed || count > MOST_VALUES)
        return thaw_fail_damaged(codec, "an emitter's values");
    for (uint32_t k = 0; k < count; k++) {
        code_value(codec, names[k], values[k].value);
        values[k].channel = names[k];
    }
    def->values = values;
    def->value_count = (int)count;
    return codec->failed ? thaw_fail_damaged(codec, "an emitter's values") : THAW_OK;
}

static ThawResult load_sites(ThawCodec *codec, ThawEmitter *emitter) {
    uint32_t count = 0;
    thaw_code_count(codec, &count, SITE_LEAST);
    bool volume = emitter->def.kind == THAW_EMITTER_VOLUME;
    if (codec->failed || count > emitter->state.born || (volume && count > 0)) {
        return thaw_fail_damaged(codec, "what an opening holds");
    }
    if (count == 0) return THAW_OK;
    emitter->sites = thaw_alloc(count * sizeof *emitter->sites);
    if (emitter->sites == NULL) return thaw_fail_memory(count * sizeof *emitter->sites);
    emitter->site_capacity = count;
    for (uint32_t k = 0; k < count; k++) {
        ThawColumnSite *site = &emitter->sites[k];
        code_site(codec, site);
        bool good = fabs(site->across[0]) < FARTHEST && fabs(site->across[1]) < FARTHEST &&
                    fabs(site->along) < FARTHEST && fabs(site->layer) < FARTHEST;
        if (codec->failed || !good) return thaw_fail_damaged(codec, "what an opening holds");
        site->row = UINT32_MAX;
    }
    emitter->site_count = count;
    return THAW_OK;
}

// makes the emitter that was read, in the state that it was in
static ThawResult put_read(ThawCodec *codec, ThawWorld *world, ThawEmitter *read) {
    ThawResult result = thaw_emitter_check(world, &read->def);
    if (result == THAW_NOT_FOUND)
        return thaw_fail_damaged(codec, "an emitter's material or channel");
    if (result == THAW_OK) {
        result = thaw_emitters_put(world, &read->def, read->handle, read->source);
    }
    if (result != THAW_OK) return result;
    ThawEmitter *fresh = &world->emitters[world->emitter_count - 1];
    // the very bits that were saved: making a rotation a unit one again may change the last
    fresh->def.pose = read->def.pose;
    fresh->pose = read->pose;
    fresh->state = read->state;
    fresh->owed = read->owed;
    fresh->run = read->run;
    fresh->due = read->due;
    fresh->layer = read->layer;
    return load_sites(codec, fresh);
}

static ThawResult load_emitter(ThawCodec *codec, ThawWorld *world) {
    ThawEmitter read = {0};
    ThawBall balls[THAW_BALLS];
    char names[MOST_VALUES][32];
    ThawChannelValue values[MOST_VALUES];
    ThawField *field = NULL;
    code_emitter(codec, &read);
    if (codec->failed || !is_good(world, &read)) return thaw_fail_damaged(codec, "an emitter");
    read.def.name = read.name;
    ThawResult result = THAW_OK;
    if (read.def.kind == THAW_EMITTER_VOLUME) {
        result = thaw_whole_shape_load(codec, world->parallel, balls, &read.def.shape, &field);
    }
    if (result == THAW_OK) result = load_values(codec, names, values, &read.def);
    if (result == THAW_OK) result = put_read(codec, world, &read);
    thaw_field_release(field);
    return result;
}

// ---------------------------------------------------------------- loading sinks

static ThawResult load_sink(ThawCodec *codec, ThawWorld *world) {
    ThawSink read = {0};
    ThawBall balls[THAW_BALLS];
    ThawField *field = NULL;
    uint32_t count = world->sink_count;
    uint32_t last = count == 0 ? 0 : world->sinks[count - 1].handle;
    code_sink(codec, &read);
    if (codec->failed || read.handle <= last || read.handle > world->last_sink) {
        return thaw_fail_damaged(codec, "a sink");
    }
    read.def.name = read.name;
    ThawResult result =
        thaw_whole_shape_load(codec, world->parallel, balls, &read.def.shape, &field);
    if (result == THAW_OK && codec->failed) result = thaw_fail_damaged(codec, "a sink");
    if (result == THAW_OK) result = thaw_sink_check(world, &read.def);
    if (result == THAW_NOT_FOUND) result = thaw_fail_damaged(codec, "a sink's material");
    if (result == THAW_OK) result = thaw_sinks_put(world, &read.def, read.handle);
    if (result == THAW_OK) world->sinks[count].removed = read.removed;
    thaw_field_release(field);
    return result;
}

ThawResult thaw_emitters_load(ThawCodec *codec, ThawWorld *world) {
    uint32_t emitters = 0, sinks = 0;
    thaw_code_u32(codec, &world->last_emitter);
    thaw_code_count(codec, &emitters, EMITTER_LEAST);
    if (codec->failed || world->last_emitter > THAW_WORLD_HANDLES) {
        return thaw_fail_damaged(codec, "emitters");
    }
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; k < emitters && result == THAW_OK; k++)
        result = load_emitter(codec, world);
    if (result != THAW_OK) return result;
    thaw_code_u32(codec, &world->last_sink);
    thaw_code_count(codec, &sinks, SINK_LEAST);
    if (codec->failed || world->last_sink > THAW_WORLD_HANDLES) {
        return thaw_fail_damaged(codec, "sinks");
    }
    for (uint32_t k = 0; k < sinks && result == THAW_OK; k++) result = load_sink(codec, world);
    return result;
}
