// What has just melted: for how long others are to be gentle with it.
//
// A solid that melts at a contact was loaded and overlapped: a liquid would be thrown out by what a solid stands. So
// what pushes liquids otherwise than solids (density, walls, contact) begins where it was, and comes as youth fades.
#include "models/thermal/thermal.h"

#include <math.h>
#include <thaw/body.h>

#define FADING 0.1   // s: in which youth and excess fall to 1/e, as lags of what froze do
#define LEAST 0.005f // less is none: half a second
#define LEAST_EXCESS 1e-4f

typedef struct Fading {
    const ThawStep *step;
    ThawThermalState state;
    float keep;
} Fading;

static void fade_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Fading *fading = context;
    const ThawStore *store = fading->step->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, THAW_YOUTH_ROWS);
    for (uint32_t row = range.begin; row < range.end; row++) {
        float *youth = &fading->state.youth[row], *excess = &fading->state.excess[row];
        bool liquid = store->state[row] != THAW_STATE_SOLID;
        *youth = liquid && *youth * fading->keep > LEAST ? *youth * fading->keep : 0;
        *excess = liquid && *excess * fading->keep > LEAST_EXCESS ? *excess * fading->keep : 0;
    }
}

static bool any_young(const ThawStore *store, const float *youth) {
    for (uint32_t row = 0; row < store->count; row++) {
        if (youth[row] > 0) return true;
    }
    return false;
}

void thaw_youth_aim(ThawStep *step) {
    ThawThermalState state = thaw_thermal_state(step->store);
    bool any = state.youth != NULL && any_young(step->store, state.youth);
    step->youth = any ? state.youth : NULL;
    step->excess = any ? state.excess : NULL;
}

void thaw_youth_fade(const ThawStep *step) {
    if (step->youth == NULL) return;
    Fading fading = {step, thaw_thermal_state(step->store), (float)exp(-step->dt / FADING)};
    thaw_parallel_run(step->parallel, fade_chunk, &fading,
                      thaw_chunk_count(step->store->count, THAW_YOUTH_ROWS));
}
