// Fills leaves with their triangles, and sums what each part of the surface is from afar: three terms of the
// winding number's series (Barill et al. 2018, "Fast winding numbers for soups and clouds"). A flat part is a dipole,
// and its second term is nil: only with the third is the series good close by.
#include "geometry/bvh_internal.h"
#include "geometry/triangle.h"

#include <string.h>

// how many radii away a part may be taken from afar, beta of the paper
#define FAR 1.7

static ThawVec3 tree_corner(const ThawBvh *bvh, uint32_t triangle, int corner) {
    double out[3];
    thaw_bvh_to_tree(bvh, bvh->mesh.points[bvh->mesh.triangles[triangle][corner]], out);
    return thaw_vec(out[0], out[1], out[2]);
}

// ---------------------------------------------------------------- forms in d = (x, y, z)
// linear a·d; quadratic xx, yy, zz, xy, yz, zx; cubic xxx, yyy, zzz, xxy, xxz, yyx, yyz, zzx, zzy, xyz

// adds a·d b·d
static void add_quadratic(double sum[6], ThawVec3 a, ThawVec3 b) {
    sum[0] += a.x * b.x;
    sum[1] += a.y * b.y;
    sum[2] += a.z * b.z;
    sum[3] += a.x * b.y + a.y * b.x;
    sum[4] += a.y * b.z + a.z * b.y;
    sum[5] += a.z * b.x + a.x * b.z;
}

// adds q(d) a·d
static void add_cubic(double sum[10], const double q[6], ThawVec3 a) {
    sum[0] += q[0] * a.x;
    sum[1] += q[1] * a.y;
    sum[2] += q[2] * a.z;
    sum[3] += q[0] * a.y + q[3] * a.x;
    sum[4] += q[0] * a.z + q[5] * a.x;
    sum[5] += q[1] * a.x + q[3] * a.y;
    sum[6] += q[1] * a.z + q[4] * a.y;
    sum[7] += q[2] * a.x + q[5] * a.z;
    sum[8] += q[2] * a.y + q[4] * a.z;
    sum[9] += q[3] * a.z + q[4] * a.x + q[5] * a.y;
}

// the part without a Laplacian: the other gives no angle
static void make_harmonic(double quadratic[6], double cubic[10]) {
    double third = (quadratic[0] + quadratic[1] + quadratic[2]) / 3;
    for (int k = 0; k < 3; k++) quadratic[k] -= third;
    double x = (3 * cubic[0] + cubic[5] + cubic[7]) / 5;
    double y = (3 * cubic[1] + cubic[3] + cubic[8]) / 5;
    double z = (3 * cubic[2] + cubic[4] + cubic[6]) / 5;
    const double away[10] = {x, y, z, y, z, x, z, x, y, 0}; // d·d times (x, y, z)·d
    for (int k = 0; k < 10; k++) cubic[k] -= away[k];
}

// ---------------------------------------------------------------- sums

// adds a part to a sum about another middle: with m the way there, x·d n·d becomes (x + m)·d n·d
static void add_moved(ThawBvhFar *sum, const ThawBvhFar *part) {
    ThawVec3 move = thaw_sub(part->center, sum->center);
    double quadratic[6];
    for (int k = 0; k < 6; k++) quadratic[k] = 2 * part->quadratic[k];
    add_quadratic(quadratic, move, part->normal);
    add_cubic(sum->cubic, quadratic, move);
    add_quadratic(sum->quadratic, move, part->normal);
    for (int k = 0; k < 6; k++) sum->quadratic[k] += part->quadratic[k];
    for (int k = 0; k < 10; k++) sum->cubic[k] += part->cubic[k];
    sum->normal = thaw_add(sum->normal, part->normal);
}

// the sum of parts without their radius; where there is no area, its middle is that of the parts
static ThawBvhFar sum_parts(const ThawBvhFar *parts, uint32_t count) {
    ThawBvhFar sum = {0};
    ThawVec3 weighted = {0, 0, 0}, plain = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        sum.area += parts[i].area;
        weighted = thaw_add(weighted, thaw_scale(parts[i].center, parts[i].area));
        plain = thaw_add(plain, parts[i].center);
    }
    sum.center = sum.area > 0 ? thaw_scale(weighted, 1 / sum.area) : thaw_scale(plain, 1.0 / count);
    for (uint32_t i = 0; i < count; i++) add_moved(&sum, &parts[i]);
    return sum;
}

static ThawBvhFar measure_triangle(const ThawVec3 corner[3]) {
    ThawVec3 normal = thaw_scale(thaw_triangle_normal(corner), 0.5);
    ThawVec3 center = thaw_scale(thaw_add(corner[0], thaw_add(corner[1], corner[2])), 1.0 / 3);
    ThawBvhFar far = {.area = thaw_length(normal), .center = center, .normal = normal};
    // the mean of x x over a triangle is a twelfth of the corners' sum
    double spread[6] = {0};
    for (int k = 0; k < 3; k++) {
        ThawVec3 out = thaw_sub(corner[k], center);
        add_quadratic(spread, out, thaw_scale(out, 1.0 / 12));
    }
    add_cubic(far.cubic, spread, normal);
    return far;
}

static double between(ThawVec3 a, ThawVec3 b) {
    return thaw_length(thaw_sub(a, b));
}

static ThawBvhFar sum_triangles(const ThawVec3 *corners, uint32_t count) {
    ThawBvhFar parts[THAW_BVH_WIDTH];
    for (uint32_t t = 0; t < count; t++) parts[t] = measure_triangle(&corners[3 * t]);
    ThawBvhFar sum = sum_parts(parts, count);
    for (uint32_t i = 0; i < 3 * count; i++) {
        sum.radius = fmax(sum.radius, between(sum.center, corners[i]));
    }
    return sum;
}

// the corners from the leaf's lowest corner; lanes beyond the triangles repeat the first point
static void store_corners(ThawBvhPacket *out, const ThawVec3 *corners, uint32_t count) {
    ThawVec3 low = corners[0];
    for (uint32_t i = 1; i < 3 * count; i++) {
        low = thaw_vec(fmin(low.x, corners[i].x), fmin(low.y, corners[i].y),
                       fmin(low.z, corners[i].z));
    }
    float origin[3] = {(float)low.x, (float)low.y, (float)low.z};
    ThawVec3 from = {(double)origin[0], (double)origin[1], (double)origin[2]};
    double extent = 0;
    for (uint32_t i = 0; i < 3 * THAW_BVH_WIDTH; i++) {
        uint32_t lane = i / 3, corner = i % 3;
        ThawVec3 at = thaw_sub(corners[lane < count ? i : 0], from);
        extent = fmax(extent, thaw_length(at));
        out->corner[corner][0][lane] = (float)at.x;
        out->corner[corner][1][lane] = (float)at.y;
        out->corner[corner][2][lane] = (float)at.z;
    }
    memcpy(out->origin, origin, sizeof origin);
    out->extent = (float)extent * 1.000001f;
}

ThawBvhFar thaw_bvh_fill_packet(ThawBvh *bvh, uint32_t packet, const uint32_t *triangles,
                                uint32_t count) {
    ThawVec3 corners[3 * THAW_BVH_WIDTH];
    for (uint32_t i = 0; i < 3 * count; i++) {
        corners[i] = tree_corner(bvh, triangles[i / 3], (int)(i % 3));
    }
    ThawBvhPacket *out = &bvh->packets[packet];
    for (uint32_t lane = 0; lane < THAW_BVH_WIDTH; lane++) {
        out->triangle[lane] = lane < count ? triangles[lane] : THAW_BVH_NONE;
    }
    store_corners(out, corners, count);
    return sum_triangles(corners, count);
}

static void set_moments(ThawBvhMoments *moments, int lane, const ThawBvhFar *far) {
    const double center[3] = {far->center.x, far->center.y, far->center.z};
    const double normal[3] = {far->normal.x, far->normal.y, far->normal.z};
    ThawBvhFar seen = *far;
    make_harmonic(seen.quadratic, seen.cubic);
    for (int k = 0; k < 3; k++) {
        moments->center[k][lane] = (float)center[k];
        moments->normal[k][lane] = (float)normal[k];
    }
    for (int k = 0; k < 6; k++) moments->quadratic[k][lane] = (float)(-3 * seen.quadratic[k]);
    for (int k = 0; k < 10; k++) moments->cubic[k][lane] = (float)(7.5 * seen.cubic[k]);
    double near = FAR * far->radius;
    moments->near[lane] = (float)(near * near);
}

ThawBvhFar thaw_bvh_sum_node(ThawBvh *bvh, uint32_t node, const ThawBvhFar children[8]) {
    const uint32_t *child = bvh->nodes[node].child;
    ThawBvhMoments *moments = &bvh->moments[node];
    ThawBvhFar parts[THAW_BVH_WIDTH];
    uint32_t count = 0;
    for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) {
        moments->near[lane] = -1;
        if (child[lane] == THAW_BVH_NONE) continue;
        set_moments(moments, lane, &children[lane]);
        parts[count++] = children[lane];
    }
    ThawBvhFar sum = sum_parts(parts, count);
    for (uint32_t k = 0; k < count; k++) {
        sum.radius = fmax(sum.radius, between(sum.center, parts[k].center) + parts[k].radius);
    }
    return sum;
}
