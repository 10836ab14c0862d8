// Balance: what rounding leaves of a neighbourhood's torque, and how it is taken off. Only for *_wide.c files.
//
// Forces P l − h r of a neighbourhood have no moment: R is chosen so. In float32 P is off by its last bits, and so is
// what comes of P l in each bond. A body that is turned alike everywhere is off alike everywhere: the torques add up, in
// every substep. So P is rounded to a grid on which P l is exact, the torque that is left is found exactly,
// and forces w × r of the neighbourhood, which add up to nothing over each pair, take it off.
#ifndef THAW_MODELS_SOLID_BALANCE_WIDE_H
#define THAW_MODELS_SOLID_BALANCE_WIDE_H

#include "models/solid/lanes_wide.h"

#include "simd/wide_pick.h"
#include "simd/wide_sum.h"

#define LEAST_INERTIA 1e-5f  // D²: added, so that lines and loners can be solved
#define LEAST_DAMPING 1e-10f // 1/s: less takes nothing off

// P for whole sites, P l = P' n with l = scale n, in multiples of the last bit of h: P' n of a neighbourhood is exact as
// long as the lattice is not strained out of all shape
THAW_INLINE W33 round_response(const ThawSites *sites, const W33 *p, F8 half_k) {
    // 2^e ≤ h. What is added to 3·2^e keeps the bits of 2 h, and what is left then, added to 1.5·2^e, those of h
    F8 power = i8_bits(i8_and(f8_bits(half_k), 0x7f800000));
    F8 large = f8_mul(power, f8_set(3.0f)), less = f8_mul(power, f8_set(1.5f));
    W33 r;
    for (int k = 0; k < 9; k++) {
        F8 exact = f8_mul(p->m[k], f8_set(sites->scale[k % 3]));
        F8 most = f8_sub(f8_add(exact, large), large), rest = f8_sub(exact, most);
        r.m[k] = f8_add(most, f8_sub(f8_add(rest, less), less));
    }
    return r;
}

// row `a` of ways cross row `b` of forces: Σ (way_a f_b − way_b f_a) of all sites
THAW_INLINE F8 left_about(const D8 *whole, const D8 *p, int a, int b) {
    D8 sum = d8_zero();
    for (int k = 0; k < 3; k++) {
        sum = d8_fma(whole[3 * a + k], p[3 * b + k], sum);
        sum = d8_nma(whole[3 * b + k], p[3 * a + k], sum);
    }
    return d8_float(sum);
}

// Σ way × P' n, of Σ way nᵀ: products of 24 bits by 24, exact in double
THAW_INLINE W3 left_torque(const W33 *whole, const W33 *p) {
    D8 ways[9], forces[9];
    for (int k = 0; k < 9; k++) {
        ways[k] = d8_from(whole->m[k]);
        forces[k] = d8_from(p->m[k]);
    }
    return (W3){left_about(ways, forces, 1, 2), left_about(ways, forces, 2, 0),
                left_about(ways, forces, 0, 1)};
}

// The w that takes it off, a place unit. The neighbours' moment of inertia is nearly the affine one's, Σ r rᵀ = A Mᵀ:
// where it is not, a little of what rounding left remains.
THAW_INLINE W3 twist_against(W3 torque, const W33 *map, const W33 *m, F8 unit) {
    W33 spread = w33_mul_turned(map, m);
    F8 half = f8_set(-0.5f), some = f8_set(LEAST_INERTIA);
    F8 xx = f8_add(spread.m[0], some), yy = f8_add(spread.m[4], some);
    F8 zz = f8_add(spread.m[8], some);
    F8 xy = f8_mul(half, f8_add(spread.m[1], spread.m[3]));
    F8 xz = f8_mul(half, f8_add(spread.m[2], spread.m[6]));
    F8 yz = f8_mul(half, f8_add(spread.m[5], spread.m[7]));
    W33 inertia = {{f8_add(yy, zz), xy, xz, xy, f8_add(xx, zz), yz, xz, yz, f8_add(xx, yy)}};
    W33 inverse = w33_inverse(&inertia);
    W3 turned = w33_apply(&inverse, torque);
    return w3_scale(turned, f8_sub(w_zero(), f8_mul(unit, unit)));
}

// The same as what a neighbourhood's spin lacks for damping to take the torque off; nothing where there is no damping.
THAW_INLINE W3 spin_against(W3 torque, const Kinds *kinds, F8 rate) {
    F8 least = f8_set(LEAST_DAMPING), push = f8_mul(kinds->unit, kinds->push);
    F8 share = f8_div(f8_sub(w_zero(), push), f8_max(rate, least));
    return w3_scale(torque, f8_where(rate, least, w_zero(), share));
}

#endif
