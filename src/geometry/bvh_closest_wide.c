// The closest point. Boxes and triangles are looked at eight at a time in floats, nearest first; only triangles
// that may hold the closest point are measured in double. What floats say is widened by more than they can err,
// so that the answer is the same, in every bit, as measuring every triangle.
#include "geometry/bvh_internal.h"
#include "geometry/triangle.h"

#include "simd/wide.h"

#include <float.h>

typedef struct V8 {
    F8 x, y, z;
} V8;

typedef struct Entry {
    float squared; // at least so far away
    uint32_t child;
} Entry;

typedef struct Search {
    const ThawBvh *bvh;
    ThawVec3 point;           // m
    double place[3];          // in the tree's frame
    float below[3], above[3]; // the same, rounded down and up
    ThawTrianglePoint best;
    uint32_t triangle;
    float bound; // squared, tree's frame: children farther than this hold nothing closer
} Search;

static V8 v8_load(const float rows[3][8]) {
    return (V8){f8_load(rows[0]), f8_load(rows[1]), f8_load(rows[2])};
}
static V8 v8_sub(V8 a, V8 b) {
    return (V8){f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z)};
}
static F8 v8_dot(V8 a, V8 b) {
    return f8_fma(a.x, b.x, f8_fma(a.y, b.y, f8_mul(a.z, b.z)));
}
static V8 v8_cross(V8 a, V8 b) {
    return (V8){f8_nma(a.z, b.y, f8_mul(a.y, b.z)), f8_nma(a.x, b.z, f8_mul(a.z, b.x)),
                f8_nma(a.y, b.x, f8_mul(a.x, b.y))};
}

// squared distance to the edge from `a` along `ab`; ap = p − a
static F8 edge_squared(V8 ap, V8 ab) {
    F8 zero = f8_set(0), one = f8_set(1);
    F8 t = f8_div(v8_dot(ap, ab), f8_max(v8_dot(ab, ab), f8_set(FLT_MIN)));
    t = f8_min(f8_max(t, zero), one);
    V8 off = {f8_nma(t, ab.x, ap.x), f8_nma(t, ab.y, ap.y), f8_nma(t, ab.z, ap.z)};
    return v8_dot(off, off);
}

// squared distances to eight triangles: the edges', or the plane's where the foot lies within
static F8 triangles_squared(const ThawBvhPacket *packet, V8 p) {
    V8 a = v8_load(packet->corner[0]), b = v8_load(packet->corner[1]);
    V8 c = v8_load(packet->corner[2]);
    V8 ab = v8_sub(b, a), ac = v8_sub(c, a), bc = v8_sub(c, b), ap = v8_sub(p, a);
    F8 edges =
        f8_min(f8_min(edge_squared(ap, ab), edge_squared(ap, ac)), edge_squared(v8_sub(p, b), bc));
    V8 n = v8_cross(ab, ac);
    F8 whole = v8_dot(n, n), up = v8_dot(ap, n);
    F8 v = v8_dot(v8_cross(ap, ac), n), w = v8_dot(v8_cross(ab, ap), n);
    F8 plane = f8_div(f8_mul(up, up), f8_max(whole, f8_set(FLT_MIN)));
    // the least of the three weights says whether the foot is within
    F8 within = f8_min(f8_min(v, w), f8_sub(f8_sub(whole, v), w));
    return f8_where(f8_set(0), within, f8_min(edges, plane), edges);
}

// squared distances to eight boxes, rounded towards less
static F8 boxes_squared(const ThawBvhNode *node, const Search *search) {
    F8 sum = f8_set(0);
    for (int k = 0; k < 3; k++) {
        F8 under = f8_sub(f8_load(node->lower[k]), f8_set(search->above[k]));
        F8 over = f8_sub(f8_set(search->below[k]), f8_load(node->upper[k]));
        F8 out = f8_max(f8_max(under, over), f8_set(0));
        sum = f8_fma(out, out, sum);
    }
    return f8_mul(sum, f8_set(0.99999f));
}

static void set_bound(Search *search) {
    double scale = search->bvh->scale;
    double squared = search->best.squared * scale * scale * 1.000001 + (double)FLT_MIN;
    search->bound = squared < (double)FLT_MAX ? (float)squared : FLT_MAX;
}

static void measure(Search *search, uint32_t triangle) {
    ThawVec3 corner[3];
    thaw_triangle_corners(&search->bvh->mesh, triangle, corner);
    ThawTrianglePoint found = thaw_closest_on_triangle(search->point, corner);
    if (found.squared > search->best.squared) return;
    if (found.squared == search->best.squared && triangle > search->triangle) return;
    search->best = found;
    search->triangle = triangle;
    set_bound(search);
}

// the bound for triangles of a leaf, in its floats: these err by at most `slack` in distance, which is more than
// the width of a triangle so thin that its plane is lost in rounding
static float widen(float bound, float slack) {
    return bound < FLT_MAX ? bound + slack * (2 * sqrtf(bound) + slack) : FLT_MAX;
}

static void search_packet(Search *search, const ThawBvhPacket *packet) {
    float p[3], far = 0;
    for (int k = 0; k < 3; k++) {
        p[k] = (float)(search->place[k] - (double)packet->origin[k]);
        far += fabsf(p[k]);
    }
    V8 place = {f8_set(p[0]), f8_set(p[1]), f8_set(p[2])};
    F8 squared = triangles_squared(packet, place);
    float slack = 2e-3f * packet->extent + 1e-5f * far;
    uint32_t left = f8_below(squared, f8_set(widen(search->bound, slack)));
    if (left == 0) return;
    float lanes[8];
    f8_store(lanes, squared);
    // the nearest first: it usually rules out the others
    while (left != 0) {
        uint32_t lane = 8;
        for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(rest);
            if (lane == 8 || lanes[k] < lanes[lane]) lane = k;
        }
        left &= ~(1u << lane);
        if (packet->triangle[lane] == THAW_BVH_NONE) continue;
        measure(search, packet->triangle[lane]);
        left &= f8_below(squared, f8_set(widen(search->bound, slack)));
    }
}

// puts a node's children that may hold something closer on the stack, the nearest uppermost
static uint32_t push_children(const Search *search, const ThawBvhNode *node, Entry *stack,
                              uint32_t top) {
    F8 squared = boxes_squared(node, search);
    uint32_t left = f8_below(squared, f8_set(search->bound));
    float lanes[8];
    f8_store(lanes, squared);
    uint32_t base = top;
    for (; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), at = top++;
        while (at > base && stack[at - 1].squared < lanes[lane]) {
            stack[at] = stack[at - 1];
            at--;
        }
        stack[at] = (Entry){lanes[lane], node->child[lane]};
    }
    return top;
}

static void start(Search *search, ThawVec3 point, double reach) {
    search->point = point;
    thaw_bvh_to_tree(search->bvh, (double[3]){point.x, point.y, point.z}, search->place);
    for (int k = 0; k < 3; k++) {
        // points very far away are drawn nearer, which only makes boxes seem closer
        double at = fmin(fmax(search->place[k], -1e18), 1e18), slack = fabs(at) * 0x1p-22;
        search->below[k] = (float)(at - slack);
        search->above[k] = (float)(at + slack);
    }
    search->best.squared = reach * reach;
    search->triangle = THAW_BVH_NONE;
    set_bound(search);
}

bool THAW_WIDE(thaw_bvh_find_closest)(const ThawBvh *bvh, ThawVec3 point, double reach,
                                      ThawBvhHit *hit) {
    if (bvh->node_count == 0 || !(reach >= 0)) return false;
    Search search = {.bvh = bvh};
    start(&search, point, reach);
    Entry stack[THAW_BVH_STACK];
    uint32_t top = 1;
    stack[0] = (Entry){0, 0};
    while (top > 0) {
        Entry entry = stack[--top];
        if (entry.squared > search.bound) continue;
        if (entry.child & THAW_BVH_LEAF)
            search_packet(&search, &bvh->packets[entry.child & ~THAW_BVH_LEAF]);
        else
            top = push_children(&search, &bvh->nodes[entry.child], stack, top);
    }
    if (search.triangle == THAW_BVH_NONE) return false;
    hit->distance = sqrt(search.best.squared);
    hit->triangle = search.triangle;
    for (int k = 0; k < 3; k++) hit->weight[k] = search.best.weight[k];
    hit->point = search.best.point;
    return true;
}
