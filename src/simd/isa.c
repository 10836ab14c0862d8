#include "simd/isa.h"

#include "base/result.h"

#if defined(__x86_64__) && !defined(THAW_ONLY_BASELINE)
static bool has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
}

static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}
#else
static bool has_avx2(void) {
    return false;
}

static bool has_avx512(void) {
    return false;
}
#endif

const char *thaw_isa_name(ThawIsa isa) {
    static const char *const names[] = {"auto", "baseline", "avx2", "avx512"};
    return isa >= THAW_ISA_AUTO && isa <= THAW_ISA_AVX512 ? names[isa] : "unknown";
}

ThawResult thaw_isa_resolve(ThawIsa wanted, ThawIsa *isa) {
    ThawIsa best = has_avx512() ? THAW_ISA_AVX512 : has_avx2() ? THAW_ISA_AVX2 : THAW_ISA_BASELINE;
    if (wanted == THAW_ISA_AUTO) {
        *isa = best;
        return THAW_OK;
    }
    if (wanted < THAW_ISA_AUTO || wanted > THAW_ISA_AVX512) {
        return thaw_fail(THAW_BAD_INPUT, "isa %d is not one of auto, baseline, avx2, avx512",
                         (int)wanted);
    }
    if (wanted > best) {
        return thaw_fail(THAW_BAD_INPUT, "isa %s is not available on this machine, which has %s",
                         thaw_isa_name(wanted), thaw_isa_name(best));
    }
    *isa = wanted;
    return THAW_OK;
}
