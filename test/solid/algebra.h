// Vectors, 3 × 3 matrices and random numbers in double precision for the solid's slow twin.
#ifndef TEST_SOLID_ALGEBRA_H
#define TEST_SOLID_ALGEBRA_H

#include <math.h>
#include <stdint.h>
#include <thaw/base.h>

typedef struct Mat {
    double m[3][3];
} Mat;

static inline ThawVec3 v_add(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline ThawVec3 v_sub(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline ThawVec3 v_scale(double s, ThawVec3 a) {
    return (ThawVec3){s * a.x, s * a.y, s * a.z};
}

// a + s b
static inline ThawVec3 v_along(ThawVec3 a, double s, ThawVec3 b) {
    return (ThawVec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double v_dot(ThawVec3 a, ThawVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ThawVec3 v_cross(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double v_norm(ThawVec3 a) {
    return sqrt(v_dot(a, a));
}

static inline Mat m_diagonal(double x, double y, double z) {
    return (Mat){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

static inline Mat m_one(void) {
    return m_diagonal(1, 1, 1);
}

// a + s b
static inline Mat m_along(Mat a, double s, Mat b) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a.m[i][j] += s * b.m[i][j];
    }
    return a;
}

static inline Mat m_scale(double s, Mat a) {
    return m_along((Mat){0}, s, a);
}

static inline Mat m_mul(Mat a, Mat b) {
    Mat c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
        }
    }
    return c;
}

static inline Mat m_transpose(Mat a) {
    Mat t;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) t.m[i][j] = a.m[j][i];
    }
    return t;
}

static inline ThawVec3 m_apply(Mat a, ThawVec3 v) {
    return (ThawVec3){a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                      a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                      a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}

// a bᵀ
static inline Mat m_outer(ThawVec3 a, ThawVec3 b) {
    return (Mat){{{a.x * b.x, a.x * b.y, a.x * b.z},
                  {a.y * b.x, a.y * b.y, a.y * b.z},
                  {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

// a⁻ᵀ det a, defined for singular a too
static inline Mat m_cofactor(Mat a) {
    ThawVec3 x = {a.m[0][0], a.m[0][1], a.m[0][2]}, y = {a.m[1][0], a.m[1][1], a.m[1][2]};
    ThawVec3 z = {a.m[2][0], a.m[2][1], a.m[2][2]};
    ThawVec3 yz = v_cross(y, z), zx = v_cross(z, x), xy = v_cross(x, y);
    return (Mat){{{yz.x, yz.y, yz.z}, {zx.x, zx.y, zx.z}, {xy.x, xy.y, xy.z}}};
}

static inline double m_det(Mat a) {
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) +
           a.m[0][1] * (a.m[1][2] * a.m[2][0] - a.m[1][0] * a.m[2][2]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

static inline Mat m_inverse(Mat a) {
    return m_scale(1 / m_det(a), m_transpose(m_cofactor(a)));
}

static inline Mat m_symmetric(Mat a) {
    return m_scale(0.5, m_along(a, 1, m_transpose(a)));
}

static inline double m_trace(Mat a) {
    return a.m[0][0] + a.m[1][1] + a.m[2][2];
}

// a : b
static inline double m_dot(Mat a, Mat b) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) sum += a.m[i][j] * b.m[i][j];
    }
    return sum;
}

static inline double m_norm(Mat a) {
    return sqrt(m_dot(a, a));
}

// largest entry of a − b
static inline double m_distance(Mat a, Mat b) {
    double most = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double off = fabs(a.m[i][j] - b.m[i][j]);
            if (!(off <= most)) most = off;
        }
    }
    return most;
}

// the turn by an angle in radians about an axis of any length (Rodrigues)
static inline Mat m_turn(ThawVec3 axis, double angle) {
    ThawVec3 u = v_scale(1 / v_norm(axis), axis);
    Mat across = {{{0, -u.z, u.y}, {u.z, 0, -u.x}, {-u.y, u.x, 0}}};
    return m_along(m_along(m_one(), sin(angle), across), 1 - cos(angle), m_mul(across, across));
}

// Random numbers of a fixed sequence (SplitMix64).
typedef struct Dice {
    uint64_t state;
} Dice;

static inline uint64_t dice_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// uniform in [0, 1)
static inline double dice_unit(Dice *dice) {
    dice->state += 0x9e3779b97f4a7c15u;
    return (double)(dice_mix(dice->state) >> 11) * 0x1p-53;
}

// uniform in (−1, 1)
static inline double dice_signed(Dice *dice) {
    return 2 * dice_unit(dice) - 1;
}

// uniform in the cube (−1, 1)³
static inline ThawVec3 dice_vector(Dice *dice) {
    double x = dice_signed(dice), y = dice_signed(dice), z = dice_signed(dice);
    return (ThawVec3){x, y, z};
}

static inline Mat dice_turn(Dice *dice) {
    ThawVec3 axis = dice_vector(dice);
    return m_turn(axis, 3.14159265358979323846 * dice_unit(dice));
}

static inline Mat dice_matrix(Dice *dice) {
    Mat a;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) a.m[i][j] = dice_signed(dice);
    }
    return a;
}

#endif
