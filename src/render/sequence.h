// Low-discrepancy points for every pixel, sample and purpose: the first two Sobol dimensions with
// hashed Owen scrambling (Burley 2020), walked along the Z-order curve over the picture (Ahmed and
// Wonka 2020). Neighbouring pixels so share one well-spread set, and what noise is left is fine and
// even: the eye averages it. A pure function of its arguments: who draws when does not matter.
#ifndef THAW_RENDER_SEQUENCE_H
#define THAW_RENDER_SEQUENCE_H

#include <stdint.h>

static inline uint32_t thaw_bits_reverse(uint32_t x) {
    x = (x >> 16) | (x << 16);
    x = ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
    x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
    x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
    return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
}

// every bit is flipped by a hash of the lower ones (Laine and Karras 2011)
static inline uint32_t thaw_bits_permute(uint32_t x, uint32_t seed) {
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return x;
}

// every bit is flipped by a hash of the higher ones
static inline uint32_t thaw_bits_scramble(uint32_t x, uint32_t seed) {
    return thaw_bits_reverse(thaw_bits_permute(thaw_bits_reverse(x), seed));
}

static inline uint32_t thaw_bits_hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

static inline uint32_t thaw_bits_spread(uint32_t x) {
    x &= 0xffffu;
    x = (x | (x << 8)) & 0x00ff00ffu;
    x = (x | (x << 4)) & 0x0f0f0f0fu;
    x = (x | (x << 2)) & 0x33333333u;
    return (x | (x << 1)) & 0x55555555u;
}

// place of a pixel on the Z-order curve
static inline uint32_t thaw_pixel_order(uint32_t x, uint32_t y) {
    return thaw_bits_spread(x) | (thaw_bits_spread(y) << 1);
}

// the second Sobol dimension of the index whose reversed bits are x
static inline uint32_t thaw_sobol_second(uint32_t x) {
    // the generator matrix is Pascal's triangle mod 2: five shifts apply it to all bits at once
    x ^= x << 16;
    x ^= (x & 0x00ff00ffu) << 8;
    x ^= (x & 0x0f0f0f0fu) << 4;
    x ^= (x & 0x33333333u) << 2;
    x ^= (x & 0x55555555u) << 1;
    return x;
}

typedef struct ThawPoint2 {
    float x, y; // [0, 1)
} ThawPoint2;

static inline ThawPoint2 thaw_sequence_point(uint32_t index, uint32_t purpose) {
    uint32_t seed = thaw_bits_hash(purpose * 0x9e3779b9u + 0x85ebca6bu);
    uint32_t k = thaw_bits_scramble(index, seed);
    uint32_t first = thaw_bits_reverse(k);
    uint32_t second = thaw_sobol_second(first);
    first = thaw_bits_scramble(first, thaw_bits_hash(seed ^ 0xa511e9b3u));
    second = thaw_bits_scramble(second, thaw_bits_hash(seed ^ 0x63d83595u));
    return (ThawPoint2){(float)(first >> 8) * 0x1p-24f, (float)(second >> 8) * 0x1p-24f};
}

#endif
