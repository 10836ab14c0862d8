// A tree of boxes over the triangles of a mesh: closest point, winding number, rays and crossings. Any mesh
// will do, however broken. Points in the mesh's frame, metres; nothing is copied, so the arrays must outlive it.
#ifndef THAW_GEOMETRY_BVH_H
#define THAW_GEOMETRY_BVH_H

#include "parallel/parallel.h"
#include <thaw/mesh.h>

typedef struct ThawBvh ThawBvh;

// Built in parallel, the same for any number of threads.
ThawResult thaw_bvh_create(const ThawMesh *mesh, ThawParallel *parallel, ThawBvh **bvh);
void thaw_bvh_destroy(ThawBvh *bvh);
size_t thaw_bvh_bytes(const ThawBvh *bvh);

typedef struct ThawBvhHit {
    double distance; // from the point, or along the ray in units of its direction
    uint32_t triangle;
    double weight[3]; // barycentric
    ThawVec3 point;   // on the triangle
} ThawBvhHit;

// The closest point of the mesh within `reach`; false when there is none. On a tie the lowest triangle.
bool thaw_bvh_closest(const ThawBvh *bvh, ThawVec3 point, double reach, ThawBvhHit *hit);

// How often the surface winds about the point: 1 inside a closed mesh, 0 outside, between them near holes; to
// about 0.01 by far clusters as a series, exact near by. A turned-over mesh gives −1 inside.
double thaw_bvh_winding(const ThawBvh *bvh, ThawVec3 point);

// The first triangle that the ray point + t direction meets for 0 < t <= reach.
bool thaw_bvh_ray(const ThawBvh *bvh, ThawVec3 point, ThawVec3 direction, double reach,
                  ThawBvhHit *hit);

// Pairs of triangles that cross, or overlap in one plane, and have no common point (by place, not by index); and
// pairs with all three points in common. Touching is not crossing; triangles without area cross nothing.
uint64_t thaw_bvh_crossings(const ThawBvh *bvh, ThawParallel *parallel);

#endif
