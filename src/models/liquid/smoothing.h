// One pass of viscosity over the particles, as its inner loops see it.
//
// Eq. 6 smooths a rotation at a free surface as it smooths shear: what turns as one is slowed down.
// A physical viscosity must not do that, so its pairs exchange only what is left of their
// difference without a turn:
//   D v_i = Σ_j a_ij (v_j − v_i − ½ q (ω_i + ω_j) × r_ij),   ω = J⁻¹ Σ_j a_ij r_ij × (v_j − v_i),
//   J = Σ_j a_ij (r² − r r),   q from 0 (eq. 6 itself) to 1.
// This is 2 − q times as weak on shear, keeps linear momentum as eq. 6 does, with q = 1 angular
// momentum too, and is symmetric and not positive: by least squares Σ a |u|² ≥ ω J ω for each
// particle.
#ifndef THAW_MODELS_SMOOTHING_H
#define THAW_MODELS_SMOOTHING_H

#include "models/liquid/liquid.h"

// What a particle of one kind takes from one of another.
typedef struct ThawSmoothingPair {
    float inverse_h2; // 1/h², place units
    float weight;     // c V_j 2ρ_j/(ρ_i + ρ_j) / h^dimensions, times the kernel's norm
} ThawSmoothingPair;

// What one pass does. Explicit: next = v + s D(v), with D = −c L; a step of the solve of (1 − s D)
// v = aim: next = v + momentum (v − last) + step (aim − v + s D(v)).
typedef struct ThawSmoothing {
    const ThawLiquidPass *pass;     // places, lists and grains
    const ThawSmoothingPair *pairs; // a pair of kinds, where the pass has kinds
    const float *velocity;          // 3 a row, m/s
    float *next;
    const float *aim;  // NULL: explicit
    const float *last; // may be `next`
    float share;       // s
    float momentum, step;
    // one a row, or NULL: 1/f where temperature makes a row's c f times as large. A pair takes the harmonic mean of f,
    // times the mean of what both would have without.
    const float *thinness;
    const float *spin; // ω, 3 a row, (m/s)/cell; NULL: turning is smoothed as shear is
    float spared;      // q
    float *spins;      // where `turn` writes ω
    float *moments;    // where `moments` writes J⁻¹: xx, yy, zz, xy, yz, zx
} ThawSmoothing;

THAW_WIDE_DECLARE(void, thaw_viscosity_pass, (const ThawSmoothing *smoothing, uint32_t chunk));
// J⁻¹ of each row, and from it ω of `velocity`.
THAW_WIDE_DECLARE(void, thaw_viscosity_moments, (const ThawSmoothing *smoothing, uint32_t chunk));
THAW_WIDE_DECLARE(void, thaw_viscosity_turn, (const ThawSmoothing *smoothing, uint32_t chunk));

// J⁻¹ from the second moments Σ a r r of a row, a little less than it where neighbours lie on a
// line.
void thaw_viscosity_invert(const float moments[6], float inverse[6]);

#endif
