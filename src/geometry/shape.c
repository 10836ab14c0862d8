// The public shapes: constructors, turning, distance and volume.
#include <thaw/shape.h>

#include "geometry/blend.h"
#include "geometry/distance.h"
#include "geometry/mesh_shape.h"
#include "math/vec.h"

#define PI 3.14159265358979323846
#define AREA_GRID 512 // midpoints an axis where a cross-section has no closed form

static ThawShape shape_at(ThawShapeKind kind, ThawVec3 position, ThawQuat rotation) {
    return (ThawShape){.kind = kind, .pose = {position, rotation}};
}

static ThawVec3 middle(ThawVec3 a, ThawVec3 b) {
    return thaw_scale(thaw_add(a, b), 0.5);
}

ThawShape thaw_shape_box(ThawVec3 center, ThawVec3 size) {
    ThawShape shape = shape_at(THAW_SHAPE_BOX, center, thaw_quat_identity());
    shape.size = size;
    return shape;
}

ThawShape thaw_shape_sphere(ThawVec3 center, double radius) {
    ThawShape shape = shape_at(THAW_SHAPE_SPHERE, center, thaw_quat_identity());
    shape.radius = radius;
    return shape;
}

static ThawShape along(ThawShapeKind kind, ThawVec3 origin, ThawVec3 axis, double radius) {
    ThawShape shape = shape_at(kind, origin, thaw_quat_from_z(axis));
    shape.radius = radius;
    shape.height = thaw_length(axis);
    return shape;
}

ThawShape thaw_shape_capsule(ThawVec3 from, ThawVec3 to, double radius) {
    return along(THAW_SHAPE_CAPSULE, middle(from, to), thaw_sub(to, from), radius);
}

ThawShape thaw_shape_cylinder(ThawVec3 from, ThawVec3 to, double radius) {
    return along(THAW_SHAPE_CYLINDER, middle(from, to), thaw_sub(to, from), radius);
}

ThawShape thaw_shape_cone(ThawVec3 base, ThawVec3 apex, double radius) {
    return along(THAW_SHAPE_CONE, base, thaw_sub(apex, base), radius);
}

ThawShape thaw_shape_torus(ThawVec3 center, ThawVec3 axis, double radius, double tube) {
    ThawShape shape = shape_at(THAW_SHAPE_TORUS, center, thaw_quat_from_z(axis));
    shape.radius = radius;
    shape.tube = tube;
    return shape;
}

ThawShape thaw_shape_plane(ThawVec3 point, ThawVec3 normal) {
    return shape_at(THAW_SHAPE_PLANE, point, thaw_quat_from_z(normal));
}

ThawShape thaw_shape_blend(const ThawBall *balls, int count, double smooth) {
    ThawShape shape = shape_at(THAW_SHAPE_BLEND, thaw_vec(0, 0, 0), thaw_quat_identity());
    shape.balls = balls;
    shape.ball_count = count;
    shape.smooth = smooth;
    return shape;
}

ThawShape thaw_shape_mesh(const ThawField *field) {
    ThawShape shape = shape_at(THAW_SHAPE_MESH, thaw_vec(0, 0, 0), thaw_quat_identity());
    shape.field = field;
    shape.scale = 1;
    return shape;
}

ThawShape thaw_shape_rotate(ThawShape shape, ThawVec3 axis, double angle) {
    ThawQuat turn = thaw_quat_turn(axis, angle);
    shape.pose.rotation = thaw_quat_normalize(thaw_quat_mul(turn, shape.pose.rotation));
    return shape;
}

double thaw_shape_distance(const ThawShape *shape, ThawVec3 point) {
    return thaw_shape_local_distance(shape, thaw_pose_invert(shape->pose, point));
}

static double volume_of(const ThawShape *s) {
    double r = s->radius;
    switch (s->kind) {
    case THAW_SHAPE_BOX: return s->size.x * s->size.y * s->size.z;
    case THAW_SHAPE_SPHERE: return 4.0 / 3.0 * PI * r * r * r;
    case THAW_SHAPE_CAPSULE: return PI * r * r * (s->height + 4.0 / 3.0 * r);
    case THAW_SHAPE_CYLINDER: return PI * r * r * s->height;
    case THAW_SHAPE_CONE: return PI * r * r * s->height / 3.0;
    case THAW_SHAPE_TORUS: return 2.0 * PI * PI * r * s->tube * s->tube;
    case THAW_SHAPE_BLEND: return thaw_blend_volume(s);
    case THAW_SHAPE_MESH: return thaw_mesh_shape_volume(s);
    case THAW_SHAPE_PLANE:
    case THAW_SHAPE_KINDS: break;
    }
    return INFINITY;
}

// radius about the pose's position that holds the shape
static double reach_of(const ThawShape *shape) {
    ThawVec3 lower, upper;
    thaw_shape_local_bounds(shape, &lower, &upper);
    return thaw_length(
        thaw_vec(fmax(-lower.x, upper.x), fmax(-lower.y, upper.y), fmax(-lower.z, upper.z)));
}

// Midpoint sums of an indicator smoothed over one grid cell, for sections without a closed form.
static double measure_area(const ThawShape *shape) {
    double reach = reach_of(shape), step = 2.0 * reach / AREA_GRID, sum = 0;
    for (int j = 0; j < AREA_GRID; j++) {
        for (int i = 0; i < AREA_GRID; i++) {
            ThawVec3 p = {shape->pose.position.x - reach + (i + 0.5) * step,
                          shape->pose.position.y - reach + (j + 0.5) * step, 0};
            double inside = 0.5 - thaw_shape_distance(shape, p) / step;
            sum += inside < 0 ? 0 : inside > 1 ? 1 : inside;
        }
    }
    return sum * step * step;
}

static bool upright(const ThawShape *shape, ThawVec3 local) {
    return fabs(fabs(thaw_quat_rotate(shape->pose.rotation, local).z) - 1.0) < 1e-12;
}

// area of the cross-section at z = 0: closed forms where the shape stands upright
static double area_of(const ThawShape *shape) {
    ThawShape s;
    if (shape->kind == THAW_SHAPE_PLANE) return INFINITY;
    if (shape->kind == THAW_SHAPE_BLEND) return thaw_blend_area(shape);
    if (shape->kind == THAW_SHAPE_MESH) return measure_area(shape);
    if (!thaw_shape_section(shape, &s)) return 0;
    bool z_up = upright(&s, thaw_vec(0, 0, 1));
    if (s.kind == THAW_SHAPE_SPHERE) return PI * s.radius * s.radius;
    if (s.kind == THAW_SHAPE_CYLINDER && z_up) return PI * s.radius * s.radius;
    if (s.kind == THAW_SHAPE_TORUS && z_up) return 4.0 * PI * s.radius * s.tube;
    if (s.kind == THAW_SHAPE_BOX) {
        if (upright(&s, thaw_vec(1, 0, 0))) return s.size.y * s.size.z;
        if (upright(&s, thaw_vec(0, 1, 0))) return s.size.x * s.size.z;
        if (z_up) return s.size.x * s.size.y;
    }
    return measure_area(shape);
}

double thaw_shape_volume(const ThawShape *shape, int dimensions) {
    return dimensions == 2 ? area_of(shape) : volume_of(shape);
}
