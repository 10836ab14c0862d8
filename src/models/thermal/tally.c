// What a step's report says of heat: sums in as many parts as there are, whatever runs them, so that their bits
// depend on the rows alone.
#include "models/thermal/heat.h"

#include <math.h>

#define PARTS 64u

typedef struct Tally {
    double heat, molten, coldest, hottest;
} Tally;

typedef struct TallyTask {
    const ThawThermal *thermal;
    const ThawStep *step;
    ThawThermalState rows;
    uint32_t size; // rows of a part
    Tally parts[PARTS];
} TallyTask;

static void tally_part(void *context, uint32_t part, uint32_t worker) {
    (void)worker;
    TallyTask *task = context;
    const ThawStep *step = task->step;
    ThawRange range = thaw_chunk_range(part, step->store->count, task->size);
    Tally tally = {0, 0, INFINITY, 0};
    for (uint32_t row = range.begin; row < range.end; row++) {
        const ThawEnthalpyCurve *curve = &task->thermal->curves[step->store->material[row]];
        double mass = thaw_heat_mass(step, row), heat = task->rows.heat[row];
        tally.heat += mass * heat;
        tally.molten += mass * thaw_curve_molten(curve, heat);
        double temperature = (double)task->rows.temperature[row];
        if (temperature < tally.coldest) tally.coldest = temperature;
        if (temperature > tally.hottest) tally.hottest = temperature;
    }
    task->parts[part] = tally;
}

void thaw_thermal_tally(const ThawThermal *thermal, ThawStep *step) {
    uint32_t count = step->store->count;
    if (count == 0) return;
    TallyTask task = {.thermal = thermal,
                      .step = step,
                      .rows = thaw_thermal_state(step->store),
                      .size = thaw_chunk_count(count, PARTS)};
    uint32_t parts = thaw_chunk_count(count, task.size);
    thaw_parallel_run(step->parallel, tally_part, &task, parts);
    ThawReport *out = step->report;
    out->coldest = INFINITY;
    for (uint32_t k = 0; k < parts; k++) {
        const Tally *tally = &task.parts[k];
        out->heat += tally->heat;
        out->molten += tally->molten;
        out->coldest = fmin(out->coldest, tally->coldest);
        out->hottest = fmax(out->hottest, tally->hottest);
    }
}
