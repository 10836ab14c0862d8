// Quaternions that need more than a line.
#include "math/vec.h"

static double quat_dot(ThawQuat a, ThawQuat b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static ThawQuat quat_blend(ThawQuat a, double s, ThawQuat b, double t) {
    return (ThawQuat){a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t, a.w * s + b.w * t};
}

ThawQuat thaw_quat_normalize(ThawQuat q) {
    // scale first, so that neither huge nor tiny parts are lost in their squares
    double largest = fmax(fmax(fabs(q.x), fabs(q.y)), fmax(fabs(q.z), fabs(q.w)));
    if (!(largest > 0.0) || !isfinite(largest)) return thaw_quat_identity();
    q = (ThawQuat){q.x / largest, q.y / largest, q.z / largest, q.w / largest};
    double s = 1.0 / sqrt(quat_dot(q, q));
    return (ThawQuat){q.x * s, q.y * s, q.z * s, q.w * s};
}

ThawQuat thaw_quat_turn(ThawVec3 axis, double angle) {
    double largest = fmax(fmax(fabs(axis.x), fabs(axis.y)), fabs(axis.z));
    if (!(largest > 0.0) || !isfinite(largest)) return thaw_quat_identity();
    axis = (ThawVec3){axis.x / largest, axis.y / largest, axis.z / largest};
    double s = sin(0.5 * angle) / thaw_length(axis);
    return (ThawQuat){axis.x * s, axis.y * s, axis.z * s, cos(0.5 * angle)};
}

ThawQuat thaw_quat_from_z(ThawVec3 direction) {
    double largest = fmax(fmax(fabs(direction.x), fabs(direction.y)), fabs(direction.z));
    if (!(largest > 0.0) || !isfinite(largest)) return thaw_quat_identity();
    ThawVec3 to = {direction.x / largest, direction.y / largest, direction.z / largest};
    to = thaw_scale(to, 1.0 / thaw_length(to));

    // half-angle form: (z × to, 1 + z·to), which vanishes when `to` is −z: then half a turn about x
    double side2 = to.x * to.x + to.y * to.y;
    if (to.z < 0.0 && side2 == 0.0) return (ThawQuat){1, 0, 0, 0};
    // 1 + z·to without cancellation below the equator
    double w = to.z > 0.0 ? 1.0 + to.z : side2 / (1.0 - to.z);
    return thaw_quat_normalize((ThawQuat){-to.y, to.x, 0.0, w});
}

ThawQuat thaw_quat_slerp(ThawQuat a, ThawQuat b, double t) {
    a = thaw_quat_normalize(a);
    b = thaw_quat_normalize(b);
    // q and −q are one rotation: take the nearer
    double cosine = quat_dot(a, b);
    if (cosine < 0.0) {
        b = quat_blend(b, -1.0, b, 0.0);
        cosine = -cosine;
    }
    // the angle between them, from chord and sum: exact for small angles where acos is not
    ThawQuat chord = quat_blend(b, 1.0, a, -1.0);
    ThawQuat sum = quat_blend(b, 1.0, a, 1.0);
    double angle = 2.0 * atan2(sqrt(quat_dot(chord, chord)), sqrt(quat_dot(sum, sum)));
    double sine = sin(angle);
    if (sine < 1e-12) return thaw_quat_normalize(quat_blend(a, 1.0 - t, b, t));
    double from = sin((1.0 - t) * angle) / sine;
    double to = sin(t * angle) / sine;
    return thaw_quat_normalize(quat_blend(a, from, b, to));
}
