// Bars and plates of the validation cases LAT-1 to LAT-3 and W-12, and the moduli that follow from them,
// on the shipped solid at any size.
#ifndef TEST_SOLID_ENGINE_BARS_H
#define TEST_SOLID_ENGINE_BARS_H

#include "solid/engine.h"

// LAT-1: a free bar that rings along its length, gaps half-layers long and thick; along x before it is turned. In 2D
// gaps are D long and rows thick.
typedef struct Ringing {
    uint32_t particles;
    double period, wanted;    // s, with the surface factor
    double energy;            // largest |E/E₀ − 1|
    double momentum, angular; // drift over Σ m|v|, of L over that times the length
    double damping;           // ratio to the critical one, from the energy that is left
    ThawReport report;        // of the last step
} Ringing;
Ringing ring_bar(const EngineDef *def, int length, int thickness, Mat turn, double dt,
                 double periods);
// A turn about two axes: a lattice that lies along none.
Mat tilted_turn(void);

// LAT-2: a bar with three planes held, along x; gaps as above. Units k = m = D = 1, explicit.
typedef struct Cantilever {
    uint32_t particles;
    double sag, sag_wanted;       // by its own weight; Timoshenko
    double period, period_wanted; // Euler and Bernoulli
} Cantilever;
Cantilever sag_cantilever(int length, int thickness);
Cantilever swing_cantilever(int length, int thickness);

// LAT-3: the plate of Gray, Monaghan and Swift, 0.2 m × 0.02 m, E = 2e6 Pa, 1000 kg/m³. Half a period
// where periods is 0, and no decay.
typedef struct Plate {
    uint32_t particles;
    double period; // s, from the crossings of its first mode
    double decay;  // of the amplitude in a period
} Plate;
#define PLATE_TIMOSHENKO 0.27866 // s
Plate swing_plate(int layers, int periods);

// W-12: a block tumbled for so many steps of 0.2 √(m/k), then stopped; rms distance from the rest
// lattice in D, and what it was while spinning.
double tumble_and_stop(int nx, int ny, int nz, int steps, double *spinning);

// A bar without ends (periodic along x), stretched by 0.5 % and at rest: what its sides did.
typedef struct Stretched {
    double poisson; // lateral over axial strain
    double young;   // from its energy, over the one asked for
    double moving;  // kinetic over elastic energy at the end
} Stretched;
Stretched stretch_bar(int dimensions, float poisson, ThawElasticity law);

#endif
