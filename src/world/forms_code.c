// Meshes of colliders as bytes: points, triangles and what is painted on them. Fields are built again from them, which
// gives the same bits and keeps snapshots small. Whole shapes, with balls or mesh, of what is not a collider.
#include "base/memory.h"
#include "base/result.h"
#include "world/parts.h"
#include "world/world.h"

#include <string.h>

#define POINT_BYTES 24u
#define TRIANGLE_BYTES 12u
#define BALL_LEAST 32u
#define LARGEST_IMAGE (1u << 15) // pixels along an edge

// A mesh being loaded: blocks of its own.
typedef struct Loaded {
    ThawMesh mesh;
    double (*points)[3];
    uint32_t (*triangles)[3];
    float *uv;
    float *values[THAW_PAINTS];
    float *image[THAW_PAINTS];
} Loaded;

static void free_loaded(Loaded *loaded) {
    thaw_free(loaded->points);
    thaw_free(loaded->triangles);
    thaw_free(loaded->uv);
    for (int k = 0; k < THAW_PAINTS; k++) {
        thaw_free(loaded->values[k]);
        thaw_free(loaded->image[k]);
    }
    memset(loaded, 0, sizeof *loaded);
}

// ---------------------------------------------------------------- saving

static void save_floats(ThawCodec *codec, const float *values, size_t count) {
    bool there = values != NULL;
    thaw_code_bool(codec, &there);
    for (size_t k = 0; there && k < count; k++) {
        float value = values[k];
        thaw_code_f32(codec, &value);
    }
}

static void save_paint(ThawCodec *codec, const ThawPaint *paint, uint32_t points) {
    uint32_t width = paint->image != NULL ? paint->width : 0;
    uint32_t height = paint->image != NULL ? paint->height : 0;
    save_floats(codec, paint->values, points);
    thaw_code_u32(codec, &width);
    thaw_code_u32(codec, &height);
    save_floats(codec, paint->image, (size_t)width * height);
}

static void save_mesh(ThawCodec *codec, const ThawMesh *mesh) {
    uint32_t points = mesh->point_count, triangles = mesh->triangle_count;
    thaw_code_count(codec, &points, POINT_BYTES);
    for (uint32_t k = 0; k < points; k++) {
        ThawVec3 p = {mesh->points[k][0], mesh->points[k][1], mesh->points[k][2]};
        thaw_part_vec(codec, &p);
    }
    thaw_code_count(codec, &triangles, TRIANGLE_BYTES);
    for (uint32_t k = 0; k < triangles; k++) {
        uint32_t corner[3] = {mesh->triangles[k][0], mesh->triangles[k][1], mesh->triangles[k][2]};
        for (int c = 0; c < 3; c++) thaw_code_u32(codec, &corner[c]);
    }
    save_floats(codec, mesh->uv != NULL ? mesh->uv[0] : NULL, 6 * (size_t)triangles);
    for (int k = 0; k < THAW_PAINTS; k++) save_paint(codec, &mesh->paint[k], points);
}

void thaw_form_save(ThawCodec *codec, const ThawCollider *collider) {
    if (collider->shape.kind != THAW_SHAPE_MESH) return;
    ThawMesh mesh = thaw_field_mesh(collider->shape.field);
    ThawFieldReport report = thaw_field_report(collider->shape.field);
    uint8_t mode = (uint8_t)report.mode;
    double scale = collider->shape.scale, offset = collider->shape.offset;
    bool deforms = collider->deform != NULL;
    thaw_code_f64(codec, &scale);
    thaw_code_f64(codec, &offset);
    thaw_code_u8(codec, &mode);
    thaw_code_f64(codec, &report.cell);
    thaw_code_f64(codec, &report.band);
    thaw_code_f64(codec, &report.offset);
    save_mesh(codec, &mesh);
    thaw_code_bool(codec, &deforms);
    if (!deforms) return;
    ThawDeformState state = thaw_deform_state(collider->deform);
    save_mesh(codec, &state.from);
    thaw_code_f64(codec, &state.begin);
    thaw_code_f64(codec, &state.way);
    if (state.way > 0) save_mesh(codec, &state.to);
}

// ---------------------------------------------------------------- loading

static ThawResult take_block(void **block, size_t bytes) {
    *block = thaw_alloc(bytes > 0 ? bytes : 1);
    return *block != NULL ? THAW_OK : thaw_fail_memory(bytes);
}

static ThawResult load_floats(ThawCodec *codec, size_t count, float **values) {
    bool there = false;
    *values = NULL;
    thaw_code_bool(codec, &there);
    if (!there || codec->failed) return THAW_OK;
    if (count > (codec->size - codec->at) / sizeof(float)) {
        return thaw_fail_damaged(codec, "a mesh's values");
    }
    ThawResult result = take_block((void **)values, count * sizeof(float));
    if (result != THAW_OK) return result;
    for (size_t k = 0; k < count; k++) thaw_code_f32(codec, &(*values)[k]);
    return THAW_OK;
}

static ThawResult load_paint(ThawCodec *codec, Loaded *loaded, int kind) {
    ThawPaint *paint = &loaded->mesh.paint[kind];
    ThawResult result = load_floats(codec, loaded->mesh.point_count, &loaded->values[kind]);
    if (result != THAW_OK) return result;
    thaw_code_u32(codec, &paint->width);
    thaw_code_u32(codec, &paint->height);
    if (paint->width > LARGEST_IMAGE || paint->height > LARGEST_IMAGE) {
        return thaw_fail_damaged(codec, "a mesh's image");
    }
    result = load_floats(codec, (size_t)paint->width * paint->height, &loaded->image[kind]);
    paint->values = loaded->values[kind];
    paint->image = loaded->image[kind];
    return result;
}

static ThawResult load_points(ThawCodec *codec, Loaded *loaded) {
    ThawMesh *mesh = &loaded->mesh;
    thaw_code_count(codec, &mesh->point_count, POINT_BYTES);
    if (codec->failed) return thaw_fail_damaged(codec, "a mesh's points");
    ThawResult result =
        take_block((void **)&loaded->points, mesh->point_count * sizeof *loaded->points);
    for (uint32_t k = 0; result == THAW_OK && k < mesh->point_count; k++) {
        for (int c = 0; c < 3; c++) thaw_code_f64(codec, &loaded->points[k][c]);
    }
    mesh->points = (const double(*)[3])loaded->points;
    return result;
}

static ThawResult load_triangles(ThawCodec *codec, Loaded *loaded) {
    ThawMesh *mesh = &loaded->mesh;
    thaw_code_count(codec, &mesh->triangle_count, TRIANGLE_BYTES);
    if (codec->failed) return thaw_fail_damaged(codec, "a mesh's triangles");
    ThawResult result =
        take_block((void **)&loaded->triangles, mesh->triangle_count * sizeof *loaded->triangles);
    for (uint32_t k = 0; result == THAW_OK && k < mesh->triangle_count; k++) {
        for (int c = 0; c < 3; c++) thaw_code_u32(codec, &loaded->triangles[k][c]);
    }
    mesh->triangles = (const uint32_t(*)[3])loaded->triangles;
    return result;
}

static ThawResult load_mesh(ThawCodec *codec, Loaded *loaded) {
    memset(loaded, 0, sizeof *loaded);
    ThawResult result = load_points(codec, loaded);
    if (result == THAW_OK) result = load_triangles(codec, loaded);
    if (result == THAW_OK) {
        result = load_floats(codec, 6 * (size_t)loaded->mesh.triangle_count, &loaded->uv);
    }
    loaded->mesh.uv = (const float(*)[2])loaded->uv;
    for (int k = 0; k < THAW_PAINTS && result == THAW_OK; k++) {
        result = load_paint(codec, loaded, k);
    }
    if (result == THAW_OK && codec->failed) result = thaw_fail_damaged(codec, "a mesh");
    if (result != THAW_OK) free_loaded(loaded);
    return result;
}

static ThawResult load_field(ThawCodec *codec, const ThawFieldDef *settings, ThawParallel *parallel,
                             ThawField **field) {
    Loaded loaded;
    ThawResult result = load_mesh(codec, &loaded);
    if (result != THAW_OK) return result;
    result = thaw_field_build(&loaded.mesh, settings, parallel, false, field);
    free_loaded(&loaded);
    return result;
}

ThawResult thaw_form_load(ThawCodec *codec, ThawParallel *parallel, ThawShape *shape,
                          ThawFieldDef *settings, ThawField **field) {
    *field = NULL;
    *settings = thaw_field_default();
    if (shape->kind != THAW_SHAPE_MESH) return THAW_OK;
    uint8_t mode = 0;
    thaw_code_f64(codec, &shape->scale);
    thaw_code_f64(codec, &shape->offset);
    thaw_code_u8(codec, &mode);
    thaw_code_f64(codec, &settings->cell);
    thaw_code_f64(codec, &settings->band);
    thaw_code_f64(codec, &settings->offset);
    if (codec->failed || mode > THAW_FIELD_SHELL) return thaw_fail_damaged(codec, "a field");
    settings->mode = (ThawFieldMode)mode;
    ThawResult result = load_field(codec, settings, parallel, field);
    shape->field = *field;
    return result;
}

ThawResult thaw_deform_load(ThawCodec *codec, ThawParallel *parallel, const ThawFieldDef *settings,
                            ThawDeform **deform) {
    bool deforms = false;
    *deform = NULL;
    thaw_code_bool(codec, &deforms);
    if (!deforms || codec->failed) return THAW_OK;
    ThawField *from;
    double begin = 0, way = 0;
    ThawResult result = load_field(codec, settings, parallel, &from);
    if (result != THAW_OK) return result;
    result = thaw_deform_create(from, deform);
    thaw_field_release(from);
    thaw_code_f64(codec, &begin);
    thaw_code_f64(codec, &way);
    if (result != THAW_OK || !(way > 0)) return result;
    Loaded to;
    result = load_mesh(codec, &to);
    if (result == THAW_OK) {
        result = thaw_deform_aim(*deform, &to.mesh, begin, begin + way, parallel);
        free_loaded(&to);
    }
    if (result != THAW_OK) {
        thaw_deform_destroy(*deform);
        *deform = NULL;
    }
    return result;
}

// ---------------------------------------------------------------- whole shapes

static void code_ball(ThawCodec *codec, ThawBall *ball) {
    thaw_part_vec(codec, &ball->center);
    thaw_code_f64(codec, &ball->radius);
}

void thaw_whole_shape_save(ThawCodec *codec, ThawShape *shape) {
    uint32_t balls = (uint32_t)shape->ball_count;
    thaw_part_shape(codec, shape);
    thaw_code_f64(codec, &shape->smooth);
    thaw_code_count(codec, &balls, BALL_LEAST);
    for (uint32_t k = 0; k < balls; k++) {
        ThawBall ball = shape->balls[k];
        code_ball(codec, &ball);
    }
    ThawCollider holder = {.shape = *shape};
    thaw_form_save(codec, &holder);
}

ThawResult thaw_whole_shape_load(ThawCodec *codec, ThawParallel *parallel,
                                 ThawBall balls[THAW_BALLS], ThawShape *shape, ThawField **field) {
    uint32_t count = 0;
    *field = NULL;
    thaw_part_shape(codec, shape);
    thaw_code_f64(codec, &shape->smooth);
    thaw_code_count(codec, &count, BALL_LEAST);
    if (codec->failed || count > THAW_BALLS) return thaw_fail_damaged(codec, "a shape's balls");
    for (uint32_t k = 0; k < count; k++) code_ball(codec, &balls[k]);
    shape->balls = balls;
    shape->ball_count = (int)count;
    ThawFieldDef settings;
    ThawResult result = thaw_form_load(codec, parallel, shape, &settings, field);
    if (result != THAW_OK || shape->kind != THAW_SHAPE_MESH) return result;
    ThawDeform *deform;
    result = thaw_deform_load(codec, parallel, &settings, &deform);
    if (result == THAW_OK && deform != NULL) {
        thaw_deform_destroy(deform);
        result = thaw_fail_damaged(codec, "a shape that changes its form");
    }
    if (result != THAW_OK) {
        thaw_field_release(*field);
        *field = NULL;
    }
    return result;
}
