#include "world/buoyancy.h"
#include "models/heat_state.h"
#include "world/world.h"

#include <math.h>

#define ROW_CHUNK 4096u

typedef struct Job {
    ThawWorld *world;
    const float *temperature;
    double change[3]; // m/s: what gravity does in the time
} Job;

static bool expands(const ThawWorld *world) {
    if (!world->def.heat.on) return false;
    for (uint32_t k = 0; k < world->material_count; k++) {
        if (world->materials[k].thermal.expansion != 0) return true;
    }
    return false;
}

// the share of gravity that a row does not feel
static double find_share(const ThawWorld *world, const float *temperature, uint32_t row) {
    const ThawThermalDef *thermal = &world->materials[world->store->material[row]].thermal;
    double share =
        (double)thermal->expansion * ((double)temperature[row] - (double)thermal->reference);
    return fmin(fmax(share, -1), 1);
}

static void kick_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const Job *job = context;
    ThawStore *store = job->world->store;
    ThawRange range = thaw_chunk_range(chunk, store->count, ROW_CHUNK);
    for (uint32_t row = range.begin; row < range.end; row++) {
        double share = find_share(job->world, job->temperature, row);
        float *v = &store->velocity[3 * (size_t)row];
        for (int a = 0; a < 3; a++) v[a] -= (float)(share * job->change[a]);
    }
}

bool thaw_buoyancy_kick(ThawWorld *world, const double gravity[3], double dt) {
    if (!expands(world) || world->store->count == 0) return false;
    Job job = {world, thaw_thermal_state(world->store).temperature, {0}};
    for (int a = 0; a < 3; a++) job.change[a] = gravity[a] * dt;
    uint32_t chunks = thaw_chunk_count(world->store->count, ROW_CHUNK);
    thaw_parallel_run(world->parallel, kick_chunk, &job, chunks);
    return true;
}

double thaw_buoyancy_most(const ThawWorld *world) {
    if (!expands(world)) return 0;
    const float *temperature = thaw_thermal_state(world->store).temperature;
    double most = 0;
    for (uint32_t row = 0; row < world->store->count; row++) {
        most = fmax(most, fabs(find_share(world, temperature, row)));
    }
    return most;
}
