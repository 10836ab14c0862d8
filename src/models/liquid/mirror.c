// Who has images in flat walls, and the passes over them; see mirror.h.
#include "models/liquid/mirror.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>

void thaw_mirrors_release(ThawMirrors *mirrors) {
    thaw_free(mirrors->groups);
}

void thaw_mirrors_rest(ThawMirrors *mirrors) {
    thaw_scratch((void **)&mirrors->groups, &mirrors->bytes, 0);
}

// both clusters and mirrors are in the order of rows
static void group(ThawMirrors *mirrors, const ThawStep *step, uint32_t rows) {
    uint32_t clusters, c = 0;
    const ThawCluster *cluster = thaw_neighbors_clusters(step->neighbors, &clusters);
    for (uint32_t k = 0; k < rows; k++) {
        if (mirrors->mirrors[k].axes == 0) continue;
        uint32_t row = mirrors->mirrors[k].row;
        while (c < clusters && row >= cluster[c].first + cluster[c].count) c++;
        if (c == clusters) return;
        ThawMirrored *last = mirrors->count > 0 ? &mirrors->groups[mirrors->count - 1] : NULL;
        if (last != NULL && last->cluster == c)
            last->count = k + 1 - last->first;
        else
            mirrors->groups[mirrors->count++] = (ThawMirrored){c, k, 1};
    }
}

ThawResult thaw_mirrors_find(ThawMirrors *mirrors, ThawStep *step) {
    uint32_t rows;
    mirrors->count = 0;
    if (!(step->least_spacing < step->largest_spacing)) return THAW_OK;
    double largest = (double)step->largest_spacing / step->domain->cell * step->wall_step->support;
    ThawResult result =
        thaw_walls_mirror(step->walls, step->wall_step, largest, &mirrors->mirrors, &rows);
    if (result != THAW_OK || rows == 0) return result;
    size_t bytes = (size_t)rows * sizeof *mirrors->groups;
    // the number of particles near walls changes: room for some more
    if (!thaw_scratch_room((void **)&mirrors->groups, &mirrors->bytes, bytes,
                           bytes + bytes / 2 + 4096)) {
        return thaw_fail_memory(bytes);
    }
    group(mirrors, step, rows);
    return THAW_OK;
}

// ---------------------------------------------------------------- passes

typedef void RunMirror(const ThawMirrorPass *pass, uint32_t chunk);

typedef struct Job {
    ThawMirrorPass pass;
    RunMirror *run;
} Job;

static void run_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Job *job = context;
    job->run(&job->pass, chunk);
}

// The axis that gravity is nearest to, and the next one. Both are the same for all particles, so that images of pairs
// push each other alike, and do not turn when gravity is tilted a little.
static void choose_ways(const double gravity[3], ThawMirrorPass *pass) {
    int up = 2;
    for (int a = 0; a < 2; a++) {
        if (fabs(gravity[a]) > fabs(gravity[up])) up = a;
    }
    for (int a = 0; a < 3; a++) {
        pass->up[a] = a == up ? 1.0f : 0.0f;
        pass->side[a] = a == (up + 1) % 3 ? 1.0f : 0.0f;
    }
}

static void run(const ThawMirrors *mirrors, ThawStep *step, const ThawLiquidPass *liquid,
                RunMirror *pass) {
    Job job = {{.liquid = liquid,
                .mirrors = mirrors->mirrors,
                .groups = mirrors->groups,
                .count = mirrors->count,
                .wall = step->work->wall},
               pass};
    choose_ways(step->gravity, &job.pass);
    uint32_t chunks = thaw_chunk_count(mirrors->count, THAW_MIRROR_CHUNK);
    thaw_parallel_run(step->parallel, run_chunk, &job, chunks);
}

void thaw_mirrors_density(const ThawMirrors *mirrors, ThawStep *step, const ThawLiquidPass *pass) {
    run(mirrors, step, pass, THAW_WIDE_PICK(step->isa, thaw_mirror_density));
}

void thaw_mirrors_push(const ThawMirrors *mirrors, ThawStep *step, const ThawLiquidPass *pass) {
    run(mirrors, step, pass, THAW_WIDE_PICK(step->isa, thaw_mirror_push));
}
