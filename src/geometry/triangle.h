// One triangle, in double precision: its corners, its area, its point closest to a given one.
#ifndef THAW_GEOMETRY_TRIANGLE_H
#define THAW_GEOMETRY_TRIANGLE_H

#include "math/vec.h"
#include <thaw/mesh.h>

static inline void thaw_triangle_corners(const ThawMesh *mesh, uint32_t triangle,
                                         ThawVec3 corner[3]) {
    for (int k = 0; k < 3; k++) {
        const double *at = mesh->points[mesh->triangles[triangle][k]];
        corner[k] = thaw_vec(at[0], at[1], at[2]);
    }
}

// Across the triangle, as long as twice its area.
static inline ThawVec3 thaw_triangle_normal(const ThawVec3 corner[3]) {
    return thaw_cross(thaw_sub(corner[1], corner[0]), thaw_sub(corner[2], corner[0]));
}

// The longest edge's square.
static inline double thaw_triangle_longest(const ThawVec3 corner[3]) {
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        ThawVec3 edge = thaw_sub(corner[(k + 1) % 3], corner[k]);
        longest = fmax(longest, thaw_dot(edge, edge));
    }
    return longest;
}

// Without area: at most 1e-12 of the longest edge's square.
static inline bool thaw_triangle_flat(const ThawVec3 corner[3]) {
    return thaw_length(thaw_triangle_normal(corner)) <= 2e-12 * thaw_triangle_longest(corner);
}

typedef struct ThawTrianglePoint {
    double squared; // distance squared
    double weight[3];
    ThawVec3 point;
} ThawTrianglePoint;

// One fixed order of the ends of an edge, so that the triangles on both its sides get the same bits.
static inline bool thaw_edge_turned(ThawVec3 a, ThawVec3 b) {
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

// Replaces *best by the closest point of the edge from corner i to corner j, if that is closer.
static inline void thaw_closest_on_edge(ThawVec3 p, const ThawVec3 corner[3], int i, int j,
                                        ThawTrianglePoint *best) {
    if (thaw_edge_turned(corner[i], corner[j])) {
        int swap = i;
        i = j;
        j = swap;
    }
    ThawVec3 a = corner[i], along = thaw_sub(corner[j], a);
    double length2 = thaw_dot(along, along), t = thaw_dot(thaw_sub(p, a), along);
    ThawVec3 point;
    if (t <= 0 || length2 <= 0) {
        t = 0;
        point = a;
    } else if (t >= length2) {
        t = 1;
        point = corner[j];
    } else {
        t /= length2;
        point = thaw_add(a, thaw_scale(along, t));
    }
    ThawVec3 off = thaw_sub(p, point);
    double squared = thaw_dot(off, off);
    if (squared >= best->squared) return;
    *best = (ThawTrianglePoint){.squared = squared, .point = point};
    best->weight[i] = 1 - t;
    best->weight[j] = t;
}

// The foot of the point on the triangle's plane, where it lies within; returns how far from a needle the triangle
// is: the squared sine of its angle at the first corner, 0 when the foot lies outside.
static inline double thaw_closest_on_face(ThawVec3 p, const ThawVec3 corner[3],
                                          ThawTrianglePoint *best) {
    ThawVec3 a = corner[0], ab = thaw_sub(corner[1], a), ac = thaw_sub(corner[2], a);
    ThawVec3 ap = thaw_sub(p, a), n = thaw_cross(ab, ac);
    double whole = thaw_dot(n, n);
    double v = thaw_dot(thaw_cross(ap, ac), n), w = thaw_dot(thaw_cross(ab, ap), n);
    if (!(v > 0 && w > 0 && v + w < whole)) return 0;
    v /= whole;
    w /= whole;
    ThawVec3 point = thaw_add(a, thaw_add(thaw_scale(ab, v), thaw_scale(ac, w)));
    ThawVec3 off = thaw_sub(p, point);
    *best = (ThawTrianglePoint){thaw_dot(off, off), {1 - v - w, v, w}, point};
    return whole / (thaw_dot(ab, ab) * thaw_dot(ac, ac));
}

static inline ThawTrianglePoint thaw_closest_on_triangle(ThawVec3 p, const ThawVec3 corner[3]) {
    ThawTrianglePoint best = {.squared = INFINITY};
    // the plane of a needle is uncertain: then its edges are asked too
    if (thaw_closest_on_face(p, corner, &best) > 1e-12) return best;
    thaw_closest_on_edge(p, corner, 0, 1, &best);
    thaw_closest_on_edge(p, corner, 1, 2, &best);
    thaw_closest_on_edge(p, corner, 2, 0, &best);
    return best;
}

#endif
