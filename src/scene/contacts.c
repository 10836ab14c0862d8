// Contacts: solid bodies that begin nearer to each other than they may. They are pushed apart in the first
// substeps, and what that takes is energy that they gain.
//
// What counts is what src/models/solid/contact.c and contact_face.c keep apart: particles 0.9 D, and of two faces that
// look at each other their planes. A particle's bonds are the sites about it that lie in its body. Only particles near
// their body's surface and near another body are looked at, by cells. (Left out: across periodic ends, and jitter.)
#include "scene/preflight.h"

#include "base/result.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REACH 0.9        // D that solids keep
#define FACES_SEE 1.4143 // of that: two faces see each other's particles up to √2
#define SHELL 1.5        // D: particles deeper in their body touch nobody, unless bodies overlap
#define SLACK 1e-3       // of the distance: less is rounding of what was written
#define MOST_TOLD 10
#define ROW ((uint64_t)1 << 21) // cells along x, as keys count them
#define LAYER (ROW * ROW)

typedef struct Point {
    uint64_t key; // of its cell
    ThawVec3 at;
    ThawVec3 out; // where bonds are missing, of length 1, or 0
    double flat;  // 1 in a face, 0 at an edge
    int body;
    bool looked; // the normal is known
} Point;

// two particles that are too near
typedef struct Close {
    int i, j;
    ThawVec3 offset; // m, from j to i: of two faces that of their planes
    double rest;     // m
} Close;

// pairs of copies of the same two bodies
typedef struct Kind {
    int i, j, count;
    double distance, rest, move; // m: the least, what it should be, and how far the bodies must go
} Kind;

typedef struct Extent {
    ThawVec3 lower, upper;
} Extent;

typedef struct Search {
    SceneFlight *flight;
    double reach;   // m, the largest
    Extent *extent; // of each body: where others may touch it
    Point *points;
    size_t point_count, point_room;
    Close *close;
    size_t close_count, close_room;
    Kind kinds[MOST_TOLD];
    int kind_count, other; // pairs of kinds that are not kept
} Search;

// room for one more of an array; false for want of memory
static bool make_room(void **array, size_t count, size_t *room, size_t size) {
    if (count < *room) return true;
    size_t more = *room == 0 ? 1024 : 2 * *room;
    void *grown = realloc(*array, more * size);
    if (grown == NULL) return false;
    *array = grown;
    *room = more;
    return true;
}

// ---------------------------------------------------------------- normals, as contact_face.c finds them

// 0 up to `from`, 1 beyond `to`
static double ramp(double x, double from, double to) {
    double t = fmin(fmax((x - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
}

// the lattice's sites about one, in D
static int list_sites(int dimensions, ThawQuat pose, ThawVec3 sites[12]) {
    if (dimensions == 2) {
        double turn = 2 * atan2(pose.z, pose.w);
        for (int k = 0; k < 6; k++) {
            double angle = turn + k * acos(0.5);
            sites[k] = thaw_vec(cos(angle), sin(angle), 0);
        }
        return 6;
    }
    for (int k = 0; k < 12; k++) {
        double a = (k & 1) != 0 ? sqrt(0.5) : -sqrt(0.5), b = (k & 2) != 0 ? sqrt(0.5) : -sqrt(0.5);
        ThawVec3 site = k < 4 ? thaw_vec(a, b, 0) : k < 8 ? thaw_vec(a, 0, b) : thaw_vec(0, a, b);
        sites[k] = thaw_quat_rotate(pose, site);
    }
    return 12;
}

// those of its sites that its body fills
static int find_bonds(const Search *search, const Point *point, ThawVec3 bonds[12]) {
    const ThawSceneBody *body = &search->flight->scene->bodies[point->body];
    double distance = search->flight->probes[point->body].distance;
    int sites =
        list_sites(search->flight->scene->world.dimensions, body->shape.pose.rotation, bonds);
    int count = 0;
    for (int k = 0; k < sites; k++) {
        ThawVec3 place = thaw_add(point->at, thaw_scale(bonds[k], distance));
        if (thaw_shape_distance(&body->shape, place) < -1e-9 * distance) bonds[count++] = bonds[k];
    }
    return count;
}

static double judge_flatness(int dimensions, double along, double missing) {
    if (dimensions == 2) return ramp(missing, 0.7, 1.4) * ramp(along, 1.1, 1.8);
    return ramp(missing, 1, 2) * ramp(along, 2.2, 3.5);
}

// sites are where they were put: what runs along a surface leans by nothing that counts
static void find_normal(const Search *search, Point *point) {
    ThawVec3 bonds[12], out = {0, 0, 0};
    int count = find_bonds(search, point, bonds);
    double along = 0;
    point->looked = true;
    for (int k = 0; k < count; k++) out = thaw_sub(out, bonds[k]);
    double missing = thaw_length(out);
    if (!(missing > 0.5)) return;
    out = point->out = thaw_scale(out, 1 / missing);
    for (int k = 0; k < count; k++) along += 1 - ramp(fabs(thaw_dot(bonds[k], out)), 0.25, 0.55);
    point->flat = judge_flatness(search->flight->scene->world.dimensions, along, missing);
}

// what a point adds to the plane of two: its own face, and as an edge what it is of the other's
static ThawVec3 face_of(const Point *own, const Point *other) {
    double towards = -thaw_dot(own->out, other->out);
    double rim = (1 - own->flat) * other->flat * ramp(towards, 0.35, 0.55);
    return thaw_sub(thaw_scale(own->out, own->flat), thaw_scale(other->out, rim));
}

// the offset without what counts for nothing between faces
static ThawVec3 flatten(const Point *i, const Point *j, ThawVec3 offset, double rest) {
    ThawVec3 normal = thaw_sub(face_of(i, j), face_of(j, i));
    double length = thaw_length(normal);
    if (!(length > 1)) return offset;
    normal = thaw_scale(normal, -1 / length);
    double height = thaw_dot(normal, offset);
    ThawVec3 aside = thaw_sub(offset, thaw_scale(normal, height));
    double far = thaw_length(aside);
    if (far >= rest || far == 0) return offset;
    double strength = fmin(length - 1, 1) * ramp(height, 0.2 * rest, 0.6 * rest);
    return thaw_sub(offset, thaw_scale(aside, fmin(1, strength * rest / far)));
}

// ---------------------------------------------------------------- who may touch

static void widen(Extent *extent, const SceneProbe *other, double margin) {
    ThawVec3 low = other->lower, high = other->upper;
    extent->lower =
        thaw_vec(fmin(extent->lower.x, low.x - margin), fmin(extent->lower.y, low.y - margin),
                 fmin(extent->lower.z, low.z - margin));
    extent->upper =
        thaw_vec(fmax(extent->upper.x, high.x + margin), fmax(extent->upper.y, high.y + margin),
                 fmax(extent->upper.z, high.z + margin));
}

static bool mark_pair(void *context, int i, int j) {
    Search *search = context;
    const SceneProbe *probes = search->flight->probes;
    if (probes[i].sites == NULL || probes[j].sites == NULL) return true;
    widen(&search->extent[i], &probes[j], search->reach);
    widen(&search->extent[j], &probes[i], search->reach);
    return true;
}

static bool is_inside(const Extent *extent, ThawVec3 p) {
    return p.x >= extent->lower.x && p.x <= extent->upper.x && p.y >= extent->lower.y &&
           p.y <= extent->upper.y && p.z >= extent->lower.z && p.z <= extent->upper.z;
}

// the particles of a body that others may touch
static bool gather(Search *search, int k) {
    const SceneProbe *probe = &search->flight->probes[k];
    const ThawSceneBody *body = &search->flight->scene->bodies[k];
    if (!(search->extent[k].lower.x <= search->extent[k].upper.x)) return true;
    for (uint32_t n = 0; n < probe->particles; n++) {
        const double *s = probe->sites[n];
        ThawVec3 p = thaw_pose_apply(body->shape.pose, thaw_vec(s[0], s[1], s[2]));
        if (search->flight->scene->world.dimensions == 2) p.z = 0;
        if (!is_inside(&search->extent[k], p)) continue;
        if (thaw_shape_distance(&body->shape, p) < -SHELL * probe->distance) continue;
        void *points = search->points;
        if (!make_room(&points, search->point_count, &search->point_room, sizeof *search->points))
            return false;
        search->points = points;
        search->points[search->point_count++] = (Point){.at = p, .body = k};
    }
    return true;
}

// ---------------------------------------------------------------- cells

static uint64_t cell_along(double way, double size) {
    return (uint64_t)fmin(way / size + 1, (double)(ROW - 2));
}

static int compare_points(const void *a, const void *b) {
    const Point *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    if (p->body != q->body) return p->body - q->body;
    if (p->at.x != q->at.x) return p->at.x < q->at.x ? -1 : 1;
    if (p->at.y != q->at.y) return p->at.y < q->at.y ? -1 : 1;
    return (p->at.z > q->at.z) - (p->at.z < q->at.z);
}

static void sort_into_cells(Search *search) {
    double size = FACES_SEE * search->reach;
    ThawVec3 corner = {INFINITY, INFINITY, INFINITY};
    for (size_t n = 0; n < search->point_count; n++) {
        ThawVec3 p = search->points[n].at;
        corner = thaw_vec(fmin(corner.x, p.x), fmin(corner.y, p.y), fmin(corner.z, p.z));
    }
    for (size_t n = 0; n < search->point_count; n++) {
        ThawVec3 way = thaw_sub(search->points[n].at, corner);
        search->points[n].key = cell_along(way.z, size) * LAYER + cell_along(way.y, size) * ROW +
                                cell_along(way.x, size);
    }
    if (search->point_count > 0)
        qsort(search->points, search->point_count, sizeof *search->points, compare_points);
}

// notes the two where they are too near; false for want of memory
static bool try_pair(Search *search, Point *i, Point *j) {
    if (i->body == j->body) return true;
    if (i->body > j->body) return try_pair(search, j, i);
    const SceneProbe *probes = search->flight->probes;
    double rest = 0.5 * REACH * (probes[i->body].distance + probes[j->body].distance);
    ThawVec3 offset = thaw_sub(i->at, j->at);
    if (thaw_dot(offset, offset) >= FACES_SEE * FACES_SEE * rest * rest) return true;
    if (!i->looked) find_normal(search, i);
    if (!j->looked) find_normal(search, j);
    offset = flatten(i, j, offset, rest);
    if (thaw_length(offset) >= (1 - SLACK) * rest) return true;
    void *close = search->close;
    if (!make_room(&close, search->close_count, &search->close_room, sizeof *search->close))
        return false;
    search->close = close;
    search->close[search->close_count++] = (Close){i->body, j->body, offset, rest};
    return true;
}

// Tries each particle against those that follow it in its cell, and those of the cells ahead: one beside it, and rows of
// three. Where a row begins moves on with the particle.
static bool try_cells(Search *search) {
    static const int64_t rows[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    size_t begin[4] = {0}, count = search->point_count;
    Point *points = search->points;
    bool fits = true;
    for (size_t n = 0; n < count && fits; n++) {
        for (size_t m = n + 1; fits && m < count && points[m].key <= points[n].key + 1; m++) {
            fits = try_pair(search, &points[n], &points[m]);
        }
        for (int r = 0; r < 4 && fits; r++) {
            uint64_t middle = points[n].key + (uint64_t)(rows[r][0] * (int64_t)ROW) +
                              (uint64_t)(rows[r][1] * (int64_t)LAYER);
            while (begin[r] < count && points[begin[r]].key < middle - 1) begin[r]++;
            for (size_t m = begin[r]; fits && m < count && points[m].key <= middle + 1; m++) {
                fits = try_pair(search, &points[n], &points[m]);
            }
        }
    }
    return fits;
}

// ---------------------------------------------------------------- telling

static int compare_close(const void *a, const void *b) {
    const Close *p = a, *q = b;
    return p->i != q->i ? p->i - q->i : p->j - q->j;
}

// How far the first body must go so that no pair is too near: along the sum of what pushes it.
static double find_move(const Close *close, size_t count) {
    ThawVec3 way = {0, 0, 0};
    double move = 0;
    for (size_t n = 0; n < count; n++) {
        double length = thaw_length(close[n].offset);
        if (length == 0) continue;
        way = thaw_add(way, thaw_scale(close[n].offset, close[n].rest / length - 1));
    }
    double length = thaw_length(way);
    if (length > 0) way = thaw_scale(way, 1 / length);
    for (size_t n = 0; n < count; n++) {
        double along = thaw_dot(close[n].offset, way), rest = close[n].rest;
        double left = rest * rest - thaw_dot(close[n].offset, close[n].offset);
        move = fmax(move, sqrt(along * along + left) - along);
    }
    return move;
}

static Kind *find_kind(Search *search, int i, int j) {
    for (int k = 0; k < search->kind_count; k++) {
        Kind *kind = &search->kinds[k];
        if (scene_are_pairs_alike(search->flight->scene, i, j, kind->i, kind->j)) return kind;
    }
    if (search->kind_count == MOST_TOLD) return NULL;
    Kind *fresh = &search->kinds[search->kind_count++];
    *fresh = (Kind){.i = i, .j = j, .distance = INFINITY};
    return fresh;
}

// all that two bodies have too near; bodies that overlap have been told
static void take_bodies(Search *search, const Close *close, size_t count) {
    int i = close[0].i, j = close[0].j;
    if (scene_do_overlap(search->flight, i, j)) return;
    Kind *kind = find_kind(search, i, j);
    if (kind == NULL) {
        search->other++;
        return;
    }
    kind->count++;
    kind->move = fmax(kind->move, find_move(close, count));
    for (size_t n = 0; n < count; n++) {
        double distance = thaw_length(close[n].offset);
        if (distance >= kind->distance) continue;
        kind->distance = distance;
        kind->rest = close[n].rest;
    }
}

static void tell_kind(SceneFlight *flight, const Kind *kind) {
    const ThawSceneBody *a = &flight->scene->bodies[kind->i], *b = &flight->scene->bodies[kind->j];
    char text[500], who[240], one[64], other[64];
    scene_base_name(a, one);
    scene_base_name(b, other);
    if (kind->count == 1) {
        snprintf(who, sizeof who, "solids '%s' and '%s' begin", a->name, b->name);
    } else if (strcmp(one, other) == 0) {
        snprintf(who, sizeof who, "%d pairs of copies of the solid '%s' begin", kind->count, one);
    } else {
        snprintf(who, sizeof who, "solids '%s' and '%s' begin, in %d pairs,", one, other,
                 kind->count);
    }
    // rounded up, so that it is enough
    double digit = pow(10, floor(log10(kind->move)) - 2);
    snprintf(text, sizeof text,
             "%s with particles %.3g m apart, where contact keeps %.3g m: they will be pushed "
             "apart and gain energy; move them %.3g m further apart",
             who, kind->distance, kind->rest, digit * ceil(1.001 * kind->move / digit));
    scene_messages_add_line(flight->messages, false, b->file, b->line, text);
}

static void tell(Search *search) {
    SceneFlight *flight = search->flight;
    const Close *close = search->close;
    if (search->close_count == 0) return;
    qsort(search->close, search->close_count, sizeof *search->close, compare_close);
    for (size_t n = 0, end; n < search->close_count; n = end) {
        for (end = n + 1; end < search->close_count; end++) {
            if (compare_close(&close[n], &close[end]) != 0) break;
        }
        take_bodies(search, &close[n], end - n);
    }
    for (int k = 0; k < search->kind_count; k++) tell_kind(flight, &search->kinds[k]);
    if (search->other == 0) return;
    char text[160];
    snprintf(text, sizeof text, "%d more pair%s of solids begin%s too near to each other",
             search->other, search->other == 1 ? "" : "s", search->other == 1 ? "s" : "");
    scene_messages_add_line(flight->messages, false, flight->scene->path, 0, text);
}

// ---------------------------------------------------------------- the recipe

static ThawResult look(Search *search) {
    ThawResult result = scene_visit_pairs(search->flight, search->reach, mark_pair, search);
    if (result != THAW_OK) return result;
    bool fits = true;
    for (int k = 0; k < search->flight->scene->body_count && fits; k++) fits = gather(search, k);
    sort_into_cells(search);
    fits = fits && try_cells(search);
    if (!fits) return thaw_fail_memory(search->point_room * sizeof *search->points);
    tell(search);
    return THAW_OK;
}

ThawResult scene_warn_contacts(SceneFlight *flight) {
    Search search = {.flight = flight};
    size_t count = (size_t)flight->scene->body_count;
    for (size_t k = 0; k < count; k++) {
        search.reach = fmax(search.reach, REACH * flight->probes[k].distance);
    }
    if (search.reach == 0) return THAW_OK;
    search.extent = calloc(count, sizeof *search.extent);
    if (search.extent == NULL) return thaw_fail_memory(count * sizeof *search.extent);
    for (size_t k = 0; k < count; k++) {
        search.extent[k].lower = thaw_vec(INFINITY, INFINITY, INFINITY);
        search.extent[k].upper = thaw_vec(-INFINITY, -INFINITY, -INFINITY);
    }
    ThawResult result = look(&search);
    free(search.extent);
    free(search.points);
    free(search.close);
    return result;
}
