// Which site is nearest to a place, and how far a search looks, eight rows at a time. Only for *_wide.c files.
#ifndef THAW_LATTICE_NEAREST_WIDE_H
#define THAW_LATTICE_NEAREST_WIDE_H

#include "lattice/bonds.h"
#include "lattice/wide_matrix.h"
#include "simd/wide_pick.h"

#include <math.h>

// D: sites that are vacant take nobody further off than this, and hardly ever is an occupant; those that have
// gone further are looked for a second time
#define THAW_BOND_NEAR 1.36f

// where the first site of rows is among [block][site][lane]
THAW_INLINE I8 thaw_first_site(I8 row) {
    I8 block = i8_right(row, 3);
    return i8_add(i8_add(i8_left(block, 6), i8_left(block, 5)), i8_and(row, THAW_LANES - 1));
}

// D²: how far the first look goes, by the longest stretch of the map
THAW_INLINE F8 first_reach2(const W33 *map, float support) {
    F8 stretch2 = w_zero();
    for (int c = 0; c < 3; c++) {
        W3 column = {map->m[c], map->m[3 + c], map->m[6 + c]};
        stretch2 = f8_max(stretch2, w3_dot(column, column));
    }
    F8 reach2 = f8_mul(stretch2, f8_set(THAW_BOND_NEAR * THAW_BOND_NEAR));
    return f8_min(reach2, f8_set(support * support));
}

// Where eight particles are to a lane: the first-shell site, and how far off it they are.
typedef struct Nearest {
    I8 site;
    F8 misfit; // squared, D²; INFINITY outside the site's cell
} Nearest;

// the site by the signs of the two coordinates that are not the least
THAW_INLINE I8 solid_site(W3 w, F8 first, F8 second, F8 third) {
    const F8 half = f8_set(0.5f);
    F8 p = f8_where(first, half, w.y, w.x), q = f8_where(third, half, w.y, w.z);
    // sites with the third, the second, the first coordinate 0; ++, −−, +−, −+ of the other two
    F8 base = f8_nma(first, f8_set(8.0f), f8_nma(second, f8_set(4.0f), f8_set(12.0f)));
    F8 plus = i8_where_negative(f8_bits(p), f8_set(3.0f), w_zero());
    F8 minus = i8_where_negative(f8_bits(p), f8_set(1.0f), f8_set(2.0f));
    return f8_round(f8_add(base, i8_where_negative(f8_bits(q), minus, plus)));
}

// The nearest point of the close packing, where that is in the first shell. `w` is the place in units of
// D/√2: sites have ±1 on two axes, and those are the two on which w is largest. Their cells are rhombic
// dodecahedra: the two largest offsets add up to at most one.
THAW_INLINE Nearest nearest_solid(W3 w) {
    const F8 one = f8_set(1.0f), zero = w_zero();
    F8 a[3] = {f8_abs(w.x), f8_abs(w.y), f8_abs(w.z)}, e[3];
    F8 least = f8_min(f8_min(a[0], a[1]), a[2]);
    // one axis alone is the least, the first of equals
    F8 first = f8_where(a[0], least, zero, one);
    F8 second = f8_where(a[1], least, f8_sub(one, first), one);
    F8 third = f8_where(f8_add(first, second), f8_set(1.5f), one, zero);
    e[0] = f8_abs(f8_sub(a[0], first));
    e[1] = f8_abs(f8_sub(a[1], second));
    e[2] = f8_abs(f8_sub(a[2], third));
    F8 small = f8_min(f8_min(e[0], e[1]), e[2]);
    F8 sum = f8_sub(f8_add(f8_add(e[0], e[1]), e[2]), small);
    F8 square = f8_fma(e[0], e[0], f8_fma(e[1], e[1], f8_mul(e[2], e[2])));
    Nearest near;
    near.site = solid_site(w, first, second, third);
    near.misfit = f8_where(sum, one, f8_mul(square, f8_set(0.5f)), f8_set(INFINITY));
    return near;
}

THAW_INLINE F8 round_float(F8 a) {
    return i8_float(f8_round(a));
}

// the site by 3 a + b of its cube coordinates, where it is one
static int32_t flat_site(int32_t code) {
    static const int8_t table[9] = {0, 1, 4, 3, 0, 2, 5, 0, 0};
    return code >= -4 && code <= 4 ? table[code + 4] : 0;
}

// Hexagonal: rounding in cube coordinates, which must add up to nothing; the one that rounding moved most
// gives way.
THAW_INLINE Nearest nearest_flat(W3 u) {
    const F8 rise = f8_set(0.86602540378f), half = f8_set(0.5f), zero = w_zero();
    F8 w[3], n[3], e[3];
    w[1] = f8_div(u.y, rise);
    w[0] = f8_nma(half, w[1], u.x);
    w[2] = f8_sub(f8_sub(zero, w[0]), w[1]);
    for (int a = 0; a < 3; a++) {
        n[a] = round_float(w[a]);
        e[a] = f8_abs(f8_sub(w[a], n[a]));
    }
    F8 excess = f8_add(f8_add(n[0], n[1]), n[2]), most = f8_max(f8_max(e[0], e[1]), e[2]);
    F8 first = f8_where(most, e[0], excess, zero);
    F8 second = f8_where(most, e[1], f8_sub(excess, first), zero);
    n[0] = f8_sub(n[0], first);
    n[1] = f8_sub(n[1], second);
    n[2] = f8_sub(zero, f8_add(n[0], n[1]));
    // of the first shell: Σ n² = 2
    F8 norm = f8_fma(n[0], n[0], f8_fma(n[1], n[1], f8_mul(n[2], n[2])));
    F8 x = f8_sub(u.x, f8_fma(half, n[1], n[0])), y = f8_nma(rise, n[1], u.y);
    Nearest near;
    int32_t site[THAW_LANES];
    i8_store(site, f8_round(f8_fma(n[0], f8_set(3.0f), n[1])));
    for (int k = 0; k < THAW_LANES; k++) site[k] = flat_site(site[k]);
    near.site = i8_load(site);
    near.misfit = f8_where(f8_abs(f8_sub(norm, f8_set(2.0f))), f8_set(0.25f),
                           f8_fma(x, x, f8_mul(y, y)), f8_set(INFINITY));
    return near;
}

#endif
