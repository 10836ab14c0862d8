// Normals from bonds, and what they make of a pair.
//
// Two faces that look at each other keep their distance along the normal, and what lies along the plane counts for
// nothing up to that distance: the offset is one from a disc, not from a point. So a face holds at one height wherever
// the other's particles are, and nothing interlocks. Normals are those of the start, so that within a substep the
// gap's gradient is the direction of the push.
//
// Such a push is not central. What it turns is given back, see contact_turn.h, and should be little: pairs weigh less the
// further aside they are, which on whole faces leaves a tenth of D, and rows that see others on one side only touch as
// spheres do. (Tried: edges and corners as spheres on a face: they sink between its bumps, so that blocks tip
// over the row further in; and pushing along the line of centres, which is no gradient, so that crowds gained 1.5 % of
// energy.)
#include "models/solid/contact_face.h"

#include <math.h>

// of the distance: how far out of the plane a pair must start to see it
#define LOW 0.2f
#define HIGH 0.6f
// of the distance: the mean of where others are aside, on whole faces and where they are on one side only
#define EVEN 0.25f
#define ONE_SIDED 0.45f
#define LEAST 0.02f // weight
// how straight an edge or a corner must look at a face to lie on it: cosines. An edge of a block that lies on it has
// 0.71, a corner 0.58.
#define AWAY 0.35f
#define TOWARDS 0.55f

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// 0 up to `from`, 1 beyond `to`
static float ramp(float x, float from, float to) {
    float t = fminf(fmaxf((x - from) / (to - from), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

// ---------------------------------------------------------------- normals

static int32_t nearest_image(int32_t way, int32_t period) {
    if (way > period / 2 && period > 0) return thaw_place_sub(way, period);
    if (way < -(period / 2) && period > 0) return thaw_place_add(way, period);
    return way;
}

uint32_t thaw_contact_bonds(const ThawContactStep *step, const int32_t period[3], uint32_t row,
                            ThawContactBond bonds[THAW_SITES]) {
    const ThawPlace *places = step->work->place, *own = &places[row];
    uint32_t count = 0;
    for (uint32_t s = 0; s < THAW_SITES; s++) {
        uint32_t other = step->bonds->slot[thaw_bond_at(row, s)];
        if (other == row) continue;
        const int32_t way[3] = {thaw_place_sub(places[other].x, own->x),
                                thaw_place_sub(places[other].y, own->y),
                                thaw_place_sub(places[other].z, own->z)};
        bonds[count].other = other;
        for (int k = 0; k < 3; k++) bonds[count].way[k] = (float)nearest_image(way[k], period[k]);
        count++;
    }
    return count;
}

// offsets of a row's bonds in D; returns how many
static uint32_t gather_bonds(const ThawContactStep *step, const int32_t period[3], uint32_t row,
                             float offsets[THAW_SITES][3]) {
    ThawContactBond bonds[THAW_SITES];
    uint32_t count = thaw_contact_bonds(step, period, row, bonds);
    float scale = THAW_PLACE_CELLS / step->distance[row];
    for (uint32_t n = 0; n < count; n++) {
        for (int k = 0; k < 3; k++) offsets[n][k] = scale * bonds[n].way[k];
    }
    return count;
}

// How flat a surface is by the bonds that run along it, and by how many are missing outside: 2.8 on a (001) face, 2.4
// on a (111) face, 1.7 on a row in 2D.
static float judge_flatness(int dimensions, float along, float missing) {
    if (dimensions == 2) return ramp(missing, 0.7f, 1.4f) * ramp(along, 1.1f, 1.8f);
    return ramp(missing, 1.0f, 2.0f) * ramp(along, 2.2f, 3.5f);
}

// across the bonds that run along the surface: where a body is sheared the others lean
static void straighten(int dimensions, const float lean[3], float along, float out[3]) {
    for (int k = 0; k < 3; k++) out[k] -= (float)(dimensions - 1) / along * lean[k];
    float scale = 1.0f / sqrtf(dot(out, out));
    for (int k = 0; k < 3; k++) out[k] *= scale;
}

ThawContactNormal thaw_contact_normal(const ThawContactStep *step, const int32_t period[3],
                                      uint32_t row) {
    ThawContactNormal normal = {.flat = 0};
    float bonds[THAW_SITES][3], *out = normal.out, lean[3] = {0, 0, 0}, along = 0;
    uint32_t count = gather_bonds(step, period, row, bonds);
    float sum[3] = {0, 0, 0};
    for (uint32_t n = 0; n < count; n++) {
        for (int k = 0; k < 3; k++) sum[k] -= bonds[n][k];
    }
    float missing = sqrtf(dot(sum, sum));
    if (!(missing > 0.5f)) return normal;
    for (int k = 0; k < 3; k++) out[k] = sum[k] / missing;
    for (uint32_t n = 0; n < count; n++) {
        float rise = dot(bonds[n], out), weight = 1.0f - ramp(fabsf(rise), 0.25f, 0.55f);
        along += weight;
        for (int k = 0; k < 3; k++) lean[k] += weight * rise * bonds[n][k];
    }
    normal.flat = judge_flatness(step->domain->dimensions, along, missing);
    if (normal.flat > 0) straighten(step->domain->dimensions, lean, along, out);
    return normal;
}

// ---------------------------------------------------------------- pairs

// What a row adds to the plane of a pair: its own face, and as an edge what it is of the other's.
static void add_face(const ThawContactNormal *own, const ThawContactNormal *other, float sign,
                     float sum[3]) {
    float rim = 1.0f - own->flat;
    if (rim > 0) rim *= other->flat * ramp(-dot(own->out, other->out), AWAY, TOWARDS);
    for (int k = 0; k < 3; k++) {
        sum[k] += sign * (own->flat * own->out[k] - rim * other->out[k]);
    }
}

ThawContactPlane thaw_contact_plane(const ThawContactNormal *own, const ThawContactNormal *other,
                                    const float start[3], float rest) {
    ThawContactPlane plane = {.strength = 0};
    float *normal = plane.normal, *aside = plane.aside, mine[3] = {0, 0, 0}, others[3] = {0, 0, 0};
    add_face(own, other, -1.0f, mine);
    add_face(other, own, 1.0f, others);
    for (int k = 0; k < 3; k++) normal[k] = others[k] + mine[k];
    // 2 of two faces that look at each other, 1 of one face alone
    float length = sqrtf(dot(normal, normal));
    if (!(length > 1.0f)) return plane;
    for (int k = 0; k < 3; k++) normal[k] /= length;
    float height = dot(normal, start);
    if (!(height > LOW * rest)) return plane;
    for (int k = 0; k < 3; k++) aside[k] = (start[k] - height * normal[k]) / rest;
    if (dot(aside, aside) >= 1.0f) return plane;
    plane.strength = fminf(length - 1.0f, 1.0f) * ramp(height, LOW * rest, HIGH * rest);
    return plane;
}

float thaw_contact_weight(const ThawContactPlane *plane) {
    return fmaxf(1.0f - plane->strength * dot(plane->aside, plane->aside), LEAST);
}

float thaw_contact_balance(const float aside[3], float weight) {
    if (!(weight > 0)) return 1.0f;
    return 1.0f - ramp(sqrtf(dot(aside, aside)) / weight, EVEN, ONE_SIDED);
}

void thaw_contact_flatten(const ThawContactPlane *plane, float rest, float offset[3]) {
    float height = dot(plane->normal, offset), width = plane->strength * rest, aside[3];
    for (int k = 0; k < 3; k++) aside[k] = offset[k] - height * plane->normal[k];
    float length = sqrtf(dot(aside, aside));
    float less = length > width ? width / length : 1.0f;
    for (int k = 0; k < 3; k++) offset[k] -= less * aside[k];
}
