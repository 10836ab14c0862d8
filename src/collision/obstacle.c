// A collider prepared for one substep: where it is at both ends, in cells, and its nearest surface.
#include "collision/walls_internal.h"
#include "geometry/distance.h"
#include "geometry/field.h"

ThawVec3 thaw_turn(const double m[9], ThawVec3 v) {
    return thaw_vec(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                    m[6] * v.x + m[7] * v.y + m[8] * v.z);
}

ThawVec3 thaw_turn_back(const double m[9], ThawVec3 v) {
    return thaw_vec(m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
                    m[2] * v.x + m[5] * v.y + m[8] * v.z);
}

static void matrix_from(ThawQuat q, double m[9]) {
    ThawVec3 columns[3] = {thaw_quat_rotate(q, thaw_vec(1, 0, 0)),
                           thaw_quat_rotate(q, thaw_vec(0, 1, 0)),
                           thaw_quat_rotate(q, thaw_vec(0, 0, 1))};
    for (int c = 0; c < 3; c++) {
        m[c] = columns[c].x;
        m[3 + c] = columns[c].y;
        m[6 + c] = columns[c].z;
    }
}

static void scale_measures(ThawShape *shape, double factor) {
    shape->size = thaw_scale(shape->size, factor);
    shape->radius *= factor;
    shape->height *= factor;
    shape->tube *= factor;
    shape->scale *= factor;
    shape->offset *= factor;
}

// The shape at a time: origin in fixed-point cells, measures in cells, cross-section in 2D.
static bool place_shape(const ThawWallStep *step, const ThawCollider *collider, double time,
                        ThawShape *shape, int64_t origin[3]) {
    double per_cell = 1.0 / step->domain->cell;
    ThawKeyframe key = thaw_collider_motion(collider, time);
    ThawVec3 home = collider->shape.pose.position;
    double at_home[3] = {home.x, home.y, home.z}, moved[3] = {key.move.x, key.move.y, key.move.z};
    int64_t fixed_move[3];
    thaw_domain_fix(step->domain, at_home, origin);
    thaw_domain_fix(step->domain, moved, fixed_move);
    for (int a = 0; a < 3; a++) origin[a] += fixed_move[a];

    *shape = collider->shape;
    shape->pose = thaw_collider_pose(collider, time);
    scale_measures(shape, per_cell);
    if (step->domain->dimensions == 3) return true;

    // the section is taken about the origin's x and y, which stay exact
    ThawShape whole = *shape;
    whole.pose.position = thaw_vec(0, 0, thaw_fixed_cells(origin[2]));
    bool cuts = thaw_shape_section(&whole, shape);
    origin[0] += thaw_fixed_from(shape->pose.position.x);
    origin[1] += thaw_fixed_from(shape->pose.position.y);
    origin[2] = thaw_fixed_from(shape->pose.position.z);
    return cuts;
}

static bool is_painted(const ThawField *field, ThawPaintKind kind) {
    ThawPaint paint = thaw_field_mesh(field).paint[kind];
    return paint.values != NULL || paint.image != NULL;
}

bool thaw_obstacle_make(ThawObstacle *o, const ThawWallStep *step, uint32_t collider) {
    const ThawCollider *c = &step->colliders[collider];
    ThawShape before;
    *o = (ThawObstacle){.side = c->container ? -1.0 : 1.0,
                        .flat = step->domain->dimensions == 2,
                        .convex = thaw_shape_is_convex(c->shape.kind),
                        .deform = c->deform,
                        .moving = c->deform != NULL,
                        .friction = c->friction,
                        .restitution = c->restitution,
                        .adhesion = c->adhesion,
                        .collider = collider};
    bool there = place_shape(step, c, step->time, &before, o->begin);
    bool here = place_shape(step, c, step->time + step->dt, &o->shape, o->end);
    if (!here) return false;
    // a section that appears during the substep has no past
    if (!there) {
        before = o->shape;
        for (int a = 0; a < 3; a++) o->begin[a] = o->end[a];
    }
    if (o->shape.kind == THAW_SHAPE_MESH) {
        o->painted = is_painted(o->shape.field, THAW_PAINT_FRICTION);
        o->coated = is_painted(o->shape.field, THAW_PAINT_ADHESION);
        o->sample = thaw_field_sample_many(step->isa);
        ThawFieldReport info = thaw_field_report(o->shape.field);
        o->grain = info.cell * o->shape.scale;
        o->known = info.band * o->grain - o->side * o->shape.offset;
    }
    double earlier[9];
    matrix_from(before.pose.rotation, earlier);
    matrix_from(o->shape.pose.rotation, o->turn);
    for (int a = 0; a < 3; a++) {
        o->moving |= o->begin[a] != o->end[a];
        for (int b = 0; b < 3; b++) {
            o->carry[3 * a + b] = 0;
            for (int k = 0; k < 3; k++) {
                o->carry[3 * a + b] += o->turn[3 * a + k] * earlier[3 * b + k];
            }
            o->moving |= o->turn[3 * a + b] != earlier[3 * a + b];
        }
    }
    return true;
}

ThawVec3 thaw_obstacle_local(const ThawObstacle *o, ThawVec3 x) {
    return thaw_turn_back(o->turn, x);
}

// a point of a deforming mesh's own frame
static ThawVec3 in_field(const ThawObstacle *o, ThawVec3 x) {
    return thaw_scale(thaw_turn_back(o->turn, x), 1 / o->shape.scale);
}

double thaw_obstacle_distance(const ThawObstacle *o, ThawVec3 x) {
    if (o->deform != NULL) {
        double distance = thaw_deform_distance(o->deform, in_field(o, x));
        return o->side * (distance * o->shape.scale - o->shape.offset);
    }
    return o->side * thaw_shape_local_distance(&o->shape, thaw_turn_back(o->turn, x));
}

static ThawNearest local_nearest(const ThawObstacle *o, ThawVec3 x) {
    if (o->deform == NULL) {
        return thaw_shape_local_nearest(&o->shape, thaw_turn_back(o->turn, x));
    }
    ThawNearest near = thaw_deform_nearest(o->deform, in_field(o, x));
    near.distance = near.distance * o->shape.scale - o->shape.offset;
    return near;
}

ThawSurface thaw_obstacle_nearest(const ThawObstacle *o, ThawVec3 x) {
    ThawNearest near = local_nearest(o, x);
    ThawVec3 normal = thaw_scale(thaw_turn(o->turn, near.normal), o->side);
    double slope = 1;
    if (o->flat) {
        slope = sqrt(normal.x * normal.x + normal.y * normal.y);
        if (slope < 1e-3) slope = 0;
        double scale = slope > 0 ? 1.0 / slope : 0;
        normal = thaw_vec(normal.x * scale, normal.y * scale, 0);
    }
    return (ThawSurface){o->side * near.distance, normal, slope};
}

// offset to the nearest periodic image
static int64_t wrap_offset(const ThawDomain *domain, int axis, int64_t offset) {
    if (!domain->periodic[axis]) return offset;
    int64_t length = domain->length[axis];
    offset %= length;
    if (offset < 0) offset += length;
    return offset >= length - length / 2 ? offset - length : offset;
}

static ThawVec3 in_cells(const int64_t offset[3]) {
    return thaw_vec(thaw_fixed_cells(offset[0]), thaw_fixed_cells(offset[1]),
                    thaw_fixed_cells(offset[2]));
}

// how the surface of a deforming mesh moves next to a point, beside the motion of its frame
static ThawVec3 deform_motion(const ThawObstacle *o, ThawVec3 x, ThawMoment moment) {
    ThawVec3 motion = thaw_deform_motion(o->deform, in_field(o, x), moment);
    return thaw_turn(o->turn, thaw_scale(motion, o->shape.scale));
}

ThawVec3 thaw_obstacle_motion(const ThawObstacle *o, ThawVec3 x) {
    if (!o->moving) return thaw_vec(0, 0, 0);
    // the same material point at the beginning, seen from the origin's place then
    ThawVec3 then = thaw_turn_back(o->carry, x);
    const int64_t origin[3] = {o->end[0] - o->begin[0], o->end[1] - o->begin[1],
                               o->end[2] - o->begin[2]};
    ThawVec3 motion = thaw_add(thaw_sub(x, then), in_cells(origin));
    if (o->deform != NULL) motion = thaw_add(motion, deform_motion(o, x, THAW_MOMENT_END));
    if (o->flat) motion.z = 0;
    return motion;
}

static float paint_at(const ThawObstacle *o, ThawPaintKind kind, ThawVec3 x, float otherwise) {
    const ThawField *field = o->deform != NULL ? thaw_deform_field(o->deform) : o->shape.field;
    ThawFieldSpot spot = thaw_field_spot(field, in_field(o, x));
    return thaw_field_paint(field, kind, &spot, otherwise);
}

float thaw_obstacle_friction(const ThawObstacle *o, ThawVec3 x) {
    return o->painted ? paint_at(o, THAW_PAINT_FRICTION, x, o->friction) : o->friction;
}

float thaw_obstacle_adhesion(const ThawObstacle *o, ThawVec3 x) {
    return o->coated ? paint_at(o, THAW_PAINT_ADHESION, x, o->adhesion) : o->adhesion;
}

ThawVec3 thaw_obstacle_offset(const ThawObstacle *o, const ThawDomain *domain,
                              const int64_t at[3]) {
    int64_t offset[3];
    for (int a = 0; a < 3; a++) offset[a] = wrap_offset(domain, a, at[a] - o->end[a]);
    return in_cells(offset);
}

ThawSeen thaw_obstacle_see(const ThawObstacle *o, const ThawDomain *domain,
                           const int64_t start[3]) {
    int64_t offset[3];
    for (int a = 0; a < 3; a++) offset[a] = wrap_offset(domain, a, start[a] - o->end[a]);
    ThawSeen seen = {.still = in_cells(offset)};
    seen.carried = seen.still;
    if (!o->moving) return seen;
    for (int a = 0; a < 3; a++) offset[a] += o->end[a] - o->begin[a];
    seen.carried = thaw_turn(o->carry, in_cells(offset));
    if (o->deform != NULL) {
        ThawVec3 motion = deform_motion(o, seen.carried, THAW_MOMENT_BEGIN);
        seen.carried = thaw_add(seen.carried, motion);
    }
    if (o->flat) seen.carried.z = seen.still.z;
    return seen;
}

// a measure less the depth, but never less than half of what it was
static double less(double measure, double depth) {
    return fmax(measure - depth, 0.5 * measure);
}

void thaw_obstacle_recede(ThawObstacle *obstacle, double depth) {
    ThawShape *shape = &obstacle->shape;
    double by = obstacle->side * depth; // containers grow, the others shrink
    shape->size.x = less(shape->size.x, 2 * by);
    shape->size.y = less(shape->size.y, 2 * by);
    shape->size.z = less(shape->size.z, 2 * by);
    if (shape->kind == THAW_SHAPE_TORUS) {
        shape->tube = less(shape->tube, by);
        return;
    }
    shape->radius = less(shape->radius, by);
    shape->offset -= by;
    if (shape->kind == THAW_SHAPE_CYLINDER) shape->height = less(shape->height, 2 * by);
    if (shape->kind != THAW_SHAPE_PLANE) return;
    ThawVec3 normal = thaw_turn(obstacle->turn, thaw_vec(0, 0, 1));
    double back[3] = {-by * normal.x, -by * normal.y, -by * normal.z};
    for (int a = 0; a < 3; a++) {
        obstacle->begin[a] += thaw_fixed_from(back[a]);
        obstacle->end[a] += thaw_fixed_from(back[a]);
    }
}
