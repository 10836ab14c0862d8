// Triangles brought to bricks: which bricks lie within reach of which triangles, and the distances to those.
// Internal to field_*.c. Lengths in cells from the grid's origin.
#ifndef THAW_GEOMETRY_FIELD_RASTER_H
#define THAW_GEOMETRY_FIELD_RASTER_H

#include "geometry/field_bricks.h"

// A triangle ready for distances: edges with unit directions, and the ways inwards that lie in its plane.
typedef struct ThawTriangleFrame {
    float along[3][3]; // unit, corner k to corner k + 1; 0 where they coincide
    float length[3];
    float inward[3][3]; // unit, across edge k; 0 where the triangle has no area
    float normal[3];    // unit or 0
} ThawTriangleFrame;

void thaw_raster_corners(const ThawField *field, uint32_t triangle, double corner[3][3]);

// Pairs of bricks and triangles within reach of each other, sorted by brick, then by triangle. A brick's key is
// its page's number × 512 + its entry in the page's table.
typedef struct ThawRaster {
    ThawTriangleFrame *frames; // of the mesh's triangles
    uint32_t *triangles;       // of all the pairs
    uint32_t *keys;            // of the bricks, ascending
    uint64_t *first;           // brick_count + 1: where a brick's triangles begin
    uint32_t brick_count;
} ThawRaster;

ThawResult thaw_raster_create(const ThawField *field, double reach, ThawParallel *parallel,
                              ThawRaster *raster);
void thaw_raster_free(ThawRaster *raster);

static inline void thaw_key_cell(const ThawFieldGrid *grid, uint32_t key, int32_t cell[3]) {
    uint32_t page = key / THAW_PAGE_BRICKS, entry = key % THAW_PAGE_BRICKS;
    uint32_t nx = (uint32_t)grid->pages[0], ny = (uint32_t)grid->pages[1];
    cell[0] = (int32_t)((page % nx) << 6 | (entry & 7) << 3);
    cell[1] = (int32_t)((page / nx % ny) << 6 | (entry >> 3 & 7) << 3);
    cell[2] = (int32_t)((page / nx / ny) << 6 | (entry >> 6) << 3);
}

enum {
    THAW_EIGHTS = 92,
    THAW_CORNERS = 8 * THAW_EIGHTS
}; // a brick's corners, and some of them twice

// A brick's corners in eights that lie close together, from the brick's middle.
typedef struct ThawBrickOrder {
    float x[THAW_CORNERS], y[THAW_CORNERS], z[THAW_CORNERS];
    uint16_t corner[THAW_CORNERS]; // which it is, x fastest
    // spheres about the eights, a few more for whole vectors
    float middle[3][THAW_EIGHTS + 4], radius[THAW_EIGHTS + 4];
} ThawBrickOrder;

void thaw_brick_order(ThawBrickOrder *order);

// What was found at the corners, x fastest.
typedef struct ThawBrickWork {
    float away[THAW_CORNERS];        // distance, at most the reach
    uint32_t triangle[THAW_CORNERS]; // the closest, UINT32_MAX = none within reach
} ThawBrickWork;

typedef struct ThawBrickTask {
    const ThawField *field;
    const ThawBrickOrder *order;
    const ThawTriangleFrame *frames;
    const uint32_t *triangles;
    uint32_t count;
    int32_t cell[3]; // the brick's first
    float reach;
} ThawBrickTask;

// The closest of the triangles for every corner; on a tie any, but always the same.
typedef void ThawBrickDistancesFn(const ThawBrickTask *task, ThawBrickWork *work);
ThawBrickDistancesFn *thaw_brick_distances(ThawIsa isa);

#endif
