// The liquid's inner loops: one pass over a range of clusters, for each instruction set.
//
// Lengths are in cells (one support h of the usual particle), volumes in cells^dimensions.
#ifndef THAW_MODELS_LIQUID_H
#define THAW_MODELS_LIQUID_H

#include "neighbors/neighbors.h"
#include "simd/isa.h"

#define THAW_LIQUID_CHUNK 64u // clusters a task

// A particle's own numbers, for worlds in which they differ.
typedef struct ThawLiquidGrain {
    float support;   // h, cells
    float volume;    // V
    float density;   // kg/m³
    float stiffness; // β k: λ = −stiffness · C, cells²
    float tensile;   // λ of the tensile repulsion at W(Δq), cells²
    float xsph;
    float floor; // least C that acts: 0 one-sided, −1 two-sided
    float padding;
} ThawLiquidGrain;

// What one chunk of clusters adds up.
typedef struct ThawLiquidSums {
    float error; // Σ max(C, 0)
    float max_error;
    uint64_t pairs;    // within the support, when lists were pruned
    float padding[12]; // a cache line, so that chunks do not share one
} ThawLiquidSums;

typedef struct ThawLiquidPass {
    int dimensions;
    float norm;     // the kernel's norm over S
    float rest_sum; // S
    const ThawCluster *clusters;
    ThawSegment *segments;
    uint32_t cluster_count;
    ThawPlace *place;
    ThawPlace *next;
    float *shift;
    const float *wall;
    float *error;                  // C
    const float *velocity;         // xsph: before, in m/s
    float *smoothed;               // xsph: after
    ThawLiquidSums *sums;          // one a chunk
    ThawLiquidGrain grain;         // of every particle, when they are alike
    const ThawLiquidGrain *grains; // one a particle, or NULL
    int tensile_exponent;
    float reach; // of the lists in supports
} ThawLiquidPass;

// eq. 1 and 4: C, and places with λ from place to next
THAW_WIDE_DECLARE(void, thaw_liquid_density, (const ThawLiquidPass *pass, uint32_t chunk));
// The same as the first to walk rough lists: shortens them to what is in reach, and counts pairs.
THAW_WIDE_DECLARE(void, thaw_liquid_prune, (const ThawLiquidPass *pass, uint32_t chunk));
// eq. 5 and 7: moves from place to next, and adds to shift
THAW_WIDE_DECLARE(void, thaw_liquid_correct, (const ThawLiquidPass *pass, uint32_t chunk));
// eq. 6: smoothed velocities
THAW_WIDE_DECLARE(void, thaw_liquid_smooth, (const ThawLiquidPass *pass, uint32_t chunk));

#endif
