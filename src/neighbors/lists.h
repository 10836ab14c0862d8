// The list builder's job, shared by its copies for each instruction set.
#ifndef THAW_NEIGHBORS_LISTS_H
#define THAW_NEIGHBORS_LISTS_H

#include "neighbors/table.h"
#include "simd/isa.h"

#include <stdatomic.h>

#define THAW_LIST_BLOCK 16384u // list entries that a worker takes from the pool at once
#define THAW_LIST_CHUNK 64u    // clusters a task

// A worker's place in the pool, a cache line each.
typedef struct ThawListCursor {
    uint32_t *at, *end;
    char padding[48];
} ThawListCursor;

// A stretch of a row that may hold neighbours of the row now at work on.
typedef struct ThawListWindow {
    uint32_t begin, end; // candidates for the current cluster
    uint32_t row_end;    // end of its row
    uint64_t row_base;   // the row's key with x = 0
    int image;
    int grain;                    // fixed-point bits of one unit of its x keys
    float support;                // largest in its level, base cells
    int64_t origin;               // fixed-point x of its key 0, seen through the image
    int64_t reach;                // fixed-point
    float y_lo, y_hi, z_lo, z_hi; // the row's slab, base cells from the current row's corner
} ThawListWindow;

typedef struct ThawListJob {
    const ThawTable *table;
    const ThawPlace *place;
    const float *spacing; // per particle, m; used only when sizes are mixed
    bool mixed;
    bool rough;                     // candidates by box only
    float support;                  // base cells, of every particle when not mixed
    float cells_a_spacing;          // turns a spacing in m to a support in base cells
    float reach_factor;             // 1 + skin
    int image_count;                // 1, or 3, 9, 27 with periodic axes
    int64_t images[THAW_IMAGES][3]; // fixed-point; image 0 is none
    ThawCluster *clusters;
    ThawSegment *segments; // one a cluster, then extra ones for those that need several
    uint32_t segment_capacity;
    _Atomic uint32_t segment_next;
    uint32_t *pool;
    uint64_t pool_blocks;
    _Atomic uint64_t pool_next; // blocks taken; beyond pool_blocks = overflow, run again
    ThawListCursor *cursors;    // one a worker
    ThawListWindow *windows;    // window_capacity a worker
    uint32_t window_capacity;
    _Atomic uint32_t windows_wanted; // the most that a row asked for, when above the capacity
    uint64_t *pairs;                 // one a chunk
} ThawListJob;

// Builds the lists of clusters chunk · THAW_LIST_CHUNK and on.
THAW_WIDE_DECLARE(void, thaw_lists_build, (ThawListJob * job, uint32_t chunk, uint32_t worker));

#endif
