// The camera as rays need it: an eye and three axes in double precision.
#ifndef THAW_RENDER_CAMERA_H
#define THAW_RENDER_CAMERA_H

#include <thaw/render.h>

typedef struct ThawLens {
    ThawVec3 eye;
    ThawVec3 right, up, forward; // unit, at right angles
    double reach_x, reach_y;     // tangents of half the field of view
} ThawLens;

// Checks finite, distinct eye and target, and fov; the sentence names the field.
ThawResult thaw_lens_make(const ThawCamera *camera, double aspect, ThawLens *lens);

// The direction (not unit) through a place of the picture: −1..1, x to the right, y up.
ThawVec3 thaw_lens_direction(const ThawLens *lens, double x, double y);

#endif
