// Which instruction set the inner loops use.
#ifndef THAW_SIMD_ISA_H
#define THAW_SIMD_ISA_H

#include <thaw/world.h>

// What `wanted` comes to on this machine; auto takes the best there is. Asking for one that the machine
// lacks is bad input.
ThawResult thaw_isa_resolve(ThawIsa wanted, ThawIsa *isa);
const char *thaw_isa_name(ThawIsa isa);

// Files named *_wide.c are compiled once for each instruction set; THAW_WIDE(name) gives each copy of a
// function its own symbol, and THAW_WIDE_DISPATCH declares the three and picks one at run time.
#if defined(__x86_64__) && !defined(THAW_ONLY_BASELINE)
#define THAW_WIDE_PICK(isa, name)                                                                  \
    ((isa) == THAW_ISA_AVX512 ? name##_avx512                                                      \
     : (isa) == THAW_ISA_AVX2 ? name##_avx2                                                        \
                              : name##_baseline)
#define THAW_WIDE_DECLARE(result, name, parameters)                                                \
    result name##_baseline parameters;                                                             \
    result name##_avx2 parameters;                                                                 \
    result name##_avx512 parameters
#else
#define THAW_WIDE_PICK(isa, name) ((void)(isa), name##_baseline)
#define THAW_WIDE_DECLARE(result, name, parameters) result name##_baseline parameters
#endif

#endif
