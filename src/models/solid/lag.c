// Lags: matter freezes where it is, not where the lattice would have it, and without stress.
//
// A particle that froze off its site keeps how far off it was. Elasticity takes it to be where it would be without
// that lag, so that nothing is strained and nothing bursts when it freezes. The lag fades, and the lattice draws the
// particle to its site as fast as it does. (Full force from the start gave particles speeds of metres a second.)
#include "models/solid/solid.h"

#include "base/memory.h"
#include "base/result.h"

#include <math.h>

#define ROW_CHUNK 1024u
#define FADING 0.1  // s: in which a lag falls to 1/e
#define LEAST 1e-5f // D: less is none

typedef struct LagJob {
    ThawSolids *solid;
    const ThawStep *step;
    float *lag;
    float keep; // of a lag
} LagJob;

// place units
static int32_t step_back(int32_t place, float lag, float unit) {
    return thaw_place_sub(place, (int32_t)lrintf(lag / unit));
}

static void place_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const LagJob *job = context;
    ThawSolids *solid = job->solid;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    uint32_t lagging = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        ThawPlace *place = &solid->lagged[row];
        float *lag = &job->lag[3 * (size_t)row], unit = solid->unit[row];
        *place = job->step->work->place[row];
        if (solid->kind[row] == 0) continue;
        // what is held stays where it is
        bool held = job->step->held != NULL && job->step->held[row] != 0;
        for (int a = 0; a < 3; a++) {
            lag[a] *= held ? 1.0f : job->keep;
            if (!(fabsf(lag[a]) > LEAST)) lag[a] = 0;
            lagging += lag[a] != 0;
        }
        place->x = step_back(place->x, lag[0], unit);
        place->y = step_back(place->y, lag[1], unit);
        place->z = step_back(place->z, lag[2], unit);
    }
    solid->chunk_counts[chunk] = lagging;
}

ThawResult thaw_solid_lag(ThawSolids *solid, const ThawStep *step, double dt) {
    LagJob job = {solid, step, thaw_lattice_state(step->store).lag, (float)exp(-dt / FADING)};
    // between searches none can be added
    if (job.lag == NULL || (!step->fresh && !solid->lags)) {
        solid->lags = false;
        return THAW_OK;
    }
    uint32_t rows = step->store->count, chunks = thaw_chunk_count(rows, ROW_CHUNK), lagging = 0;
    size_t bytes = ((size_t)rows + THAW_STORE_PAD) * sizeof *solid->lagged;
    if (!thaw_scratch((void **)&solid->lagged, &solid->lagged_bytes, bytes) ||
        !thaw_scratch((void **)&solid->chunk_counts, &solid->counts_bytes,
                      chunks * sizeof *solid->chunk_counts)) {
        return thaw_fail_memory(bytes);
    }
    thaw_parallel_run(step->parallel, place_chunk, &job, chunks);
    for (uint32_t c = 0; c < chunks; c++) lagging += solid->chunk_counts[c];
    solid->lags = lagging > 0;
    return THAW_OK;
}
