// More of the wide numbers, for lists of lanes: packing those of a mask together, powers of two.
// Included after simd/wide.h, by *_wide.c files only.
#ifndef THAW_SIMD_WIDE_PACK_H
#define THAW_SIMD_WIDE_PACK_H

#include "simd/wide.h"

#if defined(THAW_SIMD_AVX2) || defined(THAW_SIMD_AVX512)

// Where packed lanes come from: those of the mask in order, then any.
typedef __m256i Packing;

// for each mask the numbers of its bits, a byte each
#define THAW_BITS_BELOW(m, k)                                                                      \
    (((k) > 0 && ((m)&1)) + ((k) > 1 && ((m)&2)) + ((k) > 2 && ((m)&4)) + ((k) > 3 && ((m)&8)) +   \
     ((k) > 4 && ((m)&16)) + ((k) > 5 && ((m)&32)) + ((k) > 6 && ((m)&64)))
#define THAW_BIT_PACKED(m, k) ((m) >> (k)&1 ? (uint64_t)(k) << 8 * THAW_BITS_BELOW(m, k) : 0u)
#define THAW_PACKED(m)                                                                             \
    (THAW_BIT_PACKED(m, 1) | THAW_BIT_PACKED(m, 2) | THAW_BIT_PACKED(m, 3) |                       \
     THAW_BIT_PACKED(m, 4) | THAW_BIT_PACKED(m, 5) | THAW_BIT_PACKED(m, 6) |                       \
     THAW_BIT_PACKED(m, 7))
#define THAW_PACKED_4(m) THAW_PACKED(m), THAW_PACKED(m + 1), THAW_PACKED(m + 2), THAW_PACKED(m + 3)
#define THAW_PACKED_16(m)                                                                          \
    THAW_PACKED_4(m), THAW_PACKED_4(m + 4), THAW_PACKED_4(m + 8), THAW_PACKED_4(m + 12)
#define THAW_PACKED_64(m)                                                                          \
    THAW_PACKED_16(m), THAW_PACKED_16(m + 16), THAW_PACKED_16(m + 32), THAW_PACKED_16(m + 48)

static const uint64_t packed_lanes[256] = {THAW_PACKED_64(0), THAW_PACKED_64(64),
                                           THAW_PACKED_64(128), THAW_PACKED_64(192)};

THAW_INLINE Packing pack_lanes(uint32_t mask) {
    return _mm256_cvtepu8_epi32(
        _mm_loadl_epi64((const __m128i *)(const void *)&packed_lanes[mask]));
}
THAW_INLINE I8 i8_packed(I8 a, Packing packing) {
    return _mm256_permutevar8x32_epi32(a, packing);
}
THAW_INLINE F8 f8_packed(F8 a, Packing packing) {
    return _mm256_permutevar8x32_ps(a, packing);
}
THAW_INLINE I8 i8_shift(I8 a, I8 count) { // to the left, each lane by its own
    return _mm256_sllv_epi32(a, count);
}
THAW_INLINE I8 i8_count(void) { // 0 1 2 .. 7
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}
THAW_INLINE I8 i8_both(I8 a, I8 b) { // bits that both have
    return _mm256_and_si256(a, b);
}
THAW_INLINE I8 i8_either(I8 a, I8 b) { // bits that one of them has
    return _mm256_or_si256(a, b);
}
THAW_INLINE uint32_t i8_total(I8 a) { // of all lanes
    __m128i b = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    b = _mm_add_epi32(b, _mm_unpackhi_epi64(b, b));
    return (uint32_t)_mm_cvtsi128_si32(b) + (uint32_t)_mm_extract_epi32(b, 1);
}
// bit k is set where byte k has one of `bits`
THAW_INLINE uint32_t u8_share(const uint8_t bytes[8], uint8_t bits) {
    __m128i eight = _mm_loadl_epi64((const __m128i *)(const void *)bytes);
    __m128i shared = _mm_and_si128(eight, _mm_set1_epi8((char)bits));
    return 0xffu & ~(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(shared, _mm_setzero_si128()));
}
// where lanes are the same, one number, else the other
THAW_INLINE I8 i8_where_same(I8 a, I8 b, I8 yes, I8 no) {
    return _mm256_blendv_epi8(no, yes, _mm256_cmpeq_epi32(a, b));
}

#else

typedef I8 Packing;

#define THAW_EACH(type, expression)                                                                \
    type r;                                                                                        \
    for (int k = 0; k < 8; k++) r.v[k] = (expression);                                             \
    return r

THAW_INLINE Packing pack_lanes(uint32_t mask) {
    Packing packing = {{0}};
    for (int k = 0, n = 0; k < 8; k++) {
        if ((mask >> k & 1u) != 0) packing.v[n++] = k;
    }
    return packing;
}
THAW_INLINE I8 i8_packed(I8 a, Packing packing) {
    THAW_EACH(I8, a.v[packing.v[k]]);
}
THAW_INLINE F8 f8_packed(F8 a, Packing packing) {
    THAW_EACH(F8, a.v[packing.v[k]]);
}
THAW_INLINE I8 i8_shift(I8 a, I8 count) {
    THAW_EACH(I8, (int32_t)((uint32_t)a.v[k] << count.v[k]));
}
THAW_INLINE I8 i8_count(void) {
    THAW_EACH(I8, k);
}
THAW_INLINE I8 i8_both(I8 a, I8 b) {
    THAW_EACH(I8, a.v[k] & b.v[k]);
}
THAW_INLINE I8 i8_either(I8 a, I8 b) {
    THAW_EACH(I8, a.v[k] | b.v[k]);
}
THAW_INLINE uint32_t i8_total(I8 a) {
    uint32_t sum = 0;
    for (int k = 0; k < 8; k++) sum += (uint32_t)a.v[k];
    return sum;
}
THAW_INLINE uint32_t u8_share(const uint8_t bytes[8], uint8_t bits) {
    uint32_t mask = 0;
    for (int k = 0; k < 8; k++) mask |= (uint32_t)((bytes[k] & bits) != 0) << k;
    return mask;
}
THAW_INLINE I8 i8_where_same(I8 a, I8 b, I8 yes, I8 no) {
    THAW_EACH(I8, a.v[k] == b.v[k] ? yes.v[k] : no.v[k]);
}

#undef THAW_EACH
#endif

// lanes of the mask one after the other, then what comes; returns how many they are
THAW_INLINE uint32_t i8_pack(uint32_t out[8], I8 a, uint32_t mask) {
    i8_store((int32_t *)(void *)out, i8_packed(a, pack_lanes(mask)));
    return (uint32_t)__builtin_popcount(mask);
}
// the same of first, first + 1, .. first + 7
THAW_INLINE uint32_t i8_pack_numbers(uint32_t out[8], uint32_t first, uint32_t mask) {
    i8_store((int32_t *)(void *)out, i8_add(pack_lanes(mask), i8_set((int32_t)first)));
    return (uint32_t)__builtin_popcount(mask);
}

#endif
