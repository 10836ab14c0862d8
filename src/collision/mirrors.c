// Flat walls as mirrors: the planes that a particle and its neighbours are seen in.
//
// A particle is mirrored where all that it feels of colliders are faces of one room, square to each other: inside
// containers, above planes, in their edges and corners. Beside blocks, round shapes, meshes and bodies γ stands for
// the solid.
#include "collision/walls_internal.h"

#include "base/memory.h"
#include "base/result.h"

#define MOST_FACINGS 16

typedef struct Job {
    ThawWalls *walls;
    const ThawWallStep *step;
    double largest; // support, cells
} Job;

// the colliders within reach of the particle where γ was measured; −1 when one of them is no mirror
static int list_facings(const Job *job, const ThawNearWall *near, double reach,
                        ThawFacing facings[MOST_FACINGS]) {
    const ThawWalls *walls = job->walls;
    const int64_t *start = job->step->store->cells + 3 * (size_t)near->row;
    ThawVec3 shift =
        thaw_vec((double)near->shift[0], (double)near->shift[1], (double)near->shift[2]);
    int count = 0;
    for (uint32_t k = 0; k < walls->obstacle_count; k++) {
        const ThawObstacle *o = &walls->obstacles[k];
        ThawSeen seen = thaw_obstacle_see(o, job->step->domain, start);
        ThawFacing facing = thaw_face(o, thaw_add(seen.still, shift));
        if (facing.distance >= reach) continue;
        if (o->body > 0 || count == MOST_FACINGS) return -1;
        facings[count++] = facing;
    }
    return count;
}

static float distance_of(double along, double reach) {
    return along < 1 ? (float)fmax(along * reach, 0) : INFINITY;
}

static void set_planes(ThawMirror *mirror, const ThawFlats *flats, double reach, bool plane) {
    mirror->axes = 0;
    for (int a = 0; a < flats->axes; a++) {
        // a plane world has no matter behind faces that lie in it
        if (plane && fabs(flats->axis[a].z) > 0.5) continue;
        float low = distance_of(-flats->room[a].low, reach);
        float high = distance_of(flats->room[a].high, reach);
        if (isinf(low) && isinf(high)) continue;
        int k = mirror->axes++;
        mirror->axis[k][0] = (float)flats->axis[a].x;
        mirror->axis[k][1] = (float)flats->axis[a].y;
        mirror->axis[k][2] = (float)flats->axis[a].z;
        mirror->low[k] = low;
        mirror->high[k] = high;
    }
}

static void find_planes(const Job *job, ThawNearWall *near, ThawMirror *mirror) {
    ThawFacing facings[MOST_FACINGS];
    ThawFlats flats;
    double reach = 0.5 * ((double)near->support + job->largest);
    *mirror = (ThawMirror){.row = near->row};
    near->mirror = NULL;
    if (near->firm) return;
    int count = list_facings(job, near, reach, facings), nearest = 0;
    if (count <= 0) return;
    thaw_flats_begin(&flats);
    for (int k = 0; k < count; k++) {
        if (!thaw_flats_join(&flats, &facings[k], reach) || flats.blocks > 0) return;
        if (facings[k].distance < facings[nearest].distance) nearest = k;
    }
    set_planes(mirror, &flats, reach, job->step->domain->dimensions == 2);
    for (int a = 0; a < 3; a++) mirror->shift[a] = near->shift[a];
    if (mirror->axes == 0) return;
    near->mirror = mirror;
    // it may see images where its own kernel ends before the wall
    if (near->facing < 0)
        near->facing = (int16_t)(facings[nearest].obstacle - job->walls->obstacles);
}

static void find_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Job *job = context;
    ThawRange range = thaw_chunk_range(chunk, job->walls->near_count, THAW_WALL_CHUNK);
    for (uint32_t k = range.begin; k < range.end; k++) {
        find_planes(job, &job->walls->near[k], &job->walls->mirrors[k]);
    }
}

ThawResult thaw_walls_mirror(ThawWalls *walls, const ThawWallStep *step, double largest,
                             ThawMirror **mirrors, uint32_t *count) {
    *mirrors = NULL;
    *count = 0;
    if (walls->near_count == 0) return THAW_OK;
    size_t bytes = (size_t)walls->near_count * sizeof *walls->mirrors;
    // the number changes from substep to substep: room for some more
    if (!thaw_scratch_room((void **)&walls->mirrors, &walls->mirrors_bytes, bytes,
                           bytes + bytes / 2 + 4096)) {
        return thaw_fail_memory(bytes);
    }
    Job job = {walls, step, largest};
    uint32_t chunks = thaw_chunk_count(walls->near_count, THAW_WALL_CHUNK);
    thaw_parallel_run(step->parallel, find_chunk, &job, chunks);
    *mirrors = walls->mirrors;
    *count = walls->near_count;
    return THAW_OK;
}
