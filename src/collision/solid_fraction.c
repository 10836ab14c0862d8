// The share γ of a particle's kernel that lies in solid matter, and its gradient.
//
// The nearest surface is first taken for a plane, for which both are known exactly; quadrature adds
// the difference between the true solid (the union of all colliders near) and that half-space. On flat
// walls the difference is nothing, so that matter resting on them feels no noise.
//
// The loops over points are branch-free, one a shape, for the compiler to vectorise.
#include "collision/walls_internal.h"

#define POINTS THAW_WALL_POINTS
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

// Σ of weights · (part in the solid − part in the half-space), into [γ, ∇γ]
static void sum_points(const ThawQuadrature *q, const float *distance, ThawVec3 normal,
                       double plane, double h, double sums[4]) {
    float n[3] = {(float)normal.x, (float)normal.y, (float)normal.z};
    float at = (float)(plane / h), per_h = (float)(1 / h);
    float s0[LANES] = {0}, s1[LANES] = {0}, s2[LANES] = {0}, s3[LANES] = {0};
    for (int k = 0; k < POINTS; k += LANES) {
        for (int l = 0; l < LANES; l++) {
            int i = k + l;
            float flat = at + (n[0] * q->x[i] + n[1] * q->y[i] + n[2] * q->z[i]);
            float part = ball_part(distance[i] * per_h * q->sharpness[i]) -
                         ball_part(flat * q->sharpness[i]);
            s0[l] += q->weight[i] * part;
            s1[l] += q->gx[i] * part;
            s2[l] += q->gy[i] * part;
            s3[l] += q->gz[i] * part;
        }
    }
    for (int l = 0; l < LANES; l++) {
        sums[0] += (double)s0[l];
        sums[1] += (double)s1[l];
        sums[2] += (double)s2[l];
        sums[3] += (double)s3[l];
    }
}

// Whether the solid within h of x is a half-space: planes, and boxes away from their edges.
static bool looks_flat(const ThawFacing *facing, double h) {
    const ThawObstacle *o = facing->obstacle;
    if (o->shape.kind == THAW_SHAPE_PLANE) return true;
    if (o->shape.kind != THAW_SHAPE_BOX) return false;
    ThawVec3 p = thaw_obstacle_local(o, facing->x);
    double half[3] = {0.5 * o->shape.size.x, 0.5 * o->shape.size.y, 0.5 * o->shape.size.z};
    double depth[3] = {half[0] - fabs(p.x), half[1] - fabs(p.y), half[2] - fabs(p.z)};
    int close = 0;
    for (int a = 0; a < 3; a++) {
        if (depth[a] >= h) continue;
        close++;
        // the far face must be out of reach too
        if (2 * half[a] - depth[a] < h && o->side < 0) return false;
        if (2 * half[a] < h) return false;
    }
    return close == 1;
}

ThawSolid thaw_solid_fraction(const ThawQuadrature *q, const ThawFacing *facings, int count,
                              double h) {
    ThawSolid solid = {.nearest = -1};
    ThawSurface surface = {.distance = h};
    int within = 0;
    for (int f = 0; f < count; f++) {
        ThawSurface s = thaw_obstacle_nearest(facings[f].obstacle, facings[f].x);
        if (s.distance >= h) continue;
        within++;
        if (s.distance >= surface.distance) continue;
        surface = s;
        solid.nearest = f;
    }
    if (within == 0) return solid;

    double share, area, sums[4] = {0};
    thaw_quadrature_half_space(q, surface.distance / h, &share, &area);
    if (within > 1 || !looks_flat(&facings[solid.nearest], h)) {
        Local local;
        float distance[POINTS], one[POINTS];
        for (int k = 0; k < POINTS; k++) distance[k] = (float)(2 * h);
        for (int f = 0; f < count; f++) {
            double away = thaw_obstacle_distance(facings[f].obstacle, facings[f].x);
            if (away >= h) continue; // out of the kernel's reach
            to_local(q, &facings[f], h, &local);
            distances_of(&facings[f].obstacle->shape, &local, one);
            float side = (float)facings[f].obstacle->side;
            for (int k = 0; k < POINTS; k++) distance[k] = smaller(distance[k], side * one[k]);
        }
        sum_points(q, distance, surface.normal, surface.distance, h, sums);
    }
    share += sums[0];
    solid.share = (float)(share < 0 ? 0 : share > 1 ? 1 : share);
    solid.gradient[0] = (float)((sums[1] - area * surface.normal.x) / h);
    solid.gradient[1] = (float)((sums[2] - area * surface.normal.y) / h);
    solid.gradient[2] = (float)((sums[3] - area * surface.normal.z) / h);
    return solid;
}
