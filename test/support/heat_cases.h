// Heat's cases as functions: tests judge their figures, the report prints them. All run the shipped engine through
// thaw_world_step, with particles at rest unless said.
#ifndef TEST_SUPPORT_HEAT_CASES_H
#define TEST_SUPPORT_HEAT_CASES_H

#include <stdbool.h>
#include <stdint.h>
#include <thaw/thaw.h>

typedef enum HeatPacking {
    HEAT_CLOSE, // fcc, in 2D hexagonal
    HEAT_CUBIC,
    HEAT_LIQUID // stirred, at rest since
} HeatPacking;

extern const char *const heat_packings[3];

// An explicit step on the close packing, for α = 1 and spacing 1.
double heat_limit(int dimensions);

// ---------------------------------------------------------------- a periodic wave (H-1)

typedef struct HeatWaveDef {
    int dimensions;
    HeatPacking packing;
    double limits; // length of a step, in explicit ones
    bool coarse;   // 10 particles a wave, else 20
    ThawIsa isa;
} HeatWaveDef;

typedef struct HeatWave {
    double length;             // spacings
    double left[3], wanted[3]; // amplitude at Fo = 0.01, 0.02, 0.05 or the next step after
    double diffusivity;        // measured over given, at the last
    double drift;              // of Σ m h, of its amount
    double stages;             // passes over the pairs, a step
} HeatWave;

HeatWave heat_wave(const HeatWaveDef *def);

// ---------------------------------------------------------------- a slab and a cube (H-2)

#define HEAT_TIMES 5
extern const double heat_times[HEAT_TIMES]; // Fo

typedef struct HeatCoolingDef {
    int dimensions;
    HeatPacking packing;
    bool cube;     // cold on all sides, else on two; a square in 2D
    int across;    // layers
    double limits; // length of a step
} HeatCoolingDef;

typedef struct HeatCooling {
    double quarter[HEAT_TIMES], center[HEAT_TIMES], mean[HEAT_TIMES]; // shares of the first warmth
    double budget; // heat's change less what was taken, of its amount
    uint32_t particles;
} HeatCooling;

HeatCooling heat_cooling(const HeatCoolingDef *def);
// What they should be.
HeatCooling heat_cooling_exact(int dimensions, bool cube);

// ---------------------------------------------------------------- two halves that differ

// Steady conduction through close packings of spacing 1 and `ratio`, the second of `conductivity`, between two planes.
typedef struct HeatHalvesDef {
    int dimensions;
    double ratio, conductivity;
} HeatHalvesDef;

typedef struct HeatHalves {
    double flux[2]; // in each half, over what it should be
    // resistance between them: that of so many of the first's spacings, of what conducts worse
    double joint;
} HeatHalves;

HeatHalves heat_halves(const HeatHalvesDef *def);

// ---------------------------------------------------------------- a melting front (ST-1)

#define HEAT_FRONTS 5
extern const double heat_front_times[HEAT_FRONTS]; // s

// λ of Stefan's front, 2 λ √(α t): √π λ e^(λ²) erf λ = St.
double heat_front_factor(double stefan);

typedef struct HeatFrontDef {
    double stefan;
    double dt;
    int count;      // of heat_front_times
    bool solid;     // what melts is a solid, and becomes a liquid; else heat alone acts
    double size;    // spacings that are worth dx = 0.01 m: 2 is half the resolution
    int dimensions; // 0 = 3
    bool free;      // the far end is; else a plane that insulates keeps all snug
    double gravity; // m/s², presses it to the hot plane
} HeatFrontDef;

typedef struct HeatFront {
    double place[HEAT_FRONTS], wanted[HEAT_FRONTS]; // m
    double molten[HEAT_FRONTS];                     // m: all that is molten, as a layer
    double budget;                                  // of the heat taken
    double coldest, hottest;                        // K beyond those of the data: 0 or less
    uint32_t melted;
} HeatFront;

HeatFront heat_front(const HeatFrontDef *def);

// ---------------------------------------------------------------- a closed system

// Warm liquid and cold solids of one material tumble in an insulated box, melting and freezing.
typedef struct HeatClosedDef {
    int dimensions;
    uint32_t steps;
    double dt;
    int threads;
} HeatClosedDef;

typedef struct HeatClosed {
    double drift;                             // largest, of heat's amount
    uint32_t melted, frozen;                  // particles
    double temperature;                       // K, mean at the end
    double molten;                            // share at the end
    double wanted_temperature, wanted_molten; // at rest, by calorimetry
    uint32_t particles;
} HeatClosed;

HeatClosed heat_closed(const HeatClosedDef *def);

#endif
