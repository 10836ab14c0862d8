// What is wrong with a mesh: its faces and edges. How thick it is: mesh_thickness.c.
//
// Points at one place become one by a table of places. Edges are gathered at their lower point, forward ones apart
// from backward ones, so that a point's few edges, sorted, tell how often each occurs and which way.
#include "geometry/mesh_inspect.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/mesh_thickness.h"
#include "geometry/triangle.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 8192    // triangles or points a parallel chunk
#define FARTHEST 1e30 // m: beyond it products of lengths overflow
#define SHORT_LIST 24 // lists up to this are sorted by insertion

static ThawResult check_points(const ThawMesh *mesh) {
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        for (int k = 0; k < 3; k++) {
            double x = mesh->points[i][k];
            if (fabs(x) <= FARTHEST) continue;
            return thaw_fail(THAW_BAD_INPUT, "points[%u].%c of the mesh is %g, not within %g m", i,
                             "xyz"[k], x, FARTHEST);
        }
    }
    return THAW_OK;
}

ThawResult thaw_mesh_check(const ThawMesh *mesh) {
    if (mesh->points == NULL && mesh->point_count > 0) {
        return thaw_fail(THAW_BAD_INPUT, "points of the mesh is NULL, but point_count is %u",
                         mesh->point_count);
    }
    if (mesh->triangles == NULL && mesh->triangle_count > 0) {
        return thaw_fail(THAW_BAD_INPUT, "triangles of the mesh is NULL, but triangle_count is %u",
                         mesh->triangle_count);
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            if (mesh->triangles[t][k] < mesh->point_count) continue;
            return thaw_fail(THAW_BAD_INPUT,
                             "triangles[%u] of the mesh names point %u, but there are %u points", t,
                             mesh->triangles[t][k], mesh->point_count);
        }
    }
    return check_points(mesh);
}

// ---------------------------------------------------------------- areas

typedef struct AreaSum {
    double area;
    uint32_t degenerate;
} AreaSum;

typedef struct AreaJob {
    const ThawMesh *mesh;
    AreaSum *sums; // one a chunk
} AreaJob;

static void sum_areas(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    AreaJob *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->mesh->triangle_count, CHUNK);
    AreaSum sum = {0, 0};
    for (uint32_t t = range.begin; t < range.end; t++) {
        ThawVec3 corner[3];
        thaw_triangle_corners(job->mesh, t, corner);
        sum.area += 0.5 * thaw_length(thaw_triangle_normal(corner));
        sum.degenerate += thaw_triangle_flat(corner);
    }
    job->sums[chunk] = sum;
}

static ThawResult measure_areas(const ThawMesh *mesh, ThawParallel *parallel,
                                ThawMeshFaults *faults) {
    uint32_t chunks = thaw_chunk_count(mesh->triangle_count, CHUNK);
    AreaJob job = {mesh, thaw_alloc(chunks * sizeof(AreaSum))};
    if (job.sums == NULL) return thaw_fail_memory(chunks * sizeof(AreaSum));
    thaw_parallel_run(parallel, sum_areas, &job, chunks);
    for (uint32_t c = 0; c < chunks; c++) {
        faults->area += job.sums[c].area;
        faults->degenerate += job.sums[c].degenerate;
    }
    thaw_free(job.sums);
    return THAW_OK;
}

// ---------------------------------------------------------------- points at one place

static uint64_t hash_place(const double point[3]) {
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        double x = point[k] + 0.0; // −0 becomes 0
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash * 0xbf58476d1ce4e5b9u >> 20;
}

static bool same_place(const double a[3], const double b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// place[i]: the lowest point at the place of point i
static ThawResult find_places(const ThawMesh *mesh, uint32_t *place) {
    size_t slots = 16;
    while (slots < (size_t)mesh->point_count * 2) slots *= 2;
    uint32_t *table = thaw_alloc(slots * sizeof *table); // 0 = free, else a point's number + 1
    if (table == NULL) return thaw_fail_memory(slots * sizeof *table);
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        size_t slot = hash_place(mesh->points[i]) & (slots - 1);
        while (table[slot] != 0 && !same_place(mesh->points[table[slot] - 1], mesh->points[i])) {
            slot = (slot + 1) & (slots - 1);
        }
        if (table[slot] == 0) table[slot] = i + 1;
        place[i] = table[slot] - 1;
    }
    thaw_free(table);
    return THAW_OK;
}

// ---------------------------------------------------------------- edges

typedef struct EdgeCount {
    uint32_t open, crowded, turned;
} EdgeCount;

// The edges of each point to higher ones: row 2 i holds the far ends of those that run away from point i in their
// triangle, row 2 i + 1 of those that run towards it.
typedef struct Edges {
    uint64_t *start; // of each row, and one more
    uint32_t *ends;
    uint32_t points;
    EdgeCount *counts; // one a chunk
} Edges;

// the triangle's corners by place; false when it has only two places or one: then it has no inside and no edges
static bool place_corners(const ThawMesh *mesh, uint32_t t, const uint32_t *place, uint32_t at[3]) {
    for (int k = 0; k < 3; k++) at[k] = place[mesh->triangles[t][k]];
    return at[0] != at[1] && at[1] != at[2] && at[2] != at[0];
}

static uint64_t row_of(uint32_t from, uint32_t to) {
    return from < to ? (uint64_t)from * 2 : (uint64_t)to * 2 + 1;
}

static void gather_edges(const ThawMesh *mesh, const uint32_t *place, Edges *edges) {
    uint64_t rows = (uint64_t)edges->points * 2;
    uint32_t at[3];
    // how many a row, then where each row ends, then filled from behind
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (!place_corners(mesh, t, place, at)) continue;
        for (int k = 0; k < 3; k++) edges->start[row_of(at[k], at[(k + 1) % 3])]++;
    }
    for (uint64_t r = 1; r <= rows; r++) edges->start[r] += edges->start[r - 1];
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (!place_corners(mesh, t, place, at)) continue;
        for (int k = 0; k < 3; k++) {
            uint32_t from = at[k], to = at[(k + 1) % 3];
            edges->ends[--edges->start[row_of(from, to)]] = from < to ? to : from;
        }
    }
}

static int compare_ends(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_ends(uint32_t *ends, uint64_t count) {
    if (count > SHORT_LIST) {
        qsort(ends, count, sizeof *ends, compare_ends);
        return;
    }
    for (uint64_t i = 1; i < count; i++) {
        uint32_t end = ends[i];
        uint64_t k = i;
        for (; k > 0 && ends[k - 1] > end; k--) ends[k] = ends[k - 1];
        ends[k] = end;
    }
}

static uint64_t count_equal(const uint32_t *ends, uint64_t begin, uint64_t end, uint32_t value) {
    uint64_t i = begin;
    while (i < end && ends[i] == value) i++;
    return i - begin;
}

static void count_edges_of_point(const Edges *edges, uint32_t point, EdgeCount *count) {
    uint64_t i = edges->start[2 * (uint64_t)point], middle = edges->start[2 * (uint64_t)point + 1];
    uint64_t j = middle, end = edges->start[2 * (uint64_t)point + 2];
    sort_ends(edges->ends + i, middle - i);
    sort_ends(edges->ends + middle, end - middle);
    while (i < middle || j < end) {
        uint32_t far = i == middle || (j < end && edges->ends[j] < edges->ends[i]) ? edges->ends[j]
                                                                                   : edges->ends[i];
        uint64_t away = count_equal(edges->ends, i, middle, far);
        uint64_t towards = count_equal(edges->ends, j, end, far);
        i += away;
        j += towards;
        count->open += away + towards == 1;
        count->crowded += away + towards > 2;
        count->turned += away + towards == 2 && away != towards;
    }
}

static void count_edges(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Edges *edges = context;
    ThawRange range = thaw_chunk_range(chunk, edges->points, CHUNK);
    EdgeCount count = {0, 0, 0};
    for (uint32_t i = range.begin; i < range.end; i++) count_edges_of_point(edges, i, &count);
    edges->counts[chunk] = count;
}

static void free_edges(Edges *edges, uint32_t *place) {
    thaw_free(edges->start);
    thaw_free(edges->ends);
    thaw_free(edges->counts);
    thaw_free(place);
}

static ThawResult inspect_edges(const ThawMesh *mesh, ThawParallel *parallel,
                                ThawMeshFaults *faults) {
    uint32_t chunks = thaw_chunk_count(mesh->point_count, CHUNK);
    size_t rows = (size_t)mesh->point_count * 2 + 1, ends = (size_t)mesh->triangle_count * 3;
    uint32_t *place = thaw_alloc(mesh->point_count * sizeof *place);
    Edges edges = {.start = thaw_alloc(rows * sizeof *edges.start),
                   .ends = thaw_alloc(ends * sizeof *edges.ends),
                   .points = mesh->point_count,
                   .counts = thaw_alloc(chunks * sizeof *edges.counts)};
    ThawResult result = THAW_OK;
    if (place == NULL || edges.start == NULL || edges.ends == NULL || edges.counts == NULL) {
        result = thaw_fail_memory(rows * sizeof *edges.start + ends * sizeof *edges.ends);
    }
    if (result == THAW_OK) result = find_places(mesh, place);
    if (result == THAW_OK) {
        gather_edges(mesh, place, &edges);
        thaw_parallel_run(parallel, count_edges, &edges, chunks);
        for (uint32_t c = 0; c < chunks; c++) {
            faults->open_edges += edges.counts[c].open;
            faults->crowded_edges += edges.counts[c].crowded;
            faults->turned_edges += edges.counts[c].turned;
        }
    }
    free_edges(&edges, place);
    return result;
}

ThawResult thaw_mesh_inspect(const ThawMesh *mesh, const ThawBvh *bvh, ThawParallel *parallel,
                             ThawMeshFaults *faults) {
    ThawMeshFaults found = {0};
    if (mesh->triangle_count > 0) {
        ThawResult result = measure_areas(mesh, parallel, &found);
        if (result == THAW_OK) result = inspect_edges(mesh, parallel, &found);
        if (result == THAW_OK) result = thaw_mesh_measure_thickness(mesh, bvh, parallel, &found);
        if (result != THAW_OK) return result;
        found.self_intersections = thaw_bvh_crossings(bvh, parallel);
    }
    *faults = found;
    return THAW_OK;
}
