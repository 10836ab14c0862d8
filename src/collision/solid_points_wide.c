// Loops over quadrature points. No fused operations: the same bits from every instruction set.
#include "collision/solid_points.h"

#include "simd/wide.h"

THAW_INLINE F8 turn(const float *m, F8 x, F8 y, F8 z) {
    return f8_add(f8_add(f8_mul(f8_set(m[0]), x), f8_mul(f8_set(m[3]), y)),
                  f8_mul(f8_set(m[6]), z));
}

static void place(const ThawQuadrature *q, const ThawSolidEntry *entry, ThawSolidPoints *points) {
    F8 scale = f8_set(entry->scale), cx = f8_set(entry->center[0]), cy = f8_set(entry->center[1]);
    F8 cz = f8_set(entry->center[2]);
    for (int k = 0; k < THAW_WALL_POINTS; k += 8) {
        F8 x = f8_load(q->x + k), y = f8_load(q->y + k), z = f8_load(q->z + k);
        f8_store(points->x + k, f8_mul(f8_add(cx, turn(entry->m, x, y, z)), scale));
        f8_store(points->y + k, f8_mul(f8_add(cy, turn(entry->m + 1, x, y, z)), scale));
        f8_store(points->z + k, f8_mul(f8_add(cz, turn(entry->m + 2, x, y, z)), scale));
    }
}

static void measure(float *value, float scale, float offset, float sign) {
    F8 by = f8_set(scale), less = f8_set(offset), side = f8_set(sign);
    for (int k = 0; k < THAW_WALL_POINTS; k += 8) {
        f8_store(value + k, f8_mul(f8_sub(f8_mul(f8_load(value + k), by), less), side));
    }
}

static void nearer(const float *value, float *nearest) {
    for (int k = 0; k < THAW_WALL_POINTS; k += 8) {
        f8_store(nearest + k, f8_min(f8_load(nearest + k), f8_load(value + k)));
    }
}

// the part of a point's ball that lies beyond a plane at x of its radii: (1 − x)² (2 + x) / 4
THAW_INLINE F8 ball_part(F8 x) {
    F8 one = f8_set(1);
    x = f8_min(f8_max(x, f8_set(-1)), one);
    F8 rest = f8_sub(one, x);
    return f8_mul(f8_mul(f8_mul(f8_set(0.25f), rest), rest), f8_add(f8_set(2), x));
}

static void add(const ThawQuadrature *q, const float *distance, float per_h, float sign,
                float *part) {
    F8 per = f8_set(per_h), side = f8_set(sign);
    for (int k = 0; k < THAW_WALL_POINTS; k += 8) {
        F8 radii = f8_mul(f8_mul(f8_load(distance + k), per), f8_load(q->sharpness + k));
        f8_store(part + k, f8_add(f8_load(part + k), f8_mul(side, ball_part(radii))));
    }
}

static void take_plane(const ThawQuadrature *q, const ThawSolidPlane *plane, float *part) {
    F8 nx = f8_set(plane->normal[0]), ny = f8_set(plane->normal[1]), nz = f8_set(plane->normal[2]);
    F8 at = f8_set(plane->at);
    for (int k = 0; k < THAW_WALL_POINTS; k += 8) {
        F8 along = f8_add(f8_mul(nx, f8_load(q->x + k)), f8_mul(ny, f8_load(q->y + k)));
        F8 flat = f8_add(at, f8_add(along, f8_mul(nz, f8_load(q->z + k))));
        F8 gone = ball_part(f8_mul(flat, f8_load(q->sharpness + k)));
        f8_store(part + k, f8_sub(f8_load(part + k), gone));
    }
}

// lanes in order
static double add_lanes(F8 lanes) {
    float each[8];
    double sum = 0;
    f8_store(each, lanes);
    for (int l = 0; l < 8; l++) sum += (double)each[l];
    return sum;
}

static void sum_parts(const ThawQuadrature *q, const float *part, double sums[4]) {
    F8 share = f8_set(0), x = share, y = share, z = share;
    for (int k = 0; k < THAW_WALL_POINTS; k += 8) {
        F8 p = f8_load(part + k);
        share = f8_add(share, f8_mul(f8_load(q->weight + k), p));
        x = f8_add(x, f8_mul(f8_load(q->gx + k), p));
        y = f8_add(y, f8_mul(f8_load(q->gy + k), p));
        z = f8_add(z, f8_mul(f8_load(q->gz + k), p));
    }
    sums[0] = add_lanes(share);
    sums[1] = add_lanes(x);
    sums[2] = add_lanes(y);
    sums[3] = add_lanes(z);
}

const ThawSolidLoops *THAW_WIDE(thaw_solid_loops)(void);
const ThawSolidLoops *THAW_WIDE(thaw_solid_loops)(void) {
    static const ThawSolidLoops loops = {place, measure, nearer, add, take_plane, sum_parts};
    return &loops;
}
