// Inside and outside. Internal to field_*.c. Lengths in cells from the grid's origin.
//
// The rule: a point is inside where the surface winds about it more than half a time, in either sense: |w| > 1/2.
// So overlapping parts (w = 2) and meshes turned inside out (w = -1) are inside; single faces wound against their
// neighbours are turned first (field_wind.c). An open mesh is closed by the surface |w| = 1/2 that spans its holes:
// distances are to that cap too, so that the sign never changes far from where the distance is 0.
#ifndef THAW_GEOMETRY_FIELD_SIGN_H
#define THAW_GEOMETRY_FIELD_SIGN_H

#include "geometry/field_raster.h"

// What keeps a mesh from being closed: the edges that its triangles do not cancel out.
typedef struct ThawRim {
    uint32_t count;
    double (*from)[3], (*to)[3]; // every edge as often as it is left over
    double apex[3];              // a point that all edges are joined to
    bool capped; // else there are too many however they are joined: caps are left out
} ThawRim;

// Turns triangles so that neighbours agree (field->wound), and finds the rim.
ThawResult thaw_field_wind(ThawField *field, ThawRim *rim);
void thaw_rim_free(ThawRim *rim);

// At most how much w changes by over a way of `path` cells within `radius` of a point; infinite where the rim is.
double thaw_rim_change(const ThawRim *rim, const double point[3], double radius, double path);

// Eight points from `middle`: w but for whole numbers, and its slope a cell.
typedef struct ThawRimSample {
    float fraction[8], slope[8];
} ThawRimSample;
typedef void ThawRimSampleFn(const ThawRim *rim, const double middle[3], const float point[3][8],
                             ThawRimSample *sample);
ThawRimSampleFn *thaw_rim_sample(ThawIsa isa);

typedef struct ThawSigner {
    const ThawField *field;
    const ThawRim *rim;
    ThawRimSampleFn *sample;
} ThawSigner;

// The winding number at a place, as exact as the rim allows.
double thaw_signer_wind(const ThawSigner *signer, const double at[3]);

// Whether a cap may come within the limit of a brick: by the rim's own bound, then by a look from eight points.
bool thaw_signer_cap_near(const ThawSigner *signer, const int32_t cell[3], double margin);

// Adds the bricks that only a cap comes near to.
ThawResult thaw_caps_add(const ThawField *field, const ThawRim *rim, ThawParallel *parallel,
                         ThawRaster *raster);

// Signed distances of a brick's corners, in cells, from the squares of the work.
void thaw_signer_brick(const ThawSigner *signer, const int32_t cell[3], const ThawBrickWork *work,
                       float distance[THAW_CORNERS]);

#endif
