// The curl of gradient noise in one cell of its lattice: its eight corners are the lanes.
#include "world/force_noise.h"

#include "simd/wide.h"

// one axis: weights of the corners, their derivatives, and how far the point is from each
typedef struct Axis {
    F8 weight, slope, off;
} Axis;

// weights 1 − s and s of Perlin's quintic, for corners at 0 and 1
THAW_INLINE Axis make_axis(float u, const float corner[8]) {
    float s = u * u * u * (u * (u * 6.0f - 15.0f) + 10.0f);
    float slope = 30.0f * u * u * (u * (u - 2.0f) + 1.0f);
    F8 far = f8_load(corner);
    return (Axis){f8_fma(far, f8_set(2.0f * s - 1.0f), f8_set(1.0f - s)),
                  f8_fma(far, f8_set(2.0f * slope), f8_set(-slope)), f8_sub(f8_set(u), far)};
}

THAW_INLINE float add_lanes(F8 a) {
    float lane[8];
    f8_store(lane, a);
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
           ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

void THAW_WIDE(thaw_noise_curl)(const ThawNoiseCell *cell, const float at[3], const float scale[3],
                                float curl[3]) {
    static const float corner[3][8] = {
        {0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}};
    Axis x = make_axis(at[0], corner[0]), y = make_axis(at[1], corner[1]);
    Axis z = make_axis(at[2], corner[2]);
    F8 yz = f8_mul(y.weight, z.weight), weight = f8_mul(x.weight, yz);
    // derivatives of the weights along the axes in metres
    F8 along[3] = {f8_mul(f8_mul(x.slope, yz), f8_set(scale[0])),
                   f8_mul(f8_mul(y.slope, f8_mul(x.weight, z.weight)), f8_set(scale[1])),
                   f8_mul(f8_mul(z.slope, f8_mul(x.weight, y.weight)), f8_set(scale[2]))};
    // each component of the potential as its corners have it, and its slopes
    F8 value[3], slope[3][3];
    for (int k = 0; k < 3; k++) {
        F8 raw[3];
        for (int a = 0; a < 3; a++) {
            raw[a] = f8_load(cell->slope[3 * k + a]);
            slope[k][a] = f8_mul(f8_mul(raw[a], f8_set(scale[a])), weight);
        }
        value[k] = f8_fma(raw[2], z.off, f8_fma(raw[1], y.off, f8_mul(raw[0], x.off)));
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        F8 plus = f8_fma(along[b], value[c], slope[c][b]);
        F8 minus = f8_fma(along[c], value[b], slope[b][c]);
        curl[a] = add_lanes(f8_sub(plus, minus));
    }
}
