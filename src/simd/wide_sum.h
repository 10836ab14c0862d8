// Sums of eight lanes in double: floats and their products are added without rounding that would show. Only for
// *_wide.c files, after simd/wide.h.
#ifndef THAW_SIMD_WIDE_SUM_H
#define THAW_SIMD_WIDE_SUM_H

#if defined(THAW_SIMD_AVX2) || defined(THAW_SIMD_AVX512)

typedef struct D8 {
    __m256d low, high;
} D8;

THAW_INLINE D8 d8_zero(void) {
    return (D8){_mm256_setzero_pd(), _mm256_setzero_pd()};
}
THAW_INLINE D8 d8_from(F8 a) {
    return (D8){_mm256_cvtps_pd(_mm256_castps256_ps128(a)),
                _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))};
}
THAW_INLINE F8 d8_float(D8 a) {
    return _mm256_set_m128(_mm256_cvtpd_ps(a.high), _mm256_cvtpd_ps(a.low));
}
THAW_INLINE D8 d8_add(D8 sum, F8 a) {
    D8 more = d8_from(a);
    return (D8){_mm256_add_pd(sum.low, more.low), _mm256_add_pd(sum.high, more.high)};
}
THAW_INLINE D8 d8_add_whole(D8 sum, I8 a) {
    return (D8){_mm256_add_pd(sum.low, _mm256_cvtepi32_pd(_mm256_castsi256_si128(a))),
                _mm256_add_pd(sum.high, _mm256_cvtepi32_pd(_mm256_extracti128_si256(a, 1)))};
}
THAW_INLINE D8 d8_plus(D8 a, D8 b) {
    return (D8){_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)};
}
THAW_INLINE D8 d8_mul(D8 a, double b) {
    __m256d factor = _mm256_set1_pd(b);
    return (D8){_mm256_mul_pd(a.low, factor), _mm256_mul_pd(a.high, factor)};
}
THAW_INLINE D8 d8_abs(D8 a) {
    __m256d sign = _mm256_set1_pd(-0.0);
    return (D8){_mm256_andnot_pd(sign, a.low), _mm256_andnot_pd(sign, a.high)};
}
THAW_INLINE D8 d8_fma(D8 a, D8 b, D8 c) { // a b + c
    return (D8){_mm256_fmadd_pd(a.low, b.low, c.low), _mm256_fmadd_pd(a.high, b.high, c.high)};
}
THAW_INLINE D8 d8_nma(D8 a, D8 b, D8 c) { // c − a b
    return (D8){_mm256_fnmadd_pd(a.low, b.low, c.low), _mm256_fnmadd_pd(a.high, b.high, c.high)};
}
THAW_INLINE D8 d8_load(const double *p) {
    return (D8){_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)};
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
THAW_INLINE D8 d8_from(F8 a) {
    D8 r;
    for (int k = 0; k < 8; k++) r.v[k] = (double)a.v[k];
    return r;
}
THAW_INLINE F8 d8_float(D8 a) {
    F8 r;
    for (int k = 0; k < 8; k++) r.v[k] = (float)a.v[k];
    return r;
}
THAW_INLINE D8 d8_add(D8 sum, F8 a) {
    for (int k = 0; k < 8; k++) sum.v[k] += (double)a.v[k];
    return sum;
}
THAW_INLINE D8 d8_add_whole(D8 sum, I8 a) {
    for (int k = 0; k < 8; k++) sum.v[k] += (double)a.v[k];
    return sum;
}
THAW_INLINE D8 d8_plus(D8 a, D8 b) {
    for (int k = 0; k < 8; k++) a.v[k] += b.v[k];
    return a;
}
THAW_INLINE D8 d8_mul(D8 a, double b) {
    for (int k = 0; k < 8; k++) a.v[k] *= b;
    return a;
}
THAW_INLINE D8 d8_abs(D8 a) {
    for (int k = 0; k < 8; k++) a.v[k] = a.v[k] < 0 ? -a.v[k] : a.v[k];
    return a;
}
THAW_INLINE D8 d8_fma(D8 a, D8 b, D8 c) {
    for (int k = 0; k < 8; k++) c.v[k] += a.v[k] * b.v[k];
    return c;
}
THAW_INLINE D8 d8_nma(D8 a, D8 b, D8 c) {
    for (int k = 0; k < 8; k++) c.v[k] -= a.v[k] * b.v[k];
    return c;
}
THAW_INLINE D8 d8_load(const double *p) {
    D8 r;
    for (int k = 0; k < 8; k++) r.v[k] = p[k];
    return r;
}
THAW_INLINE void d8_store(double *p, D8 sum) {
    for (int k = 0; k < 8; k++) p[k] = sum.v[k];
}

#endif

#endif
