// The liquid's inner loops: one pass over a range of clusters, for each instruction set.
//
// Lengths are in cells (one support h of the usual particle), volumes in cells^dimensions.
#ifndef THAW_MODELS_LIQUID_H
#define THAW_MODELS_LIQUID_H

#include "neighbors/neighbors.h"
#include "simd/isa.h"

#define THAW_LIQUID_CHUNK 64u      // clusters a task
#define THAW_LIQUID_SLOPE 12.0f    // of the kernel: −f'(q)/q = 12 (1 − q²)⁵
#define THAW_LIQUID_NEAR 0.177979f // (1 − ½²)⁶: W at one spacing
#define THAW_LIQUID_NOISE 0.5f     // of h ∇C: more than packings have where no surface is

// A particle's own numbers, for worlds in which they differ.
typedef struct ThawLiquidGrain {
    float support;   // h, cells
    float volume;    // V
    float density;   // kg/m³
    float stiffness; // β k: λ = −stiffness · C, cells²
    float tensile;   // λ of the tensile repulsion at W(Δq), cells²
    float xsph;      // c of eq. 6 in this substep
    float cap;       // f of surface tension, cells²: how strongly pairs attract each other
    float tension;   // σ, N/m
} ThawLiquidGrain;

// What particle i of a pair takes from j, h being the pair's support.
typedef struct ThawLiquidPair {
    float inverse_h2; // 1/h², place units
    float weight;     // of W in C_i, with the kernel's norm
    float push;       // of the correction
    float own, other; // g_ij h_i/h and g_ji h_j/h: of both λ
    float square;     // of the slope's square in Σ |∇C|²; 0 where all are even
    float lean;       // of t⁵ times the offset in h ∇C_i, 1 / place units
    float tensile;    // λ of the tensile repulsion at W = 1
    float pull;       // how strongly both attract each other
} ThawLiquidPair;

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
    float narrow;   // share of the support that density and corrections take where particles differ
    const ThawCluster *clusters;
    ThawSegment *segments;
    uint32_t cluster_count;
    ThawPlace *place;
    ThawPlace *next;
    float *shift;
    const float *wall;
    float *error;                  // C
    ThawLiquidSums *sums;          // one a chunk
    ThawLiquidGrain grain;         // of every particle, when they are alike
    const ThawLiquidGrain *grains; // one a particle, or NULL
    const uint8_t *kinds;        // of each particle when they differ; NULL when kinds are too many
    const ThawLiquidPair *pairs; // kind_count × kind_count
    uint32_t kind_count;
    float uneven;             // 1 when sizes or densities differ, otherwise 0
    float inverse_relaxation; // 1/β
    const float *excess;      // what C may be without pressing, one a row, or NULL
    const float *lean;        // h ∇γ, three a row, where sizes differ; otherwise NULL
    float air, most_air;      // of n² in the share that lies in air, and the most of it
    int tensile_exponent;     // 0 = none
    bool tension;             // some particle has a cap
    float reach;              // of the lists in supports
} ThawLiquidPass;

// s of g: in 3D the room between large particles is wider
static inline float thaw_kinds_guard(const ThawLiquidPass *pass) {
    return pass->dimensions == 3 ? 1.45f : 1.0f;
}

// the norm of a pair's kernel over S: of a narrower support it is more
static inline float thaw_kinds_norm(const ThawLiquidPass *pass) {
    float narrow = pass->narrow;
    return pass->norm / (pass->dimensions == 3 ? narrow * narrow * narrow : narrow * narrow);
}

// eq. 1 and 4: C, and places with λ from place to next
THAW_WIDE_DECLARE(void, thaw_liquid_density, (const ThawLiquidPass *pass, uint32_t chunk));
// The same as the first to walk rough lists: shortens them to what is in reach, and counts pairs.
THAW_WIDE_DECLARE(void, thaw_liquid_prune, (const ThawLiquidPass *pass, uint32_t chunk));
// eq. 5 and 7: moves from place to next, and adds to shift
THAW_WIDE_DECLARE(void, thaw_liquid_correct, (const ThawLiquidPass *pass, uint32_t chunk));

#endif
