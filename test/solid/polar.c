#include "solid/polar.h"

#include <stdbool.h>

static ThawVec3 column(Mat a, int j) {
    return (ThawVec3){a.m[0][j], a.m[1][j], a.m[2][j]};
}

static void set_column(Mat *a, int j, ThawVec3 v) {
    a->m[0][j] = v.x;
    a->m[1][j] = v.y;
    a->m[2][j] = v.z;
}

static void swap_columns(Mat *a, int i, int j) {
    ThawVec3 kept = column(*a, i);
    set_column(a, i, column(*a, j));
    set_column(a, j, kept);
}

// columns i and j of a turned by a plane rotation
static void turn_columns(Mat *a, int i, int j, double c, double s) {
    ThawVec3 p = column(*a, i), q = column(*a, j);
    set_column(a, i, v_along(v_scale(c, p), -s, q));
    set_column(a, j, v_along(v_scale(s, p), c, q));
}

// makes columns i and j of b orthogonal (one-sided Jacobi); whether they were not
static bool part_columns(Mat *b, Mat *v, int i, int j) {
    ThawVec3 p = column(*b, i), q = column(*b, j);
    double pp = v_dot(p, p), qq = v_dot(q, q), pq = v_dot(p, q);
    if (fabs(pq) <= 1e-16 * sqrt(pp * qq) || pq == 0) return false;
    double zeta = (qq - pp) / (2 * pq);
    double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    double c = 1 / sqrt(1 + t * t);
    turn_columns(b, i, j, c, c * t);
    turn_columns(v, i, j, c, c * t);
    return true;
}

static void sort_columns(Mat *b, Mat *v, double s[3]) {
    for (int j = 0; j < 3; j++) s[j] = v_norm(column(*b, j));
    for (int pass = 0; pass < 3; pass++) {
        int j = pass % 2;
        if (s[j] >= s[j + 1]) continue;
        swap_columns(b, j, j + 1);
        swap_columns(v, j, j + 1);
        double kept = s[j];
        s[j] = s[j + 1];
        s[j + 1] = kept;
    }
}

// a unit vector across u
static ThawVec3 any_across(ThawVec3 u) {
    ThawVec3 axis = {0, 0, 0};
    if (fabs(u.x) <= fabs(u.y) && fabs(u.x) <= fabs(u.z))
        axis.x = 1;
    else if (fabs(u.y) <= fabs(u.z))
        axis.y = 1;
    else
        axis.z = 1;
    ThawVec3 across = v_cross(u, axis);
    return v_scale(1 / v_norm(across), across);
}

// Orthonormal u from b's columns. The first two are made so by Gram and Schmidt; the third is their
// cross product, so that no small column spoils u, with the sign of b's own.
static Mat normalise(Mat b, const double s[3]) {
    if (s[0] == 0) return m_one();
    Mat u;
    ThawVec3 first = v_scale(1 / s[0], column(b, 0));
    first = v_scale(1 / v_norm(first), first);
    ThawVec3 second = column(b, 1);
    second = v_along(second, -v_dot(first, second), first);
    double length = v_norm(second);
    second = length > 1e-14 * s[0] ? v_scale(1 / length, second) : any_across(first);
    second = v_along(second, -v_dot(first, second), first);
    second = v_scale(1 / v_norm(second), second);
    ThawVec3 third = v_cross(first, second);
    if (v_dot(third, column(b, 2)) < 0) third = v_scale(-1, third);
    set_column(&u, 0, first);
    set_column(&u, 1, second);
    set_column(&u, 2, third);
    return u;
}

Svd svd(Mat m) {
    Svd d = {.v = m_one()};
    Mat b = m;
    for (int sweep = 0; sweep < 40; sweep++) {
        bool turned = part_columns(&b, &d.v, 0, 1);
        turned |= part_columns(&b, &d.v, 0, 2);
        turned |= part_columns(&b, &d.v, 1, 2);
        if (!turned) break;
    }
    sort_columns(&b, &d.v, d.s);
    d.u = normalise(b, d.s);
    return d;
}

// Higham's iteration X ← (X + X⁻ᵀ)/2, for matrices that are far from singular
static Mat polar_newton(Mat x) {
    for (int it = 0; it < 30; it++) {
        Mat next = m_scale(0.5, m_along(x, 1 / m_det(x), m_cofactor(x)));
        double moved = m_distance(next, x);
        x = next;
        if (moved < 1e-9) break;
    }
    return m_scale(0.5, m_along(x, 1 / m_det(x), m_cofactor(x)));
}

// The 2 × 2 orthogonal matrix of that determinant nearest to the lower block of c.
static Mat nearest_block(Mat c, double sign) {
    double x = c.m[1][1] + sign * c.m[2][2], y = c.m[2][1] - sign * c.m[1][2];
    double angle = atan2(y, x);
    return (Mat){
        {{1, 0, 0}, {0, cos(angle), -sign * sin(angle)}, {0, sin(angle), sign * cos(angle)}}};
}

Mat polar(Mat m, Mat last) {
    double size = m_norm(m) / sqrt(3);
    if (size == 0) return last;
    Mat scaled = m_scale(1 / size, m);
    if (m_det(scaled) > 0.05) return polar_newton(scaled);
    Svd d = svd(m);
    double sign = m_det(d.u) * m_det(d.v) < 0 ? -1 : 1;
    Mat inner = m_diagonal(1, 1, sign);
    if (d.s[1] + sign * d.s[2] < 1e-13 * d.s[0]) {
        // any turn about the first direction is as near to m
        inner = nearest_block(m_mul(m_mul(m_transpose(d.u), last), d.v), sign);
    }
    return m_mul(m_mul(d.u, inner), m_transpose(d.v));
}

void principal(Mat symmetric, double value[3], Mat *directions) {
    // shifted to be positive definite, the singular vectors are the eigenvectors
    double shift = 2 * m_norm(symmetric) + 1e-300;
    Svd d = svd(m_along(symmetric, shift, m_one()));
    for (int k = 0; k < 3; k++) {
        ThawVec3 v = column(d.v, k);
        value[k] = v_dot(v, m_apply(symmetric, v));
    }
    *directions = d.v;
}
