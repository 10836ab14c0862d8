// The loops over quadrature points of the solid fraction, eight at a time.
#ifndef THAW_COLLISION_SOLID_POINTS_H
#define THAW_COLLISION_SOLID_POINTS_H

#include "collision/walls_internal.h"
#include "simd/isa.h"

// One number a point.
typedef struct ThawSolidPoints {
    float x[THAW_WALL_POINTS], y[THAW_WALL_POINTS], z[THAW_WALL_POINTS];
} ThawSolidPoints;

// How points about a particle come into a shape's frame: centre + m · point, all times `scale`.
typedef struct ThawSolidEntry {
    float center[3], m[9]; // m column by column
    float scale;
} ThawSolidEntry;

// A plane in units of h: `at` from the centre, with a normal.
typedef struct ThawSolidPlane {
    float normal[3], at;
} ThawSolidPlane;

struct ThawSolidLoops {
    void (*place)(const ThawQuadrature *q, const ThawSolidEntry *entry, ThawSolidPoints *points);
    // value · scale − offset, with a sign
    void (*measure)(float *value, float scale, float offset, float sign);
    // the least of both
    void (*nearer)(const float *value, float *nearest);
    // adds sign times the part of each point's ball beyond a surface at `distance`, in units of 1 / per_h
    void (*add)(const ThawQuadrature *q, const float *distance, float per_h, float sign,
                float *part);
    // takes away the part that lies behind a plane
    void (*take_plane)(const ThawQuadrature *q, const ThawSolidPlane *plane, float *part);
    // parts weighed: the share and its gradient
    void (*sum)(const ThawQuadrature *q, const float *part, double sums[4]);
};

const ThawSolidLoops *thaw_solid_loops(ThawIsa isa);

#endif
