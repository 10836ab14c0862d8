// Snapshots: a world as bytes, and its hash.
//
//   "THAWSNAP", u32 version, u32 zero, u64 size of the content, u64 hash of the content, content
//
// The content has no padding and knows nothing of machine, threads or row order: particles go by
// ascending id, so that equal worlds give equal bytes. Every code_ function below describes one part of
// it for both directions. Loading trusts nothing: counts are held against the bytes that are left before
// anything is allocated for them, and every value passes the checks that the public functions make.
#include "world/codec.h"
#include "world/parts.h"
#include "world/world.h"

#include "base/memory.h"
#include "base/result.h"
#include "lattice/state.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const char magic[8] = {'T', 'H', 'A', 'W', 'S', 'N', 'A', 'P'};

#define SNAPSHOT_VERSION 7u

// fewest bytes that each kind of thing takes, for thaw_code_count
#define MATERIAL_LEAST 169u
#define COLLIDER_LEAST 140u
#define BODY_LEAST 9u
#define CHANNEL_LEAST 6u

// ---------------------------------------------------------------- the parts, both ways

static void code_solver(ThawCodec *codec, ThawSolverDef *solver) {
    thaw_code_i32(codec, &solver->substeps);
    thaw_code_i32(codec, &solver->max_substeps);
    thaw_code_f64(codec, &solver->max_displacement);
    thaw_code_f64(codec, &solver->max_compression);
    thaw_code_i32(codec, &solver->iterations);
    thaw_code_i32(codec, &solver->max_iterations);
    thaw_code_f64(codec, &solver->density_tolerance);
    thaw_code_f64(codec, &solver->relaxation);
    thaw_code_f64(codec, &solver->skin);
    thaw_code_i32(codec, &solver->elastic_steps);
    thaw_code_bool(codec, &solver->long_bonds);
    thaw_code_bool(codec, &solver->explicit_forces);
}

// threads, instruction set and tasks belong to the host
static void code_def(ThawCodec *codec, ThawWorldDef *def) {
    thaw_code_i32(codec, &def->dimensions);
    thaw_code_f64(codec, &def->spacing);
    thaw_part_vec(codec, &def->gravity);
    for (int a = 0; a < 3; a++) thaw_code_bool(codec, &def->periodic[a]);
    thaw_part_vec(codec, &def->lower);
    thaw_part_vec(codec, &def->upper);
    thaw_code_u64(codec, &def->seed);
    int trouble = (int)def->trouble;
    thaw_code_i32(codec, &trouble);
    def->trouble = (ThawTroublePolicy)trouble;
    code_solver(codec, &def->solver);
    thaw_part_heat(codec, &def->heat);
}

static void code_progress(ThawCodec *codec, ThawWorld *world) {
    thaw_code_f64(codec, &world->time);
    thaw_code_u64(codec, &world->step);
    thaw_code_f64(codec, &world->datum_height);
    thaw_code_bool(codec, &world->datum_set);
    thaw_code_u32(codec, &world->next_source);
    thaw_code_u32(codec, &world->settled_source);
    thaw_code_u32(codec, &world->next_body);
    thaw_code_u32(codec, &world->next_collider);
    thaw_code_u32(codec, &world->next_attachment);
}

static void code_solid(ThawCodec *codec, ThawSolidDef *solid) {
    thaw_code_f32(codec, &solid->young);
    thaw_code_f32(codec, &solid->poisson);
    thaw_code_f32(codec, &solid->damping);
    int elasticity = (int)solid->elasticity;
    thaw_code_i32(codec, &elasticity);
    solid->elasticity = (ThawElasticity)elasticity;
    thaw_code_f32(codec, &solid->yield_strain);
    thaw_code_f32(codec, &solid->creep);
    thaw_code_f32(codec, &solid->fracture_strain);
    thaw_code_f32(codec, &solid->fracture_stress);
    thaw_code_f32(codec, &solid->fracture_spread);
    thaw_code_f32(codec, &solid->docking_rate);
    thaw_code_f32(codec, &solid->docking_growth);
    thaw_code_f32(codec, &solid->friction);
    thaw_code_f32(codec, &solid->density);
}

static void code_material(ThawCodec *codec, ThawMaterial *material) {
    thaw_code_name(codec, material->name, sizeof material->name);
    thaw_code_f32(codec, &material->density);
    thaw_code_f32(codec, &material->liquid.viscosity);
    thaw_code_f32(codec, &material->liquid.xsph);
    thaw_code_f32(codec, &material->liquid.tensile);
    thaw_code_i32(codec, &material->liquid.tensile_exponent);
    thaw_code_f32(codec, &material->liquid.surface_tension);
    thaw_code_f32(codec, &material->liquid.tension);
    thaw_code_f32(codec, &material->liquid.vorticity);
    code_solid(codec, &material->solid);
    thaw_part_thermal(codec, &material->thermal);
}

// all but the keys of the motion, which need memory
static void code_collider(ThawCodec *codec, ThawCollider *collider) {
    thaw_code_u32(codec, &collider->handle);
    thaw_code_name(codec, collider->name, sizeof collider->name);
    thaw_part_shape(codec, &collider->shape);
    thaw_code_bool(codec, &collider->container);
    thaw_code_f32(codec, &collider->friction);
    thaw_code_f32(codec, &collider->restitution);
    thaw_code_f32(codec, &collider->adhesion);
    thaw_code_f32(codec, &collider->temperature);
    thaw_code_f32(codec, &collider->heat_transfer);
    thaw_code_bool(codec, &collider->frosts);
}

// what a body is made from, where it is and how it moves; `rigid` is there where it is on
static void code_dynamic(ThawCodec *codec, ThawCollider *collider) {
    ThawDynamicDef *dynamic = &collider->dynamic;
    thaw_code_bool(codec, &dynamic->on);
    if (!dynamic->on) return;
    thaw_code_f64(codec, &dynamic->density);
    thaw_code_f64(codec, &dynamic->mass);
    thaw_part_vec(codec, &dynamic->inertia);
    thaw_part_vec(codec, &dynamic->center);
    ThawRigid *rigid = collider->rigid;
    for (int a = 0; a < 3; a++) thaw_code_element(codec, &rigid->center[a], sizeof(int64_t));
    thaw_part_quat(codec, &rigid->turn);
    thaw_part_vec(codec, &rigid->velocity);
    thaw_part_vec(codec, &rigid->spin);
}

static void code_body(ThawCodec *codec, ThawBody *body) {
    thaw_code_u32(codec, &body->handle);
    thaw_code_u32(codec, &body->source);
    thaw_code_name(codec, body->name, sizeof body->name);
}

static void code_column_head(ThawCodec *codec, char name[32], ThawType *type,
                             uint32_t *components) {
    thaw_code_name(codec, name, 32);
    uint8_t kind = (uint8_t)*type;
    thaw_code_u8(codec, &kind);
    *type = (ThawType)kind;
    thaw_code_u32(codec, components);
}

// rows of one field or channel; order NULL = as they stand
static void code_column(ThawCodec *codec, void *data, size_t element, uint32_t components,
                        const ThawIdRow *order, uint32_t count) {
    char *bytes = data;
    for (uint32_t k = 0; k < count && !codec->failed; k++) {
        size_t row = order == NULL ? k : order[k].row;
        char *start = bytes + row * components * element;
        for (uint32_t c = 0; c < components; c++) {
            thaw_code_element(codec, start + c * element, element);
        }
    }
}

// ---------------------------------------------------------------- saving

static void save_things(ThawCodec *codec, ThawWorld *world) {
    thaw_code_count(codec, &world->material_count, MATERIAL_LEAST);
    for (uint32_t k = 0; k < world->material_count; k++) code_material(codec, &world->materials[k]);
    thaw_code_count(codec, &world->collider_count, COLLIDER_LEAST);
    for (uint32_t k = 0; k < world->collider_count; k++) {
        ThawCollider *collider = &world->colliders[k];
        uint32_t keys = (uint32_t)collider->motion_count;
        code_collider(codec, collider);
        thaw_code_count(codec, &keys, THAW_KEY_LEAST);
        for (uint32_t i = 0; i < keys; i++) thaw_part_key(codec, &collider->motion[i]);
        code_dynamic(codec, collider);
        thaw_form_save(codec, collider);
    }
    thaw_code_count(codec, &world->body_count, BODY_LEAST);
    for (uint32_t k = 0; k < world->body_count; k++) code_body(codec, &world->bodies[k]);
}

static void save_field(ThawCodec *codec, ThawWorld *world, uint32_t index) {
    const ThawFieldInfo *info = thaw_world_field(index);
    if (!info->saved) return;
    char name[32] = {0};
    assert(strlen(info->name) < sizeof name);
    memcpy(name, info->name, strlen(info->name));
    ThawType type = info->type;
    uint32_t components = info->components;
    code_column_head(codec, name, &type, &components);
    code_column(codec, thaw_store_field(world->store, index), thaw_type_size(type), components,
                world->order, world->store->count);
}

static void save_particles(ThawCodec *codec, ThawWorld *world) {
    ThawStore *store = world->store;
    thaw_code_count(codec, &store->channel_count, CHANNEL_LEAST);
    for (uint32_t k = 0; k < store->channel_count; k++) {
        ThawChannel *channel = &store->channels[k];
        code_column_head(codec, channel->name, &channel->type, &channel->components);
    }
    thaw_code_count(codec, &store->count, 1);
    for (uint32_t k = 0; thaw_world_field(k) != NULL; k++) save_field(codec, world, k);
    for (uint32_t k = 0; k < store->channel_count; k++) {
        ThawChannel *channel = &store->channels[k];
        code_column(codec, channel->data, thaw_type_size(channel->type), channel->components,
                    world->order, store->count);
    }
}

// the whole content; world->order must hold the rows by id
static void save_content(ThawCodec *codec, ThawWorld *world) {
    code_def(codec, &world->def);
    code_progress(codec, world);
    save_things(codec, world);
    thaw_attachments_save(codec, world);
    thaw_forces_save(codec, world);
    thaw_heat_save(codec, world);
    save_particles(codec, world);
    thaw_emitters_save(codec, world);
}

static ThawResult order_rows(ThawWorld *world) {
    ThawStore *store = world->store;
    assert(store->dead_count == 0);
    ThawResult result = thaw_world_reserve_order(world);
    if (result != THAW_OK) return result;
    for (uint32_t row = 0; row < store->count; row++) {
        world->order[row] = (ThawIdRow){store->id[row], row};
    }
    thaw_order_sort(world->order, world->order + store->count, store->count);
    return THAW_OK;
}

// what is wrong with a solid's lattice, NULL when nothing is
static const char *find_lattice_fault(const ThawLatticeState *state, uint32_t row) {
    const float *q = &state->turn[4 * (size_t)row], *F = &state->flow[9 * (size_t)row];
    float norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(norm > 0.9f && norm < 1.1f)) return "a lattice's orientation is no rotation";
    for (size_t k = 0; k < 9; k++) {
        if (!(fabsf(state->map[9 * (size_t)row + k]) < 1e6f))
            return "a lattice's map is not finite";
        if (!(fabsf(F[k]) < 1e6f)) return "a lattice's flow is not finite";
    }
    float volume = F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
                   F[2] * (F[3] * F[7] - F[4] * F[6]);
    if (!(volume > 1e-6f)) return "a lattice's flow has no volume";
    for (size_t s = 0; s < THAW_SITES; s++) {
        float rate = state->docking[THAW_SITES * (size_t)row + s];
        if (!(rate >= 0 && rate <= FLT_MAX)) return "a docking rate is not finite";
    }
    for (size_t k = 0; k < 2; k++) {
        float grip = state->grip[2 * (size_t)row + k];
        if (!(grip >= 0 && grip <= FLT_MAX)) return "a grip is not finite";
    }
    for (size_t k = 0; k < 3 && state->lag != NULL; k++) {
        if (!(fabsf(state->lag[3 * (size_t)row + k]) <= 1)) return "a lattice's lag is too far";
    }
    if (state->misfit != NULL) {
        int32_t youth = state->misfit[THAW_MISFITS * (size_t)row + THAW_SITES];
        if (youth < -THAW_LATTICE_YOUTH || youth > THAW_LATTICE_YOUTH)
            return "a lattice is young for too long";
    }
    int32_t sites = state->sites[row];
    if (sites != THAW_SITES_FRESH && (sites < 0 || sites >> 24 != 0)) return "a site is unknown";
    return NULL;
}

// What the checks of a row look at besides the store.
typedef struct Rows {
    ThawLatticeState lattice;
    ThawThermalState heat;
} Rows;

static Rows find_rows(const ThawWorld *world) {
    return (Rows){thaw_lattice_state(world->store), thaw_thermal_state(world->store)};
}

// a caller may have written anything into the velocities; better told now than when loading
static ThawResult check_savable(const ThawWorld *world) {
    ThawStore *store = world->store;
    Rows rows = find_rows(world);
    for (uint32_t row = 0; row < store->count; row++) {
        const float *v = &store->velocity[(size_t)row * 3];
        bool solid = rows.lattice.map != NULL && store->state[row] == THAW_STATE_SOLID;
        const char *fault = solid ? find_lattice_fault(&rows.lattice, row) : NULL;
        if (fault == NULL) fault = thaw_heat_fault(world, &rows.heat, row);
        if (fault != NULL) {
            return thaw_fail(THAW_BAD_INPUT, "particle %llu cannot be saved: %s",
                             (unsigned long long)store->id[row], fault);
        }
        if (isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2])) continue;
        return thaw_fail(THAW_BAD_INPUT,
                         "velocity of particle %llu is not finite: it cannot be saved",
                         (unsigned long long)store->id[row]);
    }
    return THAW_OK;
}

static void write_header(uint8_t *bytes, uint64_t size, uint64_t hash) {
    uint32_t version = SNAPSHOT_VERSION, zero = 0;
    ThawCodec codec;
    memcpy(bytes, magic, sizeof magic);
    thaw_codec_save(&codec, bytes + sizeof magic, THAW_SNAPSHOT_HEADER - sizeof magic);
    thaw_code_u32(&codec, &version);
    thaw_code_u32(&codec, &zero);
    thaw_code_u64(&codec, &size);
    thaw_code_u64(&codec, &hash);
}

ThawResult thaw_world_save(ThawWorld *world, void **bytes, size_t *size) {
    assert(world != NULL && bytes != NULL && size != NULL);
    ThawResult result = check_savable(world);
    if (result == THAW_OK) result = order_rows(world);
    if (result != THAW_OK) return result;
    thaw_world_renew(world);
    // once for size and hash, once for the bytes
    ThawCodec codec;
    thaw_codec_hash(&codec);
    save_content(&codec, world);
    size_t content = codec.at;
    uint64_t hash = thaw_codec_finish(&codec);
    uint8_t *block = thaw_alloc(THAW_SNAPSHOT_HEADER + content);
    if (block == NULL) return thaw_fail_memory(THAW_SNAPSHOT_HEADER + content);
    write_header(block, content, hash);
    thaw_codec_save(&codec, block + THAW_SNAPSHOT_HEADER, content);
    save_content(&codec, world);
    *bytes = block;
    *size = THAW_SNAPSHOT_HEADER + content;
    return THAW_OK;
}

void thaw_snapshot_free(void *bytes) {
    thaw_free(bytes);
}

uint64_t thaw_world_hash(ThawWorld *world) {
    assert(world != NULL);
    if (order_rows(world) != THAW_OK) return 0;
    ThawCodec codec;
    thaw_codec_hash(&codec);
    save_content(&codec, world);
    return thaw_codec_finish(&codec);
}

// ---------------------------------------------------------------- loading

static ThawResult open_content(const void *bytes, size_t size, ThawCodec *codec) {
    if (size < THAW_SNAPSHOT_HEADER || memcmp(bytes, magic, sizeof magic) != 0) {
        return thaw_fail(THAW_BAD_INPUT, "these bytes are not a snapshot of a thaw world");
    }
    uint32_t version, zero;
    uint64_t content, hash;
    thaw_codec_load(codec, (const uint8_t *)bytes + sizeof magic,
                    THAW_SNAPSHOT_HEADER - sizeof magic);
    thaw_code_u32(codec, &version);
    thaw_code_u32(codec, &zero);
    thaw_code_u64(codec, &content);
    thaw_code_u64(codec, &hash);
    if (version != SNAPSHOT_VERSION || zero != 0) {
        return thaw_fail(THAW_BAD_INPUT,
                         "snapshot has version %u, and this library reads version %u", version,
                         SNAPSHOT_VERSION);
    }
    if (content != size - THAW_SNAPSHOT_HEADER) {
        return thaw_fail(THAW_BAD_INPUT,
                         "snapshot should have %llu bytes after its header, not %zu",
                         (unsigned long long)content, size - THAW_SNAPSHOT_HEADER);
    }
    const uint8_t *start = (const uint8_t *)bytes + THAW_SNAPSHOT_HEADER;
    if (thaw_hash_bytes(start, size - THAW_SNAPSHOT_HEADER) != hash) {
        return thaw_fail(THAW_BAD_INPUT, "snapshot is damaged: its checksum does not match");
    }
    thaw_codec_load(codec, start, size - THAW_SNAPSHOT_HEADER);
    return THAW_OK;
}

static ThawResult load_progress(ThawCodec *codec, ThawWorld *world) {
    code_progress(codec, world);
    if (codec->failed) return thaw_fail_damaged(codec, "time and counters");
    if (!(world->time >= 0) || !isfinite(world->time) || !isfinite(world->datum_height)) {
        return thaw_fail_damaged(codec, "time and datum must be finite");
    }
    if (world->settled_source < 1 || world->settled_source > world->next_source ||
        world->next_source < 1 || world->next_source > THAW_WORLD_SOURCES || world->next_body < 1 ||
        world->next_body > THAW_WORLD_HANDLES + 1 || world->next_collider < 1 ||
        world->next_collider > THAW_WORLD_HANDLES + 1 || world->next_attachment < 1 ||
        world->next_attachment > THAW_WORLD_HANDLES + 1) {
        return thaw_fail_damaged(codec, "a counter is out of range");
    }
    return THAW_OK;
}

static ThawResult load_materials(ThawCodec *codec, ThawWorld *world) {
    uint32_t count = 0;
    thaw_code_count(codec, &count, MATERIAL_LEAST);
    if (codec->failed) return thaw_fail_damaged(codec, "materials");
    for (uint32_t k = 0; k < count; k++) {
        ThawMaterial material = {0};
        code_material(codec, &material);
        if (codec->failed) return thaw_fail_damaged(codec, "a material");
        ThawMaterialDef def = {material.name, material.density, material.liquid, material.solid,
                               material.thermal};
        ThawResult result = thaw_world_add_material(world, &def, NULL);
        if (result != THAW_OK) return result;
    }
    return THAW_OK;
}

// what a body was read to be doing, once it is made of its shape again
static ThawResult resume_rigid(ThawCodec *codec, const ThawWorld *world, ThawCollider *collider,
                               const ThawRigid *read) {
    ThawResult result = thaw_collider_weigh(collider, &world->domain, world->def.spacing);
    if (result != THAW_OK) return result;
    ThawRigid *rigid = collider->rigid;
    ThawQuat q = rigid->turn = read->turn;
    double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    bool good = fabs(norm - 1.0) < 1e-6 && thaw_domain_holds(read->center);
    if (world->def.dimensions == 2) good = good && q.x == 0 && q.y == 0 && read->center[2] == 0;
    if (!good) return thaw_fail_damaged(codec, "where a dynamic collider is");
    memcpy(rigid->center, read->center, sizeof rigid->center);
    rigid->velocity = read->velocity;
    rigid->spin = read->spin;
    return thaw_rigid_check_motion("snapshot is damaged", rigid->velocity, rigid->spin,
                                   world->def.dimensions);
}

static ThawResult load_collider(ThawCodec *codec, ThawWorld *world) {
    ThawCollider read = {0};
    code_collider(codec, &read);
    uint32_t last =
        world->collider_count == 0 ? 0 : world->colliders[world->collider_count - 1].handle;
    if (codec->failed || read.handle <= last || read.handle >= world->next_collider) {
        return thaw_fail_damaged(codec, "a collider");
    }
    ThawKeyframe *motion;
    uint32_t keys;
    ThawResult result = thaw_part_load_motion(codec, &motion, &keys);
    if (result != THAW_OK) return result;
    ThawRigid rigid = {0};
    read.rigid = &rigid;
    code_dynamic(codec, &read);
    ThawFieldDef settings;
    ThawField *field;
    result = thaw_form_load(codec, world->parallel, &read.shape, &settings, &field);
    if (result != THAW_OK) {
        thaw_free(motion);
        return result;
    }
    ThawColliderDef def = {.name = read.name,
                           .shape = read.shape,
                           .container = read.container,
                           .friction = read.friction,
                           .restitution = read.restitution,
                           .adhesion = read.adhesion,
                           .temperature = read.temperature,
                           .heat_transfer = read.heat_transfer,
                           .frosts = read.frosts,
                           .motion = motion,
                           .motion_count = (int)keys,
                           .dynamic = read.dynamic};
    result = thaw_world_put_collider(world, &def, read.handle);
    thaw_free(motion);
    thaw_field_release(field);
    if (result != THAW_OK) return result;
    ThawCollider *fresh = &world->colliders[world->collider_count - 1];
    // the very bits that were saved: making a rotation a unit one again may change the last
    fresh->shape = read.shape;
    if (fresh->rigid != NULL) result = resume_rigid(codec, world, fresh, &rigid);
    if (read.shape.kind != THAW_SHAPE_MESH || result != THAW_OK) return result;
    return thaw_deform_load(codec, world->parallel, &settings, &fresh->deform);
}

static ThawResult load_colliders(ThawCodec *codec, ThawWorld *world) {
    uint32_t count = 0;
    thaw_code_count(codec, &count, COLLIDER_LEAST);
    if (codec->failed) return thaw_fail_damaged(codec, "colliders");
    ThawResult result = THAW_OK;
    for (uint32_t k = 0; k < count && result == THAW_OK; k++) result = load_collider(codec, world);
    return result;
}

static ThawResult load_bodies(ThawCodec *codec, ThawWorld *world) {
    uint32_t count = 0;
    thaw_code_count(codec, &count, BODY_LEAST);
    if (codec->failed) return thaw_fail_damaged(codec, "bodies");
    ThawBody last = {0};
    for (uint32_t k = 0; k < count; k++) {
        void *array = world->bodies;
        ThawResult result = thaw_world_grow(&array, &world->body_capacity, world->body_count,
                                            sizeof *world->bodies);
        world->bodies = array;
        if (result != THAW_OK) return result;
        ThawBody body = {0};
        code_body(codec, &body);
        // bodies are made in order, and each makes its own source
        if (codec->failed || body.handle <= last.handle || body.handle >= world->next_body ||
            body.source <= last.source || body.source >= world->next_source) {
            return thaw_fail_damaged(codec, "a body");
        }
        world->bodies[world->body_count++] = last = body;
    }
    return THAW_OK;
}

// the channels of solids are all there and what they should be, or there are none; so are those of heat
static ThawResult check_own_channels(const ThawCodec *codec, ThawWorld *world) {
    ThawStore *store = world->store;
    uint32_t own = 0;
    if (!thaw_heat_channels_fit(world)) return thaw_fail_damaged(codec, "the channels of heat");
    for (uint32_t k = 0; k < store->channel_count; k++) {
        own += strncmp(store->channels[k].name, "lattice_", 8) == 0;
    }
    if (own == 0 || (own == thaw_lattice_channels(store) && thaw_lattice_is_open(store)))
        return THAW_OK;
    return thaw_fail_damaged(codec, "the channels of solids");
}

static ThawResult load_channels(ThawCodec *codec, ThawWorld *world) {
    uint32_t count = 0;
    thaw_code_count(codec, &count, CHANNEL_LEAST);
    if (codec->failed) return thaw_fail_damaged(codec, "channels");
    for (uint32_t k = 0; k < count; k++) {
        char name[32];
        ThawChannelDef def = {.name = name};
        code_column_head(codec, name, &def.type, &def.components);
        if (codec->failed) return thaw_fail_damaged(codec, "a channel");
        ThawResult result = thaw_store_add_channel(world->store, &def);
        if (result != THAW_OK) return result;
    }
    return check_own_channels(codec, world);
}

// bytes that one particle takes in the columns
static size_t row_bytes(const ThawStore *store) {
    size_t bytes = 0;
    for (uint32_t k = 0; thaw_world_field(k) != NULL; k++) {
        const ThawFieldInfo *info = thaw_world_field(k);
        if (info->saved) bytes += info->components * thaw_type_size(info->type);
    }
    for (uint32_t k = 0; k < store->channel_count; k++) {
        bytes += store->channels[k].components * thaw_type_size(store->channels[k].type);
    }
    return bytes;
}

static ThawResult load_field(ThawCodec *codec, ThawWorld *world, uint32_t index) {
    const ThawFieldInfo *info = thaw_world_field(index);
    if (!info->saved) return THAW_OK;
    char name[32];
    ThawType type = THAW_F32;
    uint32_t components = 0;
    code_column_head(codec, name, &type, &components);
    if (codec->failed) return thaw_fail_damaged(codec, "a field");
    if (strcmp(name, info->name) != 0 || type != info->type || components != info->components) {
        return thaw_fail(
            THAW_BAD_INPUT,
            "snapshot holds field \"%s\" (type %d, %u components) where this library has "
            "\"%s\" (type %d, %u components)",
            name, (int)type, components, info->name, (int)info->type, info->components);
    }
    code_column(codec, thaw_store_field(world->store, index), thaw_type_size(type), components,
                NULL, world->store->count);
    return codec->failed ? thaw_fail_damaged(codec, info->name) : THAW_OK;
}

static ThawResult load_columns(ThawCodec *codec, ThawWorld *world) {
    ThawStore *store = world->store;
    uint32_t count = 0;
    thaw_code_count(codec, &count, row_bytes(store));
    if (codec->failed || count > THAW_WORLD_PARTICLES) return thaw_fail_damaged(codec, "particles");
    ThawResult result = THAW_OK;
    if (count > 0) {
        // the ids are overwritten by the first column
        uint32_t first;
        result = thaw_store_append(store, count, 1, 1, &first);
    }
    for (uint32_t k = 0; thaw_world_field(k) != NULL && result == THAW_OK; k++) {
        result = load_field(codec, world, k);
    }
    if (result != THAW_OK) return result;
    for (uint32_t k = 0; k < store->channel_count; k++) {
        ThawChannel *channel = &store->channels[k];
        code_column(codec, channel->data, thaw_type_size(channel->type), channel->components, NULL,
                    count);
    }
    if (codec->failed) return thaw_fail_damaged(codec, "a channel's rows");
    thaw_store_moved(store);
    return THAW_OK;
}

// ---------------------------------------------------------------- what a loaded particle must be

static bool place_is_good(const ThawDomain *domain, const int64_t *cells) {
    if (!thaw_domain_holds(cells)) return false;
    if (domain->dimensions == 2 && cells[2] != 0) return false;
    for (int a = 0; a < 3; a++) {
        int64_t offset = cells[a] - domain->lower[a];
        if (domain->periodic[a] && (offset < 0 || offset >= domain->length[a])) return false;
    }
    return true;
}

// what is wrong with a row; NULL when nothing is
static const char *find_fault(const ThawWorld *world, const Rows *rows, uint32_t row) {
    const ThawLatticeState *state = &rows->lattice;
    const ThawStore *store = world->store;
    uint64_t id = store->id[row], source = id >> THAW_ID_SOURCE_SHIFT;
    const float *v = &store->velocity[(size_t)row * 3];
    int32_t object = store->object[row];
    if (row > 0 && id <= store->id[row - 1]) return "ids do not ascend";
    if (source < 1 || source >= world->next_source || (id & THAW_ID_COUNT_MASK) == 0) {
        return "an id has no source";
    }
    if (!place_is_good(&world->domain, &store->cells[(size_t)row * 3])) {
        return "a position is outside the domain";
    }
    if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2])) return "a velocity is not finite";
    if (!thaw_world_fits(world, (double)store->spacing[row])) return "a spacing is out of range";
    if (store->material[row] >= world->material_count) return "a material is unknown";
    if (store->state[row] > 1) return "a state is unknown";
    if (store->state[row] == THAW_STATE_SOLID) {
        if (state->map == NULL) return "a solid has no lattice";
        const char *fault = find_lattice_fault(state, row);
        if (fault != NULL) return fault;
    }
    if (object < 0) return "an object is unknown";
    bool known = object == 0 || thaw_world_body(world, (ThawBodyId){(uint32_t)object}) != NULL;
    return known ? thaw_heat_fault(world, &rows->heat, row) : "an object is unknown";
}

static ThawResult check_rows(const ThawWorld *world) {
    Rows rows = find_rows(world);
    for (uint32_t row = 0; row < world->store->count; row++) {
        const char *fault = find_fault(world, &rows, row);
        if (fault == NULL) continue;
        return thaw_fail(THAW_BAD_INPUT, "snapshot is damaged: %s (particle %u of %u)", fault,
                         row + 1, world->store->count);
    }
    return THAW_OK;
}

static ThawResult load_content(ThawCodec *codec, ThawWorld *world) {
    ThawResult result;
    if ((result = load_progress(codec, world)) || (result = load_materials(codec, world)) ||
        (result = load_colliders(codec, world)) || (result = load_bodies(codec, world)) ||
        (result = thaw_attachments_load(codec, world)) ||
        (result = thaw_forces_load(codec, world)) || (result = thaw_heat_load(codec, world)) ||
        (result = load_channels(codec, world)) || (result = load_columns(codec, world)) ||
        (result = check_rows(world)) || (result = thaw_emitters_load(codec, world))) {
        return result;
    }
    return codec->at == codec->size ? THAW_OK : thaw_fail_damaged(codec, "bytes follow the end");
}

ThawResult thaw_world_load(const void *bytes, size_t size, const ThawHostDef *host,
                           ThawWorld **world) {
    assert((bytes != NULL || size == 0) && world != NULL);
    ThawCodec codec;
    ThawResult result = open_content(bytes, size, &codec);
    if (result != THAW_OK) return result;
    ThawWorldDef def = thaw_world_default();
    code_def(&codec, &def);
    if (codec.failed) return thaw_fail_damaged(&codec, "the world's def");
    if (host != NULL) {
        def.threads = host->threads;
        def.isa = host->isa;
        def.tasks = host->tasks;
        def.keep_lists = host->keep_lists;
        def.skip_energy = host->skip_energy;
    }
    ThawWorld *fresh;
    result = thaw_world_make(&def, &fresh);
    if (result != THAW_OK) return result;
    result = load_content(&codec, fresh);
    if (result != THAW_OK) {
        thaw_world_destroy(fresh);
        return result;
    }
    *world = fresh;
    return THAW_OK;
}
