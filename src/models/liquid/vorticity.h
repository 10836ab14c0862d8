// Vorticity: gives back what the method takes from eddies.
//
// Position-based fluids lose the motion of eddies as a viscous fluid does, mostly in the constraint's solve,
// some in smoothing. How viscous a substep was is measured, and undone: with ω the curl of the velocities, filtered
// so that only eddies of several spacings are left, and
//   c = ∇ × ω,   ℓ = v_before + g dt − v_after,
// a viscosity ν would have taken ℓ = ν dt c from an incompressible flow, and pressure nothing along c. So the
// least-squares ν dt is ⟨ℓ, c⟩ / ⟨c, c⟩, and velocities get a share of ν dt c back; never more than what leaves
// kinetic and potential energy below what the substep began with. Pairs exchange it alike in both directions.
#ifndef THAW_MODELS_VORTICITY_H
#define THAW_MODELS_VORTICITY_H

#include "models/liquid/liquid.h"
#include "models/model.h"

// What one walk over neighbours does to three numbers a row.
typedef enum ThawSpinKind {
    THAW_SPIN_CURL,   // to = Σ_j V_j (from_j − from_i) × −∇W_ij
    THAW_SPIN_FILTER, // to = from_i + share Σ_j V_j W_ij (from_j − from_i)
    THAW_SPIN_TURN    // to = Σ_j V_j (from_i + from_j) × −∇W_ij: a curl whose pairs cancel
} ThawSpinKind;

typedef struct ThawSpinPass {
    const ThawLiquidPass *pass; // places, lists and grains
    ThawSpinKind kind;
    const float *from;
    float *to;
    float share;
} ThawSpinPass;

THAW_WIDE_DECLARE(void, thaw_spin_pass, (const ThawSpinPass *spin, uint32_t chunk));

// From substep to substep only room.
typedef struct ThawVorticity {
    bool on;      // some material asks for it
    float most;   // the largest strength
    float *start; // v_before + g dt, 3 a row
    double *sums; // of chunks
    size_t start_bytes, sums_bytes;
    double budget; // J: energy that the substep has taken so far
} ThawVorticity;

void thaw_vorticity_release(ThawVorticity *vorticity);

// The moments of a substep, in order; each returns at once when no material asks for it.
// Neighbours are known, velocities are those before: keeps them.
ThawResult thaw_vorticity_begin(ThawVorticity *vorticity, ThawStep *step);
// Velocities are those of the moves: counts what the solve took.
void thaw_vorticity_moved(ThawVorticity *vorticity, const ThawStep *step);
// They are smoothed: gives back. Uses work->next and work->shift as room.
void thaw_vorticity_give(ThawVorticity *vorticity, ThawStep *step, const ThawLiquidPass *pass);

#endif
