// A collider prepared for one substep: where it is at both ends, in cells, and its nearest surface.
#include "collision/walls_internal.h"
#include "geometry/distance.h"

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

bool thaw_obstacle_make(ThawObstacle *o, const ThawWallStep *step, uint32_t collider) {
    const ThawCollider *c = &step->colliders[collider];
    ThawShape before;
    *o = (ThawObstacle){.side = c->container ? -1.0 : 1.0,
                        .flat = step->domain->dimensions == 2,
                        .convex = c->shape.kind != THAW_SHAPE_TORUS,
                        .friction = c->friction,
                        .restitution = c->restitution,
                        .collider = collider};
    bool there = place_shape(step, c, step->time, &before, o->begin);
    bool here = place_shape(step, c, step->time + step->dt, &o->shape, o->end);
    if (!here) return false;
    // a section that appears during the substep has no past
    if (!there) {
        before = o->shape;
        for (int a = 0; a < 3; a++) o->begin[a] = o->end[a];
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

double thaw_obstacle_distance(const ThawObstacle *o, ThawVec3 x) {
    return o->side * thaw_shape_local_distance(&o->shape, thaw_turn_back(o->turn, x));
}

ThawSurface thaw_obstacle_nearest(const ThawObstacle *o, ThawVec3 x) {
    ThawNearest near = thaw_shape_local_nearest(&o->shape, thaw_turn_back(o->turn, x));
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

ThawSeen thaw_obstacle_see(const ThawObstacle *o, const ThawDomain *domain,
                           const int64_t start[3]) {
    double still[3], then[3];
    for (int a = 0; a < 3; a++) {
        int64_t offset = wrap_offset(domain, a, start[a] - o->end[a]);
        still[a] = thaw_fixed_cells(offset);
        then[a] = thaw_fixed_cells(offset + o->end[a] - o->begin[a]);
    }
    ThawSeen seen = {.still = thaw_vec(still[0], still[1], still[2])};
    seen.carried = seen.still;
    if (o->moving) {
        seen.carried = thaw_turn(o->carry, thaw_vec(then[0], then[1], then[2]));
        if (o->flat) seen.carried.z = seen.still.z;
    }
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
    if (shape->kind == THAW_SHAPE_CYLINDER) shape->height = less(shape->height, 2 * by);
    if (shape->kind != THAW_SHAPE_PLANE) return;
    ThawVec3 normal = thaw_turn(obstacle->turn, thaw_vec(0, 0, 1));
    double back[3] = {-by * normal.x, -by * normal.y, -by * normal.z};
    for (int a = 0; a < 3; a++) {
        obstacle->begin[a] += thaw_fixed_from(back[a]);
        obstacle->end[a] += thaw_fixed_from(back[a]);
    }
}
