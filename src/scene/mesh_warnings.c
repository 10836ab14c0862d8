// What is found out about meshes before a run, and what is likely wrong with them.
//
// Gaps: from each of some thousand triangles a ray goes straight out of the surface, as far as a spacing. Where it
// meets a triangle that faces the first, and no surface is nearer to its middle than both, the two sides bound free
// space that is narrower than a particle. Gaps that no such ray crosses are not seen.
#include "scene/preflight.h"

#include "base/result.h"
#include "geometry/bvh.h"
#include "geometry/field.h"
#include "math/vec.h"
#include "scene/meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RAYS 20000u       // from which gaps are looked for
#define FACING -0.5       // cosine between two sides of a gap
#define MIDDLE 0.4        // of the ray's length: how far its middle is from any surface
#define GAPS_TOLD 0.002   // share of the surface: less is a crease
#define ODD_SIZE 100.0    // times the scene's size
#define THIN_CELLS 2.0    // walls below are told
#define DEFORM_FIELDS 3.0 // fields at a time while a form changes

// ---------------------------------------------------------------- each mesh

ThawResult scene_check_fields(const ThawScene *scene) {
    bool good = true;
    for (int k = 0; k < scene->body_count; k++) {
        good &= scene->bodies[k].mesh == NULL || scene->bodies[k].mesh->field != NULL;
    }
    for (int k = 0; k < scene->collider_count; k++) {
        good &= scene->colliders[k].mesh == NULL || scene->colliders[k].mesh->field != NULL;
    }
    for (int k = 0; k < scene->emitter_count; k++) {
        good &= scene->emitters[k].mesh == NULL || scene->emitters[k].mesh->field != NULL;
    }
    for (int k = 0; k < scene->sink_count; k++) {
        good &= scene->sinks[k].mesh == NULL || scene->sinks[k].mesh->field != NULL;
    }
    return good ? THAW_OK : thaw_fail(THAW_BAD_INPUT, "the scene was read without its meshes");
}

static const ThawSceneMesh *mesh_of(const ThawScene *scene, const ThawMeshForecast *of) {
    return of->collider >= 0 ? scene->colliders[of->collider].mesh : scene->bodies[of->body].mesh;
}

static void add_forecast(SceneFlight *flight, int collider, int body) {
    ThawPreflight *preflight = flight->preflight;
    ThawMeshForecast *fresh = &preflight->meshes[preflight->mesh_count];
    *fresh = (ThawMeshForecast){.collider = collider, .body = body};
    const ThawSceneMesh *mesh = mesh_of(flight->scene, fresh);
    fresh->report = thaw_field_report(mesh->field);
    ThawVec3 size =
        thaw_scale(thaw_sub(fresh->report.upper, fresh->report.lower), 1 / mesh->def.cell);
    const double cells[3] = {size.x, size.y, size.z};
    for (int a = 0; a < 3; a++) fresh->size[a] = (int)fmin(ceil(cells[a]), 1e9);
    // equal meshes have fields of one key, which are one
    SceneFieldKey key = scene_field_key(mesh);
    for (int k = 0; k < preflight->mesh_count; k++) {
        SceneFieldKey other = scene_field_key(mesh_of(flight->scene, &preflight->meshes[k]));
        fresh->shared |= memcmp(&key, &other, sizeof key) == 0;
    }
    double bytes = (double)fresh->report.bytes;
    if (!fresh->shared) preflight->field_bytes += bytes;
    if (mesh->sequence.count > 1) preflight->field_bytes += DEFORM_FIELDS * bytes;
    preflight->mesh_count++;
}

ThawResult scene_forecast_meshes(SceneFlight *flight) {
    const ThawScene *scene = flight->scene;
    size_t most = (size_t)scene->collider_count + (size_t)scene->body_count + 1;
    flight->preflight->meshes = calloc(most, sizeof *flight->preflight->meshes);
    if (flight->preflight->meshes == NULL) return thaw_fail_memory(most);
    for (int k = 0; k < scene->collider_count; k++) {
        if (scene->colliders[k].mesh != NULL) add_forecast(flight, k, -1);
    }
    for (int k = 0; k < scene->body_count; k++) {
        const ThawSceneBody *body = &scene->bodies[k];
        bool again = k > 0 && body->mesh == scene->bodies[k - 1].mesh;
        if (body->mesh != NULL && !again) add_forecast(flight, -1, k);
    }
    return THAW_OK;
}

// ---------------------------------------------------------------- gaps

typedef struct GapSearch {
    const ThawField *field;
    const ThawBvh *bvh;
    ThawMesh mesh;
    bool container; // free space is inside
    double spacing, offset;
    double narrowest, area, narrow; // m, m² looked at, m² that face gaps
} GapSearch;

static ThawVec3 corner_of(const ThawMesh *mesh, uint32_t triangle, int k) {
    const double *p = mesh->points[mesh->triangles[triangle][k]];
    return thaw_vec(p[0], p[1], p[2]);
}

// twice the area, along the normal
static ThawVec3 span_of(const ThawMesh *mesh, uint32_t triangle) {
    ThawVec3 a = corner_of(mesh, triangle, 0);
    return thaw_cross(thaw_sub(corner_of(mesh, triangle, 1), a),
                      thaw_sub(corner_of(mesh, triangle, 2), a));
}

// width of the free space that a ray from the triangle crosses; infinite when there is none
static double measure_gap(const GapSearch *search, ThawVec3 from, ThawVec3 way) {
    ThawBvhHit hit;
    double reach = search->spacing + 2 * fabs(search->offset);
    ThawVec3 start = thaw_add(from, thaw_scale(way, 1e-6 * search->spacing));
    if (!thaw_bvh_ray(search->bvh, start, way, reach, &hit)) return INFINITY;
    ThawVec3 span = span_of(&search->mesh, hit.triangle);
    double size = thaw_length(span);
    // either side of a triangle may be its front: what matters is that the two lie along each other
    if (!(size > 0) || !(fabs(thaw_dot(span, way)) > -FACING * size)) return INFINITY;
    ThawVec3 middle = thaw_add(start, thaw_scale(way, 0.5 * hit.distance));
    double sign = search->container ? -1 : 1;
    double room = sign * thaw_field_nearest(search->field, middle).distance;
    // the middle is about as far from the nearest surface as from the two
    bool between = room + sign * search->offset >= MIDDLE * hit.distance;
    return between ? 2 * fmax(room, 0) : INFINITY;
}

static void look_at(GapSearch *search, uint32_t triangle) {
    ThawVec3 span = span_of(&search->mesh, triangle);
    double size = thaw_length(span);
    if (!(size > 0)) return;
    ThawVec3 way = thaw_scale(span, 1 / size), sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) sum = thaw_add(sum, corner_of(&search->mesh, triangle, k));
    ThawVec3 middle = thaw_scale(sum, 1.0 / 3);
    // which side is outside is the field's to say, not the winding's
    double gap =
        fmin(measure_gap(search, middle, way), measure_gap(search, middle, thaw_scale(way, -1)));
    search->area += size;
    if (gap >= search->spacing) return;
    search->narrow += size;
    search->narrowest = fmin(search->narrowest, gap);
}

static ThawResult find_gaps(SceneFlight *flight, ThawMeshForecast *of, ThawParallel *parallel) {
    const ThawSceneMesh *mesh = mesh_of(flight->scene, of);
    GapSearch search = {.field = mesh->field,
                        .mesh = thaw_field_mesh(mesh->field),
                        .spacing = flight->scene->world.spacing,
                        .container = flight->scene->colliders[of->collider].container,
                        .offset = of->report.offset,
                        .narrowest = INFINITY};
    ThawBvh *bvh = NULL;
    ThawResult result = thaw_bvh_create(&search.mesh, parallel, &bvh);
    if (result != THAW_OK) return result;
    search.bvh = bvh;
    uint32_t stride = search.mesh.triangle_count / RAYS + 1;
    for (uint32_t k = 0; k < search.mesh.triangle_count; k += stride) look_at(&search, k);
    thaw_bvh_destroy(bvh);
    if (!(search.narrow > GAPS_TOLD * search.area)) return THAW_OK;
    of->gap = search.narrowest;
    of->gap_share = search.narrow / search.area;
    return THAW_OK;
}

// ---------------------------------------------------------------- warnings

// what a mesh is of, and where that is written
typedef struct Subject {
    const char *kind, *name, *file;
    int line;
} Subject;

static Subject subject_of(const ThawScene *scene, const ThawMeshForecast *of) {
    if (of->collider >= 0) {
        const ThawSceneCollider *collider = &scene->colliders[of->collider];
        return (Subject){"collider", collider->name, collider->file, collider->line};
    }
    const ThawSceneBody *body = &scene->bodies[of->body];
    return (Subject){"body", body->name, body->file, body->line};
}

static void warn(SceneFlight *flight, const ThawMeshForecast *of, const char *text) {
    Subject subject = subject_of(flight->scene, of);
    char line[600];
    snprintf(line, sizeof line, "%s '%s': %s", subject.kind, subject.name, text);
    scene_messages_add_line(flight->messages, false, subject.file, subject.line, line);
}

static void warn_open(SceneFlight *flight, const ThawMeshForecast *of) {
    if (of->report.mode != THAW_FIELD_SOLID || of->report.open_edges == 0) return;
    char text[400];
    snprintf(text, sizeof text,
             "its mesh is open (%u edges belong to one triangle only): what is inside is guessed "
             "from the rest%s",
             of->report.open_edges,
             of->collider >= 0 ? "; 'mode: shell' keeps the surface itself" : "");
    warn(flight, of, text);
}

static void warn_thin(SceneFlight *flight, const ThawMeshForecast *of) {
    const ThawFieldReport *report = &of->report;
    bool container = flight->scene->colliders[of->collider].container;
    if (report->mode != THAW_FIELD_SOLID || container || !(report->thinnest > 0)) return;
    if (report->thinnest >= THIN_CELLS) return;
    char text[400], advice[120] = "take";
    double thick = report->thinnest * report->cell;
    // cells much finer cost more than they are worth
    if (report->thinnest > 0.5) {
        snprintf(advice, sizeof advice, "take a cell below %.2g m, or", thick / THIN_CELLS);
    }
    snprintf(text, sizeof text,
             "its walls are as thin as %.2g m, %.2g cells of its field: below two cells they may "
             "leak; %s 'mode: shell', or an offset that makes them thicker",
             thick, report->thinnest, advice);
    warn(flight, of, text);
}

static void warn_gaps(SceneFlight *flight, const ThawMeshForecast *of) {
    double spacing = flight->scene->world.spacing;
    if (!(of->gap_share > 0)) return;
    char text[400];
    snprintf(text, sizeof text,
             "%.2g %% of its surface faces gaps narrower than a particle (down to %.2g m, the "
             "spacing is %g m): matter cannot pass there",
             100 * of->gap_share, of->gap, spacing);
    warn(flight, of, text);
}

// the size of the matter, and of what else is in the scene
static double size_of_scene(const SceneFlight *flight) {
    const ThawPreflight *preflight = flight->preflight;
    return thaw_length(thaw_sub(preflight->upper, preflight->lower));
}

static void warn_size(SceneFlight *flight, const ThawMeshForecast *of) {
    double own = thaw_length(thaw_sub(of->report.upper, of->report.lower));
    double scene = size_of_scene(flight);
    if (!(own > 0) || !(scene > 0) || (own < ODD_SIZE * scene && scene < ODD_SIZE * own)) return;
    char text[400];
    snprintf(
        text, sizeof text,
        "its mesh is %.2g m in size, and the scene's matter %.2g m: is the file in other units "
        "(scale: 0.001 for millimetres, 0.01 for centimetres)?",
        own, scene);
    warn(flight, of, text);
}

// every pose is read once: better now than after hours
static void check_poses(SceneFlight *flight, const ThawMeshForecast *of) {
    const ThawSceneMesh *mesh = mesh_of(flight->scene, of);
    Subject subject = subject_of(flight->scene, of);
    for (int k = 1; k < mesh->sequence.count; k++) {
        ThawMeshData *data = NULL;
        ThawResult result = scene_load_mesh(mesh, k, &data);
        thaw_mesh_free(data);
        if (result == THAW_OK) continue;
        char text[600];
        snprintf(text, sizeof text, "%s '%s': %.400s", subject.kind, subject.name,
                 thaw_error_text());
        scene_messages_add_line(flight->messages, true, subject.file, subject.line, text);
        return;
    }
}

ThawResult scene_warn_meshes(SceneFlight *flight) {
    ThawPreflight *preflight = flight->preflight;
    if (preflight->mesh_count == 0) return THAW_OK;
    ThawParallel *parallel = NULL;
    ThawResult result = thaw_parallel_create(0, NULL, &parallel);
    for (int k = 0; k < preflight->mesh_count && result == THAW_OK; k++) {
        ThawMeshForecast *of = &preflight->meshes[k];
        warn_size(flight, of);
        warn_open(flight, of);
        if (of->collider < 0) continue;
        warn_thin(flight, of);
        result = find_gaps(flight, of, parallel);
        warn_gaps(flight, of);
        check_poses(flight, of);
    }
    thaw_parallel_destroy(parallel);
    return result;
}
