// More of the wide numbers, for look-ups in tables: picking lanes from anywhere, and whole-number arithmetic.
// Included after simd/wide.h, by *_wide.c files only.
#ifndef THAW_SIMD_WIDE_PICK_H
#define THAW_SIMD_WIDE_PICK_H

#include "simd/wide.h"

#include <math.h>
#include <string.h>

#if defined(THAW_SIMD_AVX2) || defined(THAW_SIMD_AVX512)

// base[index] of each lane
THAW_INLINE I8 i8_pick(const int32_t *base, I8 index) {
    return _mm256_i32gather_epi32((const int *)base, index, 4);
}
// base[index] in the low half of each lane, base[index + 1] in the high half
THAW_INLINE I8 i8_pick_pair(const int16_t *base, I8 index) {
    return _mm256_i32gather_epi32((const int *)(const void *)base, index, 2);
}
THAW_INLINE I8 i8_and(I8 a, int32_t bits) {
    return _mm256_and_si256(a, _mm256_set1_epi32(bits));
}
THAW_INLINE I8 i8_left(I8 a, int count) {
    return _mm256_slli_epi32(a, count);
}
THAW_INLINE I8 i8_right(I8 a, int count) { // keeps the sign
    return _mm256_srai_epi32(a, count);
}
THAW_INLINE I8 i8_mul(I8 a, I8 b) {
    return _mm256_mullo_epi32(a, b);
}
THAW_INLINE I8 i8_max(I8 a, I8 b) {
    return _mm256_max_epi32(a, b);
}
THAW_INLINE I8 i8_min(I8 a, I8 b) {
    return _mm256_min_epi32(a, b);
}
// where a is negative, one number, else the other
THAW_INLINE F8 i8_where_negative(I8 a, F8 yes, F8 no) {
    return _mm256_blendv_ps(no, yes, _mm256_castsi256_ps(a));
}
THAW_INLINE uint32_t i8_negative(I8 a) {
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(a));
}
THAW_INLINE int32_t i8_first(I8 a) {
    return _mm_cvtsi128_si32(_mm256_castsi256_si128(a));
}
THAW_INLINE F8 f8_floor(F8 a) {
    return _mm256_floor_ps(a);
}

#else

#define THAW_EACH(type, expression)                                                                \
    type r;                                                                                        \
    for (int k = 0; k < 8; k++) r.v[k] = (expression);                                             \
    return r

THAW_INLINE I8 i8_pick(const int32_t *base, I8 index) {
    THAW_EACH(I8, base[index.v[k]]);
}
THAW_INLINE int32_t join_pair(const int16_t *pair) {
    return (int32_t)((uint32_t)(uint16_t)pair[0] | (uint32_t)(uint16_t)pair[1] << 16);
}
THAW_INLINE I8 i8_pick_pair(const int16_t *base, I8 index) {
    THAW_EACH(I8, join_pair(base + index.v[k]));
}
THAW_INLINE I8 i8_and(I8 a, int32_t bits) {
    THAW_EACH(I8, a.v[k] & bits);
}
THAW_INLINE I8 i8_left(I8 a, int count) {
    THAW_EACH(I8, (int32_t)((uint32_t)a.v[k] << count));
}
THAW_INLINE I8 i8_right(I8 a, int count) {
    THAW_EACH(I8, a.v[k] >> count);
}
THAW_INLINE I8 i8_mul(I8 a, I8 b) {
    THAW_EACH(I8, (int32_t)((uint32_t)a.v[k] * (uint32_t)b.v[k]));
}
THAW_INLINE I8 i8_max(I8 a, I8 b) {
    THAW_EACH(I8, a.v[k] > b.v[k] ? a.v[k] : b.v[k]);
}
THAW_INLINE I8 i8_min(I8 a, I8 b) {
    THAW_EACH(I8, a.v[k] < b.v[k] ? a.v[k] : b.v[k]);
}
THAW_INLINE F8 i8_where_negative(I8 a, F8 yes, F8 no) {
    THAW_EACH(F8, a.v[k] < 0 ? yes.v[k] : no.v[k]);
}
THAW_INLINE uint32_t i8_negative(I8 a) {
    uint32_t mask = 0;
    for (int k = 0; k < 8; k++) mask |= (uint32_t)(a.v[k] < 0) << k;
    return mask;
}
THAW_INLINE int32_t i8_first(I8 a) {
    return a.v[0];
}
THAW_INLINE F8 f8_floor(F8 a) {
    THAW_EACH(F8, floorf(a.v[k]));
}

#undef THAW_EACH
#endif

#endif
