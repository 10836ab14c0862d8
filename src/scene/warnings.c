// Warnings: what passes every check and is still likely not what was meant; and errors, where nothing
// sensible could come of it.
//
// Copies of one body are judged together: what holds for hundreds of them is said once.
#include "scene/preflight.h"

#include "geometry/distance.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOMENTS 64 // at which changing numbers are looked at

double scene_duration(const ThawScene *scene) {
    return scene->frames.preroll + scene->frames.count / scene->frames.fps;
}

static void say(SceneFlight *flight, bool error, const char *file, int line, const char *text) {
    scene_messages_add_line(flight->messages, error, file, line, text);
}

// ---------------------------------------------------------------- copies

// "name[1,2,3]", as grids of copies are named: the length of "name", else 0
static size_t base_length(const char *name) {
    const char *open = strrchr(name, '[');
    if (open == NULL || strspn(open + 1, "0123456789,") + 2 != strlen(open)) return 0;
    int commas = 0;
    for (const char *c = open; *c != '\0'; c++) commas += *c == ',';
    return commas == 2 && name[strlen(name) - 1] == ']' ? (size_t)(open - name) : 0;
}

bool scene_are_copies(const ThawSceneBody *a, const ThawSceneBody *b) {
    size_t length = base_length(a->name);
    return length > 0 && base_length(b->name) == length && memcmp(a->name, b->name, length) == 0;
}

void scene_base_name(const ThawSceneBody *body, char base[64]) {
    size_t length = base_length(body->name);
    snprintf(base, 64, "%.*s", length > 0 ? (int)length : 63, body->name);
}

// bodies that follow each other and are copies of one; a body alone is one copy
typedef struct Copies {
    int first, count;
} Copies;

static Copies find_copies(const ThawScene *scene, int first) {
    int end = first + 1;
    while (end < scene->body_count &&
           scene_are_copies(&scene->bodies[first], &scene->bodies[end])) {
        end++;
    }
    return (Copies){first, end - first};
}

// Which of the copies something holds for, and what it comes to.
typedef struct Finding {
    int hits;
    int body;     // the first of them
    double worst; // least or most, as the judge takes it
} Finding;

// "body 'x'", "the 600 copies of 'x'", "20 of the 600 copies of 'x'"; whether it is plural
static bool name_subject(const SceneFlight *flight, const Copies *copies, const Finding *finding,
                         char text[160]) {
    const ThawSceneBody *body = &flight->scene->bodies[finding->body];
    char base[64];
    scene_base_name(body, base);
    if (finding->hits == 1) {
        snprintf(text, 160, "body '%s'", body->name);
        return false;
    }
    if (finding->hits == copies->count) {
        snprintf(text, 160, "the %d copies of '%s'", copies->count, base);
    } else {
        snprintf(text, 160, "%d of the %d copies of '%s'", finding->hits, copies->count, base);
    }
    return true;
}

static void say_of(SceneFlight *flight, bool error, const Finding *finding, const char *text) {
    const ThawSceneBody *body = &flight->scene->bodies[finding->body];
    say(flight, error, body->file, body->line, text);
}

static void add_hit(Finding *finding, int body) {
    if (finding->hits++ == 0) finding->body = body;
}

// ---------------------------------------------------------------- sizes

static double thinnest(const ThawShape *s) {
    switch (s->kind) {
    case THAW_SHAPE_BOX: return fmin(s->size.x, fmin(s->size.y, s->size.z));
    case THAW_SHAPE_CYLINDER:
    case THAW_SHAPE_CONE: return fmin(2 * s->radius, s->height);
    case THAW_SHAPE_TORUS: return 2 * s->tube;
    case THAW_SHAPE_SPHERE:
    case THAW_SHAPE_CAPSULE: return 2 * s->radius;
    case THAW_SHAPE_PLANE:
    case THAW_SHAPE_BLEND:
    case THAW_SHAPE_MESH:
    case THAW_SHAPE_KINDS: break;
    }
    return INFINITY;
}

// what a 2D world sees of the body; false when it misses the plane
static bool section_of(const SceneFlight *flight, const ThawSceneBody *body, ThawShape *shape) {
    *shape = body->shape;
    return flight->scene->world.dimensions == 3 || thaw_shape_section(&body->shape, shape);
}

// bodies that come to no particle at all: in 2D because they lie beside the plane, or too small
static void judge_filling(SceneFlight *flight, const Copies *copies) {
    Finding beside = {0}, small = {0};
    for (int k = copies->first; k < copies->first + copies->count; k++) {
        ThawShape shape;
        if (flight->probes[k].particles > 0) continue;
        add_hit(section_of(flight, &flight->scene->bodies[k], &shape) ? &small : &beside, k);
    }
    char subject[160], text[400];
    if (beside.hits > 0) {
        bool many = name_subject(flight, copies, &beside, subject);
        snprintf(text, sizeof text, "%s %s not cross z = 0, where a 2D scene lies", subject,
                 many ? "do" : "does");
        say_of(flight, true, &beside, text);
    }
    if (small.hits > 0) {
        ThawShape shape;
        bool many = name_subject(flight, copies, &small, subject);
        section_of(flight, &flight->scene->bodies[small.body], &shape);
        double least = thinnest(&shape);
        char size[80] = "";
        if (isfinite(least)) {
            snprintf(size, sizeof size, ", which %s %.3g m at the thinnest", many ? "are" : "is",
                     least);
        } else if (shape.kind == THAW_SHAPE_MESH) {
            snprintf(size, sizeof size, ", or %s no room",
                     many ? "their meshes enclose" : "its mesh encloses");
        }
        snprintf(text, sizeof text, "%s %s no particle: the spacing of %g m is too large for %s%s",
                 subject, many ? "hold" : "holds", flight->probes[small.body].spacing,
                 many ? "them" : "it", size);
        say_of(flight, true, &small, text);
    }
}

static void judge_size(SceneFlight *flight, const Copies *copies) {
    Finding thin = {.worst = INFINITY};
    double size = 0;
    // copies of one body are all liquid or all solid
    bool solid = flight->scene->bodies[copies->first].state == THAW_STATE_SOLID;
    double least = solid ? 2 : 3;
    for (int k = copies->first; k < copies->first + copies->count; k++) {
        ThawShape shape;
        const SceneProbe *probe = &flight->probes[k];
        if (probe->particles == 0) continue;
        section_of(flight, &flight->scene->bodies[k], &shape);
        double across = thinnest(&shape) / probe->spacing;
        if (across >= least * (1 - 1e-9)) continue;
        add_hit(&thin, k);
        if (across >= thin.worst) continue;
        thin.worst = across;
        size = thinnest(&shape);
    }
    if (thin.hits == 0) return;
    char subject[160], text[400];
    bool many = name_subject(flight, copies, &thin, subject);
    snprintf(
        text, sizeof text,
        "%s %s only %.1f particles across at the thinnest; below %.0f %s: take a spacing below "
        "%.2g m",
        subject, many ? "are" : "is", thin.worst, least,
        solid ? "a solid hardly resists bending" : "matter hardly acts as a liquid", size / least);
    say_of(flight, false, &thin, text);
}

// ---------------------------------------------------------------- colliders

double scene_share(const SceneProbe *probe, const ThawShape *shape, ScenePointTest *test) {
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

// a body wholly on the wrong side is an error; one partly there will be pushed, which is told
static void judge_collider(SceneFlight *flight, const Copies *copies,
                           const ThawSceneCollider *collider) {
    ThawShape shape = thaw_scene_collider_at(collider, 0);
    Finding wholly = {0}, partly = {0};
    for (int k = copies->first; k < copies->first + copies->count; k++) {
        double part =
            scene_share(&flight->probes[k], &shape, collider->container ? is_outside : is_within);
        if (part <= 0) continue;
        add_hit(part < 1 ? &partly : &wholly, k);
        if (part < 1) partly.worst = fmax(partly.worst, part);
    }
    const char *where = collider->container ? "outside the container" : "inside the collider";
    char subject[160], text[400];
    if (wholly.hits > 0) {
        bool many = name_subject(flight, copies, &wholly, subject);
        snprintf(text, sizeof text, "%s %s wholly %s '%s'", subject, many ? "lie" : "lies", where,
                 collider->name);
        say_of(flight, true, &wholly, text);
    }
    if (partly.hits > 0) {
        bool many = name_subject(flight, copies, &partly, subject);
        double percent = fmin(ceil(100 * partly.worst), 99);
        snprintf(text, sizeof text,
                 "%s %s partly %s '%s': %s%.0f %% of %s will be pushed %s at once", subject,
                 many ? "lie" : "lies", where, collider->name, many ? "up to " : "", percent,
                 many ? "each" : "it", collider->container ? "in" : "out");
        say_of(flight, false, &partly, text);
    }
}

// ---------------------------------------------------------------- what the method cannot honour

double scene_largest(const ThawNumber *number, double duration) {
    double most = -INFINITY;
    for (int k = 0; k <= MOMENTS; k++) {
        ThawMoment moment = {.t = duration * k / MOMENTS};
        most = fmax(most, thaw_number_at(number, &moment));
    }
    for (int k = 0; k < number->key_count; k++) {
        if (number->keys[k][0] <= duration) most = fmax(most, number->keys[k][1]);
    }
    return most;
}

double scene_smallest(const ThawNumber *number, double duration) {
    double least = INFINITY;
    for (int k = 0; k <= MOMENTS; k++) {
        ThawMoment moment = {.t = duration * k / MOMENTS};
        least = fmin(least, thaw_number_at(number, &moment));
    }
    for (int k = 0; k < number->key_count; k++) {
        if (number->keys[k][0] <= duration) least = fmin(least, number->keys[k][1]);
    }
    return least;
}

static void warn_substeps(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    const ThawSolverDef *solver = &scene->world.solver;
    double wanted = flight->steps * flight->wanted, taken = flight->steps * flight->fast;
    // what tension asks for is said of the liquid
    if (wanted <= taken || flight->tense || (flight->falling && flight->told_speed)) return;
    char text[300];
    snprintf(text, sizeof text,
             "a frame wants about %.0f substeps %s, but %s allows %.0f: expect %s; raise it, or "
             "frames.fps",
             wanted, flight->falling ? "when matter is at its fastest" : "for matter this deep",
             solver->substeps > 0 ? "solver.substeps" : "solver.max_substeps", taken,
             flight->falling ? "clumsy splashes" : "squeezed matter");
    say(flight, false, scene->path, 0, text);
}

static void warn_void(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    if (flight->gravity <= 0 || scene->collider_count > 0 || scene->attachment_count > 0) return;
    if (scene->sink_count > 0) return; // it is meant to fall away
    for (int k = 0; k < scene->emitter_count; k++) {
        if (scene->emitters[k].life > 0 || scene->emitters[k].most > 0) return;
    }
    say(flight, false, scene->path, 0,
        "nothing catches the matter: the scene has gravity and no collider");
}

ThawResult scene_warn(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    for (int first = 0, count; first < scene->body_count; first += count) {
        Copies copies = find_copies(scene, first);
        count = copies.count;
        judge_filling(flight, &copies);
        judge_size(flight, &copies);
        for (int n = 0; n < scene->collider_count; n++) {
            judge_collider(flight, &copies, &scene->colliders[n]);
        }
    }
    ThawResult result = scene_warn_overlaps(flight);
    if (result == THAW_OK) result = scene_warn_contacts(flight);
    if (result != THAW_OK) return result;
    scene_warn_emitters(flight);
    warn_substeps(flight);
    scene_warn_liquids(flight);
    scene_warn_solids(flight);
    scene_warn_heat(flight);
    scene_warn_attachments(flight);
    result = scene_warn_meshes(flight);
    if (result != THAW_OK) return result;
    warn_void(flight);
    return THAW_OK;
}
