// Distances from the corners of a brick to triangles, eight corners at a time.
//
// Everything is taken about the brick's middle: an edge is the point of its line nearest to the middle, a unit
// direction and a stretch, so that floats do for triangles of any size.
#include "geometry/field_raster.h"

#include "simd/wide_pick.h"

// what is known while triangles come in, in the order of the eights
typedef struct State {
    float square[THAW_CORNERS], away[THAW_CORNERS];
    uint32_t triangle[THAW_CORNERS];
    float most[THAW_EIGHTS + 4]; // of an eight: the farthest corner's distance
} State;

// a triangle about the brick's middle
typedef struct Local {
    float base[3][3], along[3][3], inward[3][3];
    float from[3], to[3];
    float normal[3], height;
    float center[3], radius; // of a sphere about it
} Local;

// a sphere about its middle
static void set_sphere(double corner[3][3], Local *local) {
    double center[3], most = 0;
    for (int a = 0; a < 3; a++) {
        center[a] = (corner[0][a] + corner[1][a] + corner[2][a]) * (1.0 / 3.0);
        local->center[a] = (float)center[a];
    }
    for (int k = 0; k < 3; k++) {
        double square = 0;
        for (int a = 0; a < 3; a++) {
            square += (corner[k][a] - center[a]) * (corner[k][a] - center[a]);
        }
        most = square > most ? square : most;
    }
    local->radius = (float)(sqrt(most) * 1.00001 + 1e-5);
}

// `corner` from the brick's middle
static void set_local(const ThawTriangleFrame *frame, double corner[3][3], Local *local) {
    double height = 0;
    for (int k = 0; k < 3; k++) {
        const double *from = corner[k];
        double t = 0;
        for (int a = 0; a < 3; a++) t -= from[a] * (double)frame->along[k][a];
        for (int a = 0; a < 3; a++) {
            local->base[k][a] = (float)(from[a] + t * (double)frame->along[k][a]);
        }
        local->from[k] = (float)-t;
        local->to[k] = (float)((double)frame->length[k] - t);
        height -= corner[0][k] * (double)frame->normal[k];
    }
    memcpy(local->along, frame->along, sizeof local->along);
    memcpy(local->inward, frame->inward, sizeof local->inward);
    memcpy(local->normal, frame->normal, sizeof local->normal);
    local->height = (float)height;
}

THAW_INLINE F8 dot(F8 ax, F8 ay, F8 az, const float *b) {
    return f8_fma(az, f8_set(b[2]), f8_fma(ay, f8_set(b[1]), f8_mul(ax, f8_set(b[0]))));
}

// squared distance to edge k; *within keeps the least of how far inside of the edges the corners are
THAW_INLINE F8 edge_square(const Local *local, int k, F8 x, F8 y, F8 z, F8 *within) {
    F8 rx = f8_sub(x, f8_set(local->base[k][0]));
    F8 ry = f8_sub(y, f8_set(local->base[k][1]));
    F8 rz = f8_sub(z, f8_set(local->base[k][2]));
    *within = f8_min(*within, dot(rx, ry, rz, local->inward[k]));
    F8 t = dot(rx, ry, rz, local->along[k]);
    t = f8_max(f8_min(t, f8_set(local->to[k])), f8_set(local->from[k]));
    rx = f8_nma(t, f8_set(local->along[k][0]), rx);
    ry = f8_nma(t, f8_set(local->along[k][1]), ry);
    rz = f8_nma(t, f8_set(local->along[k][2]), rz);
    return f8_fma(rz, rz, f8_fma(ry, ry, f8_mul(rx, rx)));
}

THAW_INLINE F8 center_square(const Local *local, F8 x, F8 y, F8 z) {
    F8 dx = f8_sub(x, f8_set(local->center[0])), dy = f8_sub(y, f8_set(local->center[1]));
    F8 dz = f8_sub(z, f8_set(local->center[2]));
    return f8_fma(dz, dz, f8_fma(dy, dy, f8_mul(dx, dx)));
}

// Of eight eights those that the triangle may come closer to than what they have: neither the sphere about it nor its
// plane may be too far from theirs.
THAW_INLINE uint32_t may_improve(const ThawBrickOrder *order, const State *state,
                                 const Local *local, int first) {
    F8 x = f8_load(order->middle[0] + first), y = f8_load(order->middle[1] + first);
    F8 z = f8_load(order->middle[2] + first);
    F8 reach = f8_add(f8_load(order->radius + first), f8_load(state->most + first));
    F8 h = f8_add(dot(x, y, z, local->normal), f8_set(local->height));
    F8 both = f8_add(reach, f8_set(local->radius));
    return f8_below(center_square(local, x, y, z), f8_mul(both, both)) & f8_below(f8_abs(h), reach);
}

THAW_INLINE void visit_eight(const ThawBrickOrder *order, const Local *local, uint32_t triangle,
                             int n, State *state) {
    size_t at = (size_t)n * 8;
    F8 x = f8_load(order->x + at), y = f8_load(order->y + at), z = f8_load(order->z + at);
    F8 best = f8_load(state->square + at);
    F8 h = f8_add(dot(x, y, z, local->normal), f8_set(local->height));
    F8 plane = f8_mul(h, h), within = f8_set(INFINITY);
    F8 reach = f8_add(f8_load(state->away + at), f8_set(local->radius));
    F8 square = center_square(local, x, y, z);
    if ((f8_below(f8_mul(reach, reach), square) | f8_below(best, plane)) == 0xff) return;
    F8 edges = edge_square(local, 0, x, y, z, &within);
    edges = f8_min(edges, edge_square(local, 1, x, y, z, &within));
    edges = f8_min(edges, edge_square(local, 2, x, y, z, &within));
    // a triangle without area is its edges: there `within` is 0
    F8 found = f8_where(within, f8_set(0), edges, plane);
    if (f8_below(best, found) == 0xff) return;
    I8 old = i8_load((const int32_t *)(const void *)(state->triangle + at));
    F8 chosen = f8_where(best, found, i8_bits(old), i8_bits(i8_set((int32_t)triangle)));
    found = f8_min(best, found);
    f8_store(state->square + at, found);
    i8_store((int32_t *)(void *)(state->triangle + at), f8_bits(chosen));
    found = f8_sqrt(found);
    f8_store(state->away + at, found);
    state->most[n] = f8_most(found);
}

static void visit_triangle(const ThawBrickOrder *order, const Local *local, uint32_t triangle,
                           State *state) {
    // all masks first: a loop over many bits is foretold better than many loops over a few
    for (int first = 0; first < THAW_EIGHTS; first += 48) {
        uint64_t mask = 0;
        for (int k = 0; k < 48; k += 8) {
            mask |= (uint64_t)may_improve(order, state, local, first + k) << k;
        }
        for (; mask != 0; mask &= mask - 1) {
            visit_eight(order, local, triangle, first + __builtin_ctzll(mask), state);
        }
    }
}

static void clear_state(State *state, float reach) {
    for (int k = 0; k < THAW_CORNERS; k++) {
        state->square[k] = reach * reach;
        state->away[k] = reach;
        state->triangle[k] = UINT32_MAX;
    }
    for (int k = 0; k < THAW_EIGHTS; k++) state->most[k] = reach;
    for (int k = THAW_EIGHTS; k < THAW_EIGHTS + 4; k++) state->most[k] = 0;
}

static void store_work(const ThawBrickOrder *order, const State *state, ThawBrickWork *work) {
    for (int k = 0; k < THAW_CORNERS; k++) {
        work->away[order->corner[k]] = state->away[k];
        work->triangle[order->corner[k]] = state->triangle[k];
    }
}

// the distance from the brick's middle from which nothing can improve any corner
static float farthest_use(const State *state) {
    F8 most = f8_load(state->most);
    for (int k = 8; k < THAW_EIGHTS + 4; k += 8) most = f8_max(most, f8_load(state->most + k));
    return f8_most(most) + 6.93f;
}

static bool is_too_far(const Local *local, float use) {
    const float *c = local->center;
    float reach = local->radius + use;
    return c[0] * c[0] + c[1] * c[1] + c[2] * c[2] > reach * reach;
}

void THAW_WIDE(thaw_brick_distances)(const ThawBrickTask *task, ThawBrickWork *work);
void THAW_WIDE(thaw_brick_distances)(const ThawBrickTask *task, ThawBrickWork *work) {
    // triangles far apart come first: what they leave prunes the rest
    static const uint8_t order[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    State state;
    clear_state(&state, task->reach);
    for (uint32_t turn = 0; turn < 16; turn++) {
        float use = farthest_use(&state);
        for (uint32_t k = order[turn]; k < task->count; k += 16) {
            double corner[3][3];
            Local local;
            thaw_raster_corners(task->field, task->triangles[k], corner);
            for (int n = 0; n < 9; n++) corner[n / 3][n % 3] -= (double)task->cell[n % 3] + 4.0;
            set_sphere(corner, &local);
            if (is_too_far(&local, use)) continue;
            set_local(&task->frames[task->triangles[k]], corner, &local);
            visit_triangle(task->order, &local, task->triangles[k], &state);
        }
    }
    store_work(task->order, &state, work);
}
