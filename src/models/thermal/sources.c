// Sources of heat: power for what is inside a region, shared by mass; or a temperature that it is held at.
#include "models/thermal/heat.h"

#include "geometry/distance.h"
#include "math/vec.h"

#include <math.h>

#define BLOCK 16u // rows that regions are asked about together
#define STEEPEST                                                                                   \
    1.75 // how much a shape's distance changes from point to point, a metre; meshes' most

// ---------------------------------------------------------------- regions

// a shape made ready for asking every row; world/region.h is the same for the world
typedef struct Region {
    const ThawShape *shape;
    double cell;     // m
    bool upright;    // its frame is the world's but for its position
    bool bounded;    // it lies in the box below
    ThawVec3 middle; // m, of that box in the shape's frame
    ThawVec3 half;
    double steepest;            // by how much its distance changes from point to point, a metre
    double center[3];           // m
    double period[3];           // m, of periodic axes of a bounded shape; else 0
    bool square;                // an upright box that no period repeats:
    int64_t lower[3], upper[3]; // its corners
} Region;

static bool is_periodic(const Region *region) {
    return region->period[0] + region->period[1] + region->period[2] > 0;
}

// corners of an upright box; beyond where particles may be they do not matter
static void set_corners(Region *region) {
    const double middle[3] = {region->middle.x, region->middle.y, region->middle.z};
    const double half[3] = {region->half.x, region->half.y, region->half.z};
    const double most = (double)THAW_CELL_LIMIT;
    for (int a = 0; a < 3; a++) {
        double at = region->center[a] + middle[a];
        region->lower[a] = thaw_fixed_from(fmax((at - half[a]) / region->cell, -most));
        region->upper[a] = thaw_fixed_from(fmin((at + half[a]) / region->cell, most));
    }
}

static Region region_of(const ThawDomain *domain, const ThawShape *shape) {
    ThawVec3 lower, upper, at = shape->pose.position;
    ThawQuat turn = shape->pose.rotation;
    Region region = {.shape = shape, .cell = domain->cell, .center = {at.x, at.y, at.z}};
    bool rough = shape->kind == THAW_SHAPE_MESH || shape->kind == THAW_SHAPE_BLEND;
    region.steepest = rough ? STEEPEST : 1 + 1e-9;
    region.upright = turn.x == 0 && turn.y == 0 && turn.z == 0;
    region.bounded = thaw_shape_local_bounds(shape, &lower, &upper);
    if (!region.bounded) return region;
    region.middle = thaw_scale(thaw_add(lower, upper), 0.5);
    region.half = thaw_scale(thaw_sub(upper, lower), 0.5);
    for (int a = 0; a < 3; a++) {
        if (!domain->periodic[a]) continue;
        region.period[a] = thaw_fixed_cells(domain->length[a]) * domain->cell;
    }
    region.square = region.upright && shape->kind == THAW_SHAPE_BOX && !is_periodic(&region);
    if (region.square) set_corners(&region);
    return region;
}

// m from a box, at the least; as many inside, less than 0
static double distance_from_box(const Region *region, ThawVec3 local) {
    double x = fabs(local.x - region->middle.x) - region->half.x;
    double y = fabs(local.y - region->middle.y) - region->half.y;
    double z = fabs(local.z - region->middle.z) - region->half.z;
    double most = x > y ? x : y;
    return most > z ? most : z;
}

// m from a point, given from the shape's position, to the shape; less than 0 inside; outside as far at the least
static double distance_from(const Region *region, const double off[3]) {
    ThawVec3 local = {off[0], off[1], off[2]};
    if (!region->upright) {
        local = thaw_quat_rotate(thaw_quat_conjugate(region->shape->pose.rotation), local);
    }
    double box = region->bounded ? distance_from_box(region, local) : 0;
    if (box > 0 || region->shape->kind == THAW_SHAPE_BOX) return box;
    return thaw_shape_local_distance(region->shape, local);
}

// of a place, or of that image in a period beside it that is nearest
static double distance_to(const Region *region, const int64_t *cells) {
    double near[3];
    for (int a = 0; a < 3; a++) {
        near[a] = thaw_fixed_cells(cells[a]) * region->cell - region->center[a];
        if (region->period[a] > 0) near[a] -= rint(near[a] / region->period[a]) * region->period[a];
    }
    double least = distance_from(region, near);
    if (!is_periodic(region)) return least;
    for (int n = 0; n < 27 && least > 0; n++) {
        const int image[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        double off[3];
        for (int a = 0; a < 3; a++) off[a] = near[a] + image[a] * region->period[a];
        least = fmin(least, distance_from(region, off));
    }
    return least;
}

static inline bool is_in_square(const Region *region, const int64_t *cells) {
    bool in = true;
    for (int a = 0; a < 3; a++) {
        in &= (cells[a] >= region->lower[a]) & (cells[a] <= region->upper[a]);
    }
    return in;
}

// the upright box that holds some places
typedef struct Block {
    int64_t middle[3];
    double half[3]; // m
} Block;

static Block bound_block(const Region *region, const int64_t *cells, uint32_t count) {
    int64_t lower[3] = {cells[0], cells[1], cells[2]}, upper[3] = {cells[0], cells[1], cells[2]};
    for (const int64_t *c = cells + 3, *end = cells + 3 * (size_t)count; c != end; c += 3) {
        for (int a = 0; a < 3; a++) {
            lower[a] = c[a] < lower[a] ? c[a] : lower[a];
            upper[a] = c[a] > upper[a] ? c[a] : upper[a];
        }
    }
    Block block;
    for (int a = 0; a < 3; a++) {
        block.middle[a] = lower[a] + (upper[a] - lower[a]) / 2;
        block.half[a] = thaw_fixed_cells(upper[a] - block.middle[a]) * region->cell;
    }
    return block;
}

// Which of up to BLOCK places are inside. They are beside each other mostly, so that one distance tells of all.
static void find_inside(const Region *region, const int64_t *cells, uint32_t count, bool *inside) {
    if (region->square) {
        for (uint32_t k = 0; k < count; k++)
            inside[k] = is_in_square(region, cells + 3 * (size_t)k);
        return;
    }
    Block block = bound_block(region, cells, count);
    const double *half = block.half;
    double extent = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    double distance = distance_to(region, block.middle);
    bool alike = fabs(distance) > region->steepest * extent;
    for (uint32_t k = 0; k < count; k++) {
        double own = alike ? distance : distance_to(region, cells + 3 * (size_t)k);
        inside[k] = own <= 0;
    }
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

// Which of up to BLOCK rows from the first on it heats.
static void find_heated(const SourceTask *task, uint32_t first, uint32_t count, bool *heated) {
    const ThawHeatSourceDef *def = &task->source->def;
    const ThawStore *store = task->heat->step->store;
    for (uint32_t k = 0; k < count; k++) heated[k] = true;
    if (!def->everywhere) {
        find_inside(&task->region, store->cells + 3 * (size_t)first, count, heated);
    }
    for (uint32_t k = 0; k < count && def->material.value != 0; k++) {
        heated[k] &= store->material[first + k] + 1u == def->material.value;
    }
    for (uint32_t k = 0; k < count && def->body.value != 0; k++) {
        heated[k] &= store->object[first + k] == (int32_t)def->body.value;
    }
}

// what a source does to a row that it heats, and what that adds to its sum
typedef double HeatRow(const SourceTask *task, uint32_t row);

static inline void visit_heated(const SourceTask *task, uint32_t chunk, HeatRow *visit) {
    ThawRange range = thaw_chunk_range(chunk, task->heat->step->store->count, THAW_HEAT_ROWS);
    double sum = 0;
    for (uint32_t first = range.begin; first < range.end; first += BLOCK) {
        uint32_t count = range.end - first < BLOCK ? range.end - first : BLOCK;
        bool heated[BLOCK];
        find_heated(task, first, count, heated);
        for (uint32_t k = 0; k < count; k++) {
            if (heated[k]) sum += visit(task, first + k);
        }
    }
    task->sums[chunk] = sum;
}

static inline double weigh_row(const SourceTask *task, uint32_t row) {
    task->outside[row].heater = task->number;
    return thaw_heat_mass(task->heat->step, row);
}

static void weigh_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    visit_heated(context, chunk, weigh_row);
}

// a source that cools takes half of what a row has at most: it does not reach 0 K
static void power_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SourceTask *task = context;
    const ThawHeatStep *heat = task->heat;
    ThawRange range = thaw_chunk_range(chunk, heat->step->store->count, THAW_HEAT_ROWS);
    double sum = 0, half = -0.5 / (heat->end - heat->begin);
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (task->outside[row].heater != task->number) continue;
        double power = task->power;
        if (power < 0) power = fmax(power, half * heat->state.heat[row]);
        power *= thaw_heat_mass(heat->step, row);
        task->outside[row].draw += power;
        sum += power;
    }
    task->sums[chunk] = sum;
}

// at its temperature, a row that is melting or freezing goes on doing so
static double hold_row(const SourceTask *task, uint32_t row) {
    const ThawHeatStep *heat = task->heat;
    const ThawStore *store = heat->step->store;
    if (task->outside[row].holder != 0) return 0;
    task->outside[row].holder = task->number;
    if (heat->state.temperature[row] == (float)task->source->def.temperature) return 0;
    const ThawEnthalpyCurve *curve = &heat->thermal->curves[store->material[row]];
    double molten = store->state[row] == THAW_STATE_SOLID ? 0 : 1, before = heat->state.heat[row];
    heat->state.heat[row] = thaw_curve_heat(curve, task->source->def.temperature, molten);
    heat->state.temperature[row] = (float)thaw_curve_temperature(curve, heat->state.heat[row]);
    return thaw_heat_mass(heat->step, row) * (heat->state.heat[row] - before);
}

static void hold_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    visit_heated(context, chunk, hold_row);
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
