// Distance fields as the rest of the library asks them. Points are in the mesh's frame, metres.
//
// Distances sit at the corners of cells. Within the band they are interpolated (trilinear); outside it a field gives a
// bound: the sign is right and the size is at most the true distance, and at least the band's.
#ifndef THAW_GEOMETRY_FIELD_H
#define THAW_GEOMETRY_FIELD_H

#include "geometry/distance.h"
#include "parallel/parallel.h"
#include "simd/isa.h"
#include <thaw/mesh.h>

// As thaw_field_create on threads of the caller's own. Without `inspect` faults and thickness are not looked for, and
// read 0: for meshes that are built anew several times a frame.
ThawResult thaw_field_build(const ThawMesh *mesh, const ThawFieldDef *def, ThawParallel *parallel,
                            bool inspect, ThawField **field);

// The distance, and in *gradient (may be NULL) its slope: within the band that of the interpolation, not made
// unit; outside it 0.
double thaw_field_sample(const ThawField *field, ThawVec3 point, ThawVec3 *gradient);

// Many points at once by one instruction set; see mesh.h.
typedef void ThawFieldSampleFn(const ThawField *field, const ThawFieldPoints *points);
ThawFieldSampleFn *thaw_field_sample_many(ThawIsa isa);

// A place on the surface.
typedef struct ThawFieldSpot {
    uint32_t triangle;
    double weight[3]; // barycentric
    ThawVec3 point;   // on the mesh itself, without the offset
} ThawFieldSpot;

// The closest place of the mesh: by the closest triangles kept with the cells in the band, by search beyond.
ThawFieldSpot thaw_field_spot(const ThawField *field, ThawVec3 point);
// Exact, by search, anywhere: signed distance to the surface with its offset, and the way out.
ThawNearest thaw_field_nearest(const ThawField *field, ThawVec3 point);

// How the surface beside a place moves, given a velocity for every point of the mesh (3 numbers each): that of the
// closest spot, and off the surface as its triangle turns. Exact for rigid motions, but beside slivers.
ThawVec3 thaw_field_motion(const ThawField *field, const ThawFieldSpot *spot, ThawVec3 place,
                           const float (*velocity)[3]);

// What is painted there; `otherwise` where nothing is.
float thaw_field_paint(const ThawField *field, ThawPaintKind kind, const ThawFieldSpot *spot,
                       float otherwise);

// m³, and m² of the cross-section of the posed field at the world's z = 0.
double thaw_field_volume(const ThawField *field);
double thaw_field_section(const ThawField *field, ThawPose pose);

#endif
