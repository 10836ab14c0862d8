// The thermal model's inside: what its files share.
//
// Heat moves in steps of its own: as many substeps are taken together as conduction allows and as long as nothing has
// moved far, and what is due at the end of a step is always done. Such a heat step is three things:
//   heat      conduction between particles, exchange with walls, air and sources (heat.c, heat_wide.c, exchange.c)
//   change    particles melt and freeze (melting.c, freezing.c, ...)
//   factors   what temperature makes of stiffness, damping and viscosity (factors.c; every substep, after sorting)
#ifndef THAW_MODELS_THERMAL_H
#define THAW_MODELS_THERMAL_H

#include "lattice/state.h"
#include "models/heat_state.h"
#include "models/model.h"

typedef struct ThawThermal {
    bool active;               // the world has heat, and particles
    ThawEnthalpyCurve *curves; // one a material
    double *swells;            // one a material: how much longer a particle is as a solid
    bool swollen;              // some is not 1
    size_t curves_bytes, swells_bytes;
    double due;      // s since the last heat step
    double travel;   // m: how far any particle may have moved since then
    uint32_t rounds; // heat steps of this step so far: a counter for random numbers
    struct ThawConduction *conduction; // heat.c
    struct ThawChanges *changes;       // change.c
    struct ThawFactors *factors;       // factors.c
} ThawThermal;

// ---------------------------------------------------------------- heat.c

ThawResult thaw_conduction_create(struct ThawConduction **conduction);
void thaw_conduction_destroy(struct ThawConduction *conduction);
// Moves heat for `dt` seconds between the particles as they are (step->work->place, step->neighbors), and between them
// and walls, air and sources; adds to report->heat_taken and heat_stages. Sets enthalpies and temperatures.
ThawResult thaw_conduction_run(ThawThermal *thermal, ThawStep *step, double dt);
// The longest dt in s that one pass over the pairs takes; INFINITY when nothing conducts.
double thaw_conduction_limit(const ThawThermal *thermal, const ThawStep *step);

// ---------------------------------------------------------------- tally.c

// Sums of enthalpies and molten masses, and extremes of temperature, for the report.
void thaw_thermal_tally(const ThawThermal *thermal, ThawStep *step);

// ---------------------------------------------------------------- change.c

ThawResult thaw_changes_create(struct ThawChanges **changes);
void thaw_changes_destroy(struct ThawChanges *changes);
// Lets particles melt and freeze as `dt` seconds would; sets step->changed when any did, adds to report->melted and
// frozen.
ThawResult thaw_changes_run(ThawThermal *thermal, ThawStep *step, double dt);

// ---------------------------------------------------------------- factors.c

ThawResult thaw_factors_create(struct ThawFactors **factors);
void thaw_factors_destroy(struct ThawFactors *factors);
// Reads the materials' curves, and sets factors of the rows as they are: what others plan by.
ThawResult thaw_factors_begin(ThawThermal *thermal, ThawStep *step);
// Sets step->stiffness, damping and viscosity where a material has such curves, else NULL.
ThawResult thaw_factors_set(ThawThermal *thermal, ThawStep *step);

// ---------------------------------------------------------------- youth.c

#define THAW_YOUTH_ROWS 4096u // rows a task

// Sets step->youth and excess where something has just melted, else NULL.
void thaw_youth_aim(ThawStep *step);
// Lets both fade by the substep, at its end.
void thaw_youth_fade(const ThawStep *step);

// The rest of a heat step's random numbers: unlike for every heat step of a world.
static inline uint64_t thaw_thermal_draw(const ThawThermal *thermal, const ThawStep *step) {
    return (step->step << 16) + thermal->rounds;
}

#endif
