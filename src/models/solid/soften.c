// Stiffness and damping over temperature.
//
// A neighbourhood's energy counts by the factor of its own particle (materials/softening.h), so that forces are still
// the exact gradient of the sum, and momentum is kept. Each row is held to what the substep carries: what is warm and
// soft need not act softer because something else is cold and stiff.
#include "models/solid/solid.h"

#include "base/memory.h"
#include "base/result.h"
#include "materials/softening.h"

#include <math.h>

#define ROW_CHUNK 1024u

typedef struct SoftJob {
    ThawSolids *solid;
    const ThawStep *step;
} SoftJob;

static float lesser(float a, float b) {
    return a < b ? a : b;
}

// What a row asks for, and what the substep carries of it. Most of it is alike for all rows of a kind.
typedef struct Softness {
    uint16_t kind;
    float carries, poisson;
    float held; // λ over K
} Softness;

static Softness softness_of(const SoftJob *job, uint16_t index) {
    const ThawSolidKind *kind = &job->solid->kinds[index];
    float bulk = kind->asked_bulk_k;
    return (Softness){index, kind->carries, job->step->materials[kind->material].solid.poisson,
                      bulk > 0 ? kind->asked_volume_k / bulk : 0};
}

static ThawSolidSoft soften_row(const Softness *of, int dimensions, float asked) {
    float carried = lesser((float)thaw_soft_bulk((double)asked), of->carries);
    float relative = lesser(asked / carried, 1);
    float shear = (float)thaw_soft_shear((double)relative, (double)of->poisson, dimensions);
    // λ' = K − s (K − λ)
    return (ThawSolidSoft){carried * shear, carried * (1 - shear * (1 - of->held))};
}

static void soften_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SoftJob *job = context;
    ThawSolids *solid = job->solid;
    ThawSolidSoft *brace = solid->braced ? solid->brace_soft : NULL;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    int dimensions = job->step->domain->dimensions;
    Softness of = {0};
    for (uint32_t row = range.begin; row < range.end; row++) {
        solid->soft[row] = (ThawSolidSoft){0, 0};
        if (brace != NULL) brace[row] = (ThawSolidSoft){0, 0};
        if (solid->kind[row] == 0) continue;
        if (solid->kind[row] != of.kind) of = softness_of(job, solid->kind[row]);
        float asked = job->step->stiffness[row];
        if (!(asked > (float)THAW_LEAST_STIFFNESS)) asked = (float)THAW_LEAST_STIFFNESS;
        solid->soft[row] = soften_row(&of, dimensions, asked);
        if (brace == NULL || !(asked > of.carries)) continue;
        brace[row].shear = (float)thaw_solid_brace_share((double)asked, (double)of.carries);
    }
}

static void drag_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SoftJob *job = context;
    const ThawSolids *solid = job->solid;
    const float *factor = job->step->damping;
    ThawRange range = thaw_chunk_range(chunk, job->step->store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        const ThawSolidKind *kind = &solid->kinds[solid->kind[row]];
        float rate = kind->rate * (factor != NULL ? factor[row] : 1.0f);
        if (solid->softens) rate *= solid->soft[row].shear;
        solid->drag[row] = lesser(rate, kind->most_rate);
    }
}

ThawResult thaw_solid_soften(ThawSolids *solid, const ThawStep *step) {
    size_t rows = (size_t)step->store->count + THAW_STORE_PAD;
    SoftJob job = {solid, step};
    uint32_t chunks = thaw_chunk_count(step->store->count, ROW_CHUNK);
    solid->softens = step->stiffness != NULL;
    solid->drags = solid->damped && (solid->softens || step->damping != NULL);
    size_t bytes = rows * sizeof *solid->soft;
    if (solid->softens && (!thaw_scratch((void **)&solid->soft, &solid->soft_bytes, bytes) ||
                           (solid->braced && !thaw_scratch((void **)&solid->brace_soft,
                                                           &solid->brace_soft_bytes, bytes)))) {
        return thaw_fail_memory(bytes);
    }
    bytes = rows * sizeof *solid->drag;
    if (solid->drags && !thaw_scratch((void **)&solid->drag, &solid->drag_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    if (solid->softens) thaw_parallel_run(step->parallel, soften_chunk, &job, chunks);
    if (solid->drags) thaw_parallel_run(step->parallel, drag_chunk, &job, chunks);
    return THAW_OK;
}

void thaw_solid_moduli(const ThawSolids *solid, uint32_t row, int dimensions, double *mu,
                       double *lambda) {
    const ThawSolidKind *kind = &solid->kinds[solid->kind[row]];
    *mu = (double)(kind->mu * kind->held_share);
    *lambda = (double)(kind->lambda * kind->held_share);
    if (!solid->softens) return;
    double bulk = (double)kind->lambda + (dimensions == 3 ? 2.0 / 3.0 : 1.0) * (double)kind->mu;
    *mu = (double)solid->soft[row].shear * (double)kind->mu;
    *lambda = (double)solid->soft[row].volume * bulk;
}
