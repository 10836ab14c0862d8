// Triangle meshes, and the distance fields made from them: what colliders and bodies of any form are.
//
// A mesh may be as broken as it comes: open, self-intersecting, non-manifold, with faces that are doubled,
// degenerate or wound the wrong way. A field is a narrow band of distances about its surface, in sparse bricks of
// cells, and knows for every place near the surface which triangle is closest. Fields do not change once made and
// are shared: shapes point to them, colliders and bodies keep them alive.
#ifndef THAW_MESH_H
#define THAW_MESH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// What may be painted on a surface, in place of the collider's one value.
typedef enum ThawPaintKind {
    THAW_PAINT_FRICTION,    // –, 0..
    THAW_PAINT_ADHESION,    // –, 0..
    THAW_PAINT_TEMPERATURE, // K
    THAW_PAINTS
} ThawPaintKind;

// Values over a surface: one a point, interpolated in the triangles; or an image looked up by texture
// coordinates (bilinear, repeating). All NULL: not painted.
typedef struct ThawPaint {
    const float *values; // one a point
    const float *image;  // rows from the top (v = 1) down, width × height
    uint32_t width, height;
} ThawPaint;

// Arrays are the caller's; what is made from a mesh keeps its own copy.
typedef struct ThawMesh {
    const double (*points)[3]; // m
    uint32_t point_count;
    const uint32_t (*triangles)[3]; // indices of points
    uint32_t triangle_count;
    const float (*uv)[2]; // texture coordinates, one a corner: 3 × triangle_count; NULL = none
    ThawPaint paint[THAW_PAINTS];
} ThawMesh;

typedef enum ThawFieldMode {
    THAW_FIELD_SOLID, // what the surface encloses, by its winding number; open meshes too
    THAW_FIELD_SHELL  // the surface itself, `offset` thick to each side
} ThawFieldMode;

typedef struct ThawFieldDef {
    ThawFieldMode mode; // default solid
    double cell;        // m, required: edge of a cell
    double band;        // cells, 2..64, default 3: how far to each side distances are known
    double offset; // m: the surface moved outwards; a shell needs 0.5 cells at least, 0 = one cell
    int threads;   // 1..256, default 0 = as many as the machine has cores
} ThawFieldDef;

typedef struct ThawField ThawField;

// What was found while building.
typedef struct ThawFieldReport {
    ThawFieldMode mode;
    double cell, band, offset; // m, cells, m
    ThawVec3 lower, upper;     // m, of the surface with its offset
    double volume;             // m³, enclosed
    double area;               // m², of the mesh
    uint32_t points, triangles;
    uint32_t degenerate;         // triangles without area
    uint32_t open_edges;         // with one triangle
    uint32_t crowded_edges;      // with three or more
    uint32_t turned_edges;       // whose two triangles are wound against each other
    uint64_t self_intersections; // pairs of triangles without common points that cross
    double thinnest;             // cells: least thickness of solid found, 0 = no solid seen
    uint64_t bricks;             // of 8 × 8 × 8 cells
    uint64_t bytes;              // that the field occupies
    double seconds;              // that building took
} ThawFieldReport;

THAW_API ThawFieldDef thaw_field_default(void);
// One reference is the caller's. Refuses non-finite points, indices out of range, and meshes without area.
THAW_API ThawResult thaw_field_create(const ThawMesh *mesh, const ThawFieldDef *def,
                                      ThawField **field);
THAW_API ThawField *thaw_field_retain(const ThawField *field);
THAW_API void thaw_field_release(ThawField *field); // NULL is fine
THAW_API ThawFieldReport thaw_field_report(const ThawField *field);
// The mesh that it was made from; the arrays live as long as the field.
THAW_API ThawMesh thaw_field_mesh(const ThawField *field);

// Signed distance from a point of the mesh's frame to the surface with its offset: negative inside.
THAW_API double thaw_field_distance(const ThawField *field, ThawVec3 point);

// Many points at once, eight a time: coordinates in metres from `origin` of the mesh's frame, arrays with room
// for whole eights. Distances are interpolated in the band; beyond it they are bounds with the right sign.
typedef struct ThawFieldPoints {
    ThawVec3 origin;
    const float *x, *y, *z;
    uint32_t count;
    float *distance;
    float *gradient[3]; // all NULL, or none: slopes of the distance, 0 beyond the band
} ThawFieldPoints;
THAW_API void thaw_field_ask(const ThawField *field, const ThawFieldPoints *points);

// A field as bytes, for caches on disk: `size` of them at *bytes, for thaw_field_free_bytes. Opening checks every
// value and fails with a sentence.
THAW_API ThawResult thaw_field_pack(const ThawField *field, void **bytes, size_t *size);
THAW_API ThawResult thaw_field_unpack(const void *bytes, size_t size, ThawField **field);
THAW_API void thaw_field_free_bytes(void *bytes);

#ifdef __cplusplus
}
#endif

#endif
