// Shapes as text. Shapes keep a pose, not the points they were made of; the points are written only where
// making the shape of them again gives the same bits.
#include "scene/writer.h"

#include "math/vec.h"

#include <inttypes.h>
#include <string.h>

// in every bit: −0 is not 0
static bool same_bits(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

// blends and meshes are never asked: they have no plain way
static bool same_shape(const ThawShape *a, const ThawShape *b) {
    return a->kind == b->kind && same_bits(&a->pose, &b->pose, sizeof a->pose) &&
           same_bits(&a->size, &b->size, sizeof a->size) &&
           same_bits(&a->radius, &b->radius, sizeof a->radius) &&
           same_bits(&a->height, &b->height, sizeof a->height) &&
           same_bits(&a->tube, &b->tube, sizeof a->tube);
}

static void put_vec(SceneText *text, const char *key, ThawVec3 v) {
    scene_text_put(text, "%s: ", key);
    scene_put_vector(text, v);
}

static void put_double(SceneText *text, const char *key, double value) {
    scene_text_put(text, ", %s: ", key);
    scene_text_number(text, value);
}

static void put_orientation(SceneText *text, const ThawShape *shape) {
    const ThawQuat none = thaw_quat_identity();
    if (same_bits(&shape->pose.rotation, &none, sizeof none)) return;
    scene_text_put(text, ", orientation: ");
    scene_put_quat(text, shape->pose.rotation);
}

// local z in the world, rounded to what was probably meant
static ThawVec3 axis_of(const ThawShape *shape) {
    ThawVec3 axis = thaw_quat_rotate(shape->pose.rotation, thaw_vec(0, 0, 1));
    double *part[3] = {&axis.x, &axis.y, &axis.z};
    for (int a = 0; a < 3; a++) {
        double whole = floor(*part[a] + 0.5);
        if (fabs(*part[a] - whole) < 1e-12) *part[a] = whole;
    }
    return axis;
}

static void put_rod(SceneText *text, const ThawShape *shape) {
    ThawVec3 half = thaw_scale(axis_of(shape), 0.5 * shape->height), at = shape->pose.position;
    ThawVec3 from = thaw_sub(at, half), to = thaw_add(at, half);
    ThawShape again = shape->kind == THAW_SHAPE_CAPSULE
                          ? thaw_shape_capsule(from, to, shape->radius)
                          : thaw_shape_cylinder(from, to, shape->radius);
    if (same_shape(&again, shape)) {
        put_vec(text, "from", from);
        put_vec(text, ", to", to);
        put_double(text, "radius", shape->radius);
        return;
    }
    put_vec(text, "center", at);
    put_double(text, "radius", shape->radius);
    put_double(text, "height", shape->height);
    put_orientation(text, shape);
}

static void put_cone(SceneText *text, const ThawShape *shape) {
    ThawVec3 apex = thaw_add(shape->pose.position, thaw_scale(axis_of(shape), shape->height));
    ThawShape again = thaw_shape_cone(shape->pose.position, apex, shape->radius);
    put_vec(text, "base", shape->pose.position);
    if (same_shape(&again, shape)) {
        put_vec(text, ", apex", apex);
        put_double(text, "radius", shape->radius);
        return;
    }
    put_double(text, "radius", shape->radius);
    put_double(text, "height", shape->height);
    put_orientation(text, shape);
}

// axis of a torus or normal of a plane
static void put_direction(SceneText *text, const ThawShape *shape, const char *key,
                          const ThawShape *again) {
    if (same_shape(again, shape)) {
        scene_text_put(text, ", ");
        put_vec(text, key, axis_of(shape));
    } else {
        scene_text_put(text, ", orientation: ");
        scene_put_quat(text, shape->pose.rotation);
    }
}

static void put_torus(SceneText *text, const ThawShape *shape) {
    ThawVec3 at = shape->pose.position;
    ThawShape again = thaw_shape_torus(at, axis_of(shape), shape->radius, shape->tube);
    put_vec(text, "center", at);
    put_direction(text, shape, "axis", &again);
    put_double(text, "radius", shape->radius);
    put_double(text, "tube", shape->tube);
}

static void put_plane(SceneText *text, const ThawShape *shape) {
    ThawShape again = thaw_shape_plane(shape->pose.position, axis_of(shape));
    put_vec(text, "point", shape->pose.position);
    put_direction(text, shape, "normal", &again);
}

static void put_blend(SceneText *text, const ThawShape *shape) {
    scene_text_put(text, "balls: [");
    for (int k = 0; k < shape->ball_count; k++) {
        const ThawBall *ball = &shape->balls[k];
        const double values[4] = {ball->center.x, ball->center.y, ball->center.z, ball->radius};
        scene_text_put(text, k == 0 ? "[" : ", [");
        for (int a = 0; a < 4; a++) {
            scene_text_put(text, a == 0 ? "" : ", ");
            scene_text_number(text, values[a]);
        }
        scene_text_put(text, "]");
    }
    scene_text_put(text, "]");
    put_double(text, "smooth", shape->smooth);
    put_vec(text, ", center", shape->pose.position);
    put_orientation(text, shape);
}

// ---------------------------------------------------------------- meshes

static void put_paint(SceneText *text, const ThawSceneMesh *mesh, bool names) {
    static const char *const kinds[THAW_PAINTS] = {"friction", "adhesion", "temperature"};
    bool first = true;
    for (int k = 0; k < THAW_PAINTS; k++) {
        const ThawScenePaint *paint = &mesh->paint[k];
        if (paint->image == NULL) continue;
        scene_text_put(text, "%s%s: {", first ? "" : ", ", kinds[k]);
        if (names) {
            scene_text_put(text, "image: ");
            scene_text_quote(text, paint->image);
            scene_text_put(text, ", ");
        }
        scene_text_put(text, "low: ");
        scene_text_number(text, paint->low);
        put_double(text, "high", paint->high);
        scene_text_put(text, "}");
        first = false;
    }
}

static bool is_painted(const ThawSceneMesh *mesh) {
    bool painted = false;
    for (int k = 0; k < THAW_PAINTS; k++) painted |= mesh->paint[k].image != NULL;
    return painted;
}

static void put_sequence(SceneText *text, const ThawSceneSequence *sequence, bool names) {
    scene_text_put(text, "{");
    if (names) {
        scene_text_put(text, "files: ");
        scene_text_quote(text, sequence->files);
        scene_text_put(text, ", first: %d, ", sequence->first);
    }
    scene_text_put(text, "count: %d", sequence->count);
    put_double(text, "fps", sequence->fps);
    scene_text_put(text, ", loop: %s}", sequence->loop ? "yes" : "no");
}

// One key of a mesh after the other: as a map on one line, or a line each.
typedef struct MeshKeys {
    SceneWriter *writer;
    bool first;
} MeshKeys;

static SceneText *begin_key(MeshKeys *keys, const char *key) {
    SceneWriter *writer = keys->writer;
    if (writer->flat) {
        if (!keys->first) scene_put_end(writer);
        scene_put_key(writer, key);
    } else {
        scene_text_put(&writer->text, "%s%s: ", keys->first ? "" : ", ", key);
    }
    keys->first = false;
    return &writer->text;
}

static void put_number_key(MeshKeys *keys, const char *key, double value) {
    scene_text_number(begin_key(keys, key), value);
}

static void put_mesh_keys(SceneWriter *writer, const ThawShape *shape, const ThawSceneMesh *mesh) {
    MeshKeys keys = {writer, true};
    const ThawQuat none = thaw_quat_identity();
    bool names = !writer->motion;
    if (mesh->sequence.count > 0) {
        put_sequence(begin_key(&keys, "sequence"), &mesh->sequence, names);
    } else if (names) {
        scene_text_quote(begin_key(&keys, "file"), mesh->file);
    }
    scene_text_put(begin_key(&keys, "contents"), "\"%016" PRIx64 "\"", mesh->contents);
    put_number_key(&keys, "scale", mesh->scale);
    scene_text_put(begin_key(&keys, "up"), "%c", mesh->up);
    scene_put_vector(begin_key(&keys, "center"), shape->pose.position);
    if (!same_bits(&shape->pose.rotation, &none, sizeof none)) {
        scene_put_quat(begin_key(&keys, "orientation"), shape->pose.rotation);
    }
    scene_text_put(begin_key(&keys, "mode"), "%s",
                   mesh->def.mode == THAW_FIELD_SHELL ? "shell" : "solid");
    put_number_key(&keys, "cell", mesh->def.cell);
    put_number_key(&keys, "band", mesh->def.band);
    put_number_key(&keys, "offset", mesh->def.offset);
    if (is_painted(mesh)) {
        scene_text_put(begin_key(&keys, "paint"), "{");
        put_paint(&writer->text, mesh, names);
        scene_text_put(&writer->text, "}");
    }
}

// compared key by key, so that a file that has changed is told as that
static void put_mesh(SceneWriter *writer, const char *key, const ThawShape *shape,
                     const ThawSceneMesh *mesh) {
    if (writer->flat) {
        size_t mark = scene_put_open(writer, key), inner = scene_put_open(writer, "mesh");
        put_mesh_keys(writer, shape, mesh);
        scene_put_end(writer);
        writer->path[inner] = '\0';
        writer->path[mark] = '\0';
        return;
    }
    scene_put_key(writer, key);
    scene_text_put(&writer->text, "{mesh: {");
    put_mesh_keys(writer, shape, mesh);
    scene_text_put(&writer->text, "}}");
    scene_put_end(writer);
}

// ---------------------------------------------------------------- any shape

static void put_shape(SceneText *text, const ThawShape *shape) {
    static const char *const names[THAW_SHAPE_KINDS] = {
        "box", "sphere", "capsule", "cylinder", "cone", "torus", "plane", "blend", "mesh"};
    scene_text_put(text, "{%s: {", names[shape->kind]);
    switch (shape->kind) {
    case THAW_SHAPE_BOX:
        put_vec(text, "center", shape->pose.position);
        put_vec(text, ", size", shape->size);
        put_orientation(text, shape);
        break;
    case THAW_SHAPE_SPHERE:
        put_vec(text, "center", shape->pose.position);
        put_double(text, "radius", shape->radius);
        break;
    case THAW_SHAPE_CAPSULE:
    case THAW_SHAPE_CYLINDER: put_rod(text, shape); break;
    case THAW_SHAPE_CONE: put_cone(text, shape); break;
    case THAW_SHAPE_TORUS: put_torus(text, shape); break;
    case THAW_SHAPE_PLANE: put_plane(text, shape); break;
    case THAW_SHAPE_BLEND: put_blend(text, shape); break;
    case THAW_SHAPE_MESH:
    case THAW_SHAPE_KINDS: break;
    }
    scene_text_put(text, "}}");
}

void scene_put_shape(SceneWriter *writer, const char *key, const ThawShape *shape,
                     const ThawSceneMesh *mesh) {
    if (mesh != NULL) {
        put_mesh(writer, key, shape, mesh);
        return;
    }
    scene_put_key(writer, key);
    put_shape(&writer->text, shape);
    scene_put_end(writer);
}
