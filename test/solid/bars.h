// Bars, plates and columns of the validation cases LAT-1 to LAT-3, FR-2 and FR-3 on the solid's slow
// twin, at any size. Units k = m = D = 1 but for the plate, which is in SI.
#ifndef TEST_SOLID_BARS_H
#define TEST_SOLID_BARS_H

#include "solid/twin.h"

// LAT-1: a free bar that rings along its length, gaps half-layers long and thick.
typedef struct Ringing {
    int particles;
    double period, wanted; // with the surface factor
    double energy;         // largest |E/E₀ − 1|
    double momentum, angular;
} Ringing;
Ringing ring_bar(int length, int thickness, int periods);

// LAT-2: a bar with three planes held, along x; gaps as above.
typedef struct Cantilever {
    int particles;
    double sag, sag_wanted;       // by its own weight; Timoshenko
    double period, period_wanted; // Euler and Bernoulli
} Cantilever;
Cantilever sag_cantilever(int length, int thickness);
Cantilever swing_cantilever(int length, int thickness);

// LAT-3: the plate of Gray, Monaghan and Swift, 0.2 m × 0.02 m, E = 2e6 Pa, 1000 kg/m³.
typedef struct Plate {
    int particles, steps;
    double period; // s, from the tip's crossings
    double decay;  // of the amplitude in a period
} Plate;
#define PLATE_TIMOSHENKO 0.27866 // s
#define PLATE_EULER 0.27684      // s
// Half a period where periods is 0, and no decay.
Plate swing_plate(int layers, int periods);

// FR-2: a bar of 20 × 8 × 8 half-layers, plain or necked in its middle, drawn apart by its ends from rest.
typedef struct Parted {
    int particles, pieces, sizes[2];
    int again;           // pieces after being pushed together once more
    double momentum;     // |Σ p − impulse of the grips|
    double work, energy; // of the grips; left in the pieces right after the pull
    double strongest;    // max|F| after rest
} Parted;
Parted part_bar(double dt, bool necked);

// FR-3: a column held at its top.
typedef struct Column {
    bool broken;
    double stretch; // elongation over ρ g L²/(2E) and the surface factor
    double strain;  // at the clamp over ρ g L/E and the surface factor
    double height;  // of the first breaks, 0 at the lower end, 1 at the clamp
    double fallen;  // share of the particles that are free of the clamp
} Column;
// `load` is ρ g L/E and grows from nothing in `ramp`: at once where that is 0
#define COLUMN_RAMP 80.0
Column hang_column(double load, double fracture_strain, double dt, double ramp);
// the least load that breaks it, within 2 %
double column_strength(double fracture_strain, double dt);

// W-12: a block tumbled and then stopped; rms distance from the rest lattice in D.
double tumble_and_stop(int nx, int ny, int nz, int steps, double *spinning);

#endif
