// Viscous liquid's cases as functions: tests judge their figures, the report prints them.
#ifndef TEST_SUPPORT_VISCOUS_CASES_H
#define TEST_SUPPORT_VISCOUS_CASES_H

#include "support/tank.h"

ThawLiquidDef viscous_artist(double c);           // `xsph` alone
ThawLiquidDef viscous_physical(double viscosity); // m²/s alone

// ---------------------------------------------------------------- a drop on a floor (V-6)

// A ball of 0.1 m falls 5 cm.
typedef struct ViscousDropDef {
    double c, spacing, seconds;
    int substeps; // a frame of 1/24 s, 0 = automatic
} ViscousDropDef;

typedef struct ViscousDrop {
    double radius; // m, rms distance from the axis
    double top;    // m
    double energy; // largest, share of the first
    uint32_t particles;
    double substeps, passes; // in all
    double cpu;              // s
} ViscousDrop;

ViscousDrop viscous_drop(const ViscousDropDef *def);

// ---------------------------------------------------------------- shear waves (PBF-3 in the whole engine)

// v_x = size sin(k y) in a periodic close packing, `cubes` of 1.587 spacings a wave.
typedef struct ViscousWaveDef {
    double spacing; // m
    int cubes;
    double viscosity, size, seconds; // m²/s, m/s, s
    int substeps;                    // a step of 1/120 s
} ViscousWaveDef;

typedef struct ViscousWave {
    double left, wanted; // share of the amplitude, and exp(−ν k² t)
    double kh, limit;    // the report's
    double momentum;     // largest, over mass times size
} ViscousWave;

ViscousWave viscous_wave(const ViscousWaveDef *def);

// ---------------------------------------------------------------- walls

// A 2D film 0.1 m thick that runs down a plane by 1 m/s²: its mean speed over Nusselt's, g H² / 3ν.
double viscous_film(double spacing, double viscosity, float friction);

// 2D liquid between a plate at rest and one that moves at 0.2 m/s, 0.12 m apart.
typedef struct ViscousPlates {
    double slope;   // of the velocity, over speed by gap
    double largest; // difference of any particle's, over the speed
} ViscousPlates;

ViscousPlates viscous_plates(double spacing, double viscosity);

// ---------------------------------------------------------------- a thread

// A thread 16 mm thick falls onto a floor at 0.3 m/s and more: the largest distance of the middle
// of a slice of it from its axis, over its radius. What bends and coils gets far from it; what is
// upset into a heap does not.
double viscous_thread(const ThawLiquidDef *liquid, double spacing, double length, double seconds);

#endif
