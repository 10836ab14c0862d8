// The tree's parts, for the files that build and search it.
//
// Eight children a node and eight triangles a leaf, so that one vector instruction looks at all of them. Boxes,
// corners and moments are floats in the tree's own frame: the mesh moved to its middle and scaled by a power of
// two into −1 .. 1. They only steer the search: what is returned is computed in double from the mesh itself.
#ifndef THAW_GEOMETRY_BVH_INTERNAL_H
#define THAW_GEOMETRY_BVH_INTERNAL_H

#include "geometry/bvh.h"
#include "simd/isa.h"

#define THAW_BVH_WIDTH 8
#define THAW_BVH_NONE UINT32_MAX  // no child, no triangle
#define THAW_BVH_LEAF 0x80000000u // a child's mark: the rest is a packet's number
#define THAW_BVH_DEPTH 44         // most nodes from the root to a leaf; the builder keeps it
#define THAW_BVH_STACK (7 * THAW_BVH_DEPTH + THAW_BVH_WIDTH)
#define THAW_BVH_SLACK 0x1p-23f // boxes are this much larger to each side: more than floats round

// Absent children have boxes at infinity.
typedef struct ThawBvhNode {
    float lower[3][THAW_BVH_WIDTH], upper[3][THAW_BVH_WIDTH];
    uint32_t child[THAW_BVH_WIDTH];
} ThawBvhNode;

// Each child from afar: forms in the way d to its area's middle c, of its points x and area vectors n (the first
// three terms of Barill et al. 2018), less what has a Laplacian. Absent children have none.
typedef struct ThawBvhMoments {
    float center[3][THAW_BVH_WIDTH];
    float normal[3][THAW_BVH_WIDTH];    // sum of n·d
    float quadratic[6][THAW_BVH_WIDTH]; // sum of −3 (x − c)·d n·d
    float cubic[10][THAW_BVH_WIDTH];    // sum of 15/2 ((x − c)·d)² n·d
    float near[THAW_BVH_WIDTH];         // squared distance up to which the child must be opened
} ThawBvhMoments;

// Up to eight triangles; lanes beyond them repeat a point of the first. Corners are from `origin`, so that
// floats are as fine as the leaf is small.
typedef struct ThawBvhPacket {
    float corner[3][3][THAW_BVH_WIDTH]; // corner, axis, lane
    float origin[3];
    float extent; // largest corner's distance from the origin, at least
    uint32_t triangle[THAW_BVH_WIDTH];
} ThawBvhPacket;

struct ThawBvh {
    ThawMesh mesh;
    ThawIsa isa;
    double center[3], scale; // tree = (mesh − center) scale
    ThawBvhNode *nodes;      // nodes[0] is the root
    ThawBvhMoments *moments; // one a node
    ThawBvhPacket *packets;
    uint32_t node_count, packet_count;
};

// A run of triangles, in the order of the builder, that becomes one leaf.
typedef struct ThawBvhRun {
    uint32_t begin, count;
} ThawBvhRun;

// What a part is from afar, while moments are summed from below.
typedef struct ThawBvhFar {
    double area, radius;
    ThawVec3 center, normal;
    double quadratic[6], cubic[10]; // sums of (x − center)·d n·d and ((x − center)·d)² n·d
} ThawBvhFar;

static inline void thaw_bvh_to_tree(const ThawBvh *bvh, const double point[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = (point[k] - bvh->center[k]) * bvh->scale;
}

// bvh_build.c: nodes, and the packets' triangles.
ThawResult thaw_bvh_build(ThawBvh *bvh, ThawParallel *parallel);
// bvh_fill.c: fills packet number `packet` with the triangles listed, and says what it is from afar.
ThawBvhFar thaw_bvh_fill_packet(ThawBvh *bvh, uint32_t packet, const uint32_t *triangles,
                                uint32_t count);
// Sets the moments of a node from what its children are, and says what it is itself.
ThawBvhFar thaw_bvh_sum_node(ThawBvh *bvh, uint32_t node, const ThawBvhFar children[8]);

// bvh_closest_wide.c, bvh_winding_wide.c
THAW_WIDE_DECLARE(bool, thaw_bvh_find_closest,
                  (const ThawBvh *bvh, ThawVec3 point, double reach, ThawBvhHit *hit));
THAW_WIDE_DECLARE(double, thaw_bvh_find_winding, (const ThawBvh *bvh, ThawVec3 point));

#endif
