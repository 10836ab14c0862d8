// Heat that does not stay among particles: walls that are kept warm or cold, the air, sources.
//
// A wall is a mirror that holds its surface at a temperature: behind it temperatures go on in a straight line through
// the particle's own and the surface's. What the kernel sees of that is a closed form of the distance. A coefficient
// of transfer is a resistance before the surface. The air is the same with the particle's own half as resistance,
// over the area that neither particles nor walls cover.
#include "models/thermal/heat.h"

#include "base/memory.h"
#include "collision/warm.h"

#include <math.h>

#define PI 3.14159265358979323846
#define STEFAN 5.670374419e-8 // W/(m² K⁴)
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

// ∫ of half a face from q on: a polynomial in 3D, by Gauss's four points in 2D
double thaw_heat_behind(int dimensions, double q) {
    static const double odd[7] = {21021, -39039, 54054, -47190, 25025, -7371, 924};
    static const double node[4] = {-0.861136311594053, -0.339981043584856, 0.339981043584856,
                                   0.861136311594053};
    static const double weight[4] = {0.347854845137454, 0.652145154862546, 0.652145154862546,
                                     0.347854845137454};
    if (q >= 1) return 0;
    double sum = 0, half = 0.5 * (1 - q);
    if (dimensions == 3) {
        for (int k = 6; k >= 0; k--) sum = sum * q * q + odd[k];
        return 0.5 - q * sum / 14848;
    }
    for (int k = 0; k < 4; k++) {
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
    double k = (double)heat->conductivity[row], d = thaw_heat_size(heat, row);
    if (!(face->temperature > 0 && k > 0)) return;
    double x = fmax(face->distance * step->domain->cell, THAW_HEAT_NEAREST * d);
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
    double h = THAW_HEAT_SUPPORT * thaw_heat_size(walls->heat, row);
    double volume = thaw_heat_volume(walls->heat, row);
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
        if (!(open > NOISE)) continue; // as most are: it has none
        double h = THAW_HEAT_SUPPORT * thaw_heat_size(task->heat, row);
        task->outside[row].area = AREA * thaw_heat_volume(task->heat, row) / h * (open - NOISE);
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
    return 0.5 * thaw_heat_size(heat, row) / (double)heat->conductivity[row];
}

// ---------------------------------------------------------------- together

static bool any_holds(const ThawStep *step) {
    bool holds = false;
    for (uint32_t k = 0; k < step->source_count; k++) holds |= step->sources[k].def.temperature > 0;
    return holds;
}

ThawExchanges thaw_exchanges(const ThawStep *step) {
    return (ThawExchanges){.walls = thaw_walls_warm(step->wall_step),
                           .air = step->heat->convection > 0 || step->heat->emissivity > 0,
                           .sources = step->source_count > 0,
                           .held = any_holds(step)};
}

static void clear_chunk(void *context, uint32_t chunk, uint32_t worker) {
    (void)worker;
    const RowTask *task = context;
    ThawRange range = thaw_chunk_range(chunk, task->heat->step->store->count, THAW_HEAT_ROWS);
    for (uint32_t row = range.begin; row < range.end; row++) {
        task->outside[row] = (ThawOutside){0};
    }
}

void thaw_exchange_begin(const ThawHeatStep *heat, ThawOutside *outside, double *sums,
                         double *taken) {
    const ThawStep *step = heat->step;
    RowTask rows = {heat, outside, NULL};
    thaw_parallel_run(step->parallel, clear_chunk, &rows,
                      thaw_chunk_count(step->store->count, THAW_HEAT_ROWS));
    for (uint32_t k = 0; k < step->source_count; k++) {
        thaw_source_join(heat, k, outside, sums, taken);
    }
}

void thaw_exchange_join(const ThawHeatStep *heat, ThawOutside *outside, float *surround) {
    const ThawStep *step = heat->step;
    RowTask rows = {heat, outside, surround};
    Walls walls = {heat, outside, surround};
    if (surround != NULL || thaw_walls_warm(step->wall_step)) {
        thaw_walls_faces(step->walls, step->wall_step, join_walls, &walls);
    }
    if (surround == NULL) return;
    thaw_parallel_run(step->parallel, area_chunk, &rows,
                      thaw_chunk_count(step->store->count, THAW_HEAT_ROWS));
}

double thaw_exchange_flow(const ThawHeatStep *heat, const ThawOutside *outside, uint32_t row,
                          double warmth) {
    double flow = outside->draw - outside->conductance * warmth + outside->power;
    if (!(outside->area > 0 && heat->conductivity[row] > 0)) return flow;
    double temperature = heat->reference + warmth, ambient = (double)heat->step->heat->ambient;
    double resistance = 1 / transfer_of(heat, temperature) + depth_of(heat, row);
    return flow + outside->area * (ambient - temperature) / resistance;
}

double thaw_exchange_slope(const ThawHeatStep *heat, double warmth) {
    const ThawHeatDef *air = heat->step->heat;
    double hot = fmax(heat->reference + warmth, (double)air->ambient);
    return (double)air->convection + 4 * (double)air->emissivity * STEFAN * hot * hot * hot;
}

double thaw_exchange_rate(const ThawHeatStep *heat, const ThawOutside *outside, uint32_t row,
                          double warmth) {
    if (!(outside->area > 0 && heat->conductivity[row] > 0)) return outside->conductance;
    double slope = thaw_exchange_slope(heat, warmth);
    return outside->conductance + outside->area / (1 / slope + depth_of(heat, row));
}
