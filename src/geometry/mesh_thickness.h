// How thick the solid is that a mesh encloses.
#ifndef THAW_GEOMETRY_MESH_THICKNESS_H
#define THAW_GEOMETRY_MESH_THICKNESS_H

#include "geometry/mesh_inspect.h"

// Sets thickness and sheets. Fails only for want of memory.
ThawResult thaw_mesh_measure_thickness(const ThawMesh *mesh, const ThawBvh *bvh,
                                       ThawParallel *parallel, ThawMeshFaults *faults);

#endif
