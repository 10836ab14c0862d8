// Viscosity: velocities are smoothed by eq. 6 in a few stable passes, and by an implicit solve
// beyond what passes can do.
//
// With L v = Σ_j V_j 2ρ_j/(ρ_i + ρ_j) W_ij (v_i − v_j), whose waves have the eigenvalues x = 1 −
// Ŵ(k), a substep of coefficient c multiplies each wave by
//   Π (1 − c_n x) / (1 + r x),   Σ c_n + r = c,
// passes of c_n ≤ ½ first, and r what four of them leave over. The law is continuous and falls with
// c.
#ifndef THAW_MODELS_VISCOSITY_H
#define THAW_MODELS_VISCOSITY_H

#include "models/liquid/clinging.h"
#include "models/liquid/smoothing.h"
#include "models/model.h"

#define THAW_VISCOSITY_PASSES 4 // explicit ones

// How a substep's c is spent.
typedef struct ThawViscosityPlan {
    double c;                           // taken, at most what is asked for
    double pass[THAW_VISCOSITY_PASSES]; // c_n
    uint32_t passes;
    double rest;    // r
    double largest; // bound of r x
    uint32_t steps; // of the solve
} ThawViscosityPlan;

// `row`: the largest row sum of L that any particle may have.
ThawViscosityPlan thaw_viscosity_plan(double c, double row);
// What the plan leaves of a wave with eigenvalue x of L.
double thaw_viscosity_factor(const ThawViscosityPlan *plan, double x);

// The c that a material asks for in a substep of dt: artist's and physical together.
double thaw_viscosity_asked(int dimensions, const ThawLiquidDef *liquid, double spacing, double dt);

// Room for what particles cling to and how they turn.
typedef struct ThawViscosity {
    ThawClinging clinging;
    float *spins, *moments, *thinness;
    size_t spins_bytes, moments_bytes, thinness_bytes;
} ThawViscosity;

void thaw_viscosity_release(ThawViscosity *viscosity);

// Smooths the store's velocities, and those of dynamic colliders that liquid clings to. Uses
// work->next and work->shift as room.
ThawResult thaw_viscosity_run(ThawViscosity *viscosity, ThawStep *step, const ThawLiquidPass *pass);

#endif
