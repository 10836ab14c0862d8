// Meshes of artists as triangles: smooth where they are smooth, creased where they are creased, whichever way
// their triangles are wound.
//
// Points at the same place count as one, so that a file without shared points (STL) is smooth too. A corner's
// normal is the mean of the triangles about its point, weighted by their angles there, that lie within the crease
// angle of its own; a triangle that is wound the other way counts turned over.
#include "render/outline.h"

#include "base/memory.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

#define CREASE 0.766  // cosine of 40°
#define FAN_MOST 256u // triangles at one point; a larger fan is drawn faceted

typedef struct Fabric {
    ThawMesh mesh;
    double scale;      // m of the shape a unit of the mesh
    uint32_t *same;    // the first point at the same place, one a point
    ThawVec3 *normals; // one a triangle, unit; 0 where it has no area
    uint32_t *start;   // triangles about a point: list[start[k] .. start[k + 1])
    uint32_t *list;
} Fabric;

// ---------------------------------------------------------------- points at one place

static uint64_t hash_point(const double *p) {
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (int axis = 0; axis < 3; axis++) {
        double value = p[axis] + 0.0; // −0 is 0
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        state = (state ^ bits) * 0xbf58476d1ce4e5b9u;
        state ^= state >> 29;
    }
    return state;
}

static bool same_place(const double *a, const double *b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool join_points(Fabric *f) {
    size_t size = 16;
    while (size < 2 * (size_t)f->mesh.point_count) size *= 2;
    uint32_t *slots = thaw_alloc(size * sizeof *slots); // index + 1, 0 = empty
    if (slots == NULL) return false;
    for (uint32_t k = 0; k < f->mesh.point_count; k++) {
        const double *p = f->mesh.points[k];
        size_t at = hash_point(p) & (size - 1);
        while (slots[at] != 0 && !same_place(f->mesh.points[slots[at] - 1], p))
            at = (at + 1) & (size - 1);
        if (slots[at] == 0) slots[at] = k + 1;
        f->same[k] = slots[at] - 1;
    }
    thaw_free(slots);
    return true;
}

// ---------------------------------------------------------------- triangles

static ThawVec3 point_at(const Fabric *f, uint32_t point) {
    const double *p = f->mesh.points[point];
    return thaw_vec(p[0] * f->scale, p[1] * f->scale, p[2] * f->scale);
}

static ThawVec3 corner_at(const Fabric *f, uint32_t triangle, int corner) {
    return point_at(f, f->mesh.triangles[triangle][corner]);
}

static void find_normals(Fabric *f) {
    for (uint32_t k = 0; k < f->mesh.triangle_count; k++) {
        ThawVec3 a = corner_at(f, k, 0), b = corner_at(f, k, 1), c = corner_at(f, k, 2);
        ThawVec3 n = thaw_cross(thaw_sub(b, a), thaw_sub(c, a));
        double size = thaw_length(n);
        f->normals[k] = size > 0 ? thaw_scale(n, 1 / size) : thaw_vec(0, 0, 0);
    }
}

static void list_triangles(Fabric *f) {
    uint32_t points = f->mesh.point_count, triangles = f->mesh.triangle_count;
    for (uint32_t k = 0; k < triangles; k++)
        for (int c = 0; c < 3; c++) f->start[f->same[f->mesh.triangles[k][c]] + 1]++;
    for (uint32_t k = 0; k < points; k++) f->start[k + 1] += f->start[k];
    for (uint32_t k = 0; k < triangles; k++) {
        for (int c = 0; c < 3; c++) {
            // start[p] moves on to the end of p, which is the start of p + 1
            uint32_t *at = &f->start[f->same[f->mesh.triangles[k][c]]];
            f->list[(*at)++] = k;
        }
    }
    for (uint32_t k = points; k > 0; k--) f->start[k] = f->start[k - 1];
    f->start[0] = 0;
}

static void close_fabric(Fabric *f) {
    thaw_free(f->same);
    thaw_free(f->normals);
    thaw_free(f->start);
    thaw_free(f->list);
}

static bool open_fabric(Fabric *f, const ThawRenderSolid *solid) {
    *f = (Fabric){.mesh = solid->mesh != NULL ? *solid->mesh : thaw_field_mesh(solid->shape.field),
                  .scale = solid->shape.scale};
    size_t points = f->mesh.point_count, triangles = f->mesh.triangle_count;
    if (triangles == 0 || triangles > UINT32_MAX / 3 - 1 || points == 0) {
        f->mesh.triangle_count = 0; // nothing, or beyond what a picture can show
        return true;
    }
    f->same = thaw_alloc(points * sizeof *f->same);
    f->normals = thaw_alloc(triangles * sizeof *f->normals);
    f->start = thaw_alloc((points + 2) * sizeof *f->start);
    f->list = thaw_alloc(3 * triangles * sizeof *f->list);
    if (f->same != NULL && f->normals != NULL && f->start != NULL && f->list != NULL &&
        join_points(f)) {
        find_normals(f);
        list_triangles(f);
        return true;
    }
    close_fabric(f);
    return false;
}

// ---------------------------------------------------------------- normals of corners

// the angle of a triangle at a point (one for all points of its place)
static double angle_at(const Fabric *f, uint32_t triangle, uint32_t place) {
    const uint32_t *t = f->mesh.triangles[triangle];
    int c = f->same[t[0]] == place ? 0 : f->same[t[1]] == place ? 1 : 2;
    ThawVec3 at = point_at(f, t[c]);
    ThawVec3 u = thaw_sub(point_at(f, t[(c + 1) % 3]), at);
    ThawVec3 v = thaw_sub(point_at(f, t[(c + 2) % 3]), at);
    return atan2(thaw_length(thaw_cross(u, v)), thaw_dot(u, v));
}

static ThawVec3 smooth_normal(const Fabric *f, uint32_t triangle, int corner) {
    uint32_t place = f->same[f->mesh.triangles[triangle][corner]];
    ThawVec3 own = f->normals[triangle], sum = {0, 0, 0};
    uint32_t begin = f->start[place], end = f->start[place + 1];
    if (end - begin > FAN_MOST) return own;
    for (uint32_t k = begin; k < end; k++) {
        ThawVec3 other = f->normals[f->list[k]];
        double along = thaw_dot(own, other);
        if (fabs(along) < CREASE) continue;
        double weight = angle_at(f, f->list[k], place);
        sum = thaw_add(sum, thaw_scale(other, along < 0 ? -weight : weight));
    }
    double size = thaw_length(sum);
    return size > 0 ? thaw_scale(sum, 1 / size) : own;
}

static void put_normals(const Fabric *f, const ThawShape *shape, uint32_t triangle, float *to) {
    for (int corner = 0; corner < 3; corner++) {
        ThawVec3 n = smooth_normal(f, triangle, corner);
        n = thaw_quat_rotate(shape->pose.rotation, n);
        to[3 * corner] = (float)n.x;
        to[3 * corner + 1] = (float)n.y;
        to[3 * corner + 2] = (float)n.z;
    }
}

// ---------------------------------------------------------------- all triangles, or some

// triangles that `kept` marks (NULL = all)
static bool put_mesh(ThawOutline *mesh, const ThawStage *stage, const ThawShape *shape,
                     const Fabric *f, const bool *kept) {
    uint32_t triangles = f->mesh.triangle_count;
    if (triangles == 0) return true;
    mesh->normals = thaw_alloc((size_t)triangles * 9 * sizeof(float));
    if (mesh->normals == NULL || !thaw_outline_reserve(mesh, f->mesh.point_count, 3 * triangles))
        return false;
    uint32_t first = mesh->point_count;
    for (uint32_t k = 0; k < f->mesh.point_count; k++)
        thaw_outline_point(mesh, stage, shape, point_at(f, k));
    for (uint32_t k = 0; k < triangles; k++) {
        if (kept != NULL && !kept[k]) continue;
        const uint32_t *t = f->mesh.triangles[k];
        put_normals(f, shape, k, mesh->normals + 3 * (size_t)mesh->index_count);
        thaw_outline_triangle(mesh, first + t[0], first + t[1], first + t[2]);
    }
    return true;
}

bool thaw_outline_mesh(ThawOutline *mesh, const ThawStage *stage, const ThawRenderSolid *solid) {
    Fabric f;
    if (!open_fabric(&f, solid)) return false;
    bool good = put_mesh(mesh, stage, &solid->shape, &f, NULL);
    close_fabric(&f);
    return good;
}

// ---------------------------------------------------------------- open towards the eye

// the normal turned out of what the mesh encloses, by its field where that is of this form
static ThawVec3 outward(const Fabric *f, const ThawRenderSolid *solid, uint32_t triangle,
                        ThawVec3 middle) {
    ThawVec3 n = f->normals[triangle];
    if (solid->mesh != NULL || solid->shape.field == NULL) return n;
    const ThawField *field = solid->shape.field;
    ThawFieldReport report = thaw_field_report(field);
    if (report.mode == THAW_FIELD_SHELL) return n;
    ThawVec3 at = thaw_scale(middle, 1 / f->scale), step = thaw_scale(n, report.cell);
    double front = thaw_field_distance(field, thaw_add(at, step));
    double back = thaw_field_distance(field, thaw_sub(at, step));
    return front < back ? thaw_scale(n, -1) : n;
}

static void keep_far_side(const Fabric *f, const ThawRenderSolid *solid, ThawVec3 eye, bool *kept) {
    ThawVec3 from = thaw_pose_invert(solid->shape.pose, eye);
    for (uint32_t k = 0; k < f->mesh.triangle_count; k++) {
        ThawVec3 middle =
            thaw_add(corner_at(f, k, 0), thaw_add(corner_at(f, k, 1), corner_at(f, k, 2)));
        middle = thaw_scale(middle, 1.0 / 3);
        ThawVec3 out = outward(f, solid, k, middle);
        kept[k] = thaw_dot(out, thaw_sub(middle, from)) > 0;
    }
}

typedef struct Side {
    uint32_t low, high; // places of its ends
    uint32_t triangle;
} Side;

static int by_ends(const void *a, const void *b) {
    const Side *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

// whether the sides of one edge make a line: an end of the surface, its turn out of sight, a crease
static bool is_line(const Fabric *f, const bool *kept, const Side *sides, size_t count) {
    if (count != 2) return true;
    uint32_t a = sides[0].triangle, b = sides[1].triangle;
    if (kept[a] != kept[b]) return true;
    return fabs(thaw_dot(f->normals[a], f->normals[b])) < CREASE;
}

static bool put_edges(ThawOutline *edges, const ThawStage *stage, const ThawShape *shape,
                      const Fabric *f, const bool *kept) {
    size_t count = 3 * (size_t)f->mesh.triangle_count, used = 0;
    Side *sides = thaw_alloc((count + 1) * sizeof *sides);
    if (sides == NULL) return false;
    for (uint32_t k = 0; k < f->mesh.triangle_count; k++) {
        const uint32_t *t = f->mesh.triangles[k];
        for (int c = 0; c < 3; c++) {
            uint32_t a = f->same[t[c]], b = f->same[t[(c + 1) % 3]];
            if (a != b) sides[used++] = (Side){a < b ? a : b, a < b ? b : a, k};
        }
    }
    qsort(sides, used, sizeof *sides, by_ends);
    bool good = true;
    for (size_t k = 0, next; k < used && good; k = next) {
        for (next = k + 1;
             next < used && sides[next].low == sides[k].low && sides[next].high == sides[k].high;)
            next++;
        if (is_line(f, kept, sides + k, next - k))
            good = thaw_outline_line(edges, stage, shape, point_at(f, sides[k].low),
                                     point_at(f, sides[k].high));
    }
    thaw_free(sides);
    return good;
}

bool thaw_outline_cutaway(ThawOutline *mesh, ThawOutline *edges, const ThawStage *stage,
                          const ThawRenderSolid *solid, ThawVec3 eye) {
    Fabric f;
    if (!open_fabric(&f, solid)) return false;
    bool *kept = thaw_alloc((size_t)f.mesh.triangle_count + 1);
    bool good = kept != NULL;
    if (good) {
        keep_far_side(&f, solid, eye, kept);
        // a flat world shows edges only
        if (stage->dimensions == 3) good = put_mesh(mesh, stage, &solid->shape, &f, kept);
        good = good && put_edges(edges, stage, &solid->shape, &f, kept);
    }
    thaw_free(kept);
    close_fabric(&f);
    return good;
}
