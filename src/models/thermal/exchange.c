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
// A row's free area is AREA V/h times how open it is (heat_wide.c). Cubes, balls, settled pools and drops come out
// within 5 % (docs/theory/heat.md).
#define AREA 3.65

// ---------------------------------------------------------------- what faces are to the kernel

double thaw_heat_moment(int dimensions) {
    return dimensions == 3 ? PI * (256.0 / 13860 + 1024.0 / 45045) : PI * 7 / 120;
}

double thaw_heat_face(int dimensions, double q) {
    if (q >= 1) return 0;
    double t = 1 - q * q, t2 = t * t, t4 = t2 * t2;
    if (dimensions == 3) {
        const double scale = 2 / (256.0 / 13860 + 1024.0 / 45045);
        return t4 * t * (scale / 40 + t * (scale / 30));
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
        double q2 = q * q;
        for (int k = 6; k >= 0; k--) sum = sum * q2 + odd[k];
        return 0.5 - q * sum * (1.0 / 14848);
    }
    for (int k = 0; k < 4; k++) {
        sum += weight[k] * thaw_heat_face(dimensions, q + half * (1 + node[k]));
    }
    return 0.5 * half * sum;
}

// ---------------------------------------------------------------- walls

// what a row's size makes of faces
typedef struct Reach {
    double per_cell; // supports a cell
    double area;     // m², V/h
    double nearest;  // m, that a wall is felt from
} Reach;

typedef struct Walls {
    const ThawHeatStep *heat;
    ThawOutside *outside;
    float *surround; // NULL: the air takes no part
    Reach usual;     // of all rows where sizes are alike
} Walls;

static Reach reach_of(const ThawHeatStep *heat, uint32_t row) {
    double d = thaw_heat_size(heat, row), h = THAW_HEAT_SUPPORT * d;
    return (Reach){.per_cell = heat->step->domain->cell / h,
                   .area = thaw_heat_volume(heat, row) / h,
                   .nearest = THAW_HEAT_NEAREST * d};
}

// through x of the row's matter and then the coefficient of transfer
static void join_face(const Walls *walls, uint32_t row, const ThawWarmFace *face,
                      const Reach *reach, double share) {
    const ThawHeatStep *heat = walls->heat;
    double k = (double)heat->conductivity[row], transfer = (double)face->transfer;
    if (!(face->temperature > 0 && k > 0)) return;
    double x = fmax(face->distance * heat->step->domain->cell, reach->nearest);
    double conductance = share * reach->area * k;
    conductance = transfer > 0 ? conductance * transfer / (x * transfer + k) : conductance / x;
    ThawOutside *outside = &walls->outside[row];
    outside->conductance += conductance;
    outside->draw += conductance * ((double)face->temperature - heat->reference);
}

static void join_walls(void *context, uint32_t row, const ThawWarmFace *faces, int count) {
    const Walls *walls = context;
    int dimensions = walls->heat->step->domain->dimensions;
    Reach reach = walls->heat->sizes ? reach_of(walls->heat, row) : walls->usual;
    for (int k = 0; k < count; k++) {
        double q = faces[k].distance * reach.per_cell;
        double share = thaw_heat_face(dimensions, q);
        join_face(walls, row, &faces[k], &reach, share);
        if (walls->surround == NULL) continue;
        float *surround = &walls->surround[4 * (size_t)row];
        surround[0] += (float)(0.5 * share * faces[k].normal.x);
        surround[1] += (float)(0.5 * share * faces[k].normal.y);
        surround[2] += (float)(0.5 * share * faces[k].normal.z);
        surround[3] += (float)thaw_heat_behind(dimensions, q);
    }
}

// ---------------------------------------------------------------- air

// m² free to the air
static double area_of(const ThawHeatStep *heat, uint32_t row) {
    if (heat->open == NULL || !(heat->open[row] > 0)) return 0; // as most are: it has none
    double h = THAW_HEAT_SUPPORT * thaw_heat_size(heat, row);
    return AREA * thaw_heat_volume(heat, row) / h * (double)heat->open[row];
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

void thaw_exchange_sources(const ThawHeatStep *heat, ThawOutside *outside, double *sums,
                           double *taken) {
    for (uint32_t k = 0; k < heat->step->source_count; k++) {
        thaw_source_join(heat, k, outside, sums, taken);
    }
}

void thaw_exchange_walls(const ThawHeatStep *heat, ThawOutside *outside, float *surround) {
    const ThawStep *step = heat->step;
    if (step->store->count == 0) return;
    Walls walls = {heat, outside, surround, reach_of(heat, 0)};
    if (surround == NULL && !thaw_walls_warm(step->wall_step)) return;
    thaw_walls_faces(step->walls, step->wall_step, join_walls, &walls);
}

double thaw_exchange_air(const ThawHeatStep *heat, uint32_t row, double warmth) {
    if (!(heat->conductivity[row] > 0)) return 0;
    double temperature = heat->reference + warmth, ambient = (double)heat->step->heat->ambient;
    double resistance = 1 / transfer_of(heat, temperature) + depth_of(heat, row);
    return area_of(heat, row) * (ambient - temperature) / resistance;
}

double thaw_exchange_slope(const ThawHeatStep *heat, double warmth) {
    const ThawHeatDef *air = heat->step->heat;
    double hot = fmax(heat->reference + warmth, (double)air->ambient);
    return (double)air->convection + 4 * (double)air->emissivity * STEFAN * hot * hot * hot;
}

double thaw_exchange_rate(const ThawHeatStep *heat, const ThawOutside *outside, uint32_t row,
                          double warmth) {
    double area = area_of(heat, row);
    if (!(area > 0 && heat->conductivity[row] > 0)) return outside->conductance;
    double slope = thaw_exchange_slope(heat, warmth);
    return outside->conductance + area / (1 / slope + depth_of(heat, row));
}
