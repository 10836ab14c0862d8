// Polygons as triangles.
#ifndef THAW_MESHIO_POLYGONS_H
#define THAW_MESHIO_POLYGONS_H

#include "meshio/data.h"

// What it needs while working; all zero at first.
typedef struct MeshPolygons {
    uint32_t (*triples)[3]; // the result
    double (*flat)[2];      // corners in the polygon's plane
    uint32_t *next, *before;
    size_t triple_room, flat_room, next_room, before_room;
} MeshPolygons;

// Cuts a polygon of `count` ≥ 3 corners, given by indices of points, into count − 2 triangles: triples of
// numbers 0 .. count − 1 in `polygons->triples`, wound as the polygon is. Convex ones become a fan about the first
// corner whatever their form, so that the poses of a deforming mesh agree; others are clipped ear by ear.
ThawResult meshio_cut_polygon(MeshPolygons *polygons, const double (*points)[3],
                              const uint32_t *corners, uint32_t count);
void meshio_polygons_free(MeshPolygons *polygons);

#endif
