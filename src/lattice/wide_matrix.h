// Eight small vectors, matrices and rotations at a time. Only for *_wide.c files.
#ifndef THAW_LATTICE_WIDE_MATRIX_H
#define THAW_LATTICE_WIDE_MATRIX_H

#include "simd/wide.h"

typedef struct W3 {
    F8 x, y, z;
} W3;

typedef struct W33 {
    F8 m[9]; // row by row
} W33;

typedef struct W4 {
    F8 x, y, z, w;
} W4;

THAW_INLINE F8 w_zero(void) {
    return f8_set(0.0f);
}
THAW_INLINE W3 w3_zero(void) {
    return (W3){w_zero(), w_zero(), w_zero()};
}
THAW_INLINE W3 w3_add(W3 a, W3 b) {
    return (W3){f8_add(a.x, b.x), f8_add(a.y, b.y), f8_add(a.z, b.z)};
}
THAW_INLINE W3 w3_sub(W3 a, W3 b) {
    return (W3){f8_sub(a.x, b.x), f8_sub(a.y, b.y), f8_sub(a.z, b.z)};
}
THAW_INLINE W3 w3_scale(W3 a, F8 s) {
    return (W3){f8_mul(a.x, s), f8_mul(a.y, s), f8_mul(a.z, s)};
}
THAW_INLINE W3 w3_fma(W3 a, F8 s, W3 b) { // a s + b
    return (W3){f8_fma(a.x, s, b.x), f8_fma(a.y, s, b.y), f8_fma(a.z, s, b.z)};
}
THAW_INLINE F8 w3_dot(W3 a, W3 b) {
    return f8_fma(a.z, b.z, f8_fma(a.y, b.y, f8_mul(a.x, b.x)));
}
THAW_INLINE W3 w3_cross(W3 a, W3 b) {
    return (W3){f8_nma(a.z, b.y, f8_mul(a.y, b.z)), f8_nma(a.x, b.z, f8_mul(a.z, b.x)),
                f8_nma(a.y, b.x, f8_mul(a.x, b.y))};
}

THAW_INLINE W33 w33_zero(void) {
    const F8 zero = w_zero();
    return (W33){{zero, zero, zero, zero, zero, zero, zero, zero, zero}};
}
// Number by number: of copies of whole matrices, and of loops, compilers make slow string instructions.
THAW_INLINE void w33_copy(const W33 *from, W33 *to) {
    const F8 *m = from->m;
    F8 a = m[0], b = m[1], c = m[2], d = m[3], e = m[4], f = m[5], g = m[6], h = m[7], i = m[8];
    to->m[0] = a;
    to->m[1] = b;
    to->m[2] = c;
    to->m[3] = d;
    to->m[4] = e;
    to->m[5] = f;
    to->m[6] = g;
    to->m[7] = h;
    to->m[8] = i;
}
THAW_INLINE W33 w33_scale(const W33 *a, F8 s) {
    W33 r;
    for (int k = 0; k < 9; k++) r.m[k] = f8_mul(a->m[k], s);
    return r;
}
THAW_INLINE W33 w33_fma(const W33 *a, F8 s, const W33 *b) { // a s + b
    W33 r;
    for (int k = 0; k < 9; k++) r.m[k] = f8_fma(a->m[k], s, b->m[k]);
    return r;
}
THAW_INLINE W33 w33_mul(const W33 *a, const W33 *b) {
    W33 r;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r.m[3 * i + j] =
                f8_fma(a->m[3 * i + 2], b->m[6 + j],
                       f8_fma(a->m[3 * i + 1], b->m[3 + j], f8_mul(a->m[3 * i], b->m[j])));
        }
    }
    return r;
}
THAW_INLINE W33 w33_mul_turned(const W33 *a, const W33 *b) { // a bᵀ
    W33 r;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r.m[3 * i + j] =
                f8_fma(a->m[3 * i + 2], b->m[3 * j + 2],
                       f8_fma(a->m[3 * i + 1], b->m[3 * j + 1], f8_mul(a->m[3 * i], b->m[3 * j])));
        }
    }
    return r;
}
THAW_INLINE W3 w33_apply(const W33 *a, W3 v) {
    return (W3){f8_fma(a->m[2], v.z, f8_fma(a->m[1], v.y, f8_mul(a->m[0], v.x))),
                f8_fma(a->m[5], v.z, f8_fma(a->m[4], v.y, f8_mul(a->m[3], v.x))),
                f8_fma(a->m[8], v.z, f8_fma(a->m[7], v.y, f8_mul(a->m[6], v.x)))};
}

// the cofactors: a⁻ᵀ times the determinant
THAW_INLINE W33 w33_cofactors(const W33 *a) {
    const F8 *m = a->m;
    W33 c;
    c.m[0] = f8_nma(m[5], m[7], f8_mul(m[4], m[8]));
    c.m[1] = f8_nma(m[3], m[8], f8_mul(m[5], m[6]));
    c.m[2] = f8_nma(m[4], m[6], f8_mul(m[3], m[7]));
    c.m[3] = f8_nma(m[1], m[8], f8_mul(m[2], m[7]));
    c.m[4] = f8_nma(m[2], m[6], f8_mul(m[0], m[8]));
    c.m[5] = f8_nma(m[0], m[7], f8_mul(m[1], m[6]));
    c.m[6] = f8_nma(m[2], m[4], f8_mul(m[1], m[5]));
    c.m[7] = f8_nma(m[0], m[5], f8_mul(m[2], m[3]));
    c.m[8] = f8_nma(m[1], m[3], f8_mul(m[0], m[4]));
    return c;
}
THAW_INLINE F8 w33_determinant(const W33 *a, const W33 *cofactors) {
    return f8_fma(a->m[2], cofactors->m[2],
                  f8_fma(a->m[1], cofactors->m[1], f8_mul(a->m[0], cofactors->m[0])));
}
THAW_INLINE W33 w33_turn(const W33 *a) { // aᵀ
    const F8 *m = a->m;
    return (W33){{m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}};
}
// a⁻¹; where the determinant is nearly nothing the result is large and finite
THAW_INLINE W33 w33_inverse(const W33 *a) {
    W33 c = w33_cofactors(a), turned = w33_turn(&c);
    F8 d = w33_determinant(a, &c), tiny = f8_set(1e-20f);
    F8 safe = f8_where(f8_abs(d), tiny, tiny, d);
    return w33_scale(&turned, f8_div(f8_set(1.0f), safe));
}

THAW_INLINE W33 w4_matrix(W4 q) {
    F8 two = f8_set(2.0f), one = f8_set(1.0f);
    F8 x2 = f8_mul(q.x, two), y2 = f8_mul(q.y, two), z2 = f8_mul(q.z, two);
    F8 xx = f8_mul(q.x, x2), yy = f8_mul(q.y, y2), zz = f8_mul(q.z, z2);
    F8 xy = f8_mul(q.x, y2), yz = f8_mul(q.y, z2), zx = f8_mul(q.z, x2);
    F8 wx = f8_mul(q.w, x2), wy = f8_mul(q.w, y2), wz = f8_mul(q.w, z2);
    return (W33){{f8_sub(f8_sub(one, yy), zz), f8_sub(xy, wz), f8_add(zx, wy), f8_add(xy, wz),
                  f8_sub(f8_sub(one, xx), zz), f8_sub(yz, wx), f8_sub(zx, wy), f8_add(yz, wx),
                  f8_sub(f8_sub(one, xx), yy)}};
}

// turns q further by the small rotation vector w: (w/2, 1) q, made a unit again
THAW_INLINE W4 w4_turn_by(W4 q, W3 w) {
    W3 v = w3_scale(w, f8_set(0.5f));
    W4 r = {f8_add(q.x, f8_fma(v.x, q.w, f8_nma(v.z, q.y, f8_mul(v.y, q.z)))),
            f8_add(q.y, f8_fma(v.y, q.w, f8_nma(v.x, q.z, f8_mul(v.z, q.x)))),
            f8_add(q.z, f8_fma(v.z, q.w, f8_nma(v.y, q.x, f8_mul(v.x, q.y)))),
            f8_nma(v.z, q.z, f8_nma(v.y, q.y, f8_nma(v.x, q.x, q.w)))};
    F8 norm = f8_fma(r.w, r.w, f8_fma(r.z, r.z, f8_fma(r.y, r.y, f8_mul(r.x, r.x))));
    F8 scale = f8_div(f8_set(1.0f), f8_sqrt(norm));
    return (W4){f8_mul(r.x, scale), f8_mul(r.y, scale), f8_mul(r.z, scale), f8_mul(r.w, scale)};
}

// What h x = a needs for symmetric h: its cofactors and its determinant. `least` is not above 0 where h is not
// positive definite, or so nearly that rounding decides. Judged by trace, minors' sum and determinant, which
// do not depend on how h is turned.
typedef struct WSolver {
    W33 cofactors;
    F8 determinant, least;
} WSolver;

THAW_INLINE WSolver w33_solver(const W33 *h) {
    WSolver solver = {.cofactors = w33_cofactors(h)};
    const W33 *c = &solver.cofactors;
    F8 d = solver.determinant = w33_determinant(h, c);
    F8 trace = f8_add(f8_add(h->m[0], h->m[4]), h->m[8]);
    F8 minors = f8_add(f8_add(c->m[0], c->m[4]), c->m[8]);
    F8 cube = f8_mul(f8_mul(trace, trace), trace);
    solver.least = f8_min(f8_min(trace, minors), f8_nma(cube, f8_set(2e-6f), d));
    return solver;
}

// whether some lane cannot be solved
THAW_INLINE bool w33_fails(const WSolver *solver) {
    return f8_below(solver->least, w_zero()) != 0;
}

// x, or `otherwise` where h cannot be solved
THAW_INLINE W3 w33_solve(const WSolver *solver, W3 a, W3 otherwise) {
    const F8 zero = w_zero(), least = solver->least;
    F8 safe = f8_where(least, zero, f8_set(1.0f), solver->determinant);
    W33 turned = w33_turn(&solver->cofactors);
    W33 inverse = w33_scale(&turned, f8_div(f8_set(1.0f), safe));
    W3 x = w33_apply(&inverse, a);
    return (W3){f8_where(least, zero, otherwise.x, x.x), f8_where(least, zero, otherwise.y, x.y),
                f8_where(least, zero, otherwise.z, x.z)};
}

// of the trace: the root of the product of two eigenvalues that can be solved for, with room
#define POLAR_FLAT 3e-3f

// What makes a symmetric h positive definite, and well enough to be solved, when it is added to the diagonal. With
// h = mean + p B, |B|² = 6, the eigenvalues of B are the roots of y³ − 3 y − det B. Newton steps from
// −1 − √((2 − det B)/3), which is below the least root and exact where two meet, come nearer and stay below. Of what is
// left of two, 0 and g, the padding x makes a product of x (g + x).
THAW_INLINE F8 w33_padding(const W33 *h) {
    F8 trace = f8_add(f8_add(h->m[0], h->m[4]), h->m[8]), mean = f8_mul(f8_set(1.0f / 3.0f), trace);
    F8 spread = w_zero(), two = f8_set(2.0f), three = f8_set(3.0f), half = f8_set(0.5f);
    W33 b = *h;
    for (int k = 0; k < 9; k += 4) b.m[k] = f8_sub(h->m[k], mean);
    for (int k = 0; k < 9; k++) spread = f8_fma(b.m[k], b.m[k], spread);
    F8 p = f8_sqrt(f8_mul(spread, f8_set(1.0f / 6.0f)));
    b = w33_scale(&b, f8_div(f8_set(1.0f), f8_max(p, f8_set(1e-10f))));
    W33 cofactors = w33_cofactors(&b);
    F8 d = f8_max(f8_set(-2.0f), f8_min(two, w33_determinant(&b, &cofactors)));
    F8 y = f8_sub(f8_set(-1.0f), f8_sqrt(f8_mul(f8_sub(two, d), f8_set(1.0f / 3.0f))));
    for (int k = 0; k < 2; k++) {
        // where roots meet f is rounding alone, which must not be divided by nothing
        F8 yy = f8_mul(y, y), slope = f8_max(f8_fma(yy, three, f8_set(-3.0f)), f8_set(1e-3f));
        y = f8_sub(y, f8_div(f8_sub(f8_mul(y, f8_sub(yy, three)), d), slope));
    }
    F8 apart = f8_sqrt(f8_max(w_zero(), f8_nma(f8_mul(y, y), three, f8_set(12.0f))));
    F8 g = f8_mul(f8_mul(p, half), f8_max(w_zero(), f8_nma(three, y, f8_sub(w_zero(), apart))));
    F8 lacks = f8_max(w_zero(), f8_nma(p, y, f8_sub(w_zero(), mean))), mid = f8_mul(half, g);
    F8 flat = f8_mul(f8_fma(lacks, three, trace), f8_set(POLAR_FLAT));
    F8 x = f8_sub(f8_sqrt(f8_fma(mid, mid, f8_mul(flat, flat))), mid);
    return f8_add(lacks, x);
}

// the same where no maximum is near, or where it is flat, as turning about the axis of a line changes nothing: uphill
THAW_INLINE W3 w3_uphill(const W33 *t, const W33 *h, W3 a) {
    F8 size = w_zero(), more = w33_padding(h);
    for (int k = 0; k < 9; k++) size = f8_add(size, f8_abs(t->m[k]));
    W33 padded = *h;
    for (int k = 0; k < 9; k += 4) padded.m[k] = f8_add(padded.m[k], more);
    WSolver solver = w33_solver(&padded);
    F8 gentle = f8_div(f8_set(1.0f), f8_max(size, f8_set(1e-20f)));
    return w33_solve(&solver, a, w3_scale(a, gentle));
}

// One Newton step of q towards the rotation that maximises tr(Rᵀ m), at most one radian.
THAW_INLINE W4 w4_approach(W4 q, const W33 *m) {
    W33 r = w4_matrix(q), t = w33_mul_turned(m, &r);
    W3 a = {f8_sub(t.m[7], t.m[5]), f8_sub(t.m[2], t.m[6]), f8_sub(t.m[3], t.m[1])};
    F8 trace = f8_add(f8_add(t.m[0], t.m[4]), t.m[8]), half = f8_set(-0.5f);
    F8 xy = f8_mul(half, f8_add(t.m[1], t.m[3])), xz = f8_mul(half, f8_add(t.m[2], t.m[6]));
    F8 yz = f8_mul(half, f8_add(t.m[5], t.m[7]));
    W33 h = {{f8_sub(trace, t.m[0]), xy, xz, xy, f8_sub(trace, t.m[4]), yz, xz, yz,
              f8_sub(trace, t.m[8])}};
    WSolver solver = w33_solver(&h);
    W3 w = w33_solve(&solver, a, w33_fails(&solver) ? w3_uphill(&t, &h, a) : a);
    F8 length = f8_sqrt(f8_max(w3_dot(w, w), f8_set(1e-30f)));
    return w4_turn_by(q, w3_scale(w, f8_min(f8_set(1.0f), f8_div(f8_set(1.0f), length))));
}

#endif
