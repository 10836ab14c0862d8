// From scene to world, and the world on by a frame.
//
// Everything goes through the public functions of <thaw/world.h>: a scene can do nothing that a program
// could not. Values that depend on the place are set after a body's particles are there.
#include "scene/heat.h"
#include "scene/meshes.h"
#include "scene/preflight.h"
#include "scene/rules.h"
#include "scene/sources.h"

#include "base/memory.h"
#include "base/result.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <thaw/scene.h>

#define PIECES 4               // of a frame whose numbers change
#define MOST_INT 2147483520.0f // the largest float below 2^31

static const ThawMoment beginning = {0, 0, 0, 0};

// ---------------------------------------------------------------- materials and colliders

static ThawSolidDef solid_at(const ThawSceneSolid *solid, const ThawMoment *moment) {
    return (ThawSolidDef){
        .young = (float)thaw_number_at(&solid->young, moment),
        .poisson = (float)solid->poisson,
        .damping = (float)thaw_number_at(&solid->damping, moment),
        .elasticity = solid->elasticity,
        .yield_strain = (float)thaw_number_at(&solid->yield_strain, moment),
        .creep = (float)thaw_number_at(&solid->creep, moment),
        .fracture_strain = (float)thaw_number_at(&solid->fracture_strain, moment),
        .fracture_stress = (float)thaw_number_at(&solid->fracture_stress, moment),
        .fracture_spread = (float)solid->fracture_spread,
        .docking_rate = (float)thaw_number_at(&solid->docking_rate, moment),
        .docking_growth = (float)solid->docking_growth,
        .friction = (float)thaw_number_at(&solid->friction, moment),
        .density = (float)solid->density,
    };
}

ThawMaterialDef scene_material_at(const ThawSceneMaterial *material, const ThawMoment *moment) {
    ThawMaterialDef def = thaw_material_default();
    def.name = material->name;
    def.density = (float)material->density;
    def.liquid.viscosity = (float)thaw_number_at(&material->viscosity, moment);
    def.liquid.xsph = (float)thaw_number_at(&material->xsph, moment);
    def.liquid.surface_tension = (float)thaw_number_at(&material->surface_tension, moment);
    def.liquid.tension = (float)thaw_number_at(&material->tension, moment);
    def.liquid.tensile = (float)thaw_number_at(&material->tensile, moment);
    def.liquid.tensile_exponent = material->tensile_exponent;
    def.liquid.vorticity = (float)thaw_number_at(&material->vorticity, moment);
    def.solid = solid_at(&material->solid, moment);
    def.thermal = scene_thermal_def(&material->thermal);
    return def;
}

ThawMaterialDef thaw_scene_material_at(const ThawSceneMaterial *material, double t) {
    assert(material != NULL);
    return scene_material_at(material, &(ThawMoment){.t = t});
}

static ThawResult add_materials(const ThawScene *scene, ThawWorld *world) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->material_count && result == THAW_OK; k++) {
        ThawMaterialDef def = scene_material_at(&scene->materials[k], &beginning);
        ThawMaterialId id;
        result = thaw_world_add_material(world, &def, &id);
    }
    return result;
}

static ThawResult add_channels(const ThawScene *scene, ThawWorld *world) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->channel_count && result == THAW_OK; k++) {
        const ThawSceneChannel *channel = &scene->channels[k];
        ThawChannelDef def = {channel->name, channel->type, channel->components};
        result = thaw_world_add_channel(world, &def);
    }
    return result;
}

static ThawResult add_colliders(const ThawScene *scene, ThawWorld *world) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->collider_count && result == THAW_OK; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        ThawColliderDef def = thaw_collider_default();
        def.name = collider->name;
        def.shape = collider->shape;
        def.container = collider->container;
        def.friction = (float)thaw_number_at(&collider->friction, &beginning);
        def.restitution = (float)thaw_number_at(&collider->restitution, &beginning);
        def.adhesion = (float)thaw_number_at(&collider->adhesion, &beginning);
        def.temperature = (float)thaw_number_at(&collider->temperature, &beginning);
        def.heat_transfer = (float)collider->heat_transfer;
        def.frosts = collider->frosts;
        def.motion = collider->motion;
        def.motion_count = collider->motion_count;
        def.dynamic = collider->dynamic;
        ThawColliderId id;
        result = thaw_world_add_collider(world, &def, &id);
    }
    return result;
}

// ---------------------------------------------------------------- bodies

static bool is_field(const ThawNumber3 *velocity) {
    return velocity->axis[0].expression != NULL || velocity->axis[1].expression != NULL ||
           velocity->axis[2].expression != NULL;
}

static ThawResult add_bodies(const ThawScene *scene, ThawWorld *world) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->body_count && result == THAW_OK; k++) {
        const ThawSceneBody *body = &scene->bodies[k];
        ThawBodyDef def = thaw_body_default();
        def.name = body->name;
        def.material = (ThawMaterialId){(uint32_t)body->material + 1};
        def.state = body->state;
        def.shape = body->shape;
        def.spacing = (float)body->spacing;
        def.spin = body->spin;
        def.packing = body->packing;
        def.jitter = body->jitter;
        def.temperature = (float)body->temperature;
        // an expression is added particle by particle, to the spin's share
        if (!is_field(&body->velocity)) def.velocity = thaw_number3_at(&body->velocity, &beginning);
        ThawBodyId id;
        result = thaw_world_add_body(world, &def, &id);
    }
    return result;
}

static ThawResult add_attachments(const ThawScene *scene, ThawWorld *world) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->attachment_count && result == THAW_OK; k++) {
        const ThawSceneAttachment *attachment = &scene->attachments[k];
        ThawAttachmentDef def = thaw_attachment_default();
        def.name = attachment->name;
        def.region = attachment->region;
        // none is −1, and 0 as a handle
        def.body = (ThawBodyId){(uint32_t)(attachment->body + 1)};
        def.collider = (ThawColliderId){(uint32_t)(attachment->collider + 1)};
        def.motion = attachment->motion;
        def.motion_count = attachment->motion_count;
        def.from = attachment->from;
        def.to = attachment->to;
        ThawAttachmentId id;
        result = thaw_world_add_attachment(world, &def, &id);
    }
    return result;
}

// ---------------------------------------------------------------- values of the place

// the particles whose values are being set
typedef struct Rows {
    const ThawScene *scene;
    double (*positions)[3];
    const int32_t *object; // body of each row, from 1
    uint32_t count;
} Rows;

static ThawMoment moment_of(const Rows *rows, uint32_t row) {
    const double *p = rows->positions[row];
    return (ThawMoment){0, p[0], p[1], p[2]};
}

static ThawResult fail_value(const ThawSceneBody *body, const char *what, const ThawMoment *at) {
    return thaw_fail(THAW_BAD_INPUT, "body \"%s\": %s is not finite or too large at (%g, %g, %g)",
                     body->name, what, at->x, at->y, at->z);
}

static ThawResult set_velocities(const Rows *rows, ThawWorld *world) {
    void *data;
    ThawResult result = thaw_world_edit(world, "velocity", &data);
    if (result != THAW_OK) return result;
    float *velocity = data;
    for (uint32_t row = 0; row < rows->count; row++) {
        const ThawSceneBody *body = &rows->scene->bodies[rows->object[row] - 1];
        if (!is_field(&body->velocity)) continue;
        ThawMoment moment = moment_of(rows, row);
        ThawVec3 v = thaw_number3_at(&body->velocity, &moment);
        const double change[3] = {v.x, v.y, v.z};
        for (int a = 0; a < 3; a++) {
            if (!(fabs(change[a]) <= 1e6)) return fail_value(body, "velocity", &moment);
            velocity[3 * (size_t)row + (size_t)a] += (float)change[a];
        }
    }
    return THAW_OK;
}

// the value that a body gives a channel, or NULL: then it stays 0
static const ThawSceneChannelValue *value_of(const ThawSceneBody *body, int channel) {
    for (int k = 0; k < body->value_count; k++) {
        if (body->values[k].channel == channel) return &body->values[k];
    }
    return NULL;
}

static bool store_value(ThawType type, void *data, size_t index, double value) {
    float narrow = (float)value;
    if (!isfinite(narrow)) return false;
    if (type == THAW_F32) {
        ((float *)data)[index] = narrow;
        return true;
    }
    if (fabsf(narrow) > MOST_INT) return false;
    ((int32_t *)data)[index] = (int32_t)floor(value + 0.5);
    return true;
}

static ThawResult set_channel(const Rows *rows, ThawWorld *world, int index) {
    const ThawSceneChannel *channel = &rows->scene->channels[index];
    void *data;
    ThawResult result = thaw_world_edit(world, channel->name, &data);
    if (result != THAW_OK) return result;
    for (uint32_t row = 0; row < rows->count; row++) {
        const ThawSceneBody *body = &rows->scene->bodies[rows->object[row] - 1];
        const ThawSceneChannelValue *value = value_of(body, index);
        if (value == NULL) continue;
        ThawMoment moment = moment_of(rows, row);
        for (uint32_t c = 0; c < channel->components; c++) {
            double number = thaw_number_at(&value->value[c], &moment);
            size_t at = (size_t)row * channel->components + c;
            if (store_value(channel->type, data, at, number)) continue;
            return fail_value(body, channel->name, &moment);
        }
    }
    return THAW_OK;
}

static bool needs_places(const ThawScene *scene) {
    for (int k = 0; k < scene->body_count; k++) {
        if (scene->bodies[k].value_count > 0 || is_field(&scene->bodies[k].velocity)) return true;
    }
    return false;
}

static ThawResult set_values(const ThawScene *scene, ThawWorld *world) {
    if (!needs_places(scene)) return THAW_OK;
    ThawView object;
    ThawResult result = thaw_world_view(world, "object", &object);
    if (result != THAW_OK) return result;
    size_t bytes = (size_t)object.count * 3 * sizeof(double);
    Rows rows = {scene, thaw_alloc(bytes), object.data, object.count};
    if (rows.positions == NULL) return thaw_fail_memory(bytes);
    thaw_world_positions(world, rows.positions);
    result = set_velocities(&rows, world);
    for (int k = 0; k < scene->channel_count && result == THAW_OK; k++) {
        result = set_channel(&rows, world, k);
    }
    thaw_free(rows.positions);
    return result;
}

// ---------------------------------------------------------------- building

ThawResult thaw_scene_build(const ThawScene *scene, const ThawHostDef *host, ThawWorld **world) {
    assert(scene != NULL && world != NULL);
    ThawResult fields = scene_check_fields(scene);
    if (fields != THAW_OK) return fields;
    ThawWorldDef def = scene->world;
    // the scene counts them by frames
    if (scene->animated) def.solver.substeps = (def.solver.substeps + PIECES - 1) / PIECES;
    def.gravity = thaw_number3_at(&scene->gravity, &beginning);
    def.heat = scene_heat_at(&scene->heat, 0);
    if (host != NULL) {
        def.threads = host->threads;
        def.isa = host->isa;
        def.tasks = host->tasks;
        def.keep_lists = host->keep_lists;
        def.skip_energy = host->skip_energy;
    }
    ThawWorld *fresh;
    ThawResult result = thaw_world_create(&def, &fresh);
    if (result != THAW_OK) return result;
    if ((result = add_materials(scene, fresh)) || (result = add_channels(scene, fresh)) ||
        (result = add_colliders(scene, fresh)) || (result = add_bodies(scene, fresh)) ||
        (result = add_attachments(scene, fresh)) || (result = set_values(scene, fresh)) ||
        (result = scene_add_sources(scene, fresh)) || (result = scene_add_heat(scene, fresh))) {
        thaw_world_destroy(fresh);
        return result;
    }
    *world = fresh;
    return THAW_OK;
}

ThawResult thaw_scene_adopt(const ThawScene *scene, ThawWorld *world) {
    assert(scene != NULL && world != NULL);
    return scene_give_rules(scene, world);
}

// ---------------------------------------------------------------- moving on

static ThawResult animate_materials(const ThawScene *scene, ThawWorld *world,
                                    const ThawMoment *moment) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->material_count && result == THAW_OK; k++) {
        ThawMaterialDef def = scene_material_at(&scene->materials[k], moment);
        result = thaw_world_set_material(world, (ThawMaterialId){(uint32_t)k + 1}, &def);
    }
    return result;
}

static ThawResult animate_colliders(const ThawScene *scene, ThawWorld *world,
                                    const ThawMoment *moment) {
    ThawResult result = THAW_OK;
    for (int k = 0; k < scene->collider_count && result == THAW_OK; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        ThawColliderId id = {(uint32_t)k + 1};
        result =
            thaw_world_set_collider(world, id, (float)thaw_number_at(&collider->friction, moment),
                                    (float)thaw_number_at(&collider->restitution, moment));
        if (result != THAW_OK) break;
        result = thaw_world_set_collider_adhesion(
            world, id, (float)thaw_number_at(&collider->adhesion, moment));
        if (result != THAW_OK || !scene->heat.on) continue;
        result = thaw_world_set_collider_temperature(
            world, id, (float)thaw_number_at(&collider->temperature, moment));
    }
    return result;
}

ThawResult thaw_scene_animate(const ThawScene *scene, ThawWorld *world, double t) {
    assert(scene != NULL && world != NULL);
    ThawMoment moment = {.t = t};
    ThawResult result = thaw_world_set_gravity(world, thaw_number3_at(&scene->gravity, &moment));
    if (result == THAW_OK) result = animate_materials(scene, world, &moment);
    if (result == THAW_OK) result = animate_colliders(scene, world, &moment);
    if (result == THAW_OK) result = scene_animate_sources(scene, world, t);
    if (result == THAW_OK) result = scene_animate_heat(scene, world, t);
    return result;
}

// 0 is none
static double least_limit(double a, double b) {
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

// what a frame's pieces did, together: counts and times add, the rest is as the last left it
static void add_report(ThawReport *sum, const ThawReport *piece) {
    ThawReport before = *sum;
    *sum = *piece;
    sum->substeps += before.substeps;
    sum->substeps_wanted += before.substeps_wanted;
    sum->iterations += before.iterations;
    sum->rebuilds += before.rebuilds;
    sum->removed_nonfinite += before.removed_nonfinite;
    sum->removed_outside += before.removed_outside;
    sum->bonds_broken += before.bonds_broken;
    sum->bonds_made += before.bonds_made;
    sum->viscosity_passes += before.viscosity_passes;
    sum->born += before.born;
    sum->died += before.died;
    sum->heat_taken += before.heat_taken;
    sum->melted += before.melted;
    sum->frozen += before.frozen;
    sum->heat_stages += before.heat_stages;
    // the least that any piece could carry, and the most that any asked for
    if (before.young_limit > 0) sum->young_limit = fmin(sum->young_limit, before.young_limit);
    sum->viscosity_limit = least_limit(sum->viscosity_limit, before.viscosity_limit);
    sum->tension_limit = least_limit(sum->tension_limit, before.tension_limit);
    sum->young_wanted = fmax(sum->young_wanted, before.young_wanted);
    if (before.first_trouble != 0) sum->first_trouble = before.first_trouble;
    for (int p = 0; p < THAW_PHASE_COUNT; p++) sum->phase_seconds[p] += before.phase_seconds[p];
}

// adds the bonds that broke in the last step
static ThawResult note_fractures(const ThawWorld *world, ThawFractureList *fractures) {
    const ThawFracture *fresh;
    uint32_t count;
    thaw_world_fractures(world, &fresh, &count);
    if (count > fractures->capacity - fractures->count) {
        size_t wanted = 2 * ((size_t)fractures->count + count);
        ThawFracture *grown =
            wanted <= UINT32_MAX ? realloc(fractures->list, wanted * sizeof *grown) : NULL;
        if (grown == NULL) return thaw_fail_memory(wanted * sizeof *grown);
        fractures->list = grown;
        fractures->capacity = (uint32_t)wanted;
    }
    for (uint32_t k = 0; k < count; k++) fractures->list[fractures->count + k] = fresh[k];
    fractures->count += count;
    return THAW_OK;
}

// a frame on its way
typedef struct Advance {
    const ThawScene *scene;
    ThawWorld *world;
    ThawReport *report; // may be NULL
    ThawReport sum;
    ThawFractureList *fractures; // may be NULL
    double moment;               // s, of which changing values are
} Advance;

static ThawResult step(Advance *advance, double length) {
    ThawReport piece;
    double end = thaw_world_time(advance->world) + length;
    ThawResult result = scene_aim_emitters(advance->scene, advance->world, advance->moment, end);
    if (result != THAW_OK) return result;
    result = thaw_world_step(advance->world, length, &piece);
    add_report(&advance->sum, &piece);
    if (advance->report != NULL) *advance->report = advance->sum;
    if (result == THAW_OK && advance->fractures != NULL) {
        result = note_fractures(advance->world, advance->fractures);
    }
    return result;
}

// a piece of a frame, cut where a collider reaches a form that it was told
static ThawResult go(Advance *advance, double length) {
    ThawResult result = THAW_OK;
    double left = length;
    while (left > 0 && result == THAW_OK) {
        double now = thaw_world_time(advance->world);
        result = scene_aim_poses(advance->scene, advance->world);
        double part = scene_next_pose(advance->scene, now) - now;
        // what would be left over is too short to be a step
        if (part > left * (1 - 1e-6)) part = left;
        if (result == THAW_OK) result = step(advance, part);
        left -= part;
    }
    return result;
}

ThawResult thaw_scene_advance(const ThawScene *scene, ThawWorld *world, double dt,
                              ThawReport *report) {
    return thaw_scene_advance_noting(scene, world, dt, report, NULL);
}

ThawResult thaw_scene_advance_noting(const ThawScene *scene, ThawWorld *world, double dt,
                                     ThawReport *report, ThawFractureList *fractures) {
    assert(scene != NULL && world != NULL);
    int pieces = scene->animated ? PIECES : 1;
    Advance advance = {.scene = scene, .world = world, .report = report, .fractures = fractures};
    for (int k = 0; k < pieces; k++) {
        double length = dt / pieces;
        double middle = advance.moment = thaw_world_time(world) + 0.5 * length;
        ThawResult result = scene->animated ? thaw_scene_animate(scene, world, middle) : THAW_OK;
        if (result == THAW_OK) result = go(&advance, length);
        if (result != THAW_OK) return result;
    }
    return THAW_OK;
}

ThawShape thaw_scene_collider_at(const ThawSceneCollider *collider, double t) {
    assert(collider != NULL);
    ThawShape shape = collider->shape;
    shape.pose = scene_pose_at(shape.pose, collider->motion, collider->motion_count, t);
    return shape;
}
