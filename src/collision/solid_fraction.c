// The share γ of a particle's kernel that lies in solid matter, and its gradient.
//
// The solid is the union of all colliders near. It is taken apart into pieces that are known exactly:
// boxes and planes with common axes (flats.c), and for anything round the half-space behind its
// nearest surface. Quadrature adds what the pieces' sum gets wrong, which is nothing where flat walls
// are alone, so that matter resting on them feels no noise, and comes in smoothly with any collider.
//
// The loops over points are branch-free, one a shape, for the compiler to vectorise.
#include "collision/walls_internal.h"

#define POINTS THAW_WALL_POINTS
#define MOST_FACINGS 16
#define MOST_FLATS 4 // sets of axes
#define LANES 8 // partial sums, so that the order of additions is the code's and not the machine's

// the points in a shape's local frame, in cells
typedef struct Local {
    float x[POINTS], y[POINTS], z[POINTS];
} Local;

static void to_local(const ThawQuadrature *q, const ThawFacing *facing, double h, Local *local) {
    const ThawObstacle *o = facing->obstacle;
    ThawVec3 center = thaw_obstacle_local(o, facing->x);
    float c[3] = {(float)center.x, (float)center.y, (float)center.z}, m[9];
    for (int k = 0; k < 9; k++) m[k] = (float)(o->turn[k] * h);
    for (int k = 0; k < POINTS; k++) {
        local->x[k] = c[0] + (m[0] * q->x[k] + m[3] * q->y[k] + m[6] * q->z[k]);
        local->y[k] = c[1] + (m[1] * q->x[k] + m[4] * q->y[k] + m[7] * q->z[k]);
        local->z[k] = c[2] + (m[2] * q->x[k] + m[5] * q->y[k] + m[8] * q->z[k]);
    }
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
    case THAW_SHAPE_KINDS:
        for (int k = 0; k < POINTS; k++) out[k] = local->z[k];
    }
}

// the part of a point's ball that lies beyond a plane at x of its radii: (1 − x)² (2 + x) / 4
static inline float ball_part(float x) {
    x = smaller(larger(x, -1.0f), 1.0f);
    return 0.25f * (1 - x) * (1 - x) * (2 + x);
}

// ---------------------------------------------------------------- sums

// The solid taken apart: flat colliders that share axes, and half-spaces for the round ones.
typedef struct Pieces {
    ThawFlats flats[MOST_FLATS];
    int flat_count;
    int piece[MOST_FACINGS]; // of a facing: its flats, −1 round, −2 out of reach
    int round_count, last_round;
} Pieces;

// At every point, the part in the solid less the parts in the pieces, which are known exactly.
typedef struct Parts {
    float nearest[POINTS]; // surface of the union, cells
    float flats[MOST_FLATS][POINTS];
    float part[POINTS];
} Parts;

static void take_away(const ThawQuadrature *q, const float *distance, float per_h, float *part) {
    for (int k = 0; k < POINTS; k++) part[k] -= ball_part(distance[k] * per_h * q->sharpness[k]);
}

static void take_away_plane(const ThawQuadrature *q, ThawVec3 normal, double at, float *part) {
    float n[3] = {(float)normal.x, (float)normal.y, (float)normal.z}, d = (float)at;
    for (int k = 0; k < POINTS; k++) {
        float flat = d + (n[0] * q->x[k] + n[1] * q->y[k] + n[2] * q->z[k]);
        part[k] -= ball_part(flat * q->sharpness[k]);
    }
}

static double sum_products(const float *a, const float *b) {
    float lanes[LANES] = {0};
    double sum = 0;
    for (int k = 0; k < POINTS; k += LANES) {
        for (int l = 0; l < LANES; l++) lanes[l] += a[k + l] * b[k + l];
    }
    for (int l = 0; l < LANES; l++) sum += (double)lanes[l];
    return sum;
}

static ThawMeasure sum_parts(const ThawQuadrature *q, const float *part) {
    float x[POINTS], y[POINTS], z[POINTS];
    for (int k = 0; k < POINTS; k++) {
        x[k] = q->x[k] * part[k];
        y[k] = q->y[k] * part[k];
        z[k] = q->z[k] * part[k];
    }
    ThawMeasure sum = {.share = sum_products(q->weight, part),
                       .gradient = {sum_products(q->gx, part), sum_products(q->gy, part),
                                    sum_products(q->gz, part)}};
    double moment[6] = {sum_products(q->gx, x), sum_products(q->gy, y), sum_products(q->gz, z),
                        sum_products(q->gy, z), sum_products(q->gz, x), sum_products(q->gx, y)};
    for (int k = 0; k < 6; k++) sum.moment[k] = moment[k];
    return sum;
}

static void add_measure(ThawMeasure *sum, const ThawMeasure *more) {
    sum->share += more->share;
    sum->gradient = thaw_add(sum->gradient, more->gradient);
    for (int k = 0; k < 6; k++) sum->moment[k] += more->moment[k];
}

static ThawMeasure measure_half_space(const ThawQuadrature *q, ThawVec3 n, double distance) {
    double share, area;
    thaw_quadrature_half_space(q, distance, &share, &area);
    double m = distance * area;
    return (ThawMeasure){share,
                         thaw_scale(n, -area),
                         {share + m * n.x * n.x, share + m * n.y * n.y, share + m * n.z * n.z,
                          m * n.y * n.z, m * n.z * n.x, m * n.x * n.y}};
}

// ---------------------------------------------------------------- pieces

static int join_flats(Pieces *pieces, const ThawFacing *facing, double h) {
    for (int f = 0; f < pieces->flat_count; f++) {
        if (thaw_flats_join(&pieces->flats[f], facing, h)) return f;
    }
    if (pieces->flat_count == MOST_FLATS) return -1;
    thaw_flats_begin(&pieces->flats[pieces->flat_count]);
    if (!thaw_flats_join(&pieces->flats[pieces->flat_count], facing, h)) return -1;
    return pieces->flat_count++;
}

// returns the nearest facing
static int take_apart(Pieces *pieces, const ThawFacing *facings, int count, double h) {
    double nearest = h;
    int which = -1;
    pieces->flat_count = pieces->round_count = 0;
    for (int f = 0; f < count; f++) {
        double distance = thaw_obstacle_distance(facings[f].obstacle, facings[f].x);
        pieces->piece[f] = -2;
        if (distance >= h) continue;
        pieces->piece[f] = join_flats(pieces, &facings[f], h);
        if (pieces->piece[f] < 0) {
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
    Parts parts;
    Local local;
    float one[POINTS], per_h = (float)(1 / h), far = (float)(2 * h);
    for (int k = 0; k < POINTS; k++) parts.nearest[k] = far, parts.part[k] = 0;
    for (int f = 0; f < pieces->flat_count; f++) {
        for (int k = 0; k < POINTS; k++) parts.flats[f][k] = far;
    }
    for (int f = 0; f < count; f++) {
        if (pieces->piece[f] < -1) continue;
        to_local(q, &facings[f], h, &local);
        distances_of(&facings[f].obstacle->shape, &local, one);
        float side = (float)facings[f].obstacle->side;
        float *mine = pieces->piece[f] < 0 ? NULL : parts.flats[pieces->piece[f]];
        for (int k = 0; k < POINTS; k++) {
            parts.nearest[k] = smaller(parts.nearest[k], side * one[k]);
        }
        for (int k = 0; mine != NULL && k < POINTS; k++) mine[k] = smaller(mine[k], side * one[k]);
        if (mine != NULL) continue;
        ThawSurface surface = thaw_obstacle_nearest(facings[f].obstacle, facings[f].x);
        take_away_plane(q, surface.normal, surface.distance / h, parts.part);
    }
    for (int f = 0; f < pieces->flat_count; f++) {
        take_away(q, parts.flats[f], per_h, parts.part);
    }
    for (int k = 0; k < POINTS; k++) {
        parts.part[k] += ball_part(parts.nearest[k] * per_h * q->sharpness[k]);
    }
    return sum_parts(q, parts.part);
}

// A solid of revolution alone pulls nothing round its axis.
static void drop_swirl(const ThawFacing *facing, ThawVec3 *gradient) {
    ThawVec3 axis = {facing->obstacle->turn[2], facing->obstacle->turn[5],
                     facing->obstacle->turn[8]};
    if (facing->obstacle->shape.kind == THAW_SHAPE_SPHERE) axis = *gradient;
    ThawVec3 round = thaw_cross(axis, facing->x);
    double square = thaw_dot(round, round);
    if (!(square > 1e-12)) return;
    *gradient = thaw_sub(*gradient, thaw_scale(round, thaw_dot(*gradient, round) / square));
}

ThawSolid thaw_solid_fraction(const ThawQuadrature *q, const ThawFacing *facings, int count,
                              double h) {
    Pieces pieces;
    ThawMeasure sum = {0};
    ThawSolid solid = {.nearest = take_apart(&pieces, facings, count, h)};
    if (solid.nearest < 0) return solid;
    for (int f = 0; f < pieces.flat_count; f++) thaw_flats_measure(&pieces.flats[f], q, &sum);
    if (pieces.round_count > 0 || pieces.flat_count > 1) {
        for (int f = 0; f < count && pieces.round_count > 0; f++) {
            if (pieces.piece[f] != -1) continue;
            ThawSurface s = thaw_obstacle_nearest(facings[f].obstacle, facings[f].x);
            ThawMeasure tangent = measure_half_space(q, s.normal, s.distance / h);
            add_measure(&sum, &tangent);
        }
        ThawMeasure rest = measure_rest(q, &pieces, facings, count, h);
        add_measure(&sum, &rest);
        if (pieces.flat_count == 0 && pieces.round_count == 1) {
            drop_swirl(&facings[pieces.last_round], &sum.gradient);
        }
    }
    solid.share = (float)(sum.share < 0 ? 0 : sum.share > 1 ? 1 : sum.share);
    solid.gradient[0] = (float)(sum.gradient.x / h);
    solid.gradient[1] = (float)(sum.gradient.y / h);
    solid.gradient[2] = (float)(sum.gradient.z / h);
    for (int k = 0; k < 6; k++) solid.moment[k] = (float)sum.moment[k];
    return solid;
}
