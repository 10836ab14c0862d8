// Counter-based random numbers: a pure function of (seed, particle id, step, purpose), so that they
// depend neither on the order of work nor on how often others were drawn. Philox-like mixing of a
// 256-bit counter by rounds of SplitMix64.
#ifndef THAW_MATH_RANDOM_H
#define THAW_MATH_RANDOM_H

#include <stdint.h>

uint64_t thaw_random_bits(uint64_t seed, uint64_t id, uint64_t step, uint64_t purpose);

// uniform in [0, 1)
double thaw_random_unit(uint64_t seed, uint64_t id, uint64_t step, uint64_t purpose);

enum {
    THAW_RANDOM_JITTER_X = 1,
    THAW_RANDOM_JITTER_Y,
    THAW_RANDOM_JITTER_Z,
    THAW_RANDOM_NUDGE_X,
    THAW_RANDOM_NUDGE_Y,
    THAW_RANDOM_NUDGE_Z,
    THAW_RANDOM_STRENGTH,
    THAW_RANDOM_DOCKING, // and one a site
    THAW_RANDOM_DOCKING_LAST = THAW_RANDOM_DOCKING + 11,
    THAW_RANDOM_MELTING,
    THAW_RANDOM_FREEZING,
    THAW_RANDOM_NUCLEATION,
    THAW_RANDOM_GRAIN, // and two more: a grain's orientation
    THAW_RANDOM_GRAIN_LAST = THAW_RANDOM_GRAIN + 2,
    THAW_RANDOM_SINTERING
};

#endif
