// Small vectors, quaternions and poses in double precision, for set-up and colliders.
#ifndef THAW_MATH_VEC_H
#define THAW_MATH_VEC_H

#include <math.h>
#include <thaw/base.h>

static inline ThawVec3 thaw_vec(double x, double y, double z) {
    return (ThawVec3){x, y, z};
}
static inline ThawVec3 thaw_add(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline ThawVec3 thaw_sub(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline ThawVec3 thaw_scale(ThawVec3 a, double s) {
    return (ThawVec3){a.x * s, a.y * s, a.z * s};
}
static inline double thaw_dot(ThawVec3 a, ThawVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline ThawVec3 thaw_cross(ThawVec3 a, ThawVec3 b) {
    return (ThawVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double thaw_length(ThawVec3 a) {
    return sqrt(thaw_dot(a, a));
}
static inline bool thaw_vec_finite(ThawVec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline ThawQuat thaw_quat_identity(void) {
    return (ThawQuat){0, 0, 0, 1};
}
static inline ThawQuat thaw_quat_conjugate(ThawQuat q) {
    return (ThawQuat){-q.x, -q.y, -q.z, q.w};
}
static inline ThawQuat thaw_quat_mul(ThawQuat a, ThawQuat b) {
    return (ThawQuat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
static inline ThawVec3 thaw_quat_rotate(ThawQuat q, ThawVec3 v) {
    ThawVec3 u = {q.x, q.y, q.z};
    ThawVec3 t = thaw_scale(thaw_cross(u, v), 2.0);
    return thaw_add(v, thaw_add(thaw_scale(t, q.w), thaw_cross(u, t)));
}

// The unit quaternion of q; no rotation when q is zero.
ThawQuat thaw_quat_normalize(ThawQuat q);
// A turn by `angle` about `axis` (any length; a zero axis turns nothing).
ThawQuat thaw_quat_turn(ThawVec3 axis, double angle);
// The shortest turn that carries local z to the direction given.
ThawQuat thaw_quat_from_z(ThawVec3 direction);
// Constant-speed turn from a (t = 0) to b (t = 1), the short way.
ThawQuat thaw_quat_slerp(ThawQuat a, ThawQuat b, double t);

static inline ThawVec3 thaw_pose_apply(ThawPose pose, ThawVec3 local) {
    return thaw_add(thaw_quat_rotate(pose.rotation, local), pose.position);
}
static inline ThawVec3 thaw_pose_invert(ThawPose pose, ThawVec3 world) {
    return thaw_quat_rotate(thaw_quat_conjugate(pose.rotation), thaw_sub(world, pose.position));
}

#endif
