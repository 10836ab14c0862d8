// What is wrong with a mesh, and its measures. Solid is where the winding number is beyond ± 0.6.
#ifndef THAW_GEOMETRY_MESH_INSPECT_H
#define THAW_GEOMETRY_MESH_INSPECT_H

#include "geometry/bvh.h"

// Checks indices and finite points; the sentence names what is wrong and where.
ThawResult thaw_mesh_check(const ThawMesh *mesh);

typedef struct ThawMeshFaults {
    uint32_t degenerate;    // triangles without area: at most 1e-12 of their longest edge's square
    uint32_t open_edges;    // with one triangle; points at the same place count as one
    uint32_t crowded_edges; // with three or more
    uint32_t turned_edges;  // whose two triangles are wound against each other
    uint64_t self_intersections; // as thaw_bvh_crossings counts them
    double area;                 // m²
    double thickness; // m: least way through solid between nearly parallel faces, 0 = none found
    double sheets;    // 0..1: share of triangles with no solid on either side
} ThawMeshFaults;

// Thickness and sheets come from rays and from the two sides of at most 20,000 triangles, evenly chosen. Faces within
// 30° of parallel count: every wedge is thin at its tip. A sheet is what a solid loses: an open face far from others,
// a wall whose two faces lie at one place.
// Needs memory; fails only for want of it.
ThawResult thaw_mesh_inspect(const ThawMesh *mesh, const ThawBvh *bvh, ThawParallel *parallel,
                             ThawMeshFaults *faults);

#endif
