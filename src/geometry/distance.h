// Signed distances of the shapes in their local frames, in double precision: exact but for a blend's, which
// may be too small (see blend.h), and a mesh's, which are its field's (see mesh_shape.h). Adding a shape is a row in distance.c.
#ifndef THAW_GEOMETRY_DISTANCE_H
#define THAW_GEOMETRY_DISTANCE_H

#include <thaw/shape.h>

// Checks kind, finite pose and positive measures; the sentence names `owner` and the field.
ThawResult thaw_shape_check(const ThawShape *shape, const char *owner);

bool thaw_shape_is_convex(ThawShapeKind kind);
double thaw_shape_local_distance(const ThawShape *shape, ThawVec3 local);

// Outward direction of steepest distance at a local point (unit length; on a medial axis any one of
// the candidates, chosen deterministically).
ThawVec3 thaw_shape_local_normal(const ThawShape *shape, ThawVec3 local);

// Both at once.
typedef struct ThawNearest {
    double distance; // negative inside
    ThawVec3 normal; // unit length, outward
} ThawNearest;
ThawNearest thaw_shape_local_nearest(const ThawShape *shape, ThawVec3 local);

// The local axis-aligned box that holds the shape; false for an unbounded shape.
bool thaw_shape_local_bounds(const ThawShape *shape, ThawVec3 *lower, ThawVec3 *upper);

// The shape as a 2D world sees it: a shape whose distance at z = 0 is the cross-section's own, exact
// where the shape's axis lies in the plane or stands on it (measures along z are then endless), and
// for the other ways of turning the shape itself, whose distance has the right sign and never
// overestimates. The result's z position is 0 or as given. False when the shape misses the plane.
bool thaw_shape_section(const ThawShape *shape, ThawShape *section);

#endif
