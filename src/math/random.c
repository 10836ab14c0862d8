// Counter-based random numbers: the four words of the counter are absorbed one after another, each
// followed by SplitMix64's finaliser (Steele, Lea & Flood 2014, with Stafford's variant 13
// constants). With the other three words held, the result is a bijection of each word.
#include "math/random.h"

// 2^64 / golden ratio, odd
#define GAMMA UINT64_C(0x9e3779b97f4a7c15)

static uint64_t absorb(uint64_t state, uint64_t word) {
    uint64_t z = (state ^ word) + GAMMA;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t thaw_random_bits(uint64_t seed, uint64_t id, uint64_t step, uint64_t purpose) {
    uint64_t state = absorb(0, seed);
    state = absorb(state, id);
    state = absorb(state, step);
    return absorb(state, purpose);
}

double thaw_random_unit(uint64_t seed, uint64_t id, uint64_t step, uint64_t purpose) {
    // the upper 53 bits: every value a double can hold evenly, and never 1
    return (double)(thaw_random_bits(seed, id, step, purpose) >> 11) * 0x1p-53;
}
