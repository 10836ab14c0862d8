// Emitters and sinks that are likely not what was meant.
#include "scene/preflight.h"

#include "geometry/distance.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846
#define MOST_POINTS 343
#define SIDE 7            // points along an edge of a volume's box
#define LEAST_OPENING 2.0 // spacings
#define MOST_SITES 4e6    // in a layer, as a world has it

static void tell(SceneFlight *flight, const ThawSceneEmitter *emitter, const char *text) {
    scene_messages_add_line(flight->messages, false, emitter->file, emitter->line, text);
}

// ---------------------------------------------------------------- test points

// points of what it makes particles in, at time t
typedef struct Points {
    ThawVec3 list[MOST_POINTS];
    int count;
} Points;

static void add_point(Points *points, ThawVec3 point) {
    if (points->count < MOST_POINTS) points->list[points->count++] = point;
}

static void fill_opening(const ThawEmitterDef *def, int dimensions, Points *points) {
    bool disc = def->kind == THAW_EMITTER_DISC;
    double half[2] = {disc ? def->radius : 0.5 * def->width, 0.5 * def->height};
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < (dimensions == 2 ? 1 : SIDE); j++) {
            double x = 0.98 * (2.0 * i / (SIDE - 1) - 1), y = 0.98 * (2.0 * j / (SIDE - 1) - 1);
            if (dimensions == 2) y = 0;
            if (disc && x * x + y * y > 1) continue;
            ThawVec3 local = thaw_vec(x * half[0], y * half[disc ? 0 : 1], 0);
            add_point(points, thaw_pose_apply(def->pose, local));
        }
    }
}

static void fill_volume(const ThawEmitterDef *def, int dimensions, Points *points) {
    ThawVec3 lower, upper;
    if (!thaw_shape_local_bounds(&def->shape, &lower, &upper)) return;
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        double x = (n % SIDE + 0.5) / SIDE, y = (n / SIDE % SIDE + 0.5) / SIDE;
        double z = (n / (SIDE * SIDE) + 0.5) / SIDE;
        ThawVec3 local = {lower.x + x * (upper.x - lower.x), lower.y + y * (upper.y - lower.y),
                          lower.z + z * (upper.z - lower.z)};
        ThawVec3 point = thaw_pose_apply(def->shape.pose, local);
        if (dimensions == 2) point.z = 0;
        if (thaw_shape_distance(&def->shape, point) <= 0) add_point(points, point);
    }
}

static void find_points(const ThawScene *scene, const ThawSceneEmitter *emitter, double t,
                        Points *points) {
    ThawEmitterDef def = thaw_scene_emitter_at(emitter, t);
    points->count = 0;
    if (emitter->kind == THAW_EMITTER_VOLUME) {
        fill_volume(&def, scene->world.dimensions, points);
    } else {
        fill_opening(&def, scene->world.dimensions, points);
    }
}

// share of the points that lie deeper than `depth` inside the shape, or beyond it
static double share_of(const Points *points, const ThawShape *shape, bool outside, double depth) {
    int hits = 0;
    for (int k = 0; k < points->count; k++) {
        double distance = thaw_shape_distance(shape, points->list[k]);
        hits += outside ? distance > depth : distance < -depth;
    }
    return points->count > 0 ? (double)hits / points->count : 0;
}

// ---------------------------------------------------------------- walls and sinks

static void warn_walls(SceneFlight *flight, const ThawSceneEmitter *emitter, const Points *points) {
    const ThawScene *scene = flight->scene;
    double depth = 0.25 * scene_emitter_spacing(scene, emitter);
    for (int k = 0; k < scene->collider_count; k++) {
        const ThawSceneCollider *collider = &scene->colliders[k];
        ThawShape shape = thaw_scene_collider_at(collider, emitter->from);
        double share = share_of(points, &shape, collider->container, depth);
        if (share <= 0) continue;
        const char *where = collider->container ? "outside the container" : "inside the collider";
        char text[400];
        if (share == 1) {
            snprintf(text, sizeof text, "emitter '%s' lies %s '%s': what it makes is pushed %s",
                     emitter->name, where, collider->name,
                     collider->container ? "in at once" : "out at once");
        } else {
            snprintf(text, sizeof text,
                     "emitter '%s' lies partly %s '%s': %.0f %% of what it makes is pushed %s",
                     emitter->name, where, collider->name, fmax(1, 100 * share),
                     collider->container ? "in at once" : "out at once");
        }
        tell(flight, emitter, text);
    }
}

// whether both are at work at some time of the run
static bool do_meet(const ThawScene *scene, const ThawSceneEmitter *emitter,
                    const ThawSceneSink *sink) {
    bool same = sink->material < 0 || sink->material == emitter->material;
    double end = fmin(scene_duration(scene), fmin(emitter->to, sink->to));
    return same && fmax(emitter->from, sink->from) < end;
}

static void warn_sinks(SceneFlight *flight, const ThawSceneEmitter *emitter, const Points *points) {
    const ThawScene *scene = flight->scene;
    for (int k = 0; k < scene->sink_count; k++) {
        const ThawSceneSink *sink = &scene->sinks[k];
        double share =
            do_meet(scene, emitter, sink) ? share_of(points, &sink->shape, sink->outside, 0) : 0;
        if (share <= 0) continue;
        char text[300];
        snprintf(text, sizeof text,
                 "emitter '%s' lies %sin the sink '%s': %s of what it makes is removed at once",
                 emitter->name, share < 1 ? "partly " : "", sink->name, share < 1 ? "part" : "all");
        tell(flight, emitter, text);
    }
}

// ---------------------------------------------------------------- sizes and speeds

// an opening that no world takes
static void judge_opening(SceneFlight *flight, const ThawSceneEmitter *emitter) {
    const ThawScene *scene = flight->scene;
    if (emitter->kind == THAW_EMITTER_VOLUME) return;
    int dimensions = scene->world.dimensions;
    double sites = scene_opening_area(emitter, dimensions) /
                   pow(scene_emitter_spacing(scene, emitter), dimensions - 1);
    if (sites <= MOST_SITES) return;
    char text[300];
    snprintf(text, sizeof text,
             "emitter '%s' is too large: its opening holds %.3g particles a layer, and %g are the "
             "most; take larger particles, or several emitters",
             emitter->name, sites, MOST_SITES);
    scene_messages_add_line(flight->messages, true, emitter->file, emitter->line, text);
}

static void warn_opening(SceneFlight *flight, const ThawSceneEmitter *emitter) {
    double d = scene_emitter_spacing(flight->scene, emitter), across = INFINITY;
    if (emitter->kind == THAW_EMITTER_DISC) across = 2 * emitter->radius;
    if (emitter->kind == THAW_EMITTER_RECTANGLE) {
        bool flat = flight->scene->world.dimensions == 2;
        across = flat ? emitter->size[0] : fmin(emitter->size[0], emitter->size[1]);
    }
    if (across >= LEAST_OPENING * d * (1 - 1e-9)) return;
    char text[300];
    snprintf(text, sizeof text,
             "emitter '%s' is only %.1f particles across at the narrowest: below %.0f its jet "
             "hardly holds together; take a spacing below %.2g m",
             emitter->name, across / d, LEAST_OPENING, across / LEAST_OPENING);
    tell(flight, emitter, text);
}

// a jet that is too fast for the substeps there are
static void warn_speed(SceneFlight *flight, const ThawSceneEmitter *emitter) {
    const ThawScene *scene = flight->scene;
    const ThawSolverDef *solver = &scene->world.solver;
    double duration = scene_duration(scene), speed = 0;
    for (int k = 0; k <= 64; k++) {
        speed = fmax(speed, scene_emitter_speed(scene, emitter, duration * k / 64));
    }
    double most = solver->substeps > 0 ? solver->substeps : flight->steps * solver->max_substeps;
    double wanted = ceil(speed / scene->frames.fps /
                         (solver->max_displacement * scene_emitter_spacing(scene, emitter)));
    if (wanted <= most) return;
    char text[300];
    snprintf(text, sizeof text,
             "emitter '%s' makes matter of %.3g m/s, which wants about %.0f substeps a frame, but "
             "%s allows %.0f: expect clumsy splashes; raise it, or frames.fps",
             emitter->name, speed, wanted,
             solver->substeps > 0 ? "solver.substeps" : "solver.max_substeps", most);
    tell(flight, emitter, text);
    flight->told_speed = true;
}

// whether it does anything within the run
static bool warn_times(SceneFlight *flight, const ThawSceneEmitter *emitter) {
    double duration = scene_duration(flight->scene);
    if (emitter->from < duration || duration <= 0) return true;
    char text[300];
    snprintf(text, sizeof text,
             "emitter '%s' begins at %g s, when the run has ended: it makes nothing before %g s",
             emitter->name, emitter->from, duration);
    tell(flight, emitter, text);
    return false;
}

void scene_warn_emitters(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    Points points;
    for (int k = 0; k < scene->emitter_count; k++) {
        const ThawSceneEmitter *emitter = &scene->emitters[k];
        if (!warn_times(flight, emitter)) continue;
        find_points(scene, emitter, emitter->from, &points);
        warn_walls(flight, emitter, &points);
        warn_sinks(flight, emitter, &points);
        judge_opening(flight, emitter);
        warn_opening(flight, emitter);
        warn_speed(flight, emitter);
    }
}
