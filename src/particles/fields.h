// The one list of particle fields. Allocation, sorting, compaction, snapshots, views and docs follow it.
//
// X(name, C type, ThawType, components, unit, saved, meaning)
#ifndef THAW_PARTICLES_FIELDS_H
#define THAW_PARTICLES_FIELDS_H

#define THAW_FIELDS(X)                                                                             \
    X(id, uint64_t, THAW_U64, 1, "", true,                                                         \
      "source in the upper 24 bits, its count in the lower 40")                                    \
    X(cells, int64_t, THAW_I64, 3, "cells / 2^32", true, "position as fixed-point cells")          \
    X(velocity, float, THAW_F32, 3, "m/s", true, "velocity")                                       \
    X(spacing, float, THAW_F32, 1, "m", true, "size: the particle's volume is spacing^dimensions") \
    X(object, int32_t, THAW_I32, 1, "", true, "the body it belongs to, 0 = none")                  \
    X(density_error, float, THAW_F32, 1, "", false, "the density constraint C as last measured")   \
    X(material, uint16_t, THAW_U16, 1, "", true, "its material, counted from 0")                   \
    X(state, uint8_t, THAW_U8, 1, "", true, "0 liquid, 1 solid")                                   \
    X(dead, uint8_t, THAW_U8, 1, "", false, "1 = killed, waiting for compaction")

#endif
