// Wide numbers: eight lanes of float (F8) or of 32-bit integers (I8).
//
// Included only by *_wide.c files, which the build compiles once per instruction set. AVX2 and AVX-512
// do the same operations in the same order, fused multiply-adds written out, so their results agree in
// every bit; the baseline is plain C without fused operations.
#ifndef THAW_SIMD_WIDE_H
#define THAW_SIMD_WIDE_H

#include <stdint.h>

#if defined(THAW_SIMD_AVX512)
#define THAW_WIDE(name) name##_avx512
#elif defined(THAW_SIMD_AVX2)
#define THAW_WIDE(name) name##_avx2
#else
#define THAW_WIDE(name) name##_baseline
#endif

// The vector builds must keep everything in registers; plain C inlined throughout takes minutes to compile.
#if defined(THAW_SIMD_AVX2) || defined(THAW_SIMD_AVX512)
#define THAW_INLINE static inline __attribute__((always_inline))
#else
#define THAW_INLINE static inline
#endif

#if defined(THAW_SIMD_AVX2) || defined(THAW_SIMD_AVX512)
#include "simd/wide_x86.h"
#else
#include "simd/wide_plain.h"
#endif

#endif
