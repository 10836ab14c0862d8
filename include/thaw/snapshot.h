// Snapshots: the whole world as bytes. A world loaded from a snapshot goes on exactly, in every bit,
// as the world that it was taken from.
#ifndef THAW_SNAPSHOT_H
#define THAW_SNAPSHOT_H

#include "base.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes the world into a new block of *size bytes; give it back with thaw_snapshot_free.
THAW_API ThawResult thaw_world_save(ThawWorld *world, void **bytes, size_t *size);
THAW_API void thaw_snapshot_free(void *bytes);

// What a loaded world takes from its new host and not from the bytes; NULL = the defaults.
typedef struct ThawHostDef {
    int threads;
    ThawIsa isa;
    const ThawTaskSystem *tasks;
    bool keep_lists, skip_energy;
} ThawHostDef;

// Makes a world of bytes from anywhere: damaged or foreign bytes are refused, never trusted.
THAW_API ThawResult thaw_world_load(const void *bytes, size_t size, const ThawHostDef *host,
                                    ThawWorld **world);

// A hash of everything that a snapshot holds: equal worlds, equal hashes.
THAW_API uint64_t thaw_world_hash(ThawWorld *world);

#ifdef __cplusplus
}
#endif

#endif
