// The wide numbers in plain C, for any machine; the compiler makes of the loops what it can.
#ifndef THAW_SIMD_WIDE_PLAIN_H
#define THAW_SIMD_WIDE_PLAIN_H

#include <math.h>
#include <string.h>

typedef struct F8 {
    float v[8];
} F8;
typedef struct I8 {
    int32_t v[8];
} I8;

#define THAW_EACH(type, lanes, expression)                                                         \
    type r;                                                                                        \
    for (int k = 0; k < (lanes); k++) r.v[k] = (expression);                                       \
    return r

// wrapping integer arithmetic, as the vector instructions do it
THAW_INLINE int32_t wrap_add(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}
THAW_INLINE int32_t wrap_sub(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

THAW_INLINE F8 f8_set(float x) {
    THAW_EACH(F8, 8, x);
}
THAW_INLINE F8 f8_set_two(float first, float second) {
    THAW_EACH(F8, 8, k < 4 ? first : second);
}
THAW_INLINE F8 f8_add(F8 a, F8 b) {
    THAW_EACH(F8, 8, a.v[k] + b.v[k]);
}
THAW_INLINE F8 f8_sub(F8 a, F8 b) {
    THAW_EACH(F8, 8, a.v[k] - b.v[k]);
}
THAW_INLINE F8 f8_mul(F8 a, F8 b) {
    THAW_EACH(F8, 8, a.v[k] * b.v[k]);
}
THAW_INLINE F8 f8_fma(F8 a, F8 b, F8 c) {
    THAW_EACH(F8, 8, a.v[k] * b.v[k] + c.v[k]);
}
THAW_INLINE F8 f8_fused(F8 a, F8 b, F8 c) {
    THAW_EACH(F8, 8, (float)((double)a.v[k] * (double)b.v[k] + (double)c.v[k]));
}
THAW_INLINE F8 f8_nma(F8 a, F8 b, F8 c) {
    THAW_EACH(F8, 8, c.v[k] - a.v[k] * b.v[k]);
}
THAW_INLINE F8 f8_max(F8 a, F8 b) {
    THAW_EACH(F8, 8, a.v[k] > b.v[k] ? a.v[k] : b.v[k]);
}
THAW_INLINE F8 f8_min(F8 a, F8 b) {
    THAW_EACH(F8, 8, a.v[k] < b.v[k] ? a.v[k] : b.v[k]);
}
THAW_INLINE F8 f8_div(F8 a, F8 b) {
    THAW_EACH(F8, 8, a.v[k] / b.v[k]);
}
THAW_INLINE F8 f8_abs(F8 a) {
    THAW_EACH(F8, 8, fabsf(a.v[k]));
}
THAW_INLINE I8 i8_set(int32_t x) {
    THAW_EACH(I8, 8, x);
}
THAW_INLINE I8 i8_add(I8 a, I8 b) {
    THAW_EACH(I8, 8, wrap_add(a.v[k], b.v[k]));
}
THAW_INLINE I8 i8_sub(I8 a, I8 b) {
    THAW_EACH(I8, 8, wrap_sub(a.v[k], b.v[k]));
}
THAW_INLINE F8 i8_float(I8 a) {
    THAW_EACH(F8, 8, (float)a.v[k]);
}
THAW_INLINE I8 f8_round(F8 a) {
    THAW_EACH(I8, 8, (int32_t)lrintf(a.v[k]));
}
THAW_INLINE F8 f8_load(const float *p) {
    THAW_EACH(F8, 8, p[k]);
}
THAW_INLINE void f8_store(float *p, F8 a) {
    memcpy(p, a.v, sizeof a.v);
}
THAW_INLINE I8 i8_load(const int32_t *p) {
    THAW_EACH(I8, 8, p[k]);
}
THAW_INLINE void i8_store(int32_t *p, I8 a) {
    memcpy(p, a.v, sizeof a.v);
}
THAW_INLINE F8 i8_bits(I8 a) {
    F8 r;
    memcpy(&r, &a, sizeof r);
    return r;
}
THAW_INLINE I8 f8_bits(F8 a) {
    I8 r;
    memcpy(&r, &a, sizeof r);
    return r;
}
THAW_INLINE float f8_least(F8 a) {
    float least = a.v[0];
    for (int k = 1; k < 8; k++) least = a.v[k] < least ? a.v[k] : least;
    return least;
}
THAW_INLINE float f8_most(F8 a) {
    float most = a.v[0];
    for (int k = 1; k < 8; k++) most = a.v[k] > most ? a.v[k] : most;
    return most;
}
THAW_INLINE uint32_t f8_below(F8 a, F8 b) {
    uint32_t mask = 0;
    for (int k = 0; k < 8; k++) mask |= (uint32_t)(a.v[k] <= b.v[k]) << k;
    return mask;
}
THAW_INLINE F8 f8_sqrt(F8 a) {
    THAW_EACH(F8, 8, sqrtf(a.v[k]));
}
THAW_INLINE F8 f8_where(F8 a, F8 b, F8 yes, F8 no) {
    THAW_EACH(F8, 8, a.v[k] <= b.v[k] ? yes.v[k] : no.v[k]);
}
THAW_INLINE uint32_t i8_same(I8 a, I8 b) {
    uint32_t mask = 0;
    for (int k = 0; k < 8; k++) mask |= (uint32_t)(a.v[k] == b.v[k]) << k;
    return mask;
}
THAW_INLINE F8 i8_differ(I8 a, I8 b) {
    THAW_EACH(F8, 8, a.v[k] == b.v[k] ? 0.0f : 1.0f);
}
THAW_INLINE void i8_gather(const int32_t *rows, size_t stride, const uint32_t *index, I8 *x, I8 *y,
                           I8 *z, I8 *w) {
    for (int k = 0; k < 8; k++) {
        const int32_t *row = rows + stride * index[k];
        x->v[k] = row[0];
        y->v[k] = row[1];
        z->v[k] = row[2];
        w->v[k] = row[3];
    }
}
THAW_INLINE void i8_spread_two(const int32_t *first, const int32_t *second, I8 *x, I8 *y, I8 *z,
                               I8 *w) {
    for (int k = 0; k < 8; k++) {
        const int32_t *row = k < 4 ? first : second;
        x->v[k] = row[0];
        y->v[k] = row[1];
        z->v[k] = row[2];
        w->v[k] = row[3];
    }
}
THAW_INLINE void i8_columns(const int32_t *rows, I8 *x, I8 *y, I8 *z, I8 *w) {
    for (int k = 0; k < 8; k++) {
        x->v[k] = rows[4 * k];
        y->v[k] = rows[4 * k + 1];
        z->v[k] = rows[4 * k + 2];
        w->v[k] = rows[4 * k + 3];
    }
}
THAW_INLINE void i8_rows_apart(int32_t *rows, size_t stride, I8 x, I8 y, I8 z, I8 w) {
    for (int k = 0; k < 8; k++, rows += stride) {
        rows[0] = x.v[k];
        rows[1] = y.v[k];
        rows[2] = z.v[k];
        rows[3] = w.v[k];
    }
}
THAW_INLINE void i8_rows(int32_t *rows, I8 x, I8 y, I8 z, I8 w) {
    i8_rows_apart(rows, 4, x, y, z, w);
}
THAW_INLINE uint32_t u64_below(const uint64_t *keys, uint64_t bound) {
    uint32_t below = 0;
    for (int k = 0; k < 8; k++) below += keys[k] < bound;
    return below;
}
THAW_INLINE void f8_triples(const F8 columns[3], F8 rows[3]) {
    for (int k = 0; k < 24; k++) rows[k / 8].v[k % 8] = columns[k % 3].v[k / 3];
}
THAW_INLINE void f8_turn_triples(const float *rows, F8 *x, F8 *y, F8 *z) {
    for (int k = 0; k < 8; k++) {
        x->v[k] = rows[3 * k];
        y->v[k] = rows[3 * k + 1];
        z->v[k] = rows[3 * k + 2];
    }
}
#undef THAW_EACH
#endif
