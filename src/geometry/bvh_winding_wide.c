// The winding number (Jacobson et al. 2013; fast: Barill et al. 2018): far parts of the surface as distant that
// change across them, near triangles by their solid angles (van Oosterom and Strackee 1983).
//
// Half a solid angle is the angle of a complex number. Instead of an arc tangent for each triangle, each lane
// multiplies these numbers and counts the turns past π.
#include "geometry/bvh_internal.h"

#include "simd/wide.h"

#include <float.h>
#include <math.h>

#define PI 3.14159265358979323846
#define LEAVES 64 // near leaves that are listed before they are added

typedef struct V8 {
    F8 x, y, z;
} V8;

// A lane's sum of angles is arg(re + i im) + 2 π turns.
typedef struct Angles {
    F8 re, im, turns;
} Angles;

// Nodes and leaves in turn, each in a loop of its own: in one, the plain build takes minutes to instrument.
typedef struct Walk {
    const ThawBvh *bvh;
    double place[3]; // in the tree's frame
    F8 far;
    Angles near;
    uint32_t stack[THAW_BVH_STACK], top; // nodes
    uint32_t leaves[LEAVES], leaf_count;
} Walk;

static F8 v8_dot(V8 a, V8 b) {
    return f8_fma(a.x, b.x, f8_fma(a.y, b.y, f8_mul(a.z, b.z)));
}
static V8 v8_cross(V8 a, V8 b) {
    return (V8){f8_nma(a.z, b.y, f8_mul(a.y, b.z)), f8_nma(a.x, b.z, f8_mul(a.z, b.x)),
                f8_nma(a.y, b.x, f8_mul(a.x, b.y))};
}
static V8 corner_from(const float corner[3][8], V8 p) {
    return (V8){f8_sub(f8_load(corner[0]), p.x), f8_sub(f8_load(corner[1]), p.y),
                f8_sub(f8_load(corner[2]), p.z)};
}

// 1 where a >= 0 (or b >= 0, ...) for all, else 0; strictly below zero is the other case
static F8 where_not_negative(F8 a, F8 yes, F8 no) {
    return f8_where(f8_set(0), a, yes, no);
}

// adds the angle of re + i im, which is in (−π, π], to each lane
static Angles add_angles(Angles sum, F8 re, F8 im) {
    F8 zero = f8_set(0), one = f8_set(1);
    F8 new_re = f8_nma(sum.im, im, f8_mul(sum.re, re));
    F8 new_im = f8_add(f8_fma(sum.re, im, f8_mul(sum.im, re)), zero); // −0 becomes 0
    // two angles that are both not negative pass π when their sum's sine is; and the other way about
    F8 up = where_not_negative(
        im, where_not_negative(sum.im, where_not_negative(new_im, zero, one), zero), zero);
    F8 down = where_not_negative(
        im, zero, where_not_negative(sum.im, zero, where_not_negative(new_im, one, zero)));
    // keep the numbers near 1
    F8 size = f8_max(f8_max(f8_abs(new_re), f8_abs(new_im)), f8_set(FLT_MIN));
    F8 shrink = f8_div(one, size);
    return (Angles){f8_mul(new_re, shrink), f8_mul(new_im, shrink),
                    f8_add(sum.turns, f8_sub(up, down))};
}

static Angles add_packet(Angles sum, const ThawBvhPacket *packet, const double place[3]) {
    V8 p = {f8_set((float)(place[0] - (double)packet->origin[0])),
            f8_set((float)(place[1] - (double)packet->origin[1])),
            f8_set((float)(place[2] - (double)packet->origin[2]))};
    V8 a = corner_from(packet->corner[0], p), b = corner_from(packet->corner[1], p);
    V8 c = corner_from(packet->corner[2], p);
    F8 la = f8_sqrt(v8_dot(a, a)), lb = f8_sqrt(v8_dot(b, b)), lc = f8_sqrt(v8_dot(c, c));
    F8 im = v8_dot(a, v8_cross(b, c));
    F8 re = f8_mul(la, f8_mul(lb, lc));
    re = f8_fma(v8_dot(a, b), lc, re);
    re = f8_fma(v8_dot(b, c), la, re);
    re = f8_fma(v8_dot(c, a), lb, re);
    // a point on a corner, or a triangle too small for floats: no angle
    F8 size = f8_max(f8_abs(re), f8_abs(im)), least = f8_set(FLT_MIN);
    re = f8_where(size, least, f8_set(1), re);
    im = f8_where(size, least, f8_set(0), im);
    return add_angles(sum, re, im);
}

// xx, yy, zz, xy, yz, zx
static F8 quadratic_form(const float (*c)[8], V8 d) {
    F8 x = f8_fma(f8_load(c[0]), d.x, f8_mul(f8_load(c[3]), d.y));
    F8 y = f8_fma(f8_load(c[1]), d.y, f8_mul(f8_load(c[4]), d.z));
    F8 z = f8_fma(f8_load(c[2]), d.z, f8_mul(f8_load(c[5]), d.x));
    return v8_dot((V8){x, y, z}, d);
}

static F8 linear_form(const float *x, const float *y, const float *z, V8 d) {
    return f8_fma(f8_load(x), d.x, f8_fma(f8_load(y), d.y, f8_mul(f8_load(z), d.z)));
}

// xxx, yyy, zzz, xxy, xxz, yyx, yyz, zzx, zzy, xyz
static F8 cubic_form(const float (*c)[8], V8 d) {
    F8 x = f8_fma(linear_form(c[0], c[3], c[4], d), d.x, f8_mul(f8_load(c[9]), f8_mul(d.y, d.z)));
    F8 y = f8_mul(linear_form(c[5], c[1], c[6], d), d.y);
    F8 z = f8_mul(linear_form(c[7], c[8], c[2], d), d.z);
    return v8_dot((V8){x, y, z}, d);
}

// adds what the far children give to *sum; returns which children are near
static uint32_t add_far(const ThawBvhMoments *moments, V8 p, F8 *sum) {
    V8 d = corner_from(moments->center, p);
    F8 squared = v8_dot(d, d), near = f8_load(moments->near);
    // n·d / r³ + quadratic / r⁵ + cubic / r⁷
    F8 inverse = f8_div(f8_set(1), f8_max(squared, f8_set(1e-14f)));
    const float(*n)[8] = moments->normal;
    F8 angle =
        f8_fma(cubic_form(moments->cubic, d), inverse, quadratic_form(moments->quadratic, d));
    angle = f8_fma(angle, inverse, linear_form(n[0], n[1], n[2], d));
    angle = f8_mul(angle, f8_mul(inverse, f8_sqrt(inverse)));
    *sum = f8_add(*sum, f8_where(squared, near, f8_set(0), angle));
    return f8_below(squared, near);
}

static double sum_up(F8 far, Angles near) {
    float distant[8], re[8], im[8], turns[8];
    f8_store(distant, far);
    f8_store(re, near.re);
    f8_store(im, near.im);
    f8_store(turns, near.turns);
    double sum = 0;
    for (int k = 0; k < 8; k++) {
        double half = (double)atan2f(im[k], re[k]) + 2 * PI * (double)turns[k];
        sum += (double)distant[k] + 2 * half;
    }
    return sum / (4 * PI);
}

// goes through nodes until the list of near leaves is full
__attribute__((noinline)) static void walk_nodes(Walk *walk) {
    V8 p = {f8_set((float)walk->place[0]), f8_set((float)walk->place[1]),
            f8_set((float)walk->place[2])};
    F8 far = walk->far;
    while (walk->top > 0 && walk->leaf_count <= LEAVES - THAW_BVH_WIDTH) {
        uint32_t node = walk->stack[--walk->top];
        const uint32_t *child = walk->bvh->nodes[node].child;
        for (uint32_t open = add_far(&walk->bvh->moments[node], p, &far); open != 0;
             open &= open - 1) {
            uint32_t next = child[__builtin_ctz(open)];
            if (next & THAW_BVH_LEAF)
                walk->leaves[walk->leaf_count++] = next & ~THAW_BVH_LEAF;
            else
                walk->stack[walk->top++] = next;
        }
    }
    walk->far = far;
}

// adds the leaves of the list and empties it
__attribute__((noinline)) static void add_leaves(Walk *walk) {
    Angles near = walk->near;
    for (uint32_t k = 0; k < walk->leaf_count; k++) {
        near = add_packet(near, &walk->bvh->packets[walk->leaves[k]], walk->place);
    }
    walk->near = near;
    walk->leaf_count = 0;
}

double THAW_WIDE(thaw_bvh_find_winding)(const ThawBvh *bvh, ThawVec3 point) {
    if (bvh->node_count == 0) return 0;
    Walk walk;
    walk.bvh = bvh;
    thaw_bvh_to_tree(bvh, (double[3]){point.x, point.y, point.z}, walk.place);
    for (int k = 0; k < 3; k++) walk.place[k] = fmin(fmax(walk.place[k], -1e12), 1e12);
    walk.far = f8_set(0);
    walk.near = (Angles){f8_set(1), f8_set(0), f8_set(0)};
    walk.leaf_count = 0;
    walk.stack[0] = 0;
    walk.top = 1;
    while (walk.top > 0) {
        walk_nodes(&walk);
        add_leaves(&walk);
    }
    return sum_up(walk.far, walk.near);
}
