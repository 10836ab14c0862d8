// The first triangle on a ray, in double precision throughout. Corners are first moved so that the ray is an axis,
// each alike for all its triangles; edges are then judged in the plane across (Woop, Benthin and Wald 2013), so that
// no ray slips through between two triangles.
#include "geometry/bvh_internal.h"
#include "geometry/triangle.h"

#include <string.h>

typedef struct Ray {
    const ThawBvh *bvh;
    double from[3];               // m
    int axis[3];                  // the last is the direction's largest
    double shear[3];              // across, across; one over the largest
    double place[3], backward[3]; // tree's frame; one over the direction
    double reach;
    ThawBvhHit *hit;
    bool found;
} Ray;

typedef struct Entry {
    double enter;
    uint32_t child;
} Entry;

// seen along the ray: two coordinates across it, and how far along; z is the ray's largest axis
static ThawVec3 look_along(const Ray *ray, const double corner[3]) {
    const int *axis = ray->axis;
    double x = corner[axis[0]] - ray->from[axis[0]], y = corner[axis[1]] - ray->from[axis[1]];
    double z = corner[axis[2]] - ray->from[axis[2]];
    return thaw_vec(x - ray->shear[0] * z, y - ray->shear[1] * z, z * ray->shear[2]);
}

// twice the area of the ray and an edge; the sign is right or 0, because products round in order
static double area(ThawVec3 a, ThawVec3 b) {
    double left = a.x * b.y, right = a.y * b.x;
    return left - right;
}

static void try_triangle(Ray *ray, uint32_t triangle) {
    const ThawMesh *mesh = &ray->bvh->mesh;
    const uint32_t *corner = mesh->triangles[triangle];
    ThawVec3 a = look_along(ray, mesh->points[corner[0]]);
    ThawVec3 b = look_along(ray, mesh->points[corner[1]]);
    ThawVec3 c = look_along(ray, mesh->points[corner[2]]);
    double u = area(b, c), v = area(c, a), w = area(a, b), whole = u + v + w;
    if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return;
    if (whole == 0) return;
    u /= whole;
    v /= whole;
    w /= whole;
    double t = u * a.z + v * b.z + w * c.z;
    if (!(t > 0 && t <= ray->reach)) return;
    if (ray->found && t == ray->reach && triangle > ray->hit->triangle) return;
    ray->found = true;
    ray->reach = t;
    *ray->hit = (ThawBvhHit){.distance = t, .triangle = triangle, .weight = {u, v, w}};
}

// the point of the triangle at the hit's weights
static void place_hit(const ThawMesh *mesh, ThawBvhHit *hit) {
    ThawVec3 corner[3], point = {0, 0, 0};
    thaw_triangle_corners(mesh, hit->triangle, corner);
    for (int k = 0; k < 3; k++) point = thaw_add(point, thaw_scale(corner[k], hit->weight[k]));
    hit->point = point;
}

// where the ray enters and leaves the eight boxes along one axis, joined to what other axes said
static void narrow(const Ray *ray, const ThawBvhNode *node, int k, double enter[8],
                   double leave[8]) {
    double at = ray->place[k], pace = ray->backward[k];
    const float *first = pace < 0 ? node->upper[k] : node->lower[k];
    const float *last = pace < 0 ? node->lower[k] : node->upper[k];
    for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) {
        double a = ((double)first[lane] - at) * pace, b = ((double)last[lane] - at) * pace;
        enter[lane] = a > enter[lane] ? a : enter[lane];
        leave[lane] = b < leave[lane] ? b : leave[lane];
    }
}

// puts the children that the ray meets on the stack, the first uppermost
static uint32_t push_children(const Ray *ray, const ThawBvhNode *node, Entry *stack, uint32_t top) {
    double enter[8], leave[8];
    for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) {
        enter[lane] = 0;
        leave[lane] = ray->reach;
    }
    for (int k = 0; k < 3; k++) narrow(ray, node, k, enter, leave);
    uint32_t base = top;
    for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) {
        double from = enter[lane] * (1 - 1e-12);
        if (node->child[lane] == THAW_BVH_NONE || !(from <= leave[lane])) continue;
        uint32_t at = top++;
        for (; at > base && stack[at - 1].enter < from; at--) stack[at] = stack[at - 1];
        stack[at] = (Entry){from, node->child[lane]};
    }
    return top;
}

static void try_packet(Ray *ray, const ThawBvhPacket *packet) {
    for (int lane = 0; lane < THAW_BVH_WIDTH; lane++) {
        if (packet->triangle[lane] != THAW_BVH_NONE) try_triangle(ray, packet->triangle[lane]);
    }
}

// false when the ray has no direction
static bool aim(Ray *ray, const double along[3]) {
    int z = fabs(along[0]) > fabs(along[1]) ? 0 : 1;
    if (fabs(along[2]) > fabs(along[z])) z = 2;
    if (!(fabs(along[z]) > 0)) return false;
    int x = (z + 1) % 3, y = (z + 2) % 3;
    memcpy(ray->axis, (int[3]){x, y, z}, sizeof ray->axis);
    memcpy(ray->shear, (double[3]){along[x] / along[z], along[y] / along[z], 1 / along[z]},
           sizeof ray->shear);
    thaw_bvh_to_tree(ray->bvh, ray->from, ray->place);
    // along a box's sides the pace is large, not infinite: within them times nothing is nothing
    for (int k = 0; k < 3; k++) {
        double pace = along[k] * ray->bvh->scale;
        ray->backward[k] = fabs(pace) > 1e-280 ? 1 / pace : 1e280;
    }
    return true;
}

bool thaw_bvh_ray(const ThawBvh *bvh, ThawVec3 point, ThawVec3 direction, double reach,
                  ThawBvhHit *hit) {
    if (bvh->node_count == 0) return false;
    Ray ray = {.bvh = bvh, .from = {point.x, point.y, point.z}, .reach = reach, .hit = hit};
    if (!aim(&ray, (double[3]){direction.x, direction.y, direction.z})) return false;
    Entry stack[THAW_BVH_STACK];
    uint32_t top = 1;
    stack[0] = (Entry){0, 0};
    while (top > 0) {
        Entry entry = stack[--top];
        if (entry.enter > ray.reach) continue;
        if (entry.child & THAW_BVH_LEAF)
            try_packet(&ray, &bvh->packets[entry.child & ~THAW_BVH_LEAF]);
        else
            top = push_children(&ray, &bvh->nodes[entry.child], stack, top);
    }
    if (ray.found) place_hit(&bvh->mesh, hit);
    return ray.found;
}
