// Preflight: what a scene will come to, and what is likely wrong with it, before anything is simulated.
//
// Bodies are sampled as the world will sample them, so counts are exact. A few thousand particles of each
// serve as test points against other bodies and colliders.
#include "scene/preflight.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "geometry/sampling.h"
#include "math/lattice.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the process at its peak, which is when a checkpoint is written: the world, about 213 bytes a particle, the snapshot and
// its file, and frames. Measured from 8 k to 2 M particles.
#define BYTES_A_PARTICLE 600.0
#define BYTES_FIXED 20e6
#define DEFLATED 0.62 // of a frame's bytes that deflate with shuffle leaves, about
#define FRAME_HEAD 12e3
#define POINTS_ALL 400000u
#define POINTS_MOST 4000u
#define POINTS_LEAST 27u
#define MOST_PARTICLES 2147483648.0

// ---------------------------------------------------------------- sampling

static double spacing_of(const ThawScene *scene, const ThawSceneBody *body) {
    return body->spacing > 0 ? (double)(float)body->spacing : scene->world.spacing;
}

static bool same_vec(ThawVec3 a, ThawVec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// how far apart the sites of a body are: as a solid matter may take more room
static double size_of(const ThawScene *scene, const ThawSceneBody *body) {
    const ThawSceneMaterial *material = &scene->materials[body->material];
    double size = spacing_of(scene, body);
    if (body->state != THAW_STATE_SOLID || !(material->solid.density > 0)) return size;
    return size * pow(material->density / material->solid.density, 1.0 / scene->world.dimensions);
}

// whether the two are filled alike but for where they are
static bool same_filling(const ThawScene *scene, const ThawSceneBody *a, const ThawSceneBody *b) {
    const ThawShape *s = &a->shape, *t = &b->shape;
    ThawQuat p = s->pose.rotation, q = t->pose.rotation;
    return s->kind == t->kind && same_vec(s->size, t->size) && s->radius == t->radius &&
           s->height == t->height && s->tube == t->tube && s->balls == t->balls &&
           s->smooth == t->smooth && s->field == t->field && p.x == q.x && p.y == q.y &&
           p.z == q.z && p.w == q.w && s->pose.position.z == t->pose.position.z &&
           a->spacing == b->spacing && a->packing == b->packing && a->state == b->state &&
           size_of(scene, a) == size_of(scene, b);
}

typedef struct Sites {
    double (*list)[3]; // local
    uint32_t count;
} Sites;

// how many particles the body will be, about
static double expect_particles(const ThawScene *scene, const ThawSceneBody *body) {
    int dimensions = scene->world.dimensions;
    return thaw_shape_volume(&body->shape, dimensions) / pow(spacing_of(scene, body), dimensions);
}

// says why a body cannot be filled, where it is written
static ThawResult fail_body(const SceneFlight *flight, const ThawSceneBody *body,
                            ThawResult result) {
    double expected = expect_particles(flight->scene, body);
    double fitting = spacing_of(flight->scene, body) *
                     pow(expected / MOST_PARTICLES, 1.0 / flight->scene->world.dimensions);
    char text[400];
    if (result == THAW_OUT_OF_MEMORY) {
        snprintf(text, sizeof text,
                 "body '%s' would be about %.3g particles: there is no memory for so many",
                 body->name, expected);
    } else if (expected >= 0.9 * MOST_PARTICLES) {
        snprintf(text, sizeof text,
                 "body '%s' would be about %.3g particles; a world holds fewer than 2^31: take a "
                 "spacing above %.2g m",
                 body->name, expected, 1.05 * fitting);
    } else {
        snprintf(text, sizeof text, "body '%s' cannot be filled: %.300s", body->name,
                 thaw_error_text());
    }
    scene_messages_add_line(flight->messages, true, body->file, body->line, text);
    return thaw_fail(result, "%s:%d: %s", body->file, body->line, text);
}

static ThawResult sample(const SceneFlight *flight, const ThawSceneBody *body, Sites *sites) {
    int dimensions = flight->scene->world.dimensions;
    double spacing = spacing_of(flight->scene, body);
    *sites = (Sites){0};
    double size = size_of(flight->scene, body);
    ThawResult result = thaw_shape_sample(&body->shape, dimensions, size, body->packing,
                                          thaw_quat_identity(), &sites->list, &sites->count);
    if (result != THAW_OK) return fail_body(flight, body, result);
    // a solid is a perfect lattice, without holes
    if (body->state == THAW_STATE_LIQUID) {
        sites->count =
            thaw_sites_thin(&body->shape, dimensions, spacing, sites->list, sites->count);
    }
    return THAW_OK;
}

static void widen(ThawVec3 *lower, ThawVec3 *upper, ThawVec3 p) {
    lower->x = fmin(lower->x, p.x), upper->x = fmax(upper->x, p.x);
    lower->y = fmin(lower->y, p.y), upper->y = fmax(upper->y, p.y);
    lower->z = fmin(lower->z, p.z), upper->z = fmax(upper->z, p.z);
}

// counts a particle of the body for every attachment whose region it lies in
static void count_attached(const SceneFlight *flight, int body, ThawVec3 p) {
    const ThawScene *scene = flight->scene;
    for (int k = 0; k < scene->attachment_count; k++) {
        const ThawSceneAttachment *attachment = &scene->attachments[k];
        if (attachment->body >= 0 && attachment->body != body) continue;
        flight->preflight->attached[k] += thaw_shape_distance(&attachment->region, p) <= 0;
    }
}

static ThawResult place(const SceneFlight *flight, const ThawSceneBody *body, const Sites *sites,
                        SceneProbe *probe) {
    uint32_t most = POINTS_ALL / (uint32_t)flight->scene->body_count;
    most = most < POINTS_LEAST ? POINTS_LEAST : most > POINTS_MOST ? POINTS_MOST : most;
    uint32_t stride = sites->count / most + 1;
    probe->count = 0;
    probe->particles = sites->count;
    probe->spacing = spacing_of(flight->scene, body);
    probe->lower = thaw_vec(INFINITY, INFINITY, INFINITY);
    probe->upper = thaw_vec(-INFINITY, -INFINITY, -INFINITY);
    size_t bytes = ((size_t)sites->count / stride + 1) * sizeof *probe->points;
    probe->points = thaw_alloc(bytes);
    if (probe->points == NULL) return thaw_fail_memory(bytes);
    for (uint32_t k = 0; k < sites->count; k++) {
        const double *s = sites->list[k];
        ThawVec3 p = thaw_pose_apply(body->shape.pose, thaw_vec(s[0], s[1], s[2]));
        if (flight->scene->world.dimensions == 2) p.z = 0;
        widen(&probe->lower, &probe->upper, p);
        count_attached(flight, (int)(body - flight->scene->bodies), p);
        if (k % stride == 0) probe->points[probe->count++] = p;
    }
    return THAW_OK;
}

// fills the body, unless it is filled as the one before it; the sites of a solid stay with its probe
static ThawResult probe_body(SceneFlight *flight, int k, Sites *sites) {
    const ThawScene *scene = flight->scene;
    const ThawSceneBody *body = &scene->bodies[k];
    SceneProbe *probe = &flight->probes[k];
    ThawResult result = THAW_OK;
    if (k == 0 || !same_filling(scene, body, body - 1)) {
        if (k > 0 && (probe - 1)->sites == NULL) thaw_free(sites->list);
        result = sample(flight, body, sites);
    }
    if (result != THAW_OK) return result;
    if (body->state == THAW_STATE_SOLID) {
        probe->sites = sites->list;
        probe->distance = thaw_lattice_distance(scene->world.dimensions, size_of(scene, body));
    }
    return place(flight, body, sites, probe);
}

static ThawResult probe_bodies(SceneFlight *flight) {
    int count = flight->scene->body_count, k = 0;
    Sites sites = {0};
    ThawResult result = THAW_OK;
    while (k < count && result == THAW_OK) result = probe_body(flight, k++, &sites);
    if (k > 0 && flight->probes[k - 1].sites == NULL) thaw_free(sites.list);
    return result;
}

// ---------------------------------------------------------------- figures

static double column_bytes(const ThawScene *scene, const char *name) {
    static const double size[] = {[THAW_F32] = 4, [THAW_F64] = 8, [THAW_I32] = 4, [THAW_I64] = 8,
                                  [THAW_U8] = 1,  [THAW_U16] = 2, [THAW_U64] = 8};
    const ThawFieldInfo *info;
    for (uint32_t k = 0; (info = thaw_field_info(k)) != NULL; k++) {
        if (strcmp(info->name, name) != 0) continue;
        // frames keep small integers as 32 bits
        double bytes = size[info->type] < 4 ? 4 : size[info->type];
        return bytes * info->components;
    }
    for (int k = 0; k < scene->channel_count; k++) {
        if (strcmp(scene->channels[k].name, name) == 0) return 4.0 * scene->channels[k].components;
    }
    if (strcmp(name, "temperature") == 0) return 4;
    return strcmp(name, "enthalpy") == 0 ? 8 : 0;
}

static double frame_bytes(const ThawScene *scene, double particles) {
    double row = 8 + 12; // id and position
    for (int k = 0; k < scene->output.channel_count; k++) {
        row += column_bytes(scene, scene->output.channels[k]);
    }
    return FRAME_HEAD + particles * row * (scene->output.compression > 0 ? DEFLATED : 1);
}

static ThawResult fail_count(const SceneFlight *flight, double particles) {
    const ThawScene *scene = flight->scene;
    char text[160];
    snprintf(text, sizeof text,
             "all bodies together are %.3g particles; a world holds fewer than 2^31", particles);
    scene_messages_add_line(flight->messages, true, scene->path, 0, text);
    return thaw_fail(THAW_BAD_INPUT, "%s: %s", scene->path, text);
}

// with emitters, sinks may keep the number down
static void warn_count(const SceneFlight *flight, double particles) {
    const ThawScene *scene = flight->scene;
    if (particles < MOST_PARTICLES) return;
    char text[200];
    snprintf(text, sizeof text,
             "with what emitters make there will be %.3g particles; a world holds fewer than 2^31: "
             "the run ends there%s",
             particles, scene->sink_count > 0 ? ", unless sinks take enough of them" : "");
    scene_messages_add_line(flight->messages, false, scene->path, 0, text);
}

// memory and disk follow the particles that there are at once
static void sum_bytes(const SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    ThawPreflight *preflight = flight->preflight;
    preflight->peak = preflight->particles + flight->peak;
    preflight->mean = preflight->particles + flight->mean;
    double each = BYTES_A_PARTICLE + scene_solid_bytes(scene) + scene_heat_bytes(scene);
    preflight->memory_bytes = BYTES_FIXED + preflight->peak * each + preflight->field_bytes;
    preflight->frame_bytes = frame_bytes(scene, preflight->peak);
    preflight->disk_bytes = (scene->frames.count + 1) * frame_bytes(scene, preflight->mean);
}

static ThawResult sum_up(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    ThawPreflight *preflight = flight->preflight;
    double particles = 0;
    preflight->lower = thaw_vec(INFINITY, INFINITY, INFINITY);
    preflight->upper = thaw_vec(-INFINITY, -INFINITY, -INFINITY);
    for (int k = 0; k < scene->body_count; k++) {
        const SceneProbe *probe = &flight->probes[k];
        particles += probe->particles;
        preflight->body_particles[k] = probe->particles;
        preflight->mass += probe->particles * pow(probe->spacing, scene->world.dimensions) *
                           scene->materials[scene->bodies[k].material].density;
        if (probe->particles == 0) continue;
        widen(&preflight->lower, &preflight->upper, probe->lower);
        widen(&preflight->lower, &preflight->upper, probe->upper);
    }
    ThawResult result = scene_forecast_emission(flight);
    if (result != THAW_OK) return result;
    if (particles >= MOST_PARTICLES) return fail_count(flight, particles);
    warn_count(flight, particles + flight->peak);
    if (particles == 0 && scene->emitter_count == 0) {
        preflight->lower = preflight->upper = thaw_vec(0, 0, 0);
    }
    preflight->particles = (uint32_t)particles;
    preflight->support = SCENE_SUPPORT * scene->world.spacing;
    preflight->lattice_distance =
        thaw_lattice_distance(scene->world.dimensions, scene->world.spacing);
    sum_bytes(flight);
    return THAW_OK;
}

// ---------------------------------------------------------------- the recipe

static void release(SceneFlight *flight) {
    for (int k = 0; flight->probes != NULL && k < flight->scene->body_count; k++) {
        const SceneProbe *probe = &flight->probes[k];
        thaw_free(probe->points);
        // bodies that follow each other share them
        if (k == 0 || probe->sites != (probe - 1)->sites) thaw_free(probe->sites);
    }
    thaw_free(flight->probes);
}

ThawResult thaw_scene_preflight(const ThawScene *scene, ThawPreflight *preflight,
                                ThawMessages **messages) {
    assert(scene != NULL && preflight != NULL && messages != NULL);
    *preflight = (ThawPreflight){0};
    if (*messages == NULL) *messages = scene_messages_create();
    size_t count = (size_t)scene->body_count;
    ThawResult fields = scene_check_fields(scene);
    if (fields != THAW_OK) return fields;
    SceneFlight flight = {.scene = scene, .preflight = preflight, .messages = *messages};
    flight.probes = thaw_alloc((count + 1) * sizeof *flight.probes);
    preflight->body_particles = calloc(count + 1, sizeof *preflight->body_particles);
    ThawResult result = THAW_OK;
    preflight->attached = calloc((size_t)scene->attachment_count + 1, sizeof *preflight->attached);
    if (*messages == NULL || flight.probes == NULL || preflight->body_particles == NULL ||
        preflight->attached == NULL) {
        result = thaw_fail_memory(count * sizeof *flight.probes);
    }
    if (result == THAW_OK) result = probe_bodies(&flight);
    if (result == THAW_OK) result = scene_forecast_meshes(&flight);
    if (result == THAW_OK) result = sum_up(&flight);
    if (result == THAW_OK) {
        scene_estimate_substeps(&flight);
        result = scene_forecast_solids(&flight);
    }
    if (result == THAW_OK) result = scene_forecast_liquids(&flight);
    if (result == THAW_OK) result = scene_forecast_heat(&flight);
    if (result == THAW_OK) result = scene_warn(&flight);
    if (*messages != NULL) scene_messages_close(*messages);
    release(&flight);
    if (result != THAW_OK) thaw_preflight_free(preflight);
    return result;
}

void thaw_preflight_free(ThawPreflight *preflight) {
    free(preflight->body_particles);
    free(preflight->attached);
    free(preflight->solids);
    free(preflight->liquids);
    free(preflight->heats);
    free(preflight->emitters);
    free(preflight->meshes);
    preflight->body_particles = preflight->attached = NULL;
    preflight->solids = NULL;
    preflight->liquids = NULL;
    preflight->heats = NULL;
    preflight->emitters = NULL;
    preflight->meshes = NULL;
}
