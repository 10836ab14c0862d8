// Points found by their place: equal to the last bit is the same point.
#ifndef THAW_MESHIO_WELD_H
#define THAW_MESHIO_WELD_H

#include "meshio/data.h"

typedef struct MeshWeld {
    ThawMeshData *mesh; // whose points these are
    uint32_t *slots;    // index + 1, 0 = free
    size_t slot_count;  // a power of two
} MeshWeld;

// Room for so many points at once, which saves time. A hint.
ThawResult meshio_weld_reserve(MeshWeld *weld, size_t points);
// The point at this place, added when there was none. −0 counts as 0.
ThawResult meshio_weld_point(MeshWeld *weld, const double point[3], uint32_t *index);
void meshio_weld_free(MeshWeld *weld);

#endif
