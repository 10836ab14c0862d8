// Regions: a shape made ready for asking every particle whether it is inside.
#ifndef THAW_WORLD_REGION_H
#define THAW_WORLD_REGION_H

#include "particles/domain.h"
#include <thaw/shape.h>

typedef struct ThawRegion {
    const ThawDomain *domain;
    ThawShape shape;  // its position brought into the periodic axes
    double reach;     // m, farthest point from the shape's position; infinite when unbounded
    int images[3];    // 1: ask the neighbouring periods of this axis too
    double period[3]; // m
} ThawRegion;

// The shape must have passed its check. An unbounded region has no images: beyond a periodic face it would
// hold everything.
ThawRegion thaw_region(const ThawDomain *domain, const ThawShape *shape);

// Whether a place in fixed-point cells, or one of its periodic images, is inside. image[a]: by how many
// periods that one is off.
bool thaw_region_holds(const ThawRegion *region, const int64_t *cells, int image[3]);

#endif
