// Rows of the particles' state as columns of eight lanes, and back. Only for *_wide.c files.
#ifndef THAW_LATTICE_ROWS_WIDE_H
#define THAW_LATTICE_ROWS_WIDE_H

#include "simd/wide.h"

// Four numbers a row of anywhere: `stride` numbers apart, from `from` on.
THAW_INLINE void load_four(const float *from, size_t stride, const uint32_t *rows, F8 columns[4]) {
    I8 a[4];
    i8_gather((const int32_t *)(const void *)from, stride, rows, &a[0], &a[1], &a[2], &a[3]);
    for (int c = 0; c < 4; c++) columns[c] = i8_bits(a[c]);
}

// Nine numbers a row: the last four overlap the middle ones, so that nothing beyond a row is read.
THAW_INLINE void load_nine(const float *from, const uint32_t *rows, F8 columns[9]) {
    F8 last[4];
    load_four(from, 9, rows, columns);
    load_four(from + 4, 9, rows, columns + 4);
    load_four(from + 5, 9, rows, last);
    columns[8] = last[3];
}

// Writes them to rows first .. first + 7, those of the mask.
THAW_INLINE void store_four(float *to, size_t stride, uint32_t first, uint32_t mask,
                            const F8 columns[4]) {
    if (mask == 0xffu) {
        i8_rows_apart((int32_t *)(void *)(to + stride * first), stride, f8_bits(columns[0]),
                      f8_bits(columns[1]), f8_bits(columns[2]), f8_bits(columns[3]));
        return;
    }
    float rows[4 * 8];
    i8_rows((int32_t *)(void *)rows, f8_bits(columns[0]), f8_bits(columns[1]), f8_bits(columns[2]),
            f8_bits(columns[3]));
    for (uint32_t k = 0; k < 8; k++) {
        if ((mask >> k & 1u) == 0) continue;
        __builtin_memcpy(to + stride * (first + k), &rows[4 * k], 4 * sizeof *to);
    }
}

THAW_INLINE void store_nine(float *to, uint32_t first, uint32_t mask, const F8 columns[9]) {
    store_four(to, 9, first, mask, columns);
    store_four(to + 4, 9, first, mask, columns + 4);
    store_four(to + 5, 9, first, mask, columns + 5);
}

#endif
