// The stage: everything that rays can meet, in the picture's own frame.
//
// Points are moved to the scene's middle and scaled to a radius of about 1 in double precision before
// they become floats, so that scenes of a micrometre and of a thousand kilometres, here or far away,
// are all traced alike.
#ifndef THAW_RENDER_STAGE_H
#define THAW_RENDER_STAGE_H

#include "render/field.h"

#include <embree3/rtcore.h>

// The id of a ray that shells let through.
#define THAW_RAY_THROUGH_SHELLS 1u

// Triangles or edges being gathered.
typedef struct ThawOutline {
    float (*points)[4]; // w: radius of an edge
    uint32_t point_count, point_capacity;
    uint32_t *indices; // three a triangle, one an edge (it joins point k and k + 1)
    uint32_t index_count, index_capacity;
    float *
        normals; // of meshes: nine a triangle, of its three corners; NULL where the shape knows them
    bool shell;  // a sheet: what it holds is seen through it
} ThawOutline;

typedef struct ThawStage {
    ThawVec3 center; // m
    double scale;    // m a unit
    int up, dimensions;
    RTCDevice device;
    RTCScene matter; // what casts shadows: particles and solids
    RTCScene wires;  // edges of containers; NULL when there are none
    RTCScene shells; // meshes that are sheets, which are also in `matter`; NULL when there are none
    float (*spheres)[4]; // centre and radius
    ThawFloat3 *colors;  // linear light, one a sphere
    uint32_t sphere_count;
    unsigned sphere_geometry; // id in `matter`; solid k has id k + 1
    const ThawRenderSolid *solids;
    ThawFloat3 *solid_colors; // linear light
    ThawOutline *meshes;      // one a solid (empty for a container), kept for Embree
    int mesh_count;
    ThawOutline edges;
    ThawCamera camera; // m
    bool ground;
    float ground_level;    // along up
    ThawVec3 lower, upper; // what to frame, m
} ThawStage;

// `stage` must be zero; it is to be freed also after a failure.
ThawResult thaw_stage_make(const ThawFrame *frame, const ThawRenderDef *def,
                           const ThawColorField *field, ThawStage *stage);
void thaw_stage_free(ThawStage *stage);

static inline ThawVec3 thaw_stage_local(const ThawStage *stage, ThawVec3 p) {
    return (ThawVec3){(p.x - stage->center.x) / stage->scale,
                      (p.y - stage->center.y) / stage->scale,
                      (p.z - stage->center.z) / stage->scale};
}

// Triangles of a solid's surface, and edges of a container, in world coordinates put into the
// stage's frame. False when memory ran out.
bool thaw_outline_solid(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape);
bool thaw_outline_edges(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape);
void thaw_outline_free(ThawOutline *mesh);

#endif
