// Thickness by rays. From the middle of a triangle, on the side where the winding number tells solid, a ray goes
// along the normal until the winding number tells that the solid ends. Faces in between that bound no solid (those
// of bodies that overlap, doubled ones) are passed.
//
// Only ways that end at a face within 30° of parallel count: every sharp edge is thin towards its tip, and to
// say so of every wedge would say nothing of walls.
#include "geometry/mesh_thickness.h"

#include "base/memory.h"
#include "base/result.h"
#include "geometry/triangle.h"

#define SAMPLES 20000  // most triangles that are asked
#define CHUNK 128      // of them a parallel chunk
#define STEPS 16       // most faces on one way
#define PARALLEL 0.866 // cosine of 30°
#define ASIDE 1e-4     // of the triangle's size: how far from a face its two sides are asked

typedef struct Found {
    double thickness; // least, infinite when none
    uint32_t sheets, asked;
} Found;

typedef struct Job {
    const ThawMesh *mesh;
    const ThawBvh *bvh;
    uint32_t samples;
    Found *found; // one a chunk
} Job;

// clearly so: beside a lone sheet the winding number is ± 1/2
static bool is_solid(const ThawBvh *bvh, ThawVec3 point) {
    return fabs(thaw_bvh_winding(bvh, point)) > 0.6;
}

static ThawVec3 unit_normal(const ThawMesh *mesh, uint32_t triangle) {
    ThawVec3 corner[3];
    thaw_triangle_corners(mesh, triangle, corner);
    ThawVec3 normal = thaw_triangle_normal(corner);
    double length = thaw_length(normal);
    return length > 0 ? thaw_scale(normal, 1 / length) : normal;
}

// the way through solid from a point of the surface along a unit vector; infinite when it does not end, or ends at
// a slanting face
static double way_through(const Job *job, ThawVec3 start, ThawVec3 along, double aside) {
    double passed = 0;
    for (int step = 0; step < STEPS; step++) {
        ThawBvhHit hit;
        ThawVec3 from = thaw_add(start, thaw_scale(along, passed + aside));
        if (!thaw_bvh_ray(job->bvh, from, along, INFINITY, &hit)) return INFINITY;
        passed += aside + hit.distance;
        if (is_solid(job->bvh, thaw_add(start, thaw_scale(along, passed + aside)))) continue;
        ThawVec3 normal = unit_normal(job->mesh, hit.triangle);
        return fabs(thaw_dot(normal, along)) >= PARALLEL ? passed : INFINITY;
    }
    return INFINITY;
}

static void ask_triangle(const Job *job, uint32_t triangle, Found *found) {
    ThawVec3 corner[3];
    thaw_triangle_corners(job->mesh, triangle, corner);
    if (thaw_triangle_flat(corner)) return;
    ThawVec3 normal = unit_normal(job->mesh, triangle);
    ThawVec3 middle = thaw_scale(thaw_add(corner[0], thaw_add(corner[1], corner[2])), 1.0 / 3);
    double aside = ASIDE * sqrt(thaw_length(thaw_triangle_normal(corner)));
    ThawVec3 step = thaw_scale(normal, aside);
    bool front = is_solid(job->bvh, thaw_add(middle, step));
    bool back = is_solid(job->bvh, thaw_sub(middle, step));
    found->asked++;
    found->sheets += !front && !back;
    if (front == back) return;
    double way = way_through(job, middle, front ? normal : thaw_scale(normal, -1), aside);
    if (way < found->thickness) found->thickness = way;
}

static void ask_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    Job *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->samples, CHUNK);
    Found found = {INFINITY, 0, 0};
    for (uint32_t s = range.begin; s < range.end; s++) {
        uint64_t triangle = (uint64_t)s * job->mesh->triangle_count / job->samples;
        ask_triangle(job, (uint32_t)triangle, &found);
    }
    job->found[chunk] = found;
}

ThawResult thaw_mesh_measure_thickness(const ThawMesh *mesh, const ThawBvh *bvh,
                                       ThawParallel *parallel, ThawMeshFaults *faults) {
    uint32_t samples = mesh->triangle_count < SAMPLES ? mesh->triangle_count : SAMPLES;
    uint32_t chunks = thaw_chunk_count(samples, CHUNK);
    Job job = {mesh, bvh, samples, thaw_alloc(chunks * sizeof(Found))};
    if (job.found == NULL) return thaw_fail_memory(chunks * sizeof(Found));
    thaw_parallel_run(parallel, ask_chunk, &job, chunks);
    Found all = {INFINITY, 0, 0};
    for (uint32_t c = 0; c < chunks; c++) {
        all.thickness = fmin(all.thickness, job.found[c].thickness);
        all.sheets += job.found[c].sheets;
        all.asked += job.found[c].asked;
    }
    thaw_free(job.found);
    faults->thickness = all.thickness < INFINITY ? all.thickness : 0;
    faults->sheets = all.asked > 0 ? (double)all.sheets / all.asked : 0;
    return THAW_OK;
}
