// Sources of heat: power for what is inside a region, shared by mass; or a temperature that it is held at.
#include "models/thermal/heat.h"

#include "geometry/distance.h"
#include "math/vec.h"

#include <math.h>

// ---------------------------------------------------------------- regions

// a shape made ready for asking every row; world/region.h is the same for the world
typedef struct Region {
    const ThawShape *shape;
    double cell;   // m
    double reach2; // m², of the farthest point from the shape's position; infinite when unbounded
    double center[3]; // m
    double period[3]; // m, of periodic axes of a bounded shape; else 0
} Region;

static Region region_of(const ThawDomain *domain, const ThawShape *shape) {
    ThawVec3 lower, upper, at = shape->pose.position;
    Region region = {shape, domain->cell, INFINITY, {at.x, at.y, at.z}, {0}};
    if (!thaw_shape_local_bounds(shape, &lower, &upper)) return region;
    ThawVec3 far = {fmax(fabs(lower.x), fabs(upper.x)), fmax(fabs(lower.y), fabs(upper.y)),
                    fmax(fabs(lower.z), fabs(upper.z))};
    region.reach2 = thaw_dot(far, far) * (1 + 1e-9);
    for (int a = 0; a < 3; a++) {
        if (!domain->periodic[a]) continue;
        region.period[a] = thaw_fixed_cells(domain->length[a]) * domain->cell;
    }
    return region;
}

static bool holds_point(const Region *region, const double off[3]) {
    double r2 = off[0] * off[0] + off[1] * off[1] + off[2] * off[2];
    if (r2 > region->reach2) return false;
    ThawVec3 from = {off[0], off[1], off[2]};
    return thaw_shape_distance(region->shape, thaw_add(region->shape->pose.position, from)) <= 0;
}

// whether a place, or its image in a period beside it, is inside
static bool holds(const Region *region, const int64_t *cells) {
    double near[3];
    for (int a = 0; a < 3; a++) {
        near[a] = thaw_fixed_cells(cells[a]) * region->cell - region->center[a];
        if (region->period[a] > 0) near[a] -= rint(near[a] / region->period[a]) * region->period[a];
    }
    if (holds_point(region, near)) return true;
    if (region->period[0] + region->period[1] + region->period[2] == 0) return false;
    for (int n = 0; n < 27; n++) {
        const int image[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        double off[3];
        for (int a = 0; a < 3; a++) off[a] = near[a] + image[a] * region->period[a];
        if (holds_point(region, off)) return true;
    }
    return false;
}

// ---------------------------------------------------------------- sources

static double overlap(const ThawHeatStep *heat, const ThawHeatSourceDef *def) {
    return fmax(fmin(heat->end, def->to) - fmax(heat->begin, def->from), 0);
}

// a source, and what one chunk of rows after the other has inside
typedef struct SourceTask {
    const ThawHeatStep *heat;
    ThawOutside *outside;
    const ThawHeatSource *source;
    Region region;
    int32_t number; // 1 + its place
    double power;   // W a kg
    double *sums;   // one a chunk: kg, W, or J that holding takes
} SourceTask;

static bool heats(const SourceTask *task, uint32_t row) {
    const ThawHeatSourceDef *def = &task->source->def;
    const ThawStore *store = task->heat->step->store;
    if (def->material.value != 0 && store->material[row] + 1u != def->material.value) return false;
    if (def->body.value != 0 && store->object[row] != (int32_t)def->body.value) return false;
    return def->everywhere || holds(&task->region, store->cells + 3 * (size_t)row);
}

static void weigh_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SourceTask *task = context;
    const ThawStep *step = task->heat->step;
    ThawRange range = thaw_chunk_range(chunk, step->store->count, THAW_HEAT_ROWS);
    double sum = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (!heats(task, row)) continue;
        task->outside[row].heater = task->number;
        sum += thaw_heat_mass(step, row);
    }
    task->sums[chunk] = sum;
}

// a source that cools takes half of what a row has at most: it does not reach 0 K
static void power_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SourceTask *task = context;
    const ThawHeatStep *heat = task->heat;
    ThawRange range = thaw_chunk_range(chunk, heat->step->store->count, THAW_HEAT_ROWS);
    double sum = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (task->outside[row].heater != task->number) continue;
        double least = -0.5 * heat->state.heat[row] / (heat->end - heat->begin);
        double power = fmax(task->power, least) * thaw_heat_mass(heat->step, row);
        task->outside[row].power += power;
        sum += power;
    }
    task->sums[chunk] = sum;
}

// at its temperature, a row that is melting or freezing goes on doing so
static void hold_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SourceTask *task = context;
    const ThawHeatStep *heat = task->heat;
    const ThawStep *step = heat->step;
    ThawRange range = thaw_chunk_range(chunk, step->store->count, THAW_HEAT_ROWS);
    float aim = (float)task->source->def.temperature;
    double sum = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (task->outside[row].holder != 0 || !heats(task, row)) continue;
        task->outside[row].holder = task->number;
        if (heat->state.temperature[row] == aim) continue;
        const ThawEnthalpyCurve *curve = &heat->thermal->curves[step->store->material[row]];
        double molten = step->store->state[row] == THAW_STATE_SOLID ? 0 : 1;
        double before = heat->state.heat[row];
        heat->state.heat[row] = thaw_curve_heat(curve, task->source->def.temperature, molten);
        heat->state.temperature[row] = (float)thaw_curve_temperature(curve, heat->state.heat[row]);
        sum += thaw_heat_mass(step, row) * (heat->state.heat[row] - before);
    }
    task->sums[chunk] = sum;
}

static double run_source(const SourceTask *task, ThawTask *run) {
    const ThawStep *step = task->heat->step;
    uint32_t chunks = thaw_chunk_count(step->store->count, THAW_HEAT_ROWS);
    double sum = 0;
    thaw_parallel_run(step->parallel, run, (void *)task, chunks);
    for (uint32_t k = 0; k < chunks; k++) sum += task->sums[k];
    return sum;
}

void thaw_source_join(const ThawHeatStep *heat, uint32_t index, ThawOutside *outside, double *sums,
                      double *taken) {
    ThawHeatSource *source = &heat->step->sources[index];
    double seconds = overlap(heat, &source->def);
    if (!(seconds > 0)) return;
    SourceTask task = {.heat = heat,
                       .outside = outside,
                       .source = source,
                       .region = region_of(heat->step->domain, &source->def.region),
                       .number = (int32_t)index + 1,
                       .sums = sums};
    if (source->def.temperature > 0) {
        double given = run_source(&task, hold_chunk);
        source->given += given;
        *taken += given;
        return;
    }
    double mass = source->def.power != 0 ? run_source(&task, weigh_chunk) : 0;
    if (!(mass > 0)) return;
    double whole = heat->end - heat->begin;
    task.power = source->def.power * seconds / whole / mass;
    source->given += run_source(&task, power_chunk) * whole;
}
