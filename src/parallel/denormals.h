// Denormal numbers flushed to zero: they cost up to three times the time and mean nothing here.
#ifndef THAW_PARALLEL_DENORMALS_H
#define THAW_PARALLEL_DENORMALS_H

#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

typedef uint32_t ThawDenormals;

// flushes on this thread and returns the mode from before
static inline ThawDenormals thaw_denormals_flush(void) {
#if defined(__SSE2__)
    ThawDenormals before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u); // flush to zero, denormals are zero
    return before;
#else
    return 0;
#endif
}

static inline void thaw_denormals_restore(ThawDenormals mode) {
#if defined(__SSE2__)
    _mm_setcsr(mode);
#else
    (void)mode;
#endif
}

#endif
