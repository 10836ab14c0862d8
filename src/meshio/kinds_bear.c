// A teddy bear: blobs blended by a smooth minimum of their distances, cut into triangles by marching tetrahedra, whose
// triangles are then evened out on the surface. Tetrahedra, unlike cubes, have no ambiguous cases: the surface is
// closed, always.
#include "meshio/maker.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------- the form

// an ellipsoid, or a ball drawn along a line; x is where the bear looks, its height is 1
typedef struct Blob {
    ThawVec3 at, to; // `to` of a line; the same as `at` for an ellipsoid
    ThawVec3 radii;  // of an ellipsoid; of a line x and y are the radii at its ends
    double blend;    // how far it flows into the others
    bool both;       // a second one on the other side
} Blob;

#define BALL(x, y, z, rx, ry, rz, blend, both)                                                     \
    { {x, y, z}, {x, y, z}, {rx, ry, rz}, blend, both }

static const Blob blobs[] = {
    BALL(-0.02, 0, 0.30, 0.23, 0.25, 0.31, 0.05, false),                     // body
    BALL(0.07, 0, 0.26, 0.19, 0.20, 0.20, 0.05, false),                      // belly
    BALL(0.02, 0, 0.71, 0.20, 0.23, 0.195, 0.05, false),                     // head
    BALL(0.19, 0, 0.655, 0.10, 0.105, 0.08, 0.04, false),                    // snout
    BALL(0.285, 0, 0.69, 0.028, 0.038, 0.025, 0.01, false),                  // nose
    BALL(0.185, 0.085, 0.775, 0.026, 0.026, 0.03, 0.008, true),              // eyes
    BALL(-0.01, 0.175, 0.885, 0.05, 0.085, 0.085, 0.03, true),               // ears
    {{0.02, 0.20, 0.48}, {0.20, 0.27, 0.30}, {0.075, 0.085, 0}, 0.05, true}, // arms
    {{0.04, 0.15, 0.11}, {0.34, 0.23, 0.10}, {0.11, 0.095, 0}, 0.05, true},  // legs
    BALL(0.40, 0.24, 0.125, 0.055, 0.095, 0.13, 0.03, true),                 // feet
    BALL(-0.26, 0, 0.12, 0.07, 0.07, 0.07, 0.03, false),                     // tail
};
#define BEAR_TOP 0.97 // of the ears

// nearly the distance; exact at the surface (Quilez 2008)
static double ellipsoid_distance(const Blob *blob, ThawVec3 p) {
    ThawVec3 d = thaw_sub(p, blob->at), r = blob->radii;
    double k0 = thaw_length(thaw_vec(d.x / r.x, d.y / r.y, d.z / r.z));
    double k1 = thaw_length(thaw_vec(d.x / (r.x * r.x), d.y / (r.y * r.y), d.z / (r.z * r.z)));
    return k1 > 0.0 ? k0 * (k0 - 1.0) / k1 : -fmin(r.x, fmin(r.y, r.z));
}

static double line_distance(const Blob *blob, ThawVec3 p) {
    ThawVec3 along = thaw_sub(blob->to, blob->at), d = thaw_sub(p, blob->at);
    double s = fmin(fmax(thaw_dot(d, along) / thaw_dot(along, along), 0.0), 1.0);
    double radius = blob->radii.x + s * (blob->radii.y - blob->radii.x);
    return thaw_length(thaw_sub(d, thaw_scale(along, s))) - radius;
}

static double blob_distance(const Blob *blob, ThawVec3 p) {
    if (blob->both) p.y = fabs(p.y);
    bool line = thaw_length(thaw_sub(blob->to, blob->at)) > 0.0;
    return line ? line_distance(blob, p) : ellipsoid_distance(blob, p);
}

static double smooth_minimum(double a, double b, double blend) {
    double h = fmax(blend - fabs(a - b), 0.0) / blend;
    return fmin(a, b) - 0.25 * h * h * blend;
}

// negative inside; it sits on z = 0
static double bear_field(ThawVec3 p) {
    double distance = 1e9;
    for (size_t k = 0; k < sizeof blobs / sizeof blobs[0]; k++)
        distance = smooth_minimum(distance, blob_distance(&blobs[k], p), blobs[k].blend);
    return fmax(distance, -p.z);
}

// ---------------------------------------------------------------- tetrahedra

typedef struct Grid {
    ThawVec3 origin;
    double cell;
    int size[3]; // points along each axis
    double *slab[2];
} Grid;

static ThawVec3 grid_place(const Grid *grid, const int at[3]) {
    return thaw_vec(grid->origin.x + grid->cell * (double)at[0],
                    grid->origin.y + grid->cell * (double)at[1],
                    grid->origin.z + grid->cell * (double)at[2]);
}

static void fill_slab(const Grid *grid, int z) {
    double *values = grid->slab[z % 2];
    for (int y = 0; y < grid->size[1]; y++) {
        for (int x = 0; x < grid->size[0]; x++) {
            double value = bear_field(grid_place(grid, (int[3]){x, y, z}));
            // never 0: a surface through a grid point would make triangles without area
            values[(size_t)y * (size_t)grid->size[0] + (size_t)x] = value == 0.0 ? 1e-12 : value;
        }
    }
}

typedef struct Node {
    ThawVec3 place;
    double value;
} Node;

// where the surface crosses an edge; always from inside to outside, so that neighbours find the same point
static uint32_t cross_edge(MeshMaker *maker, const Node *a, const Node *b) {
    const Node *in = a->value < 0.0 ? a : b, *out = a->value < 0.0 ? b : a;
    double s = in->value / (in->value - out->value);
    s = fmin(fmax(s, 0.01), 0.99);
    return maker_point(maker, thaw_add(in->place, thaw_scale(thaw_sub(out->place, in->place), s)));
}

// a triangle whose normal points from `in` to `out`
static void add_facing(MeshMaker *maker, const uint32_t t[3], ThawVec3 in, ThawVec3 out) {
    if (maker->result != THAW_OK) return;
    ThawVec3 p[3];
    for (int k = 0; k < 3; k++) {
        const double *at = maker->weld.mesh->points[t[k]];
        p[k] = thaw_vec(at[0], at[1], at[2]);
    }
    ThawVec3 normal = thaw_cross(thaw_sub(p[1], p[0]), thaw_sub(p[2], p[0]));
    bool good = thaw_dot(normal, thaw_sub(out, in)) > 0.0;
    maker_triangle(maker, t[0], t[good ? 1 : 2], t[good ? 2 : 1]);
}

static void cut_tetrahedron(MeshMaker *maker, const Node *const node[4]) {
    const Node *in[4], *out[4];
    int ins = 0, outs = 0;
    for (int k = 0; k < 4; k++) {
        if (node[k]->value < 0.0)
            in[ins++] = node[k];
        else
            out[outs++] = node[k];
    }
    if (ins == 0 || outs == 0) return;
    if (ins == 2) {
        uint32_t q[4] = {cross_edge(maker, in[0], out[0]), cross_edge(maker, in[0], out[1]),
                         cross_edge(maker, in[1], out[1]), cross_edge(maker, in[1], out[0])};
        ThawVec3 from = thaw_add(in[0]->place, in[1]->place);
        ThawVec3 to = thaw_add(out[0]->place, out[1]->place);
        add_facing(maker, (uint32_t[3]){q[0], q[1], q[2]}, from, to);
        add_facing(maker, (uint32_t[3]){q[0], q[2], q[3]}, from, to);
        return;
    }
    // one corner is alone
    const Node *lone = ins == 1 ? in[0] : out[0];
    const Node *const *rest = ins == 1 ? out : in;
    uint32_t t[3];
    for (int k = 0; k < 3; k++) t[k] = cross_edge(maker, lone, rest[k]);
    add_facing(maker, t, ins == 1 ? lone->place : rest[0]->place,
               ins == 1 ? rest[0]->place : lone->place);
}

// six tetrahedra about the long diagonal: neighbouring cubes agree on their faces (Kuhn)
static void cut_cube(MeshMaker *maker, const Node node[8]) {
    static const int ways[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};
    for (int k = 0; k < 6; k++) {
        const Node *const four[4] = {&node[0], &node[ways[k][0]], &node[ways[k][1]], &node[7]};
        cut_tetrahedron(maker, four);
    }
}

static void cut_layer(MeshMaker *maker, const Grid *grid, int z) {
    for (int y = 0; y + 1 < grid->size[1]; y++) {
        for (int x = 0; x + 1 < grid->size[0] && maker->result == THAW_OK; x++) {
            Node node[8];
            int ins = 0;
            for (int k = 0; k < 8; k++) {
                int at[3] = {x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)};
                size_t index = (size_t)at[1] * (size_t)grid->size[0] + (size_t)at[0];
                node[k] = (Node){grid_place(grid, at), grid->slab[at[2] % 2][index]};
                ins += node[k].value < 0.0;
            }
            if (ins > 0 && ins < 8) cut_cube(maker, node);
        }
    }
}

// ---------------------------------------------------------------- evening out

static ThawVec3 field_gradient(ThawVec3 p) {
    const double e = 1e-4;
    return thaw_vec(
        (bear_field(thaw_vec(p.x + e, p.y, p.z)) - bear_field(thaw_vec(p.x - e, p.y, p.z))) /
            (2 * e),
        (bear_field(thaw_vec(p.x, p.y + e, p.z)) - bear_field(thaw_vec(p.x, p.y - e, p.z))) /
            (2 * e),
        (bear_field(thaw_vec(p.x, p.y, p.z + e)) - bear_field(thaw_vec(p.x, p.y, p.z - e))) /
            (2 * e));
}

static ThawVec3 settle(ThawVec3 p) {
    for (int k = 0; k < 2; k++) {
        ThawVec3 g = field_gradient(p);
        double square = thaw_dot(g, g);
        if (square < 0.01) return p;
        p = thaw_sub(p, thaw_scale(g, bear_field(p) / square));
    }
    return p;
}

// every point to the middle of its neighbours, and back to the surface
static void even_out(ThawMeshData *mesh, double (*sum)[4]) {
    memset(sum, 0, (size_t)mesh->point_count * sizeof *sum);
    for (uint32_t k = 0; k < mesh->triangle_count; k++) {
        for (int i = 0; i < 3; i++) {
            double *to = sum[mesh->triangles[k][i]];
            const double *from = mesh->points[mesh->triangles[k][(i + 1) % 3]];
            for (int axis = 0; axis < 3; axis++) to[axis] += from[axis];
            to[3] += 1.0;
        }
    }
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        double *at = mesh->points[k];
        double share = 1.0 / sum[k][3];
        ThawVec3 p =
            settle(thaw_vec(0.5 * (at[0] + sum[k][0] * share), 0.5 * (at[1] + sum[k][1] * share),
                            0.5 * (at[2] + sum[k][2] * share)));
        at[0] = p.x;
        at[1] = p.y;
        at[2] = p.z;
    }
}

static void finish(MeshMaker *maker, double height) {
    if (maker->result != THAW_OK) return;
    ThawMeshData *mesh = maker->weld.mesh;
    double(*sum)[4] = thaw_alloc((size_t)mesh->point_count * sizeof *sum);
    if (sum == NULL) {
        maker->result = thaw_fail_memory((size_t)mesh->point_count * sizeof *sum);
        return;
    }
    for (int k = 0; k < 6; k++) even_out(mesh, sum);
    thaw_free(sum);
    for (uint32_t k = 0; k < mesh->point_count; k++) {
        for (int axis = 0; axis < 3; axis++) mesh->points[k][axis] *= height / BEAR_TOP;
    }
}

void meshio_make_bear(MeshMaker *maker, const double *values) {
    double cell = BEAR_TOP / values[1];
    Grid grid = {.origin = {-0.36 - 0.31 * cell, -0.40 - 0.37 * cell, -1.57 * cell}, .cell = cell};
    const double extent[3] = {0.36 + 0.50, 0.80, 1.0};
    for (int k = 0; k < 3; k++) grid.size[k] = (int)ceil(extent[k] / cell) + 4;
    size_t bytes = (size_t)grid.size[0] * (size_t)grid.size[1] * sizeof(double);
    grid.slab[0] = thaw_alloc(bytes);
    grid.slab[1] = thaw_alloc(bytes);
    if (grid.slab[0] == NULL || grid.slab[1] == NULL) maker->result = thaw_fail_memory(bytes);
    for (int z = 0; z < grid.size[2] && maker->result == THAW_OK; z++) {
        fill_slab(&grid, z);
        if (z > 0) cut_layer(maker, &grid, z - 1);
    }
    thaw_free(grid.slab[0]);
    thaw_free(grid.slab[1]);
    finish(maker, values[0]);
}
