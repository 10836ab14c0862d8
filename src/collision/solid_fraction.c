// The share γ of a particle's kernel that lies in solid matter, and its gradient.
//
// The solid is the union of all colliders near. It is taken apart into pieces known exactly: boxes
// and planes with common axes (flats.c), and for anything round the half-space behind its nearest
// surface. Quadrature adds what the pieces' sum gets wrong: nothing where flat walls are alone, so
// that matter resting on them feels no noise. A piece comes in with 0, so no collider makes a jump.
//
// The loops over points are vector code (solid_points_wide.c); distances from analytic shapes are branch-free, for the
// compiler to vectorise.
#include "collision/solid_points.h"

#define POINTS THAW_WALL_POINTS
#define MOST_FACINGS 16
#define MOST_FLATS 4 // sets of axes

typedef ThawSolidPoints
    Local; // the points in a shape's local frame, in cells or in metres of a field

static ThawSolidEntry enter(const ThawFacing *facing, double h) {
    const ThawObstacle *o = facing->obstacle;
    ThawVec3 center = thaw_obstacle_local(o, facing->x);
    ThawSolidEntry e = {.center = {(float)center.x, (float)center.y, (float)center.z}, .scale = 1};
    for (int k = 0; k < 9; k++) e.m[k] = (float)(o->turn[k] * h);
    if (o->shape.kind == THAW_SHAPE_MESH) e.scale = (float)(1 / o->shape.scale);
    return e;
}

static void place_point(const ThawSolidEntry *e, const ThawQuadrature *q, int from, Local *local,
                        int to) {
    const float *m = e->m, x = q->x[from], y = q->y[from], z = q->z[from];
    local->x[to] = (e->center[0] + (m[0] * x + m[3] * y + m[6] * z)) * e->scale;
    local->y[to] = (e->center[1] + (m[1] * x + m[4] * y + m[7] * z)) * e->scale;
    local->z[to] = (e->center[2] + (m[2] * x + m[5] * y + m[8] * z)) * e->scale;
}

static inline float larger(float a, float b) {
    return a > b ? a : b;
}
static inline float smaller(float a, float b) {
    return a < b ? a : b;
}

static void distance_box(const ThawShape *shape, const Local *p, float *out) {
    float a = (float)(0.5 * shape->size.x), b = (float)(0.5 * shape->size.y);
    float c = (float)(0.5 * shape->size.z);
    for (int k = 0; k < POINTS; k++) {
        float x = fabsf(p->x[k]) - a, y = fabsf(p->y[k]) - b, z = fabsf(p->z[k]) - c;
        float u = larger(x, 0), v = larger(y, 0), w = larger(z, 0);
        out[k] = sqrtf(u * u + v * v + w * w) + smaller(larger(x, larger(y, z)), 0);
    }
}

// spheres and capsules: distance to the segment, of length 0 for a sphere
static void distance_capsule(double radius, double height, const Local *p, float *out) {
    float r = (float)radius, half = (float)(0.5 * height);
    for (int k = 0; k < POINTS; k++) {
        float z = larger(fabsf(p->z[k]) - half, 0);
        out[k] = sqrtf(p->x[k] * p->x[k] + p->y[k] * p->y[k] + z * z) - r;
    }
}

static void distance_cylinder(const ThawShape *shape, const Local *p, float *out) {
    float r = (float)shape->radius, half = (float)(0.5 * shape->height);
    for (int k = 0; k < POINTS; k++) {
        float x = sqrtf(p->x[k] * p->x[k] + p->y[k] * p->y[k]) - r, z = fabsf(p->z[k]) - half;
        float u = larger(x, 0), w = larger(z, 0);
        out[k] = sqrtf(u * u + w * w) + smaller(larger(x, z), 0);
    }
}

static void distance_cone(const ThawShape *shape, const Local *p, float *out) {
    float R = (float)shape->radius, H = (float)shape->height;
    float slant = sqrtf(R * R + H * H), nu = H / slant, nz = R / slant, per = 1 / (slant * slant);
    for (int k = 0; k < POINTS; k++) {
        float u = sqrtf(p->x[k] * p->x[k] + p->y[k] * p->y[k]) - R, z = p->z[k];
        float flank = u * nu + z * nz;
        float t = smaller(larger((z * H - u * R) * per, 0), 1);
        float fu = u + R * t, fz = z - H * t, bu = larger(u, 0);
        float outside = sqrtf(smaller(fu * fu + fz * fz, bu * bu + z * z));
        float inside = larger(flank, -z);
        out[k] = inside > 0 ? outside : inside;
    }
}

static void distance_torus(const ThawShape *shape, const Local *p, float *out) {
    float R = (float)shape->radius, r = (float)shape->tube;
    for (int k = 0; k < POINTS; k++) {
        float u = sqrtf(p->x[k] * p->x[k] + p->y[k] * p->y[k]) - R;
        out[k] = sqrtf(u * u + p->z[k] * p->z[k]) - r;
    }
}

static void distances_of(const ThawShape *shape, const Local *local, float out[POINTS]) {
    switch (shape->kind) {
    case THAW_SHAPE_BOX: distance_box(shape, local, out); break;
    case THAW_SHAPE_SPHERE: distance_capsule(shape->radius, 0, local, out); break;
    case THAW_SHAPE_CAPSULE: distance_capsule(shape->radius, shape->height, local, out); break;
    case THAW_SHAPE_CYLINDER: distance_cylinder(shape, local, out); break;
    case THAW_SHAPE_CONE: distance_cone(shape, local, out); break;
    case THAW_SHAPE_TORUS: distance_torus(shape, local, out); break;
    case THAW_SHAPE_PLANE:
    case THAW_SHAPE_BLEND:
    case THAW_SHAPE_MESH:
    case THAW_SHAPE_KINDS:
        for (int k = 0; k < POINTS; k++) out[k] = local->z[k];
    }
}

// A mesh: its field at all points at once, in metres of the field. One that deforms is looked up where it was at the
// key's moment, all points alike: they lie within a support of each other.
static void sample_mesh(const ThawFacing *facing, const Local *local, int count, float *out) {
    const ThawObstacle *o = facing->obstacle;
    ThawFieldPoints points = {.x = local->x, .y = local->y, .z = local->z};
    points.count = (uint32_t)count;
    points.distance = out;
    const ThawField *field = o->shape.field;
    if (o->deform != NULL) {
        ThawVec3 at = thaw_scale(thaw_obstacle_local(o, facing->x), 1 / o->shape.scale);
        field = thaw_deform_lookup(o->deform, at, &points.origin);
    }
    o->sample(field, &points);
}

// the part of a point's ball that lies beyond a plane at x of its radii: (1 − x)² (2 + x) / 4
static inline float ball_part(float x) {
    x = smaller(larger(x, -1.0f), 1.0f);
    return 0.25f * (1 - x) * (1 - x) * (2 + x);
}

// distances from the points to a collider's surface, cells
static void measure_distances(const ThawQuadrature *q, const ThawFacing *facing, double h,
                              float out[POINTS]) {
    const ThawShape *shape = &facing->obstacle->shape;
    ThawSolidEntry entry = enter(facing, h);
    Local local;
    float scale = 1, offset = 0, side = (float)facing->obstacle->side;
    q->loops->place(q, &entry, &local);
    if (shape->kind == THAW_SHAPE_MESH) {
        sample_mesh(facing, &local, POINTS, out);
        scale = (float)shape->scale;
        offset = (float)shape->offset;
    } else {
        distances_of(shape, &local, out);
    }
    q->loops->measure(out, scale, offset, side);
}

// ---------------------------------------------------------------- sums

static ThawSolidPlane plane_of(const ThawSurface *s, double h) {
    return (ThawSolidPlane){{(float)s->normal.x, (float)s->normal.y, (float)s->normal.z},
                            (float)(s->distance / h)};
}

static ThawMeasure sum_parts(const ThawQuadrature *q, const float *part) {
    double sums[4];
    q->loops->sum(q, part, sums);
    return (ThawMeasure){sums[0], {sums[1], sums[2], sums[3]}};
}

static void add_measure(ThawMeasure *sum, ThawMeasure more) {
    sum->share += more.share;
    sum->gradient = thaw_add(sum->gradient, more.gradient);
}

static ThawMeasure measure_half_space(const ThawQuadrature *q, ThawVec3 normal, double distance) {
    double share, area;
    thaw_quadrature_half_space(q, distance, &share, &area);
    return (ThawMeasure){share, thaw_scale(normal, -area)};
}

// ---------------------------------------------------------------- pieces

enum { ROUND = -1, OUT_OF_REACH = -2 };

// The solid taken apart: flat colliders that share axes, and half-spaces for the round ones.
typedef struct Pieces {
    ThawFlats flats[MOST_FLATS];
    int flat_count;
    int piece[MOST_FACINGS];           // of a facing: its flats, or one of the above
    ThawSurface surface[MOST_FACINGS]; // of the round ones
    int round_count, last_round;
} Pieces;

static int join_flats(Pieces *pieces, const ThawFacing *facing, double h) {
    for (int f = 0; f < pieces->flat_count; f++) {
        if (thaw_flats_join(&pieces->flats[f], facing, h)) return f;
    }
    if (pieces->flat_count == MOST_FLATS) return ROUND;
    thaw_flats_begin(&pieces->flats[pieces->flat_count]);
    if (!thaw_flats_join(&pieces->flats[pieces->flat_count], facing, h)) return ROUND;
    return pieces->flat_count++;
}

// returns the nearest facing
static int take_apart(Pieces *pieces, const ThawFacing *facings, int count, double h) {
    double nearest = h;
    int which = -1;
    pieces->flat_count = pieces->round_count = 0;
    for (int f = 0; f < count; f++) {
        double distance = facings[f].distance;
        pieces->piece[f] = OUT_OF_REACH;
        if (distance >= h) continue;
        pieces->piece[f] = join_flats(pieces, &facings[f], h);
        if (pieces->piece[f] == ROUND) {
            pieces->surface[f] = thaw_obstacle_nearest(facings[f].obstacle, facings[f].x);
            pieces->round_count++;
            pieces->last_round = f;
        }
        if (distance >= nearest) continue;
        nearest = distance;
        which = f;
    }
    return which;
}

// What the pieces taken by themselves get wrong: overlaps, and roundness.
static ThawMeasure measure_rest(const ThawQuadrature *q, const Pieces *pieces,
                                const ThawFacing *facings, int count, double h) {
    float nearest[POINTS], flats[MOST_FLATS][POINTS], part[POINTS];
    float per_h = (float)(1 / h), far = (float)(2 * h);
    for (int k = 0; k < POINTS; k++) nearest[k] = far, part[k] = 0;
    for (int f = 0; f < pieces->flat_count; f++) {
        for (int k = 0; k < POINTS; k++) flats[f][k] = far;
    }
    for (int f = 0; f < count; f++) {
        if (pieces->piece[f] == OUT_OF_REACH) continue;
        float one[POINTS];
        measure_distances(q, &facings[f], h, one);
        q->loops->nearer(one, nearest);
        if (pieces->piece[f] == ROUND) {
            ThawSolidPlane plane = plane_of(&pieces->surface[f], h);
            q->loops->take_plane(q, &plane, part);
        } else {
            q->loops->nearer(one, flats[pieces->piece[f]]);
        }
    }
    q->loops->add(q, nearest, per_h, 1, part);
    for (int f = 0; f < pieces->flat_count; f++) q->loops->add(q, flats[f], per_h, -1, part);
    return sum_parts(q, part);
}

// How much of what a lone mesh's plane gets wrong is to be looked for: 0 where the mesh is as good as flat, which a few
// of the points tell at an eighth of the cost, 1 where it is not.
static double roughness(const ThawQuadrature *q, const ThawFacing *facing, const ThawSurface *s,
                        double h) {
    enum { STRIDE = 8, FEW = POINTS / STRIDE };
    const double smooth = 0.003, rough = 0.006;
    const ThawObstacle *o = facing->obstacle;
    ThawSolidEntry entry = enter(facing, h);
    ThawSolidPlane plane = plane_of(s, h);
    Local local;
    float distance[FEW], side = (float)o->side, per_h = (float)(1 / h), wrong = 0, whole = 0;
    float scale = (float)o->shape.scale, offset = (float)o->shape.offset, *n = plane.normal;
    // the odd ones of every other eight are the opposites of the even ones
    for (int k = 0; k < FEW; k++) place_point(&entry, q, STRIDE * k + (k & 1), &local, k);
    sample_mesh(facing, &local, FEW, distance);
    for (int k = 0; k < FEW; k++) {
        int from = STRIDE * k + (k & 1);
        float found = (distance[k] * scale - offset) * side * per_h;
        float flat = plane.at + (n[0] * q->x[from] + n[1] * q->y[from] + n[2] * q->z[from]);
        wrong += q->weight[from] * fabsf(ball_part(found * q->sharpness[from]) -
                                         ball_part(flat * q->sharpness[from]));
        whole += q->weight[from];
    }
    double share = ((double)(wrong / whole) - smooth) / (rough - smooth);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

// A solid of revolution alone pulls nothing round its axis, a ball only towards its centre.
static void drop_swirl(const ThawFacing *facing, ThawVec3 *gradient) {
    const ThawObstacle *o = facing->obstacle;
    ThawVec3 x = facing->x, axis = {o->turn[2], o->turn[5], o->turn[8]};
    if (o->flat) x.z = 0;
    bool ball = o->shape.kind == THAW_SHAPE_SPHERE;
    if (o->shape.kind == THAW_SHAPE_MESH) return;
    ThawVec3 line = ball ? x : thaw_cross(axis, x);
    double square = thaw_dot(line, line);
    if ((o->flat && !ball) || !(square > 1e-12)) return;
    ThawVec3 along = thaw_scale(line, thaw_dot(*gradient, line) / square);
    *gradient = ball ? along : thaw_sub(*gradient, along);
}

// Along a tube away from its ends nothing changes.
static void drop_drift(const ThawFacing *facing, double h, ThawVec3 *gradient) {
    const ThawObstacle *o = facing->obstacle;
    bool tube = o->shape.kind == THAW_SHAPE_CYLINDER || o->shape.kind == THAW_SHAPE_CAPSULE;
    if (!tube || fabs(thaw_obstacle_local(o, facing->x).z) + h > 0.5 * o->shape.height) return;
    ThawVec3 axis = {o->turn[2], o->turn[5], o->turn[8]};
    *gradient = thaw_sub(*gradient, thaw_scale(axis, thaw_dot(*gradient, axis)));
}

ThawSolid thaw_solid_fraction(const ThawQuadrature *q, const ThawFacing *facings, int count,
                              double h) {
    Pieces pieces;
    ThawMeasure sum = {0};
    if (count > MOST_FACINGS) count = MOST_FACINGS;
    ThawSolid solid = {.nearest = take_apart(&pieces, facings, count, h)};
    if (solid.nearest < 0) return solid;
    for (int f = 0; f < pieces.flat_count; f++) thaw_flats_measure(&pieces.flats[f], q, &sum);
    for (int f = 0; f < count; f++) {
        if (pieces.piece[f] != ROUND) continue;
        ThawSurface s = pieces.surface[f];
        add_measure(&sum, measure_half_space(q, s.normal, s.distance / h));
    }
    bool lone = pieces.round_count == 1 && pieces.flat_count == 0;
    const ThawFacing *last = lone ? &facings[pieces.last_round] : NULL;
    double wanted = 1;
    if (lone && last->obstacle->shape.kind == THAW_SHAPE_MESH) {
        wanted = roughness(q, last, &pieces.surface[pieces.last_round], h);
    }
    if (wanted > 0 && (pieces.round_count > 0 || pieces.flat_count > 1)) {
        ThawMeasure rest = measure_rest(q, &pieces, facings, count, h);
        rest.share *= wanted;
        rest.gradient = thaw_scale(rest.gradient, wanted);
        add_measure(&sum, rest);
    }
    if (lone) {
        drop_swirl(last, &sum.gradient);
        drop_drift(last, h, &sum.gradient);
    }
    solid.share = (float)(sum.share < 0 ? 0 : sum.share > 1 ? 1 : sum.share);
    solid.gradient[0] = (float)(sum.gradient.x / h);
    solid.gradient[1] = (float)(sum.gradient.y / h);
    solid.gradient[2] = (float)(sum.gradient.z / h);
    return solid;
}
