// Sums of eight lanes in double: floats are added without rounding that would show. Only for *_wide.c files, after
// simd/wide.h.
#ifndef THAW_SIMD_WIDE_SUM_H
#define THAW_SIMD_WIDE_SUM_H

#if defined(THAW_SIMD_AVX2) || defined(THAW_SIMD_AVX512)

typedef struct D8 {
    __m256d low, high;
} D8;

THAW_INLINE D8 d8_zero(void) {
    return (D8){_mm256_setzero_pd(), _mm256_setzero_pd()};
}
THAW_INLINE D8 d8_add(D8 sum, F8 a) {
    __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(a));
    __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1));
    return (D8){_mm256_add_pd(sum.low, low), _mm256_add_pd(sum.high, high)};
}
THAW_INLINE void d8_store(double *p, D8 sum) {
    _mm256_storeu_pd(p, sum.low);
    _mm256_storeu_pd(p + 4, sum.high);
}

#else

typedef struct D8 {
    double v[8];
} D8;

THAW_INLINE D8 d8_zero(void) {
    return (D8){{0}};
}
THAW_INLINE D8 d8_add(D8 sum, F8 a) {
    for (int k = 0; k < 8; k++) sum.v[k] += (double)a.v[k];
    return sum;
}
THAW_INLINE void d8_store(double *p, D8 sum) {
    for (int k = 0; k < 8; k++) p[k] = sum.v[k];
}

#endif

#endif
