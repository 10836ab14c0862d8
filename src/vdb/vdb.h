// Asking a level set in a file directly: what tests hold against the field that was written.
#ifndef THAW_VDB_VDB_H
#define THAW_VDB_VDB_H

#include <thaw/vdb.h>

#ifdef __cplusplus
extern "C" {
#endif

// A cell of the grid that thaw_vdb_load_mesh would take.
typedef struct ThawVdbCell {
    ThawVec3 point; // m
    float distance; // m
} ThawVdbCell;

// Its cells that are within the band, `most` of them at the most, evenly chosen; *count says how many, *background
// how wide the band is in m.
ThawResult thaw_vdb_read_cells(const char *path, ThawVdbCell *cells, uint32_t most, uint32_t *count,
                               double *background);

#ifdef __cplusplus
}
#endif

#endif
