// The way from one place to another, eight at a time. Only for *_wide.c files.
#ifndef THAW_LATTICE_OFFSET_WIDE_H
#define THAW_LATTICE_OFFSET_WIDE_H

#include "lattice/wide_matrix.h"

// One axis in place units; of a periodic axis the shortest way.
THAW_INLINE F8 offset_axis(I8 from, I8 to, int32_t period) {
    I8 d = i8_sub(to, from);
    F8 way = i8_float(d);
    if (period == 0) return way;
    F8 below = i8_float(i8_sub(d, i8_set(period))), above = i8_float(i8_add(d, i8_set(period)));
    way = f8_where(f8_abs(below), f8_abs(way), below, way);
    return f8_where(f8_abs(above), f8_abs(way), above, way);
}

#endif
