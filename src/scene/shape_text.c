// Shapes as text. Shapes keep a pose, not the points they were made of; the points are written only where
// making the shape of them again gives the same bits.
#include "scene/writer.h"

#include "math/vec.h"

#include <string.h>

// in every bit: −0 is not 0
static bool same_bits(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

// a blend is never asked: it has no plain way
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

void scene_put_shape(SceneText *text, const ThawShape *shape) {
    static const char *const names[THAW_SHAPE_KINDS] = {"box",  "sphere", "capsule", "cylinder",
                                                        "cone", "torus",  "plane",   "blend"};
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
    case THAW_SHAPE_KINDS: break;
    }
    scene_text_put(text, "}}");
}
