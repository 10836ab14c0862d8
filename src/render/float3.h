// Three floats: directions, colours in linear light, points in the picture's own frame.
#ifndef THAW_RENDER_FLOAT3_H
#define THAW_RENDER_FLOAT3_H

#include <math.h>

typedef struct ThawFloat3 {
    float x, y, z;
} ThawFloat3;

static inline ThawFloat3 thaw_f3(float x, float y, float z) {
    return (ThawFloat3){x, y, z};
}
static inline ThawFloat3 thaw_f3_add(ThawFloat3 a, ThawFloat3 b) {
    return (ThawFloat3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline ThawFloat3 thaw_f3_sub(ThawFloat3 a, ThawFloat3 b) {
    return (ThawFloat3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline ThawFloat3 thaw_f3_mul(ThawFloat3 a, ThawFloat3 b) {
    return (ThawFloat3){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline ThawFloat3 thaw_f3_scale(ThawFloat3 a, float s) {
    return (ThawFloat3){a.x * s, a.y * s, a.z * s};
}
// a + s b
static inline ThawFloat3 thaw_f3_along(ThawFloat3 a, float s, ThawFloat3 b) {
    return (ThawFloat3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline ThawFloat3 thaw_f3_mix(ThawFloat3 a, ThawFloat3 b, float t) {
    return thaw_f3_along(thaw_f3_scale(a, 1.0f - t), t, b);
}
static inline float thaw_f3_dot(ThawFloat3 a, ThawFloat3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline ThawFloat3 thaw_f3_cross(ThawFloat3 a, ThawFloat3 b) {
    return (ThawFloat3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// the unit vector; z when there is none
static inline ThawFloat3 thaw_f3_unit(ThawFloat3 a) {
    float square = thaw_f3_dot(a, a);
    return square > 1e-30f ? thaw_f3_scale(a, 1.0f / sqrtf(square)) : (ThawFloat3){0, 0, 1};
}

static inline float thaw_clamp01(float x) {
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
static inline float thaw_smooth(float from, float to, float x) {
    float t = thaw_clamp01((x - from) / (to - from));
    return t * t * (3.0f - 2.0f * t);
}

#endif
