// What the parts of the neighbour search share.
#ifndef THAW_NEIGHBORS_INTERNAL_H
#define THAW_NEIGHBORS_INTERNAL_H

#include "neighbors/lists.h"
#include "neighbors/sort.h"
#include "neighbors/table.h"

#define THAW_ROW_CHUNK 4096u // particles a task in the passes over particles
#define THAW_SPAN_CHUNK 512u // rows a task in the passes over rows

struct ThawNeighbors {
    ThawTable table;
    ThawSorter *sorter;
    void *bounds; // partial results of the survey, one a chunk
    void *row_start, *clusters, *segments, *pool, *cursors, *pairs, *windows, *counts;
    size_t bounds_bytes, row_start_bytes, clusters_bytes, segments_bytes, pool_bytes, cursors_bytes,
        pairs_bytes, windows_bytes, counts_bytes;
    uint32_t extra_segments; // room for clusters that see periodic images
    uint64_t pool_blocks;    // room that the last search asks for
    uint64_t pair_count;
    bool mixed;
    bool rough;          // lists are not pruned yet
    double reach;        // of the lists, in supports          // particles of different sizes
    float largest_ratio; // largest spacing over the usual one
};

// thaw_scratch with a result
ThawResult thaw_need(void **block, size_t *bytes, size_t wanted);

#endif
