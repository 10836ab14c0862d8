// Ranges of triangles while a tree is made: measured, and cut in two.
#ifndef THAW_GEOMETRY_BVH_SPLIT_H
#define THAW_GEOMETRY_BVH_SPLIT_H

#include "parallel/parallel.h"

// In the tree's frame.
typedef struct ThawBvhBox {
    float lower[3], upper[3];
} ThawBvhBox;

// A triangle; they are moved about in place.
typedef struct ThawBvhItem {
    ThawBvhBox box;
    uint32_t triangle;
} ThawBvhItem;

// A range of items with their boxes' box, and that of the boxes' middles (twice them: no need to halve).
typedef struct ThawBvhRange {
    uint32_t begin, end;
    ThawBvhBox box, middles;
} ThawBvhRange;

// Whose ranges; large ones are worked on in parallel, unless parallel is NULL.
typedef struct ThawBvhItems {
    ThawBvhItem *items;
    ThawParallel *parallel;
} ThawBvhItems;

ThawBvhRange thaw_bvh_measure(const ThawBvhItems *all, uint32_t begin, uint32_t end);

// Moves the range's items so that a left and a right side follow each other; returns where the right one begins,
// strictly within the range, which needs two items. In the middle where nothing tells the triangles apart.
uint32_t thaw_bvh_cut(const ThawBvhItems *all, const ThawBvhRange *range);

static inline float thaw_bvh_half_area(const ThawBvhBox *box) {
    float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1],
          z = box->upper[2] - box->lower[2];
    return x * y + y * z + z * x;
}

#endif
