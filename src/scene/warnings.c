// Warnings: what passes every check and is still likely not what was meant.
#include "scene/preflight.h"

#include "base/result.h"
#include "geometry/distance.h"
#include "math/lattice.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_OVERLAPS 10   // that are named
#define MOST_SMOOTHING 0.5 // what one smoothing pass takes stably
#define MOMENTS 64         // at which changing numbers are looked at

// ---------------------------------------------------------------- substeps

static double strongest_gravity(const ThawScene *scene, double duration) {
    double most = 0;
    for (int k = 0; k <= MOMENTS; k++) {
        ThawMoment moment = {.t = duration * k / MOMENTS};
        most = fmax(most, thaw_length(thaw_number3_at(&scene->gravity, &moment)));
    }
    return most;
}

static double duration_of(const ThawScene *scene) {
    return scene->frames.preroll + scene->frames.count / scene->frames.fps;
}

static double least_spacing(const SceneFlight *flight) {
    double least = INFINITY;
    for (int k = 0; k < flight->scene->body_count; k++) {
        least = fmin(least, flight->probes[k].spacing);
    }
    return least;
}

// how far matter can fall: from its top to the lowest point of matter and of what holds it
static double fall_height(const SceneFlight *flight, ThawVec3 down) {
    const ThawScene *scene = flight->scene;
    const ThawVec3 corners[2] = {flight->preflight->lower, flight->preflight->upper};
    double top = INFINITY, bottom = -INFINITY;
    for (int k = 0; k < 8; k++) {
        ThawVec3 p = {corners[k & 1].x, corners[(k >> 1) & 1].y, corners[k >> 2].z};
        top = fmin(top, thaw_dot(p, down));
        bottom = fmax(bottom, thaw_dot(p, down));
    }
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawShape *shape = &scene->colliders[k].shape;
        ThawVec3 lower, upper;
        if (!scene->colliders[k].container || !thaw_shape_local_bounds(shape, &lower, &upper)) {
            continue;
        }
        for (int n = 0; n < 8; n++) {
            ThawVec3 p = {n & 1 ? upper.x : lower.x, n & 2 ? upper.y : lower.y,
                          n & 4 ? upper.z : lower.z};
            bottom = fmax(bottom, thaw_dot(thaw_pose_apply(shape->pose, p), down));
        }
    }
    return bottom - top;
}

// How deep matter lies on itself, as the solver will estimate it: no more than its extent or twice what its
// volume would fill evenly, and no less than a cube of it.
static double rest_depth(const SceneFlight *flight, ThawVec3 down) {
    const ThawScene *scene = flight->scene;
    int dimensions = scene->world.dimensions;
    ThawVec3 size = thaw_sub(flight->preflight->upper, flight->preflight->lower);
    double volume = 0, d = 0;
    for (int k = 0; k < scene->body_count; k++) {
        const SceneProbe *probe = &flight->probes[k];
        volume += probe->particles * pow(probe->spacing, dimensions);
        d = fmax(d, probe->spacing);
    }
    double span[3] = {size.x + d, size.y + d, dimensions == 3 ? size.z + d : 1};
    double box = span[0] * span[1] * span[2];
    double extent = fabs(span[0] * down.x) + fabs(span[1] * down.y) + fabs(span[2] * down.z);
    double filled = fmax(2 * volume * extent / box, pow(volume, 1.0 / dimensions));
    return fmin(filled, extent);
}

static double fastest_start(const ThawScene *scene) {
    double most = 0;
    for (int k = 0; k < scene->body_count; k++) {
        const ThawSceneBody *body = &scene->bodies[k];
        ThawVec3 at = body->shape.pose.position;
        ThawMoment moment = {0, at.x, at.y, at.z};
        double speed = thaw_length(thaw_number3_at(&body->velocity, &moment));
        ThawVec3 lower, upper;
        if (thaw_shape_local_bounds(&body->shape, &lower, &upper)) {
            speed += thaw_length(body->spin) * thaw_length(upper);
        }
        if (isfinite(speed)) most = fmax(most, speed);
    }
    return most;
}

void scene_estimate_substeps(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    const ThawSolverDef *solver = &scene->world.solver;
    const int pieces = scene->animated ? 4 : 1;
    double dt = 1 / (scene->frames.fps * pieces), d = least_spacing(flight);
    double g = strongest_gravity(scene, duration_of(scene));
    double length = thaw_length(scene->world.gravity);
    ThawVec3 down = length > 0 ? thaw_scale(scene->world.gravity, 1 / length) : thaw_vec(0, 0, 0);
    // the two limits of the solver: displacement, and compression under the own weight
    double fall = fmax(fall_height(flight, down), 0), start = fastest_start(scene);
    double reached = fmin(sqrt(2 * g * fall), g * duration_of(scene));
    double speed = sqrt(start * start + reached * reached);
    double by_speed = (speed + g * dt) * dt / (solver->max_displacement * d);
    ThawRestState rest = thaw_rest_state(THAW_KERNEL_DEFAULT, THAW_KERNEL_DEFAULT,
                                         scene->world.dimensions, SCENE_SUPPORT);
    double relaxation = fmin(solver->relaxation, 1.25 / rest.spectrum);
    double stiffness = relaxation * d * d / rest.gradients;
    double pull = g * rest_depth(flight, down);
    double by_weight =
        pull > 0 ? dt / sqrt(solver->max_compression * solver->iterations * stiffness / pull) : 0;
    flight->falling = by_speed > by_weight;
    flight->wanted = pieces * fmax(1, ceil(fmax(by_speed, by_weight)));
    double most = pieces * (double)solver->max_substeps;
    flight->preflight->substeps =
        solver->substeps > 0 ? pieces * (double)solver->substeps : fmin(flight->wanted, most);
}

// ---------------------------------------------------------------- about one body

static void warn(SceneFlight *flight, bool error, const char *file, int line, const char *text) {
    scene_messages_add_line(flight->messages, error, file, line, text);
}

static double thinnest(const ThawShape *s) {
    switch (s->kind) {
    case THAW_SHAPE_BOX: return fmin(s->size.x, fmin(s->size.y, s->size.z));
    case THAW_SHAPE_CYLINDER:
    case THAW_SHAPE_CONE: return fmin(2 * s->radius, s->height);
    case THAW_SHAPE_TORUS: return 2 * s->tube;
    case THAW_SHAPE_SPHERE:
    case THAW_SHAPE_CAPSULE: return 2 * s->radius;
    case THAW_SHAPE_PLANE:
    case THAW_SHAPE_KINDS: break;
    }
    return INFINITY;
}

static bool warn_size(SceneFlight *flight, const ThawSceneBody *body, const SceneProbe *probe) {
    char text[300];
    if (probe->particles == 0) {
        snprintf(text, sizeof text, "body '%s' is too small for a single particle of spacing %g m",
                 body->name, probe->spacing);
        warn(flight, true, body->file, body->line, text);
        return false;
    }
    ThawShape shape = body->shape;
    if (flight->scene->world.dimensions == 2) thaw_shape_section(&body->shape, &shape);
    double across = thinnest(&shape) / probe->spacing;
    if (across >= 3 * (1 - 1e-9)) return true;
    snprintf(text, sizeof text,
             "body '%s' is only %.1f particles across at its thinnest; below 3 it hardly acts as a "
             "liquid: take a spacing below %.2g m",
             body->name, across, thinnest(&shape) / 3);
    warn(flight, false, body->file, body->line, text);
    return true;
}

// share of a body's test points that a test holds for
typedef bool PointTest(const ThawShape *shape, ThawVec3 point, double spacing);

static double share(const SceneProbe *probe, const ThawShape *shape, PointTest *test) {
    uint32_t hits = 0;
    for (uint32_t k = 0; k < probe->count; k++) {
        hits += test(shape, probe->points[k], probe->spacing);
    }
    return probe->count > 0 ? (double)hits / probe->count : 0;
}

static bool is_outside(const ThawShape *shape, ThawVec3 point, double spacing) {
    return thaw_shape_distance(shape, point) > 0.01 * spacing;
}

static bool is_within(const ThawShape *shape, ThawVec3 point, double spacing) {
    return thaw_shape_distance(shape, point) < -0.05 * spacing;
}

static bool is_deep_within(const ThawShape *shape, ThawVec3 point, double spacing) {
    return thaw_shape_distance(shape, point) < -0.3 * spacing;
}

// "wholly", "for the most part", "partly"
static const char *extent_word(double part) {
    return part > 0.999 ? "wholly" : part > 0.5 ? "for the most part" : "partly";
}

static void warn_collider(SceneFlight *flight, const ThawSceneBody *body, const SceneProbe *probe,
                          const ThawSceneCollider *collider) {
    ThawShape shape = thaw_scene_collider_at(collider, 0);
    double part = share(probe, &shape, collider->container ? is_outside : is_within);
    if (part <= 0) return;
    char text[300];
    snprintf(text, sizeof text, "body '%s' lies %s %s '%s' (%.0f %% of it)", body->name,
             extent_word(part),
             collider->container ? "outside the container" : "inside the collider", collider->name,
             ceil(100 * part));
    warn(flight, false, body->file, body->line, text);
}

// ---------------------------------------------------------------- overlaps

typedef struct Sweep {
    double lower;
    int body;
} Sweep;

static int compare_sweeps(const void *a, const void *b) {
    const Sweep *x = a, *y = b;
    if (x->lower != y->lower) return x->lower < y->lower ? -1 : 1;
    return x->body - y->body;
}

static bool boxes_meet(const SceneProbe *a, const SceneProbe *b) {
    return a->lower.y <= b->upper.y && b->lower.y <= a->upper.y && a->lower.z <= b->upper.z &&
           b->lower.z <= a->upper.z;
}

static bool warn_pair(SceneFlight *flight, int i, int j) {
    const ThawSceneBody *a = &flight->scene->bodies[i], *b = &flight->scene->bodies[j];
    double of_a = share(&flight->probes[i], &b->shape, is_deep_within);
    double of_b = share(&flight->probes[j], &a->shape, is_deep_within);
    if (of_a <= 0 && of_b <= 0) return false;
    char text[300];
    snprintf(text, sizeof text,
             "bodies '%s' and '%s' overlap (%.0f %% and %.0f %% of them): they will burst apart",
             a->name, b->name, ceil(100 * of_a), ceil(100 * of_b));
    warn(flight, false, b->file, b->line, text);
    return true;
}

static ThawResult warn_overlaps(SceneFlight *flight) {
    int count = flight->scene->body_count, found = 0;
    Sweep *order = calloc((size_t)count + 1, sizeof *order);
    if (order == NULL) return thaw_fail_memory((size_t)count * sizeof *order);
    for (int k = 0; k < count; k++) order[k] = (Sweep){flight->probes[k].lower.x, k};
    qsort(order, (size_t)count, sizeof *order, compare_sweeps);
    // sweep along x: only bodies whose extents meet are compared
    for (int k = 0; k < count && found < MOST_OVERLAPS; k++) {
        const SceneProbe *own = &flight->probes[order[k].body];
        for (int n = k + 1; n < count && found < MOST_OVERLAPS; n++) {
            const SceneProbe *other = &flight->probes[order[n].body];
            if (other->lower.x > own->upper.x) break;
            if (!boxes_meet(own, other)) continue;
            bool ordered = order[k].body < order[n].body;
            found += warn_pair(flight, order[ordered ? k : n].body, order[ordered ? n : k].body);
        }
    }
    free(order);
    return THAW_OK;
}

// ---------------------------------------------------------------- what the method cannot honour

static double largest(const ThawNumber *number, double duration) {
    double most = -INFINITY;
    for (int k = 0; k <= MOMENTS; k++) {
        ThawMoment moment = {.t = duration * k / MOMENTS};
        most = fmax(most, thaw_number_at(number, &moment));
    }
    for (int k = 0; k < number->key_count; k++) most = fmax(most, number->keys[k][1]);
    return most;
}

// Smoothing by c is a viscosity of c M₂ / (2 dt), M₂ the kernel's second moment: h²/17, in 2D h²/16.
static void warn_viscosity(SceneFlight *flight, int material, double spacing) {
    const ThawScene *scene = flight->scene;
    const ThawSceneMaterial *matter = &scene->materials[material];
    double duration = duration_of(scene), h = SCENE_SUPPORT * spacing;
    double moment = h * h / (scene->world.dimensions == 3 ? 17.0 : 16.0);
    double dt = 1 / (scene->frames.fps * flight->preflight->substeps);
    double asked = largest(&matter->viscosity, duration), xsph = largest(&matter->xsph, duration);
    double most = fmax(MOST_SMOOTHING - xsph, 0) * moment / (2 * dt);
    if (asked <= most) return;
    char text[400];
    snprintf(
        text, sizeof text,
        "material '%s': viscosity %g m^2/s is more than this method can do here, about %.2g m^2/s; "
        "more substeps raise that in proportion (about %.0f a frame are taken, %.0f would do)",
        matter->name, asked, most, flight->preflight->substeps,
        ceil(flight->preflight->substeps * asked / fmax(most, 1e-300)));
    warn(flight, false, scene->path, 0, text);
}

static void warn_materials(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    for (int m = 0; m < scene->material_count; m++) {
        double least = INFINITY;
        for (int k = 0; k < scene->body_count; k++) {
            if (scene->bodies[k].material == m) least = fmin(least, flight->probes[k].spacing);
        }
        if (isfinite(least)) warn_viscosity(flight, m, least);
    }
}

static void warn_substeps(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    const ThawSolverDef *solver = &scene->world.solver;
    double wanted = flight->wanted, taken = flight->preflight->substeps;
    if (wanted <= taken) return;
    char text[300];
    snprintf(text, sizeof text,
             "a frame wants about %.0f substeps %s, but %s allows %.0f: expect %s; raise it, or "
             "frames.fps",
             wanted, flight->falling ? "when matter is at its fastest" : "for matter this deep",
             solver->substeps > 0 ? "solver.substeps" : "solver.max_substeps", taken,
             flight->falling ? "clumsy splashes" : "squeezed matter");
    warn(flight, false, scene->path, 0, text);
}

static void warn_void(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    bool pulled = thaw_length(scene->world.gravity) > 0;
    if (!pulled || scene->collider_count > 0) return;
    warn(flight, false, scene->path, 0,
         "nothing catches the matter: the scene has gravity and no collider");
}

ThawResult scene_warn(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    bool good = true;
    for (int k = 0; k < scene->body_count; k++) {
        const ThawSceneBody *body = &scene->bodies[k];
        good &= warn_size(flight, body, &flight->probes[k]);
        for (int n = 0; n < scene->collider_count; n++) {
            warn_collider(flight, body, &flight->probes[k], &scene->colliders[n]);
        }
    }
    ThawResult result = warn_overlaps(flight);
    if (result != THAW_OK) return result;
    warn_substeps(flight);
    warn_materials(flight);
    warn_void(flight);
    if (good) return THAW_OK;
    return thaw_fail(THAW_BAD_INPUT, "%s: a body is too small for a single particle", scene->path);
}
