// Meshes as shapes: a distance field, scaled and offset.
#ifndef THAW_GEOMETRY_MESH_SHAPE_H
#define THAW_GEOMETRY_MESH_SHAPE_H

#include "geometry/distance.h"

ThawResult thaw_mesh_shape_check(const ThawShape *shape, const char *owner);
// Within the band as interpolated; beyond it exact, by search.
ThawNearest thaw_mesh_shape_nearest(const ThawShape *shape, ThawVec3 local);
// Cheap: beyond the band only a bound, with the right sign.
double thaw_mesh_shape_distance(const ThawShape *shape, ThawVec3 local);
void thaw_mesh_shape_bounds(const ThawShape *shape, ThawVec3 *lower, ThawVec3 *upper);
double thaw_mesh_shape_volume(const ThawShape *shape);
// Whether the posed shape's box reaches the world's z = 0.
bool thaw_mesh_shape_cuts(const ThawShape *shape);

#endif
