// The liquid's validation cases as functions: tests judge their figures, the report prints them.
#ifndef TEST_SUPPORT_LIQUID_CASES_H
#define TEST_SUPPORT_LIQUID_CASES_H

#include "support/tank.h"

// What a run cost.
typedef struct CaseCost {
    uint32_t particles;
    uint64_t steps, substeps;
    int threads;
    double seconds; // wall time
} CaseCost;

// ---------------------------------------------------------------- dam break (PBF-1)

#define DAM_POINTS 15
#define DAM_FIRST 1 // the first point that counts: T >= 0.8

extern const double dam_times[DAM_POINTS];  // T = t √(2g/a)
extern const double dam_fronts[DAM_POINTS]; // Z = x/a, Martin and Moyce 1952, table 2, a = 2.25 in

typedef struct DamDef {
    double resolution; // a/d
    float friction;    // of the channel
    int iterations, threads;
    bool water; // its own viscosity alone, in place of the case's c
} DamDef;

typedef struct DamFigures {
    double front[DAM_POINTS];
    double rms, max;               // relative error of the front for T >= 0.8
    double interior_mean;          // |C| of the interior, mean over particles and steps
    double peak;                   // largest compression of any particle in any step
    double energy_max, energy_end; // share of the start
    CaseCost cost;
} DamFigures;

DamFigures dam_run(const DamDef *def);

// ---------------------------------------------------------------- settling pool (PBF-2)

typedef struct PoolDef {
    int dimensions;
    double spacing; // m; the pool is 1 m in every direction
    int iterations, threads;
    double seconds;       // to settle
    double drift_seconds; // then watched, 0 = not
    bool water;           // its own viscosity alone, in place of the default's smoothing
} PoolDef;

typedef struct PoolFigures {
    double height;     // mean height of the particles, m
    double ideal;      // N d^dim / (2 area), m
    double rms_speed;  // over the last 0.2 s, m/s
    TankMean interior; // |C| more than 3 spacings below the surface
    double drift;      // share of the height
    CaseCost cost;
} PoolFigures;

PoolFigures pool_run(const PoolDef *def);

// ---------------------------------------------------------------- falling block (V-5)

typedef struct DropDef {
    double spacing; // m; 2D, a block of 1 m × 1 m falls 1 m into a dry tank 2 m wide
    int iterations, substeps, threads;
} DropDef;

typedef struct DropFigures {
    double peak;          // largest compression of any particle in any step
    double peak_mean;     // largest mean compression in any step
    double interior_mean; // |C| of the interior after the impact, mean over particles and steps
    double energy_max;
    CaseCost cost;
} DropFigures;

DropFigures drop_run(const DropDef *def);

#endif
