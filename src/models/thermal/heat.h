// Conduction's inside: what heat.c, heat_wide.c and exchange.c share.
//
// The kernel's slope is f(t) = t³ (1 + 2 t) on t = 1 − q²: of the shapes that need no root it is the one whose sums on
// the close packing, on the cubic one and in a liquid differ least (docs/theory/heat.md). f is −w'(q)/q of the kernel
// w = t⁴/8 + t⁵/5.
#ifndef THAW_MODELS_THERMAL_HEAT_H
#define THAW_MODELS_THERMAL_HEAT_H

#include "models/thermal/thermal.h"
#include "simd/isa.h"

#define THAW_HEAT_SUPPORT 2.0 // h in spacings, that of neighbour lists
#define THAW_HEAT_CHUNK 64u   // clusters a task
#define THAW_HEAT_ROWS 2048u  // rows a task
// spacings: a wall is felt from no closer, or a particle pressed to it would need steps of its own
#define THAW_HEAT_NEAREST 0.25
#define THAW_HEAT_SELF 3.0f // f of a particle and itself, its largest
#define THAW_HEAT_RUN 32    // neighbours whose flows are added up in 32 bits

// A particle's own numbers, where sizes differ.
typedef struct ThawHeatGrain {
    float support;      // h, cells
    float volume;       // V, cells^dimensions
    float conductivity; // W/(m K)
} ThawHeatGrain;

// What a chunk of clusters adds up: Σ of flows, 0 but for rounding and pairs seen from one side alone, and of their
// amounts.
typedef struct ThawHeatSums {
    double net, all;
    double padding[6]; // a cache line
} ThawHeatSums;

// One walk over all pairs. Flows are in units that the pass's owner knows.
typedef struct ThawHeatPass {
    int dimensions;
    const ThawCluster *clusters;
    const ThawSegment *segments;
    uint32_t cluster_count;
    const ThawPlace *place;
    int32_t behind[3],
        mirrored[3];             // place units: an image one period back, and that forth, negated
    const float *warmth;         // K above the reference, one a row
    const float *conductivity;   // one a row; NULL: all are alike
    const ThawHeatGrain *grains; // one a row; NULL: sizes are alike
    double *flow;                // what each row takes from its neighbours
    float *rate;                 // Σ of conductances to them; NULL: not asked for
    float *open;                 // how open each is to the air, −; NULL: not asked for
    const float
        *walls; // then, four a row: what walls add to −h ∇ of the volume fraction, and to that
    float surround_scale; // what makes these of sums over neighbours
    float counts, piece;  // whole numbers a unit of flow, a power of two, and 1 over it
    ThawHeatSums *sums;   // one a chunk
} ThawHeatPass;

THAW_WIDE_DECLARE(void, thaw_heat_flow, (const ThawHeatPass *pass, uint32_t chunk));
// The lowest and the highest of some numbers.
THAW_WIDE_DECLARE(void, thaw_heat_span,
                  (const float *numbers, uint32_t count, float *lowest, float *highest));

// Sets what the pass is about: clusters, places and images.
void thaw_heat_pass_begin(ThawHeatPass *pass, const ThawDomain *domain, ThawNeighbors *neighbors,
                          const ThawPlace *place);

// Chooses how finely flows are counted, between the coldest and the hottest of all warmths. Those of THAW_HEAT_RUN
// neighbours fit 32 bits; where any two conduct unlike or are of unlike sizes flows are not counted.
void thaw_heat_pass_count(ThawHeatPass *pass, double coldest, double hottest);

// How a row is joined to what is not particles, during one heat step.
typedef struct ThawOutside {
    double conductance; // W/K, to walls
    double draw;        // W, from sources, and from walls at warmth 0
    int32_t holder;     // 1 + the source that holds it at a temperature; 0 = none
    int32_t heater;     // 1 + the last source with power that it is inside of
} ThawOutside;

// What all rows of a heat step have in common.
typedef struct ThawHeatStep {
    ThawThermal *thermal;
    ThawStep *step;
    ThawThermalState state;
    const float *conductivity; // one a row
    const float *open;         // one a row, how open it is to the air; NULL: that takes no part
    double begin, end;         // s, of the world
    double reference;          // K: warmths count from here
    bool sizes;                // they differ, or are not the world's usual one
} ThawHeatStep;

// A row's mass in kg (2D: of a metre of depth).
static inline double thaw_heat_mass(const ThawStep *step, uint32_t row) {
    double d = (double)step->store->spacing[row];
    double volume = step->domain->dimensions == 3 ? d * d * d : d * d;
    return (double)step->materials[step->store->material[row]].density * volume;
}

// How far apart such particles are, m: more where matter swells as a solid. The volume is that of the room they take.
static inline double thaw_heat_size(const ThawHeatStep *heat, uint32_t row) {
    const ThawStore *store = heat->step->store;
    double d = (double)store->spacing[row];
    return store->state[row] == THAW_STATE_SOLID ? d * heat->thermal->swells[store->material[row]]
                                                 : d;
}
static inline double thaw_heat_volume(const ThawHeatStep *heat, uint32_t row) {
    double d = thaw_heat_size(heat, row);
    return heat->step->domain->dimensions == 3 ? d * d * d : d * d;
}

// Shares of the kernel's second moment: how much of a wall at q = distance/h a particle sees. V/h · face is its area;
// over a flat wall they add up to the wall's. Half of it is h ∇ of the volume fraction that the wall adds.
double thaw_heat_face(int dimensions, double q);
// The share of the kernel behind it.
double thaw_heat_behind(int dimensions, double q);
// ∫ f over the unit ball times the square of a coordinate
double thaw_heat_moment(int dimensions);

// ---------------------------------------------------------------- exchange.c

// What of all that is not particles takes part.
typedef struct ThawExchanges {
    bool walls, air, sources;
    bool held; // some sources hold a temperature
} ThawExchanges;

ThawExchanges thaw_exchanges(const ThawStep *step);
// Adds what sources do to rows that have nothing outside yet: `sums` is scratch of one a chunk of rows. Rows that are held
// take their temperature at once; *taken and sources' `given` count what that takes.
void thaw_exchange_sources(const ThawHeatStep *heat, ThawOutside *outside, double *sums,
                           double *taken);
// Adds walls to what is outside, and to what they are of the surroundings of rows (the pass's `walls`); NULL without air.
void thaw_exchange_walls(const ThawHeatStep *heat, ThawOutside *outside, float *surround);
// W that a row which is so warm takes from the air. Only where it is open.
double thaw_exchange_air(const ThawHeatStep *heat, uint32_t row, double warmth);
// W into a row that is so warm, and how fast that falls as it gets warmer, W/K.
static inline double thaw_exchange_flow(const ThawHeatStep *heat, const ThawOutside *outside,
                                        uint32_t row, double warmth) {
    double flow = outside->draw - outside->conductance * warmth;
    bool open = heat->open != NULL && heat->open[row] > 0; // most are not
    return open ? flow + thaw_exchange_air(heat, row, warmth) : flow;
}
double thaw_exchange_rate(const ThawHeatStep *heat, const ThawOutside *outside, uint32_t row,
                          double warmth);
// The air's part of that, at most, W/(m² K).
double thaw_exchange_slope(const ThawHeatStep *heat, double warmth);

// ---------------------------------------------------------------- sources.c

// Adds a source, by its place in the step, to the rows that are inside; *taken and its `given` count what holding takes at
// once.
void thaw_source_join(const ThawHeatStep *heat, uint32_t index, ThawOutside *outside, double *sums,
                      double *taken);

#endif
