// Polygons as triangles, in the plane of Newell's normal. Ear clipping after Meisters 1975; a polygon that has no
// ear left (it crosses itself, or is flat) is clipped anywhere: n − 2 triangles come out of anything. A fan about a
// corner of a concave polygon would still have the right winding number, but surface where there is none.
#include "meshio/polygons.h"

#include "base/memory.h"

#include <math.h>

// tests of a corner against an ear before a polygon is cut as it comes; some thousand corners are below
#define MOST_TESTS ((uint64_t)200000000)

void meshio_polygons_free(MeshPolygons *polygons) {
    thaw_free(polygons->triples);
    thaw_free(polygons->flat);
    thaw_free(polygons->next);
    thaw_free(polygons->before);
    *polygons = (MeshPolygons){0};
}

static ThawResult make_room(MeshPolygons *polygons, uint32_t count) {
    MeshPolygons *p = polygons;
    ThawResult result = meshio_grow(&p->triples, &p->triple_room, count, sizeof p->triples[0]);
    if (result == THAW_OK) result = meshio_grow(&p->flat, &p->flat_room, count, sizeof p->flat[0]);
    if (result == THAW_OK) result = meshio_grow(&p->next, &p->next_room, count, sizeof p->next[0]);
    if (result == THAW_OK)
        result = meshio_grow(&p->before, &p->before_room, count, sizeof p->before[0]);
    return result;
}

static void set_triple(MeshPolygons *polygons, uint32_t at, uint32_t a, uint32_t b, uint32_t c) {
    polygons->triples[at][0] = a;
    polygons->triples[at][1] = b;
    polygons->triples[at][2] = c;
}

static void cut_fan(MeshPolygons *polygons, uint32_t count) {
    for (uint32_t k = 0; k + 2 < count; k++) set_triple(polygons, k, 0, k + 1, k + 2);
}

// ---------------------------------------------------------------- in the plane

// Newell's normal about the first corner, so that far polygons keep their digits
static void find_normal(const double (*points)[3], const uint32_t *corners, uint32_t count,
                        double normal[3]) {
    const double *o = points[corners[0]];
    normal[0] = normal[1] = normal[2] = 0.0;
    for (uint32_t k = 1; k + 1 < count; k++) {
        const double *a = points[corners[k]], *b = points[corners[k + 1]];
        double u[3] = {a[0] - o[0], a[1] - o[1], a[2] - o[2]};
        double v[3] = {b[0] - o[0], b[1] - o[1], b[2] - o[2]};
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, m = (i + 2) % 3;
            normal[i] += u[j] * v[m] - u[m] * v[j];
        }
    }
}

// drops the coordinate along which the normal is longest; areas keep their sign. False for a polygon without area
static bool flatten(MeshPolygons *polygons, const double (*points)[3], const uint32_t *corners,
                    uint32_t count) {
    double normal[3];
    find_normal(points, corners, count, normal);
    int axis = fabs(normal[0]) > fabs(normal[1]) ? 0 : 1;
    if (fabs(normal[2]) >= fabs(normal[axis])) axis = 2;
    if (!(fabs(normal[axis]) > 0.0) || !isfinite(normal[axis])) return false;
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double *o = points[corners[0]];
    double sign = normal[axis] > 0.0 ? 1.0 : -1.0;
    for (uint32_t k = 0; k < count; k++) {
        polygons->flat[k][0] = sign * (points[corners[k]][u] - o[u]);
        polygons->flat[k][1] = points[corners[k]][v] - o[v];
    }
    return true;
}

// twice the area of a triangle of the plane, positive when it turns left
static double turn_of(const double (*flat)[2], uint32_t a, uint32_t b, uint32_t c) {
    return (flat[b][0] - flat[a][0]) * (flat[c][1] - flat[a][1]) -
           (flat[b][1] - flat[a][1]) * (flat[c][0] - flat[a][0]);
}

// every fan triangle turns left, and the outline goes round once: its x goes up once and down once
static bool is_convex(const double (*flat)[2], uint32_t count) {
    uint32_t changes = 0;
    double last = 0.0;
    for (uint32_t k = 0; k < 2 * count; k++) {
        uint32_t a = k % count, b = (k + 1) % count, c = (k + 2) % count;
        if (k < count && turn_of(flat, a, b, c) < 0.0) return false;
        double along = flat[b][0] - flat[a][0];
        if (along == 0.0) continue;
        if (k >= count && along * last < 0.0) changes++;
        last = along > 0.0 ? 1.0 : -1.0;
    }
    return changes <= 2;
}

// ---------------------------------------------------------------- ears

// the corners that are left: a ring, as links
typedef struct Ring {
    const double (*flat)[2];
    uint32_t *next, *before;
    uint64_t tests; // left to do
} Ring;

static bool is_reflex(const Ring *ring, uint32_t k) {
    return turn_of(ring->flat, ring->before[k], k, ring->next[k]) < 0.0;
}

static bool is_same_place(const Ring *ring, uint32_t a, uint32_t b) {
    return ring->flat[a][0] == ring->flat[b][0] && ring->flat[a][1] == ring->flat[b][1];
}

// whether a corner bends left and no other corner of the ring lies in its triangle
static bool is_ear(Ring *ring, uint32_t k) {
    uint32_t a = ring->before[k], b = ring->next[k];
    if (!(turn_of(ring->flat, a, k, b) > 0.0)) return false;
    for (uint32_t p = ring->next[b]; p != a; p = ring->next[p]) {
        if (ring->tests > 0) ring->tests--;
        // bridges to holes have two corners at one place
        if (is_same_place(ring, p, a) || is_same_place(ring, p, k) || is_same_place(ring, p, b))
            continue;
        if (turn_of(ring->flat, a, k, p) >= 0.0 && turn_of(ring->flat, k, b, p) >= 0.0 &&
            turn_of(ring->flat, b, a, p) >= 0.0 && is_reflex(ring, p))
            return false;
    }
    return true;
}

static void cut_ears(MeshPolygons *polygons, uint32_t count) {
    Ring ring = {(const double(*)[2])polygons->flat, polygons->next, polygons->before, MOST_TESTS};
    for (uint32_t k = 0; k < count; k++) {
        ring.next[k] = (k + 1) % count;
        ring.before[k] = (k + count - 1) % count;
    }
    uint32_t at = 0, made = 0, tried = 0, left = count;
    while (left > 2) {
        bool clip = tried > left || ring.tests == 0 || is_ear(&ring, at);
        uint32_t a = ring.before[at], b = ring.next[at];
        tried++;
        if (clip) {
            set_triple(polygons, made++, a, at, b);
            ring.next[a] = b;
            ring.before[b] = a;
            left--;
            tried = 0;
        }
        // after an ear its far neighbour: neither side is eaten into a fan of slivers
        at = clip ? ring.next[b] : b;
    }
}

ThawResult meshio_cut_polygon(MeshPolygons *polygons, const double (*points)[3],
                              const uint32_t *corners, uint32_t count) {
    ThawResult result = make_room(polygons, count);
    if (result != THAW_OK) return result;
    bool bent = count > 3 && flatten(polygons, points, corners, count) &&
                !is_convex((const double(*)[2])polygons->flat, count);
    if (bent)
        cut_ears(polygons, count);
    else
        cut_fan(polygons, count);
    return THAW_OK;
}
