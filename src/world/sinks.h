// Sinks inside: shapes that remove particles, and the pass that finds what is in them.
#ifndef THAW_WORLD_SINKS_H
#define THAW_WORLD_SINKS_H

#include "materials/material.h"
#include <thaw/emitter.h>

typedef struct ThawSink {
    char name[THAW_NAME_SIZE];
    uint32_t handle; // the public id's value
    ThawSinkDef def; // as given; the shape is an own copy, the name is NULL
    uint64_t removed;
} ThawSink;

ThawResult thaw_sink_check(const ThawWorld *world, const ThawSinkDef *def);
// Adds a copy of a checked def under a handle that is above all others.
ThawResult thaw_sinks_put(ThawWorld *world, const ThawSinkDef *def, uint32_t handle);
void thaw_sinks_release(ThawWorld *world);

// Kills the rows that sinks take at a time; the caller closes the gaps. Returns how many.
ThawResult thaw_sinks_take(ThawWorld *world, double time, uint32_t *taken);

// A shape with what it points to: balls are copied, a field is retained.
ThawResult thaw_shape_keep(const ThawShape *shape, ThawShape *own);
void thaw_shape_drop(ThawShape *own);

#endif
