// How a surface moves, on it and beside it, from the velocities of the mesh's points.
#include "geometry/field.h"

#include "math/vec.h"

// squared area over the fourth power of an edge: a sliver below it tells little of what is beside it
#define FLAT 1e-4

static ThawVec3 velocity_of(const float (*velocity)[3], uint32_t point) {
    const float *v = velocity[point];
    return thaw_vec((double)v[0], (double)v[1], (double)v[2]);
}

// the share of an edge's turn about the normal
static double turn_about(ThawVec3 normal, ThawVec3 edge, ThawVec3 rate) {
    return thaw_dot(rate, thaw_cross(normal, edge)) / thaw_dot(edge, edge);
}

// How a triangle turns, rad/s: with its normal, and about it as its two edges do on the mean.
static ThawVec3 spin_of(const ThawVec3 edge[2], const ThawVec3 rate[2]) {
    ThawVec3 area = thaw_cross(edge[0], edge[1]);
    double square = thaw_dot(area, area), a = thaw_dot(edge[0], edge[0]);
    double b = thaw_dot(edge[1], edge[1]);
    if (!(square > FLAT * fmax(a, b) * fmax(a, b)) || !(a > 0 && b > 0)) return thaw_vec(0, 0, 0);
    double length = sqrt(square);
    ThawVec3 normal = thaw_scale(area, 1 / length);
    ThawVec3 growth = thaw_add(thaw_cross(rate[0], edge[1]), thaw_cross(edge[0], rate[1]));
    // normal × growth has no part along the normal
    ThawVec3 tilt = thaw_scale(thaw_cross(normal, growth), 1 / length);
    double about =
        0.5 * (turn_about(normal, edge[0], rate[0]) + turn_about(normal, edge[1], rate[1]));
    return thaw_add(tilt, thaw_scale(normal, about));
}

ThawVec3 thaw_field_motion(const ThawField *field, const ThawFieldSpot *spot, ThawVec3 place,
                           const float (*velocity)[3]) {
    ThawMesh mesh = thaw_field_mesh(field);
    const uint32_t *corner = mesh.triangles[spot->triangle];
    ThawVec3 p[3], v[3], sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const double *at = mesh.points[corner[k]];
        p[k] = thaw_vec(at[0], at[1], at[2]);
        v[k] = velocity_of(velocity, corner[k]);
        sum = thaw_add(sum, thaw_scale(v[k], spot->weight[k]));
    }
    ThawVec3 edge[2] = {thaw_sub(p[1], p[0]), thaw_sub(p[2], p[0])};
    ThawVec3 rate[2] = {thaw_sub(v[1], v[0]), thaw_sub(v[2], v[0])};
    return thaw_add(sum, thaw_cross(spin_of(edge, rate), thaw_sub(place, spot->point)));
}
