// What temperature makes of stiffness, damping and viscosity: a factor a row, from the curves of its material.
//
// Rows are looked up when they have moved or their temperatures have changed, not in every substep. Where no
// particle's material has a curve there are no rows at all, and models do as if there was no heat.
#include "models/thermal/factors.h"

#include "base/memory.h"
#include "base/result.h"
#include "models/thermal/thermal.h"

#include <math.h>
#include <string.h>

#define ROW_CHUNK 4096u

enum { STIFFNESS, DAMPING, VISCOSITY, CURVES };

// ---------------------------------------------------------------- tables

// how far a piece goes on a logarithmic scale; 0 where it is straight
static double span_of(const ThawFactorCurve *curve, int k) {
    double low = (double)curve->factor[k], high = (double)curve->factor[k + 1];
    return low > 0 && high > 0 ? fabs(log(high / low)) : 0;
}

void thaw_factor_table(const ThawFactorCurve *curve, ThawFactorTable *table) {
    *table = (ThawFactorTable){.pieces = curve->count > 1 ? (uint32_t)curve->count - 1 : 0};
    table->factor[0] = (float)thaw_factor_at(curve, 0);
    double all = 0, spare = THAW_FACTOR_SAMPLES - 1 - (double)table->pieces;
    for (uint32_t k = 0; k < table->pieces; k++) all += span_of(curve, (int)k);
    for (uint32_t k = 0; k < table->pieces; k++) {
        double from = (double)curve->temperature[k], to = (double)curve->temperature[k + 1];
        double share = all > 0 ? span_of(curve, (int)k) / all : 0;
        uint32_t count = 1 + (uint32_t)(spare * share), first = table->first[k];
        table->from[k] = curve->temperature[k];
        table->scale[k] = (float)(count / (to - from));
        for (uint32_t s = 0; s < count; s++) {
            table->factor[first + s] = (float)thaw_factor_at(curve, from + (to - from) * s / count);
        }
        table->first[k + 1] = (uint16_t)(first + count);
    }
    if (table->pieces == 0) return;
    // once more beyond the end: a temperature just below it may round to it
    uint32_t last = table->first[table->pieces];
    table->end = curve->temperature[table->pieces];
    table->factor[last] = table->factor[last + 1] = curve->factor[table->pieces];
}

// the curves of a material, and their tables
typedef struct Drawn {
    ThawFactorCurve curves[CURVES];
    ThawFactorTable tables[CURVES];
} Drawn;

struct ThawFactors {
    Drawn *drawn; // one a material
    uint32_t drawn_count;
    bool asked[CURVES]; // some material has such a curve
    float *rows[CURVES];
    uint8_t *met; // one a chunk: which curves its rows have, a bit each
    size_t drawn_bytes, rows_bytes[CURVES], met_bytes;
    bool valid;        // rows are as of `rounds`, unless they have moved
    uint32_t rounds;   // heat steps before that
    bool used[CURVES]; // some row has such a curve
};

ThawResult thaw_factors_create(struct ThawFactors **factors) {
    *factors = thaw_alloc(sizeof **factors);
    return *factors == NULL ? thaw_fail_memory(sizeof **factors) : THAW_OK;
}

void thaw_factors_destroy(struct ThawFactors *factors) {
    if (factors == NULL) return;
    for (int c = 0; c < CURVES; c++) thaw_free(factors->rows[c]);
    thaw_free(factors->drawn);
    thaw_free(factors->met);
    thaw_free(factors);
}

// ---------------------------------------------------------------- rows

typedef struct FillJob {
    struct ThawFactors *factors;
    const ThawStore *store;
    const float *temperature;
} FillJob;

static void fill_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const FillJob *job = context;
    struct ThawFactors *factors = job->factors;
    ThawRange range = thaw_chunk_range(chunk, job->store->count, ROW_CHUNK);
    unsigned met = 0;
    for (int c = 0; c < CURVES; c++) {
        if (!factors->asked[c]) continue;
        float *out = factors->rows[c];
        for (uint32_t row = range.begin; row < range.end; row++) {
            const Drawn *drawn = &factors->drawn[job->store->material[row]];
            met |= (unsigned)(drawn->curves[c].count > 0) << c;
            out[row] = thaw_factor_look(&drawn->tables[c], job->temperature[row]);
        }
    }
    factors->met[chunk] = (uint8_t)met;
}

static ThawResult reserve_rows(struct ThawFactors *factors, uint32_t count) {
    size_t chunks = thaw_chunk_count(count, ROW_CHUNK);
    size_t bytes = ((size_t)count + THAW_STORE_PAD) * sizeof(float);
    bool room = thaw_scratch((void **)&factors->met, &factors->met_bytes, chunks);
    for (int c = 0; room && c < CURVES; c++) {
        if (!factors->asked[c]) continue;
        room = thaw_scratch((void **)&factors->rows[c], &factors->rows_bytes[c], bytes);
        for (uint32_t k = 0; room && k < THAW_STORE_PAD; k++) factors->rows[c][count + k] = 1;
    }
    return room ? THAW_OK : thaw_fail_memory(bytes);
}

static ThawResult fill_rows(struct ThawFactors *factors, ThawStep *step) {
    const ThawStore *store = step->store;
    ThawResult result = reserve_rows(factors, store->count);
    if (result != THAW_OK) return result;
    FillJob job = {factors, store, thaw_thermal_state(step->store).temperature};
    uint32_t chunks = thaw_chunk_count(store->count, ROW_CHUNK);
    thaw_parallel_run(step->parallel, fill_chunk, &job, chunks);
    unsigned met = 0;
    for (uint32_t k = 0; k < chunks; k++) met |= factors->met[k];
    for (int c = 0; c < CURVES; c++) factors->used[c] = (met >> c & 1u) != 0;
    return THAW_OK;
}

// ---------------------------------------------------------------- in a step

// tables of curves that are not as they were
static ThawResult draw_curves(struct ThawFactors *factors, const ThawStep *step) {
    size_t bytes = step->material_count * sizeof *factors->drawn;
    if (bytes > factors->drawn_bytes) factors->drawn_count = 0;
    if (!thaw_scratch((void **)&factors->drawn, &factors->drawn_bytes, bytes)) {
        return thaw_fail_memory(bytes);
    }
    memset(factors->asked, 0, sizeof factors->asked);
    for (uint32_t k = 0; k < step->material_count; k++) {
        const ThawThermalDef *def = &step->materials[k].thermal;
        const ThawFactorCurve *curves[CURVES] = {&def->stiffness, &def->damping, &def->viscosity};
        for (int c = 0; c < CURVES; c++) {
            factors->asked[c] |= curves[c]->count > 0;
            ThawFactorCurve *known = &factors->drawn[k].curves[c];
            bool there = k < factors->drawn_count;
            if (there && memcmp(known, curves[c], sizeof *known) == 0) continue;
            *known = *curves[c];
            thaw_factor_table(known, &factors->drawn[k].tables[c]);
        }
    }
    factors->drawn_count = step->material_count;
    return THAW_OK;
}

ThawResult thaw_factors_begin(ThawThermal *thermal, ThawStep *step) {
    struct ThawFactors *factors = thermal->factors;
    factors->valid = false;
    ThawResult result = draw_curves(factors, step);
    return result == THAW_OK ? thaw_factors_set(thermal, step) : result;
}

ThawResult thaw_factors_set(ThawThermal *thermal, ThawStep *step) {
    struct ThawFactors *factors = thermal->factors;
    step->stiffness = step->damping = step->viscosity = NULL;
    if (!factors->asked[STIFFNESS] && !factors->asked[DAMPING] && !factors->asked[VISCOSITY]) {
        return THAW_OK;
    }
    if (!factors->valid || step->fresh || factors->rounds != thermal->rounds) {
        ThawResult result = fill_rows(factors, step);
        if (result != THAW_OK) return result;
        factors->rounds = thermal->rounds;
        factors->valid = true;
    }
    if (factors->used[STIFFNESS]) step->stiffness = factors->rows[STIFFNESS];
    if (factors->used[DAMPING]) step->damping = factors->rows[DAMPING];
    if (factors->used[VISCOSITY]) step->viscosity = factors->rows[VISCOSITY];
    return THAW_OK;
}
