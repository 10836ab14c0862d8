// Operators and functions of expressions.
//
// Everything that +, -, *, /, comparison, floor and sqrt can do has the same bits on every
// machine, and so have random and noise. exp, log, ^, hypot and the circular functions are those
// of the system's mathematics library, which may differ in the last bit from one system to
// another. min, max, clamp and the steps keep a NaN, so that trouble shows; a comparison with one
// is 0.
#include "scene/expression_functions.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/random.h"

#define ABSENT UINT64_MAX // stands for an argument not given; no finite number has these bits
#define NOISE_PURPOSE 0x6e6f697365u  // keeps noise apart from random
#define NOISE_PERIOD 1099511627776.0 // cells of noise an axis, 2^40: whole numbers stay exact

// ---------------------------------------------------------------- operators

// each is one line, and each has the same form
#define OPERATOR(name, value)                                                                      \
    double expression_##name(const double *a, int count) {                                         \
        (void)count;                                                                               \
        return value;                                                                              \
    }

static double modulo(double x, double y) {
    double rest = fmod(x, y);
    return rest != 0.0 && (rest < 0.0) != (y < 0.0) ? rest + y : rest;
}

OPERATOR(add, a[0] + a[1])
OPERATOR(subtract, a[0] - a[1])
OPERATOR(multiply, a[0] * a[1])
OPERATOR(divide, a[0] / a[1])
OPERATOR(modulo, modulo(a[0], a[1]))
OPERATOR(power, pow(a[0], a[1]))
OPERATOR(less, a[0] < a[1])
OPERATOR(less_equal, a[0] <= a[1])
OPERATOR(greater, a[0] > a[1])
OPERATOR(greater_equal, a[0] >= a[1])
OPERATOR(equal, a[0] == a[1])
OPERATOR(unequal, a[0] != a[1])
OPERATOR(and, a[0] != 0.0 && a[1] != 0.0)
OPERATOR(or, a[0] != 0.0 || a[1] != 0.0)
OPERATOR(not, a[0] == 0.0)
OPERATOR(negate, -a[0])
OPERATOR(choose, a[0] != 0.0 ? a[1] : a[2])

// ---------------------------------------------------------------- functions

#define FUNCTION(name, value)                                                                      \
    static double apply_##name(const double *a, int count) {                                       \
        (void)count;                                                                               \
        return value;                                                                              \
    }

// either being NaN, so is the result
static double lesser(double a, double b) {
    return isnan(a) || a < b ? a : b;
}

static double greater(double a, double b) {
    return isnan(a) || a > b ? a : b;
}

// how far x is on the way from low to high, 0..1; a way of no length is a step
static double part_of_way(double low, double high, double x) {
    if (low == high) return isnan(x) ? x : x >= low;
    return lesser(greater((x - low) / (high - low), 0.0), 1.0);
}

static double smooth(double s) {
    return s * s * (3.0 - 2.0 * s);
}

FUNCTION(abs, fabs(a[0]))
FUNCTION(sign, isnan(a[0]) ? a[0] : (a[0] > 0.0) - (a[0] < 0.0))
FUNCTION(floor, floor(a[0]))
FUNCTION(ceil, ceil(a[0]))
FUNCTION(round, round(a[0]))
FUNCTION(sqrt, sqrt(a[0]))
FUNCTION(exp, exp(a[0]))
FUNCTION(log, log(a[0]))
FUNCTION(sin, sin(a[0]))
FUNCTION(cos, cos(a[0]))
FUNCTION(tan, tan(a[0]))
FUNCTION(asin, asin(a[0]))
FUNCTION(acos, acos(a[0]))
FUNCTION(atan, atan(a[0]))
FUNCTION(atan2, atan2(a[0], a[1]))
FUNCTION(hypot, count == 2 ? hypot(a[0], a[1]) : hypot(hypot(a[0], a[1]), a[2]))
FUNCTION(clamp, lesser(greater(a[0], a[1]), a[2]))
FUNCTION(mix, a[0] * (1.0 - a[2]) + a[1] * a[2])
FUNCTION(step, isnan(a[1]) ? a[1] : a[1] >= a[0])
FUNCTION(smoothstep, smooth(part_of_way(a[0], a[1], a[2])))
FUNCTION(ramp, part_of_way(a[0], a[1], a[2]))
FUNCTION(pulse, isnan(a[2]) ? a[2] : a[2] >= a[0] && a[2] < a[1])

static double apply_min(const double *a, int count) {
    double value = a[0];
    for (int k = 1; k < count; k++) value = lesser(value, a[k]);
    return value;
}

static double apply_max(const double *a, int count) {
    double value = a[0];
    for (int k = 1; k < count; k++) value = greater(value, a[k]);
    return value;
}

// ---------------------------------------------------------------- chance

static uint64_t bits_of(double value) {
    uint64_t bits;
    if (value == 0.0) value = 0.0; // -0 is 0
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double apply_random(const double *a, int count) {
    uint64_t words[4] = {ABSENT, ABSENT, ABSENT, ABSENT};
    for (int k = 0; k < count; k++) {
        if (isnan(a[k])) return a[k];
        words[k] = bits_of(a[k]);
    }
    return thaw_random_unit(words[0], words[1], words[2], words[3]);
}

// the point within its cell of the noise, and the cell
typedef struct NoisePlace {
    int axes;
    uint64_t cell[3];
    double offset[3];
} NoisePlace;

static NoisePlace place_in_noise(const double *a, int count) {
    NoisePlace place = {.axes = count};
    for (int k = 0; k < count; k++) {
        double cell = floor(a[k]);
        place.offset[k] = a[k] - cell;
        place.cell[k] = (uint64_t)(modulo(cell, NOISE_PERIOD));
    }
    return place;
}

// the height, at the point, of the slope that begins at a corner of the cell; its direction has
// length 1 and comes from the corner's hash, odd numerators keeping it from being nothing
static double slope_at(const NoisePlace *place, int corner) {
    uint64_t cell[3] = {0, 0, 0};
    double dot = 0.0, square = 0.0;
    for (int k = 0; k < place->axes; k++) {
        uint64_t next = place->cell[k] + ((unsigned)corner >> k & 1u);
        cell[k] = next == (uint64_t)NOISE_PERIOD ? 0 : next;
    }
    uint64_t bits = thaw_random_bits(NOISE_PURPOSE, cell[0], cell[1], cell[2]);
    for (int k = 0; k < place->axes; k++) {
        double part = (double)(int)(2 * (bits >> (21 * k) & 0x1fffff) + 1) - 2097152.0;
        dot += part * (place->offset[k] - ((unsigned)corner >> k & 1u));
        square += part * part;
    }
    // on a line all directions would be alike, so there the slope's size is left to chance too
    return place->axes == 1 ? dot / 2097152.0 : dot / sqrt(square);
}

// Gradient noise after Perlin, "Improving noise", 2002: slopes at the corners of cells of size 1,
// blended with 6s⁵ − 15s⁴ + 10s³. It is largest at a cell's middle, √axes/2, so 2/√axes brings it
// to -1..1: by Jensen's inequality the blend of the corners' distances is nowhere larger.
static double apply_noise(const double *a, int count) {
    double weight[3][2], sum = 0.0;
    for (int k = 0; k < count; k++) {
        if (!isfinite(a[k])) return NAN;
    }
    NoisePlace place = place_in_noise(a, count);
    for (int k = 0; k < count; k++) {
        double s = place.offset[k];
        weight[k][1] = s * s * s * (s * (s * 6.0 - 15.0) + 10.0);
        weight[k][0] = 1.0 - weight[k][1];
    }
    for (int corner = 0; corner < 1 << count; corner++) {
        double share = 1.0;
        for (int k = 0; k < count; k++) share *= weight[k][(unsigned)corner >> k & 1u];
        if (share != 0.0) sum += share * slope_at(&place, corner);
    }
    return lesser(greater(sum * 2.0 / sqrt(count), -1.0), 1.0); // the last bit may stand out
}

// ---------------------------------------------------------------- the table

const ExpressionFunction expression_functions[] = {
    {"abs", "abs(x)", "x without its sign", 1, 1, apply_abs},
    {"sign", "sign(x)", "-1, 0 or 1", 1, 1, apply_sign},
    {"floor", "floor(x)", "the whole number at or below x", 1, 1, apply_floor},
    {"ceil", "ceil(x)", "the whole number at or above x", 1, 1, apply_ceil},
    {"round", "round(x)", "the nearest whole number, halves away from 0", 1, 1, apply_round},
    {"sqrt", "sqrt(x)", "square root", 1, 1, apply_sqrt},
    {"exp", "exp(x)", "e to the power of x", 1, 1, apply_exp},
    {"log", "log(x)", "natural logarithm", 1, 1, apply_log},
    {"sin", "sin(x)", "sine of x radians", 1, 1, apply_sin},
    {"cos", "cos(x)", "cosine of x radians", 1, 1, apply_cos},
    {"tan", "tan(x)", "tangent of x radians", 1, 1, apply_tan},
    {"asin", "asin(x)", "the angle whose sine is x", 1, 1, apply_asin},
    {"acos", "acos(x)", "the angle whose cosine is x", 1, 1, apply_acos},
    {"atan", "atan(x)", "the angle whose tangent is x", 1, 1, apply_atan},
    {"atan2", "atan2(y, x)", "the angle of the direction (x, y)", 2, 2, apply_atan2},
    {"hypot", "hypot(x, y) or hypot(x, y, z)", "length of a vector", 2, 3, apply_hypot},
    {"min", "min(a, b, ...)", "the smallest, of up to 16", 2, 16, apply_min},
    {"max", "max(a, b, ...)", "the largest, of up to 16", 2, 16, apply_max},
    {"clamp", "clamp(x, low, high)", "x kept between low and high", 3, 3, apply_clamp},
    {"mix", "mix(a, b, s)", "a at s = 0, b at s = 1, a straight line between", 3, 3, apply_mix},
    {"step", "step(edge, x)", "0 below the edge, 1 from it on", 2, 2, apply_step},
    {"smoothstep", "smoothstep(low, high, x)", "0 below low, 1 above high, a smooth rise between",
     3, 3, apply_smoothstep},
    {"ramp", "ramp(low, high, x)", "0 below low, 1 above high, a straight rise between", 3, 3,
     apply_ramp},
    {"pulse", "pulse(from, to, x)", "1 from `from` until before `to`, else 0", 3, 3, apply_pulse},
    {"noise", "noise(x), noise(x, y) or noise(x, y, z)",
     "smooth chance in -1..1, changing over a distance of 1, 0 at whole numbers", 1, 3,
     apply_noise},
    {"random", "random(a), up to random(a, b, c, d)",
     "chance in 0..1, always the same for the same numbers", 1, 4, apply_random},
};
const int expression_function_count = sizeof expression_functions / sizeof expression_functions[0];
