// Fields of a scene's meshes: taken from an equal one, from the folder of earlier ones, or built.
#include "base/memory.h"
#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"
#include "scene/meshes.h"
#include "scene/preflight.h"
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_BAND 3.0
#define MOST_BAND 64.0
#define MOST_BYTES (16.0 * 1024 * 1024 * 1024) // of a field, estimated
#define BRICK_BYTES 4096.0                     // 512 cells

// ---------------------------------------------------------------- files

ThawResult scene_load_mesh(const ThawSceneMesh *mesh, int pose, ThawMeshData **data) {
    ThawMeshLoadDef def = thaw_mesh_load_default();
    def.scale = mesh->scale;
    def.up = mesh->up;
    for (int k = 0; k < THAW_PAINTS; k++) {
        def.image[k].file = mesh->paint[k].image;
        def.image[k].low = (float)mesh->paint[k].low;
        def.image[k].high = (float)mesh->paint[k].high;
    }
    const ThawSceneSequence *sequence = &mesh->sequence;
    if (sequence->count == 0) return thaw_mesh_load(mesh->file, &def, data);
    char *path = scene_pose_path(sequence->files, sequence->first + pose);
    if (path == NULL) return thaw_fail_memory(strlen(sequence->files));
    ThawResult result = thaw_mesh_load(path, &def, data);
    free(path);
    return result;
}

SceneFieldKey scene_field_key(const ThawSceneMesh *mesh) {
    SceneFieldKey key = {.version = SCENE_FIELD_VERSION,
                         .contents = mesh->contents,
                         .scale = mesh->scale,
                         .cell = mesh->def.cell,
                         .band = mesh->def.band,
                         .offset = mesh->def.offset,
                         .up = (uint64_t)mesh->up,
                         .mode = (uint64_t)mesh->def.mode};
    for (int k = 0; k < THAW_PAINTS; k++) {
        key.paint[k][0] = mesh->paint[k].low;
        key.paint[k][1] = mesh->paint[k].high;
    }
    return key;
}

// ---------------------------------------------------------------- what would be too much

static ThawVec3 point_of(const ThawMesh *mesh, uint32_t index) {
    const double *p = mesh->points[index];
    return thaw_vec(p[0], p[1], p[2]);
}

static double area_of(const ThawMesh *mesh) {
    double area = 0;
    for (uint32_t k = 0; k < mesh->triangle_count; k++) {
        const uint32_t *corner = mesh->triangles[k];
        ThawVec3 a = point_of(mesh, corner[0]), b = point_of(mesh, corner[1]);
        ThawVec3 c = point_of(mesh, corner[2]);
        area += 0.5 * thaw_length(thaw_cross(thaw_sub(b, a), thaw_sub(c, a)));
    }
    return area;
}

static double longest_side(const ThawMesh *mesh) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], mesh->points[k][a]);
            high[a] = fmax(high[a], mesh->points[k][a]);
        }
    }
    return fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
}

// a file in other units than thought would fill the memory
static bool check_size(SceneReader *reader, const SceneMeshText *text, const ThawMesh *mesh) {
    double cell = text->mesh->def.cell, side = longest_side(mesh);
    double bricks = 1.5 * area_of(mesh) / (64 * cell * cell) * (1 + text->mesh->def.band / 4);
    if (!(bricks * BRICK_BYTES > MOST_BYTES)) return true;
    return scene_complain(reader, text->node,
                          "%s: the mesh is %.3g m long, which is %.3g cells of %.3g m: its field "
                          "would take about %.0f GiB; is its unit another (scale: 0.001 for "
                          "millimetres)? else give a larger cell",
                          text->path, side, side / cell, cell,
                          bricks * BRICK_BYTES / (1024.0 * 1024 * 1024));
}

// ---------------------------------------------------------------- one field

static ThawField *find_equal(const SceneReader *reader, const SceneFieldKey *key) {
    for (int k = 0; k < reader->mesh_count; k++) {
        const ThawSceneMesh *other = reader->meshes[k].mesh;
        SceneFieldKey theirs = scene_field_key(other);
        if (other->field != NULL && memcmp(&theirs, key, sizeof theirs) == 0) {
            return thaw_field_retain(other->field);
        }
    }
    return NULL;
}

bool scene_take_field(const SceneReader *reader, ThawSceneMesh *mesh) {
    SceneFieldKey key = scene_field_key(mesh);
    mesh->field = find_equal(reader, &key);
    if (mesh->field != NULL || reader->field_folder == NULL) return mesh->field != NULL;
    mesh->field = scene_field_find(reader->field_folder, &key);
    mesh->cached = mesh->field != NULL;
    return mesh->cached;
}

// opens the file, and with `build` makes the field
static bool build_field(SceneReader *reader, const SceneMeshText *text, bool build) {
    ThawMeshData *data = NULL;
    // by the name that the user gave
    ThawSceneMesh named = *text->mesh;
    named.file = text->file;
    named.sequence.count = 0;
    if (scene_load_mesh(&named, 0, &data) != THAW_OK) {
        return scene_complain(reader, text->node, "%s: %s", text->path, thaw_error_text());
    }
    ThawMesh mesh = thaw_mesh_view(data);
    ThawFieldDef def = text->mesh->def;
    def.threads = reader->threads;
    bool good = check_size(reader, text, &mesh);
    if (build && good && thaw_field_create(&mesh, &def, &text->mesh->field) != THAW_OK) {
        text->mesh->field = NULL;
        good = scene_complain(reader, text->node, "%s: %s", text->path, thaw_error_text());
    }
    thaw_mesh_free(data);
    return good;
}

static bool make_field(SceneReader *reader, const SceneMeshText *text, bool build) {
    ThawSceneMesh *mesh = text->mesh;
    if (!build) return build_field(reader, text, false);
    if (scene_take_field(reader, mesh)) return true;
    if (!build_field(reader, text, true)) return false;
    if (reader->field_folder != NULL) {
        SceneFieldKey key = scene_field_key(mesh);
        scene_field_keep(reader->field_folder, &key, mesh->field, SCENE_FIELD_BYTES);
    }
    return true;
}

// ---------------------------------------------------------------- all fields

// how far the largest particle feels a wall
static double reach_of(const ThawScene *scene) {
    double spacing = scene->world.spacing;
    for (int k = 0; k < scene->body_count; k++) spacing = fmax(spacing, scene->bodies[k].spacing);
    for (int k = 0; k < scene->emitter_count; k++) {
        spacing = fmax(spacing, scene->emitters[k].spacing);
    }
    return SCENE_SUPPORT * spacing;
}

static bool choose_band(SceneReader *reader, const SceneMeshText *text) {
    ThawFieldDef *def = &text->mesh->def;
    if (def->band > 0) return true;
    double reach = reach_of(&reader->owner->scene);
    def->band = fmax(LEAST_BAND, ceil(reach / def->cell * (1 - 1e-9)) + 1);
    if (def->band <= MOST_BAND) return true;
    return scene_complain(reader, text->node,
                          "%s.cell is too small: particles feel walls from %g m off, which is "
                          "more than %g cells of %g m",
                          text->path, reach, MOST_BAND - 1, def->cell);
}

// gives a shape its mesh's field
static bool hand_field(SceneReader *reader, ThawShape *shape, const ThawSceneMesh *mesh,
                       const char *name) {
    if (mesh == NULL || mesh->field == NULL) return true;
    shape->field = mesh->field;
    if (thaw_shape_check(shape, name) == THAW_OK) return true;
    return scene_complain_at(reader, (ScenePlace){NULL, 0}, "%s", thaw_error_text());
}

static bool hand_out(SceneReader *reader) {
    ThawScene *scene = &reader->owner->scene;
    bool good = true;
    for (int k = 0; k < scene->body_count && good; k++) {
        ThawSceneBody *body = &scene->bodies[k];
        good = hand_field(reader, &body->shape, body->mesh, body->name);
    }
    for (int k = 0; k < scene->collider_count && good; k++) {
        ThawSceneCollider *collider = &scene->colliders[k];
        good = hand_field(reader, &collider->shape, collider->mesh, collider->name);
    }
    for (int k = 0; k < scene->emitter_count && good; k++) {
        ThawSceneEmitter *emitter = &scene->emitters[k];
        good = hand_field(reader, &emitter->shape, emitter->mesh, emitter->name);
    }
    for (int k = 0; k < scene->sink_count && good; k++) {
        ThawSceneSink *sink = &scene->sinks[k];
        good = hand_field(reader, &sink->shape, sink->mesh, sink->name);
    }
    return good;
}

bool scene_finish_meshes(SceneReader *reader, bool build) {
    bool good = true;
    for (int k = 0; k < reader->mesh_count && !reader->out_of_memory; k++) {
        const SceneMeshText *text = &reader->meshes[k];
        bool done = text->mesh->field != NULL || text->closed;
        bool fits = !build || choose_band(reader, text);
        if (fits && !done) fits = make_field(reader, text, build && good);
        good &= fits;
    }
    return good && (!build || hand_out(reader));
}
