// Eight lanes in one 256-bit register; the AVX-512 build gains twice the registers and broadcasts in
// operands, at the same width: on the processors at hand 512-bit vectors are no faster per operation.
#ifndef THAW_SIMD_WIDE_X86_H
#define THAW_SIMD_WIDE_X86_H

#include <immintrin.h>

typedef __m256 F8;
typedef __m256i I8;

THAW_INLINE F8 f8_set(float x) {
    return _mm256_set1_ps(x);
}
// one number in the first four lanes, another in the last four
THAW_INLINE F8 f8_set_two(float first, float second) {
    return _mm256_set_m128(_mm_set1_ps(second), _mm_set1_ps(first));
}
THAW_INLINE F8 f8_load(const float *p) {
    return _mm256_loadu_ps(p);
}
THAW_INLINE void f8_store(float *p, F8 a) {
    _mm256_storeu_ps(p, a);
}
THAW_INLINE F8 f8_add(F8 a, F8 b) {
    return _mm256_add_ps(a, b);
}
THAW_INLINE F8 f8_sub(F8 a, F8 b) {
    return _mm256_sub_ps(a, b);
}
THAW_INLINE F8 f8_mul(F8 a, F8 b) {
    return _mm256_mul_ps(a, b);
}
THAW_INLINE F8 f8_fma(F8 a, F8 b, F8 c) { // a b + c
    return _mm256_fmadd_ps(a, b, c);
}
THAW_INLINE F8 f8_fused(F8 a, F8 b,
                        F8 c) { // a b + c, of which the baseline does not round a b either
    return f8_fma(a, b, c);
}
THAW_INLINE F8 f8_nma(F8 a, F8 b, F8 c) { // c − a b
    return _mm256_fnmadd_ps(a, b, c);
}
THAW_INLINE F8 f8_max(F8 a, F8 b) {
    return _mm256_max_ps(a, b);
}
THAW_INLINE F8 f8_min(F8 a, F8 b) {
    return _mm256_min_ps(a, b);
}
THAW_INLINE F8 f8_div(F8 a, F8 b) {
    return _mm256_div_ps(a, b);
}
THAW_INLINE F8 f8_abs(F8 a) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
// the least and the most of eight lanes
THAW_INLINE float f8_least(F8 a) {
    __m128 b = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    b = _mm_min_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_min_ss(b, _mm_movehdup_ps(b)));
}
THAW_INLINE float f8_most(F8 a) {
    __m128 b = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    b = _mm_max_ps(b, _mm_movehl_ps(b, b));
    return _mm_cvtss_f32(_mm_max_ss(b, _mm_movehdup_ps(b)));
}
// bit k is set where lane k of a is at most lane k of b
THAW_INLINE uint32_t f8_below(F8 a, F8 b) {
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}
THAW_INLINE I8 i8_set(int32_t x) {
    return _mm256_set1_epi32(x);
}
THAW_INLINE I8 i8_load(const int32_t *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
THAW_INLINE void i8_store(int32_t *p, I8 a) {
    _mm256_storeu_si256((__m256i *)(void *)p, a);
}
THAW_INLINE I8 i8_add(I8 a, I8 b) {
    return _mm256_add_epi32(a, b);
}
THAW_INLINE I8 i8_sub(I8 a, I8 b) {
    return _mm256_sub_epi32(a, b);
}
THAW_INLINE F8 i8_float(I8 a) {
    return _mm256_cvtepi32_ps(a);
}
THAW_INLINE I8 f8_round(F8 a) { // to nearest, ties to even
    return _mm256_cvtps_epi32(a);
}
THAW_INLINE F8 i8_bits(I8 a) {
    return _mm256_castsi256_ps(a);
}
THAW_INLINE I8 f8_bits(F8 a) {
    return _mm256_castps_si256(a);
}

THAW_INLINE F8 f8_sqrt(F8 a) {
    return _mm256_sqrt_ps(a);
}
// where a is at most b, one number, else the other
THAW_INLINE F8 f8_where(F8 a, F8 b, F8 yes, F8 no) {
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

// bit k is set where lane k of a is lane k of b
THAW_INLINE uint32_t i8_same(I8 a, I8 b) {
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)));
}

// 1 where lanes differ, else 0
THAW_INLINE F8 i8_differ(I8 a, I8 b) {
    return _mm256_andnot_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)), _mm256_set1_ps(1.0f));
}

// two rows of four numbers, one in each half
THAW_INLINE I8 i8_two_rows(const int32_t *low, const int32_t *high) {
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)low)),
        _mm_loadu_si128((const __m128i *)(const void *)high), 1);
}
// each number of two rows: the first row's in the first four lanes, the second's in the last four
THAW_INLINE void i8_spread_two(const int32_t *first, const int32_t *second, I8 *x, I8 *y, I8 *z,
                               I8 *w) {
    I8 rows = i8_two_rows(first, second);
    *x = _mm256_shuffle_epi32(rows, 0x00);
    *y = _mm256_shuffle_epi32(rows, 0x55);
    *z = _mm256_shuffle_epi32(rows, 0xaa);
    *w = _mm256_shuffle_epi32(rows, 0xff);
}
THAW_INLINE void i8_turn_rows(I8 r04, I8 r15, I8 r26, I8 r37, I8 *x, I8 *y, I8 *z, I8 *w) {
    __m256i a = _mm256_unpacklo_epi32(r04, r15), b = _mm256_unpackhi_epi32(r04, r15);
    __m256i c = _mm256_unpacklo_epi32(r26, r37), d = _mm256_unpackhi_epi32(r26, r37);
    *x = _mm256_unpacklo_epi64(a, c);
    *y = _mm256_unpackhi_epi64(a, c);
    *z = _mm256_unpacklo_epi64(b, d);
    *w = _mm256_unpackhi_epi64(b, d);
}

// eight rows of four numbers become four columns of eight lanes, and back
THAW_INLINE void i8_columns(const int32_t *rows, I8 *x, I8 *y, I8 *z, I8 *w) {
    i8_turn_rows(i8_two_rows(rows, rows + 16), i8_two_rows(rows + 4, rows + 20),
                 i8_two_rows(rows + 8, rows + 24), i8_two_rows(rows + 12, rows + 28), x, y, z, w);
}
// the same of rows anywhere, `stride` numbers apart: row index[k] becomes lane k
THAW_INLINE void i8_gather(const int32_t *rows, size_t stride, const uint32_t *index, I8 *x, I8 *y,
                           I8 *z, I8 *w) {
    const int32_t *row[8];
    for (int k = 0; k < 8; k++) row[k] = rows + stride * index[k];
    i8_turn_rows(i8_two_rows(row[0], row[4]), i8_two_rows(row[1], row[5]),
                 i8_two_rows(row[2], row[6]), i8_two_rows(row[3], row[7]), x, y, z, w);
}
THAW_INLINE void i8_put_row(int32_t *row, __m128i numbers) {
    _mm_storeu_si128((__m128i *)(void *)row, numbers);
}
// the same to rows that are `stride` numbers apart
THAW_INLINE void i8_rows_apart(int32_t *rows, size_t stride, I8 x, I8 y, I8 z, I8 w) {
    __m256i a = _mm256_unpacklo_epi32(x, y), b = _mm256_unpackhi_epi32(x, y);
    __m256i c = _mm256_unpacklo_epi32(z, w), d = _mm256_unpackhi_epi32(z, w);
    __m256i r04 = _mm256_unpacklo_epi64(a, c), r15 = _mm256_unpackhi_epi64(a, c);
    __m256i r26 = _mm256_unpacklo_epi64(b, d), r37 = _mm256_unpackhi_epi64(b, d);
    i8_put_row(rows, _mm256_castsi256_si128(r04));
    i8_put_row(rows + stride, _mm256_castsi256_si128(r15));
    i8_put_row(rows + 2 * stride, _mm256_castsi256_si128(r26));
    i8_put_row(rows + 3 * stride, _mm256_castsi256_si128(r37));
    i8_put_row(rows + 4 * stride, _mm256_extracti128_si256(r04, 1));
    i8_put_row(rows + 5 * stride, _mm256_extracti128_si256(r15, 1));
    i8_put_row(rows + 6 * stride, _mm256_extracti128_si256(r26, 1));
    i8_put_row(rows + 7 * stride, _mm256_extracti128_si256(r37, 1));
}
THAW_INLINE void i8_rows(int32_t *rows, I8 x, I8 y, I8 z, I8 w) {
    i8_rows_apart(rows, 4, x, y, z, w);
}

// columns x, y, z of eight lanes become eight rows of three: x0 y0 z0 x1 | y1 z1 x2 y2 | z2 x3 y3 z3 | ...
THAW_INLINE void f8_triples(const F8 columns[3], F8 rows[3]) {
    // in each half of four lanes: a = x0 x2 y0 y2, b = y1 y3 z1 z3, c = z0 z2 x1 x3
    F8 a = _mm256_shuffle_ps(columns[0], columns[1], 0x88);
    F8 b = _mm256_shuffle_ps(columns[1], columns[2], 0xdd);
    F8 c = _mm256_shuffle_ps(columns[2], columns[0], 0xd8);
    // x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3
    F8 first = _mm256_shuffle_ps(a, c, 0x88);
    F8 second = _mm256_shuffle_ps(b, a, 0xd8);
    F8 third = _mm256_shuffle_ps(c, b, 0xdd);
    rows[0] = _mm256_permute2f128_ps(first, second, 0x20);
    rows[1] = _mm256_permute2f128_ps(third, first, 0x30);
    rows[2] = _mm256_permute2f128_ps(second, third, 0x31);
}

// and back: eight rows of three become columns x, y, z
THAW_INLINE void f8_turn_triples(const float *rows, F8 *x, F8 *y, F8 *z) {
    // in each half of four lanes: a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3
    F8 a = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows)), _mm_loadu_ps(rows + 12),
                                1);
    F8 b = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows + 4)),
                                _mm_loadu_ps(rows + 16), 1);
    F8 c = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows + 8)),
                                _mm_loadu_ps(rows + 20), 1);
    F8 high = _mm256_shuffle_ps(b, c, 0x9e); // x2 y2 x3 y3
    F8 low = _mm256_shuffle_ps(a, b, 0x49);  // y0 z0 y1 z1
    *x = _mm256_shuffle_ps(a, high, 0x8c);
    *y = _mm256_shuffle_ps(low, high, 0xd8);
    *z = _mm256_shuffle_ps(low, c, 0xcd);
}

// how many of eight keys are below a bound
THAW_INLINE uint32_t u64_below(const uint64_t *keys, uint64_t bound) {
    // the comparison is signed: flip the highest bits
    const __m256i flip = _mm256_set1_epi64x(INT64_MIN);
    const __m256i *p = (const __m256i *)(const void *)keys;
    __m256i limit = _mm256_xor_si256(_mm256_set1_epi64x((int64_t)bound), flip);
    __m256i a = _mm256_cmpgt_epi64(limit, _mm256_xor_si256(_mm256_loadu_si256(p), flip));
    __m256i b = _mm256_cmpgt_epi64(limit, _mm256_xor_si256(_mm256_loadu_si256(p + 1), flip));
    // keys ascend, so the two masks together are a run of ones
    __m256i both = _mm256_packs_epi32(a, b);
    return (uint32_t)_mm_popcnt_u32((uint32_t)_mm256_movemask_epi8(both)) / 4;
}

#endif
