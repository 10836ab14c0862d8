// Side tables of a frame: records of one kind, each of their parts a dataset.
#ifndef THAW_CACHE_PARTS_H
#define THAW_CACHE_PARTS_H

#include "cache/hdf.h"

typedef struct ThawPart {
    const char *name; // of the dataset
    ThawType type;
    uint32_t components;
    size_t offset; // in the record
    const char *unit, *meaning;
} ThawPart;

typedef struct ThawPartTable {
    const ThawPart *parts;
    int count;
    size_t record; // bytes of one in memory
} ThawPartTable;

extern const ThawPartTable thaw_fracture_parts, thaw_collider_parts;

// Bytes of a record's parts in the file.
size_t thaw_parts_bytes(const ThawPartTable *table);
// Writes nothing when there are no rows. False when memory or HDF5 failed.
bool thaw_parts_put(ThawHdf *hdf, const ThawPartTable *table, const void *records, uint32_t rows,
                    int compression);
// `name` is for the sentence.
ThawResult thaw_parts_get(ThawHdf *hdf, const ThawPartTable *table, void *records, uint32_t rows,
                          const char *name);

#endif
