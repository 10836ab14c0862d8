// Pairs of triangles that cross. Each leaf walks the tree for the leaves that overlap it and come after it, and
// their triangles are set against its own.
//
// Two convex flat pieces cross unless some direction keeps them apart: one of their normals, of their edges'
// cross products, or of the edges' normals within the planes. Touching is not crossing: a corner may lie on
// another triangle, as it does wherever a fine mesh meets a coarse one.
#include "base/memory.h"
#include "geometry/bvh_internal.h"
#include "geometry/triangle.h"

#define CHUNK 64    // leaves a parallel chunk
#define SLACK 1e-9  // of the longest edge: less is touching
#define LEAST 1e-12 // squared sine of the angle of edges that are not parallel

typedef struct Triangle {
    ThawVec3 corner[3];
    ThawVec3 lower, upper;
} Triangle;

typedef struct Leaf {
    Triangle triangles[THAW_BVH_WIDTH];
    uint32_t count;
    ThawVec3 lower, upper;
} Leaf;

typedef struct Job {
    const ThawBvh *bvh;
    uint64_t *counts; // one a chunk
} Job;

// numbers are finite: no need for the library's care of others
static double lesser(double a, double b) {
    return a < b ? a : b;
}

static double greater(double a, double b) {
    return a > b ? a : b;
}

static ThawVec3 lower_of(ThawVec3 a, ThawVec3 b) {
    return thaw_vec(lesser(a.x, b.x), lesser(a.y, b.y), lesser(a.z, b.z));
}

static ThawVec3 upper_of(ThawVec3 a, ThawVec3 b) {
    return thaw_vec(greater(a.x, b.x), greater(a.y, b.y), greater(a.z, b.z));
}

static bool boxes_meet(ThawVec3 lower, ThawVec3 upper, const Triangle *t) {
    return lower.x <= t->upper.x && t->lower.x <= upper.x && lower.y <= t->upper.y &&
           t->lower.y <= upper.y && lower.z <= t->upper.z && t->lower.z <= upper.z;
}

// ---------------------------------------------------------------- two triangles

// the stretch that a triangle covers along an axis, from a point
typedef struct Stretch {
    double low, high;
} Stretch;

static Stretch project(const Triangle *t, ThawVec3 from, ThawVec3 axis) {
    double a = thaw_dot(thaw_sub(t->corner[0], from), axis);
    double b = thaw_dot(thaw_sub(t->corner[1], from), axis);
    double c = thaw_dot(thaw_sub(t->corner[2], from), axis);
    return (Stretch){lesser(a, lesser(b, c)), greater(a, greater(b, c))};
}

// whether the two overlap along the axis by less than `slack`
static bool keeps_apart(const Triangle *a, const Triangle *b, ThawVec3 axis, double slack) {
    Stretch one = project(a, a->corner[0], axis), other = project(b, a->corner[0], axis);
    double overlap = lesser(one.high - other.low, other.high - one.low);
    return overlap <= slack * thaw_length(axis);
}

static ThawVec3 edge_of(const Triangle *t, int k) {
    return thaw_sub(t->corner[(k + 1) % 3], t->corner[k]);
}

static bool kept_apart_in_plane(const Triangle *a, const Triangle *b, ThawVec3 normal,
                                double slack) {
    for (int k = 0; k < 3; k++) {
        if (keeps_apart(a, b, thaw_cross(normal, edge_of(a, k)), slack)) return true;
    }
    return false;
}

static bool kept_apart_by_edges(const Triangle *a, const Triangle *b, double slack) {
    for (int k = 0; k < 9; k++) {
        ThawVec3 e = edge_of(a, k / 3), f = edge_of(b, k % 3), axis = thaw_cross(e, f);
        if (thaw_dot(axis, axis) <= LEAST * thaw_dot(e, e) * thaw_dot(f, f)) continue;
        if (keeps_apart(a, b, axis, slack)) return true;
    }
    return false;
}

// on which sides of a plane a triangle lies: 0 both, 1 one of them or touching, 2 within the plane
static int judge_sides(const Triangle *t, ThawVec3 from, ThawVec3 normal, double slack) {
    Stretch over = project(t, from, normal);
    slack *= thaw_length(normal);
    if (over.low >= -slack && over.high <= slack) return 2;
    return over.low >= -slack || over.high <= slack;
}

static bool cross(const Triangle *a, const Triangle *b) {
    if (thaw_triangle_flat(a->corner) || thaw_triangle_flat(b->corner)) return false;
    double longest = greater(thaw_triangle_longest(a->corner), thaw_triangle_longest(b->corner));
    double slack = SLACK * sqrt(longest);
    ThawVec3 na = thaw_triangle_normal(a->corner), nb = thaw_triangle_normal(b->corner);
    int sides_b = judge_sides(b, a->corner[0], na, slack);
    int sides_a = judge_sides(a, b->corner[0], nb, slack);
    bool coplanar = sides_a == 2 || sides_b == 2;
    if (!coplanar && (sides_a != 0 || sides_b != 0)) return false;
    if (kept_apart_in_plane(a, b, na, slack) || kept_apart_in_plane(b, a, nb, slack)) return false;
    return coplanar || !kept_apart_by_edges(a, b, slack);
}

// how many corners of one lie at the place of a corner of the other
static int common_corners(const Triangle *a, const Triangle *b) {
    int common = 0;
    for (int i = 0; i < 3; i++) {
        bool same = false;
        for (int j = 0; j < 3; j++) {
            same |= a->corner[i].x == b->corner[j].x && a->corner[i].y == b->corner[j].y &&
                    a->corner[i].z == b->corner[j].z;
        }
        common += same;
    }
    return common;
}

static bool pair_counts(const Triangle *a, const Triangle *b) {
    int common = common_corners(a, b);
    if (common == 3) return !thaw_triangle_flat(a->corner) && !thaw_triangle_flat(b->corner);
    return common == 0 && cross(a, b);
}

// ---------------------------------------------------------------- leaves

static void load_leaf(const ThawBvh *bvh, uint32_t packet, Leaf *leaf) {
    leaf->count = 0;
    for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) {
        uint32_t number = bvh->packets[packet].triangle[lane];
        if (number == THAW_BVH_NONE) break;
        Triangle *t = &leaf->triangles[leaf->count++];
        thaw_triangle_corners(&bvh->mesh, number, t->corner);
        t->lower = lower_of(t->corner[0], lower_of(t->corner[1], t->corner[2]));
        t->upper = upper_of(t->corner[0], upper_of(t->corner[1], t->corner[2]));
        leaf->lower = lane == 0 ? t->lower : lower_of(leaf->lower, t->lower);
        leaf->upper = lane == 0 ? t->upper : upper_of(leaf->upper, t->upper);
    }
}

static uint64_t count_within(const Leaf *leaf) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < leaf->count; i++) {
        for (uint32_t j = i + 1; j < leaf->count; j++) {
            const Triangle *a = &leaf->triangles[i], *b = &leaf->triangles[j];
            count += boxes_meet(a->lower, a->upper, b) && pair_counts(a, b);
        }
    }
    return count;
}

static uint64_t count_between(const Leaf *leaf, const Leaf *other) {
    uint64_t count = 0;
    for (uint32_t j = 0; j < other->count; j++) {
        const Triangle *b = &other->triangles[j];
        if (!boxes_meet(leaf->lower, leaf->upper, b)) continue;
        for (uint32_t i = 0; i < leaf->count; i++) {
            const Triangle *a = &leaf->triangles[i];
            count += boxes_meet(a->lower, a->upper, b) && pair_counts(a, b);
        }
    }
    return count;
}

// the children of a node whose boxes meet the leaf's, in the tree's frame
static uint32_t push_children(const ThawBvhNode *node, const float lower[3], const float upper[3],
                              uint32_t *stack, uint32_t top) {
    for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) {
        bool meet = true;
        for (int k = 0; k < 3; k++) {
            meet &= node->lower[k][lane] <= upper[k] && lower[k] <= node->upper[k][lane];
        }
        if (meet) stack[top++] = node->child[lane];
    }
    return top;
}

static uint64_t count_of_leaf(const ThawBvh *bvh, uint32_t packet) {
    Leaf leaf, other;
    load_leaf(bvh, packet, &leaf);
    double low[3], high[3];
    float lower[3], upper[3];
    thaw_bvh_to_tree(bvh, (double[3]){leaf.lower.x, leaf.lower.y, leaf.lower.z}, low);
    thaw_bvh_to_tree(bvh, (double[3]){leaf.upper.x, leaf.upper.y, leaf.upper.z}, high);
    for (int k = 0; k < 3; k++) {
        lower[k] = (float)low[k] - THAW_BVH_SLACK;
        upper[k] = (float)high[k] + THAW_BVH_SLACK;
    }
    uint64_t count = count_within(&leaf);
    uint32_t stack[THAW_BVH_STACK], top = 1;
    stack[0] = 0;
    while (top > 0) {
        uint32_t child = stack[--top], number = child & ~THAW_BVH_LEAF;
        if (!(child & THAW_BVH_LEAF)) {
            top = push_children(&bvh->nodes[child], lower, upper, stack, top);
        } else if (number > packet) {
            load_leaf(bvh, number, &other);
            count += count_between(&leaf, &other);
        }
    }
    return count;
}

static void count_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Job *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->bvh->packet_count, CHUNK);
    uint64_t count = 0;
    for (uint32_t p = range.begin; p < range.end; p++) count += count_of_leaf(job->bvh, p);
    job->counts[chunk] = count;
}

uint64_t thaw_bvh_crossings(const ThawBvh *bvh, ThawParallel *parallel) {
    if (bvh->packet_count == 0) return 0;
    uint32_t chunks = thaw_chunk_count(bvh->packet_count, CHUNK);
    uint64_t total = 0;
    Job job = {bvh, thaw_alloc(chunks * sizeof(uint64_t))};
    if (job.counts == NULL) { // no memory for a number a chunk: one after the other
        for (uint32_t p = 0; p < bvh->packet_count; p++) total += count_of_leaf(bvh, p);
        return total;
    }
    thaw_parallel_run(parallel, count_chunk, &job, chunks);
    for (uint32_t c = 0; c < chunks; c++) total += job.counts[c];
    thaw_free(job.counts);
    return total;
}
