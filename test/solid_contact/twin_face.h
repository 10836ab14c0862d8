// The twin of contact_face.c in double precision: faces of grains, over all pairs.
#ifndef TEST_SOLID_CONTACT_TWIN_FACE_H
#define TEST_SOLID_CONTACT_TWIN_FACE_H

#include "rig.h"

#define TWINS 256 // particles that the twin can hold

typedef struct TwinNormal {
    double out[3], flat;
} TwinNormal;

typedef struct TwinFace {
    TwinNormal normal;
    double balance;
} TwinFace;

typedef struct TwinPlane {
    double normal[3], aside[3], strength;
} TwinPlane;

static inline double dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double ramp_of(double x, double from, double to) {
    double t = fmin(fmax((x - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
}

// from b to a through the nearest image
static inline void twin_offset(const Rig *rig, const double a[3], const double b[3], double d[3]) {
    for (int k = 0; k < 3; k++) {
        double period = rig->setup.period[k];
        d[k] = a[k] - b[k];
        if (period > 0) d[k] -= period * rint(d[k] / period);
    }
}

// the outward normal of grain i, and how flat its surface is
static inline void twin_normal(const Rig *rig, const double (*at)[3], uint32_t i,
                               TwinNormal *normal) {
    double out[3] = {0, 0, 0}, lean[3] = {0, 0, 0}, along = 0, d[3];
    bool flat_world = rig->setup.dimensions == 2;
    *normal = (TwinNormal){.flat = 0};
    for (uint32_t j = 0; j < rig->count; j++) {
        if (!are_bonded(&rig->grains[i], &rig->grains[j])) continue;
        twin_offset(rig, at[j], at[i], d);
        for (int k = 0; k < 3; k++) out[k] -= d[k] / rig->grains[i].distance;
    }
    double missing = norm3(out);
    if (missing <= 0.5) return;
    for (int k = 0; k < 3; k++) out[k] /= missing;
    for (uint32_t j = 0; j < rig->count; j++) {
        if (!are_bonded(&rig->grains[i], &rig->grains[j])) continue;
        twin_offset(rig, at[j], at[i], d);
        for (int k = 0; k < 3; k++) d[k] /= rig->grains[i].distance;
        double rise = dot3(d, out), weight = 1 - ramp_of(fabs(rise), 0.25, 0.55);
        along += weight;
        for (int k = 0; k < 3; k++) lean[k] += weight * rise * d[k];
    }
    double flat = flat_world ? ramp_of(missing, 0.7, 1.4) * ramp_of(along, 1.1, 1.8)
                             : ramp_of(missing, 1.0, 2.0) * ramp_of(along, 2.2, 3.5);
    normal->flat = flat;
    for (int k = 0; k < 3 && flat > 0; k++) out[k] -= (flat_world ? 1 : 2) / along * lean[k];
    for (int k = 0; k < 3; k++) normal->out[k] = out[k] / norm3(out);
}

// what an edge or a corner is of a face that it looks at
static inline double twin_rim(const TwinNormal *edge, const TwinNormal *face) {
    return (1 - edge->flat) * face->flat * (1 - ramp_of(dot3(edge->out, face->out), -0.55, -0.35));
}

static inline TwinPlane twin_plane(const TwinNormal *own, const TwinNormal *other,
                                   const double start[3], double rest) {
    TwinPlane plane = {.strength = 0};
    for (int k = 0; k < 3; k++) {
        plane.normal[k] = (other->flat + twin_rim(own, other)) * other->out[k] -
                          (own->flat + twin_rim(other, own)) * own->out[k];
    }
    double length = norm3(plane.normal);
    if (length <= 1) return plane;
    for (int k = 0; k < 3; k++) plane.normal[k] /= length;
    double height = dot3(plane.normal, start);
    for (int k = 0; k < 3; k++) plane.aside[k] = (start[k] - height * plane.normal[k]) / rest;
    if (height <= 0.2 * rest || norm3(plane.aside) >= 1) return plane;
    plane.strength = fmin(length - 1, 1) * ramp_of(height / rest, 0.2, 0.6);
    return plane;
}

static inline double twin_weight(const TwinPlane *plane) {
    return fmax(1 - plane->strength * dot3(plane->aside, plane->aside), 0.02);
}

static inline void twin_flatten(const TwinPlane *plane, double rest, double offset[3]) {
    double height = dot3(plane->normal, offset), aside[3];
    for (int k = 0; k < 3; k++) aside[k] = offset[k] - height * plane->normal[k];
    double length = norm3(aside), width = plane->strength * rest;
    for (int k = 0; k < 3; k++) offset[k] -= (length > width ? width / length : 1) * aside[k];
}

static inline bool are_two_objects(const Grain *a, const Grain *b) {
    return a->group != 0 && b->group != 0 && a->group != b->group;
}

// pairs that may need faces in this substep; `longest` of all shifts
static inline bool is_near(const Rig *rig, const double (*at)[3], uint32_t i, uint32_t j,
                           double longest) {
    const Grain *a = &rig->grains[i], *b = &rig->grains[j];
    double d[3], rest = 0.45 * (a->distance + b->distance);
    twin_offset(rig, at[i], at[j], d);
    return are_two_objects(a, b) && dot3(d, d) < fmax(2 * rest * rest, 4.4 * longest * longest);
}

// faces as things stand when a substep is first corrected; `far` pairs are not listed
static inline void twin_faces(const Rig *rig, const double (*at)[3], bool (*far)[TWINS],
                              double longest, TwinFace *faces) {
    for (uint32_t i = 0; i < rig->count; i++) {
        faces[i] = (TwinFace){.balance = 1};
        for (uint32_t j = 0; j < rig->count; j++) {
            if (far[i][j] || !is_near(rig, at, i, j, longest)) continue;
            twin_normal(rig, at, i, &faces[i].normal);
            break;
        }
    }
    for (uint32_t i = 0; i < rig->count; i++) {
        double sum[3] = {0, 0, 0}, total = 0, d[3];
        for (uint32_t j = 0; j < rig->count; j++) {
            if (far[i][j] || !is_near(rig, at, i, j, longest)) continue;
            double rest = 0.45 * (rig->grains[i].distance + rig->grains[j].distance);
            twin_offset(rig, at[i], at[j], d);
            TwinPlane plane = twin_plane(&faces[i].normal, &faces[j].normal, d, rest);
            if (!(plane.strength > 0)) continue;
            total += twin_weight(&plane);
            for (int k = 0; k < 3; k++) sum[k] += twin_weight(&plane) * plane.aside[k];
        }
        if (total > 0) faces[i].balance = 1 - ramp_of(norm3(sum) / total, 0.25, 0.45);
    }
}

#endif
