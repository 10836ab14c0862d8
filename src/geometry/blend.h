// Blends: balls grown together by a smooth minimum of their distances.
#ifndef THAW_GEOMETRY_BLEND_H
#define THAW_GEOMETRY_BLEND_H

#include "geometry/distance.h"

// Checks the balls and the smoothing; the sentence names `owner` and the field.
ThawResult thaw_blend_check(const ThawShape *shape, const char *owner);

// Below the true distance in size everywhere, with the right sign; equal to it near a single ball.
ThawNearest thaw_blend_nearest(const ThawShape *shape, ThawVec3 local);

void thaw_blend_bounds(const ThawShape *shape, ThawVec3 *lower, ThawVec3 *upper);

// Volume, or area of the cross-section at the world's z = 0, by halving cells down to a fraction of the
// balls' radii: to 0.3 %.
double thaw_blend_volume(const ThawShape *shape);
double thaw_blend_area(const ThawShape *shape);

#endif
