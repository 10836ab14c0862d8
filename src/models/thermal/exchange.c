// Heat that does not stay among particles: walls that are kept warm or cold, the air, sources.
//
// A wall is a mirror that holds its surface at a temperature: behind it temperatures go on in a straight line through
// the particle's own and the surface's. What the kernel sees of that is a closed form of the distance. A coefficient
// of transfer is a resistance before the surface. The air is the same with the particle's own half as resistance,
// over the area that neither particles nor walls cover.
#include "models/thermal/heat.h"

#include "base/memory.h"
#include "collision/warm.h"
#include "geometry/distance.h"
#include "math/vec.h"

#include <math.h>

#define PI 3.14159265358979323846
#define STEFAN 5.670374419e-8 // W/(m² K⁴)
// spacings: a wall is felt from no closer, or a particle pressed to it would need steps of its own
#define LEAST_DISTANCE 0.25
// A row's free area is AREA V/h times what √(slope² + thinness²) exceeds NOISE by: slope is h |∇| of the volume
// fraction, up to NOISE in disorder; thinness is THIN times what the volume fraction lacks of FULL, so that drops of a few
// particles cool as well. Cubes, balls, settled pools and drops come out within 5 % (docs/theory/heat.md).
#define AREA 3.65
#define NOISE 0.5
#define FULL 0.75
#define THIN 7.0

// ---------------------------------------------------------------- what faces are to the kernel

double thaw_heat_moment(int dimensions) {
    return dimensions == 3 ? PI * (256.0 / 13860 + 1024.0 / 45045) : PI * 7 / 120;
}

double thaw_heat_face(int dimensions, double q) {
    if (q >= 1) return 0;
    double t = 1 - q * q, t2 = t * t, t4 = t2 * t2;
    if (dimensions == 3) {
        return 2 * PI * t4 * t * (1.0 / 40 + t / 30) / thaw_heat_moment(3);
    }
    // ∫ (1 − u²)³ and twice that of the fourth power, over −1..1
    double third = 32.0 / 35, fourth = 512.0 / 315;
    return 2 * t4 * sqrt(t) * (third / 9 + t * fourth / 11) / thaw_heat_moment(2);
}

// Gauss's four points
double thaw_heat_behind(int dimensions, double q) {
    static const double node[4] = {-0.861136311594053, -0.339981043584856, 0.339981043584856,
                                   0.861136311594053};
    static const double weight[4] = {0.347854845137454, 0.652145154862546, 0.652145154862546,
                                     0.347854845137454};
    double sum = 0, half = 0.5 * (1 - q);
    for (int k = 0; q < 1 && k < 4; k++) {
        sum += weight[k] * thaw_heat_face(dimensions, q + half * (1 + node[k]));
    }
    return 0.5 * half * sum;
}

// ---------------------------------------------------------------- walls

typedef struct Walls {
    const ThawHeatStep *heat;
    ThawOutside *outside;
    float *surround; // NULL: the air takes no part
} Walls;

static void join_face(const Walls *walls, uint32_t row, const ThawWarmFace *face, double area) {
    const ThawHeatStep *heat = walls->heat;
    const ThawStep *step = heat->step;
    double k = (double)heat->conductivity[row], d = (double)step->store->spacing[row];
    if (!(face->temperature > 0 && k > 0)) return;
    double x = fmax(face->distance * step->domain->cell, LEAST_DISTANCE * d);
    double resistance = x / k;
    if (face->transfer > 0) resistance += 1 / (double)face->transfer;
    ThawOutside *outside = &walls->outside[row];
    outside->conductance += area / resistance;
    outside->draw += area / resistance * ((double)face->temperature - heat->reference);
}

static void join_walls(void *context, uint32_t row, const ThawWarmFace *faces, int count) {
    const Walls *walls = context;
    const ThawStep *step = walls->heat->step;
    int dimensions = step->domain->dimensions;
    double h = THAW_HEAT_SUPPORT * (double)step->store->spacing[row];
    double volume = thaw_heat_volume(step, row);
    for (int k = 0; k < count; k++) {
        double q = faces[k].distance * step->domain->cell / h;
        double share = thaw_heat_face(dimensions, q);
        join_face(walls, row, &faces[k], share * volume / h);
        if (walls->surround == NULL) continue;
        float *surround = &walls->surround[4 * (size_t)row];
        surround[0] += (float)(0.5 * share * faces[k].normal.x);
        surround[1] += (float)(0.5 * share * faces[k].normal.y);
        surround[2] += (float)(0.5 * share * faces[k].normal.z);
        surround[3] += (float)thaw_heat_behind(dimensions, q);
    }
}

// ---------------------------------------------------------------- air

static bool has_air(const ThawHeatStep *heat) {
    return heat->step->heat->convection > 0 || heat->step->heat->emissivity > 0;
}

typedef struct SurroundTask {
    const ThawHeatPass *pass;
    void (*run)(const ThawHeatPass *pass, uint32_t chunk);
} SurroundTask;

static void surround_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SurroundTask *task = context;
    task->run(task->pass, chunk);
}

typedef struct RowTask {
    const ThawHeatStep *heat;
    ThawOutside *outside;
    const float *surround;
} RowTask;

static void area_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const RowTask *task = context;
    const ThawStep *step = task->heat->step;
    ThawRange range = thaw_chunk_range(chunk, step->store->count, THAW_HEAT_ROWS);
    for (uint32_t row = range.begin; row < range.end; row++) {
        const float *s = &task->surround[4 * (size_t)row];
        double thin = THIN * fmax(FULL - (double)s[3], 0);
        double open = sqrt((double)(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) + thin * thin);
        double h = THAW_HEAT_SUPPORT * (double)step->store->spacing[row];
        double area = AREA * thaw_heat_volume(step, row) / h;
        task->outside[row].area = area * fmax(open - NOISE, 0);
    }
}

// how well the air takes heat from so warm a surface, W/(m² K)
static double transfer_of(const ThawHeatStep *heat, double temperature) {
    const ThawHeatDef *air = heat->step->heat;
    double ambient = (double)air->ambient;
    double fourth = (ambient * ambient + temperature * temperature) * (ambient + temperature);
    return (double)air->convection + (double)air->emissivity * STEFAN * fourth;
}

// half a spacing of the particle's own matter
static double depth_of(const ThawHeatStep *heat, uint32_t row) {
    return 0.5 * (double)heat->step->store->spacing[row] / (double)heat->conductivity[row];
}

// ---------------------------------------------------------------- sources

static double overlap(const ThawHeatStep *heat, const ThawHeatSourceDef *def) {
    return fmax(fmin(heat->end, def->to) - fmax(heat->begin, def->from), 0);
}

static bool holds_point(const ThawShape *shape, ThawVec3 point) {
    ThawVec3 lower, upper;
    if (thaw_shape_local_bounds(shape, &lower, &upper)) {
        ThawVec3 far = {fmax(fabs(lower.x), fabs(upper.x)), fmax(fabs(lower.y), fabs(upper.y)),
                        fmax(fabs(lower.z), fabs(upper.z))};
        ThawVec3 off = thaw_sub(point, shape->pose.position);
        if (thaw_dot(off, off) > thaw_dot(far, far) * (1 + 1e-9)) return false;
    }
    return thaw_shape_distance(shape, point) <= 0;
}

// a bounded region is seen through the periodic images beside it
static bool holds(const ThawDomain *domain, const ThawShape *shape, const int64_t *cells) {
    ThawVec3 lower, upper,
        point = {thaw_fixed_cells(cells[0]) * domain->cell,
                 thaw_fixed_cells(cells[1]) * domain->cell,
                 thaw_fixed_cells(cells[2]) * domain->cell};
    double *at[3] = {&point.x, &point.y, &point.z}, first[3], period[3];
    const double center[3] = {shape->pose.position.x, shape->pose.position.y,
                              shape->pose.position.z};
    int images[3] = {1, 1, 1};
    bool bounded = thaw_shape_local_bounds(shape, &lower, &upper);
    for (int a = 0; a < 3; a++) {
        first[a] = *at[a];
        period[a] = 0;
        if (!domain->periodic[a] || !bounded) continue;
        period[a] = thaw_fixed_cells(domain->length[a]) * domain->cell;
        first[a] -= (rint((first[a] - center[a]) / period[a]) + 1) * period[a];
        images[a] = 3;
    }
    for (int n = 0; n < images[0] * images[1] * images[2]; n++) {
        const int image[3] = {n % images[0], n / images[0] % images[1], n / images[0] / images[1]};
        for (int a = 0; a < 3; a++) *at[a] = first[a] + image[a] * period[a];
        if (holds_point(shape, point)) return true;
    }
    return false;
}

static bool heats(const ThawHeatStep *heat, const ThawHeatSource *source, uint32_t row) {
    const ThawHeatSourceDef *def = &source->def;
    const ThawStore *store = heat->step->store;
    if (def->material.value != 0 && store->material[row] + 1u != def->material.value) return false;
    if (def->body.value != 0 && store->object[row] != (int32_t)def->body.value) return false;
    if (def->everywhere) return true;
    return holds(heat->step->domain, &def->region, store->cells + 3 * (size_t)row);
}

// a source, and what one chunk of rows after the other has inside
typedef struct SourceTask {
    const ThawHeatStep *heat;
    ThawOutside *outside;
    const ThawHeatSource *source;
    int32_t holder; // 1 + its place
    double power;   // W a kg
    double *sums;   // one a chunk: kg, W, or J that holding takes
} SourceTask;

static void weigh_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const SourceTask *task = context;
    const ThawStep *step = task->heat->step;
    ThawRange range = thaw_chunk_range(chunk, step->store->count, THAW_HEAT_ROWS);
    double sum = 0;
    for (uint32_t row = range.begin; row < range.end; row++) {
        if (heats(task->heat, task->source, row)) sum += thaw_heat_mass(step, row);
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
        if (!heats(heat, task->source, row)) continue;
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
        if (task->outside[row].holder != 0 || !heats(heat, task->source, row)) continue;
        task->outside[row].holder = task->holder;
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

static void join_source(const ThawHeatStep *heat, uint32_t index, ThawOutside *outside,
                        double *sums, double *taken) {
    ThawHeatSource *source = &heat->step->sources[index];
    double seconds = overlap(heat, &source->def);
    SourceTask task = {heat, outside, source, (int32_t)index + 1, 0, sums};
    if (!(seconds > 0)) return;
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

// ---------------------------------------------------------------- together

bool thaw_exchange_any(const ThawHeatStep *heat) {
    return has_air(heat) || heat->step->source_count > 0 || thaw_walls_warm(heat->step->wall_step);
}

static void clear_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const RowTask *task = context;
    ThawRange range = thaw_chunk_range(chunk, task->heat->step->store->count, THAW_HEAT_ROWS);
    for (uint32_t row = range.begin; row < range.end; row++) {
        task->outside[row] = (ThawOutside){0};
    }
}

static void find_surroundings(const ThawStep *step, const ThawHeatPass *pass) {
    uint32_t chunks = thaw_chunk_count(pass->cluster_count, THAW_HEAT_CHUNK);
    SurroundTask task = {pass, THAW_WIDE_PICK(step->isa, thaw_heat_surround)};
    thaw_parallel_run(step->parallel, surround_chunk, &task, chunks);
}

void thaw_exchange_begin(const ThawHeatStep *heat, const ThawHeatPass *pass, ThawOutside *outside,
                         double *sums, double *taken) {
    const ThawStep *step = heat->step;
    uint32_t chunks = thaw_chunk_count(step->store->count, THAW_HEAT_ROWS);
    RowTask rows = {heat, outside, pass->surround};
    thaw_parallel_run(step->parallel, clear_chunk, &rows, chunks);
    bool air = has_air(heat);
    if (air) find_surroundings(step, pass);
    Walls walls = {heat, outside, air ? pass->surround : NULL};
    if (air || thaw_walls_warm(step->wall_step)) {
        thaw_walls_faces(step->walls, step->wall_step, join_walls, &walls);
    }
    if (air) thaw_parallel_run(step->parallel, area_chunk, &rows, chunks);
    for (uint32_t k = 0; k < step->source_count; k++) {
        join_source(heat, k, outside, sums, taken);
    }
}

double thaw_exchange_flow(const ThawHeatStep *heat, const ThawOutside *outside, uint32_t row,
                          double warmth) {
    double flow = outside->draw - outside->conductance * warmth + outside->power;
    if (!(outside->area > 0 && heat->conductivity[row] > 0)) return flow;
    double temperature = heat->reference + warmth, ambient = (double)heat->step->heat->ambient;
    double resistance = 1 / transfer_of(heat, temperature) + depth_of(heat, row);
    return flow + outside->area * (ambient - temperature) / resistance;
}

double thaw_exchange_rate(const ThawHeatStep *heat, const ThawOutside *outside, uint32_t row,
                          double warmth) {
    if (!(outside->area > 0 && heat->conductivity[row] > 0)) return outside->conductance;
    const ThawHeatDef *air = heat->step->heat;
    double hot = fmax(heat->reference + warmth, (double)air->ambient);
    double slope = (double)air->convection + 4 * (double)air->emissivity * STEFAN * hot * hot * hot;
    return outside->conductance + outside->area / (1 / slope + depth_of(heat, row));
}
