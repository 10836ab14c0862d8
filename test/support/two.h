// Two sizes or two liquids in one tank, for the physics tests: where they lie, and what their interface is like.
//
// Phase 0 lies below or on the left. Heights are fitted to whole layers of the larger particles, and without side
// walls the tank is periodic, so that fresh lattices leave no holes.
#ifndef TEST_SUPPORT_TWO_H
#define TEST_SUPPORT_TWO_H

#include "support/tank.h"

typedef enum TwoPlace {
    TWO_ABOVE,  // one on the other
    TWO_BESIDE, // side by side, each over half of the width
    TWO_INSIDE  // phase 0 is a block at the bottom with phase 1 on all sides of it
} TwoPlace;

typedef struct TwoPhase {
    double spacing;       // m
    float density;        // kg/m³
    ThawLiquidDef liquid; // how it flows
    int layers;           // of the larger of both spacings
} TwoPhase;

typedef struct TwoDef {
    int dimensions;
    TwoPhase phase[2];
    TwoPlace place;
    int across;     // lattice cells of the larger spacing that the tank is wide
    bool walls;     // side walls; false: periodic
    float friction; // of the walls
    double jitter;  // of fresh particles, spacings
    double lift;    // m: by how much phase 1 starts higher than it would rest, above alone
    uint64_t seed;  // of the jitter; 0: the world's own
    int threads;
} TwoDef;

typedef struct Two {
    TwoDef def;
    Tank tank;
    double width, height;     // m, of the tank and of the liquid at the start
    double volume[2];         // m³ or m²
    double face;              // m: where the interface is, along up or along x
    double start;             // J, energy after the first step
    double energy_max;        // share of the start, the most so far
    uint64_t substeps;        // so far
    const float *spacing;     // of the rows as last looked at
    const uint16_t *material; // 0 or 1
} Two;

// What a phase is like now.
typedef struct TwoPhaseFigures {
    uint32_t count;
    double height;       // m, mean
    double rms_speed;    // m/s
    double face_speed;   // m/s, the fastest of two layers at the interface
    double cross;        // own spacings: how far a centre is beyond the interface, at most
    double cross_inside; // the same of those away from side walls, by two large supports; in 3D one
    double error_mean, error_max; // |C| of the two layers at the interface, away from the surface
} TwoPhaseFigures;

typedef struct TwoFigures {
    TwoPhaseFigures phase[2];
    double
        gap; // large spacings: how much further the phases are apart than their volumes are thick
    double energy; // share of the start
} TwoFigures;

TwoDef two_def(int dimensions, double spacing0, double spacing1); // water, one above the other
Two two_open(const TwoDef *def);
void two_close(Two *two);
void two_run(Two *two, double seconds); // in steps of 10 ms
TwoFigures two_look(const Two *two);
void two_print(const Two *two, const TwoFigures *figures, const char *name);

#endif
