// Surface tension: what the artist's κ or a physical value means for attraction, and the pull of curved surfaces.
#ifndef THAW_MODELS_TENSION_H
#define THAW_MODELS_TENSION_H

#include "models/liquid/liquid.h"
#include "models/model.h"

// N/m that a material asks for at a spacing in m: κ and the physical value together.
double thaw_tension_asked(const ThawMaterial *material, double spacing);

// The same, as far as a substep of dt can follow it.
double thaw_tension_used(const ThawMaterial *material, double spacing, double dt);

// f: how strongly particles attract each other, as λ in m².
double thaw_tension_cap(int dimensions, int iterations, double tension, double density,
                        double spacing, double dt);

// The longest substep in s that follows the shortest waves.
double thaw_tension_dt(double tension, double density, double spacing);

// What a substep's pull needs besides the liquid's pass.
typedef struct ThawTensionPass {
    const ThawLiquidPass *liquid;
    float noise; // ε: slopes of the volume fraction times h that are no surface
    float kick;  // m³/kg · s² over cell³: from N/m a cell² to cells in the substep
    float *pull; // s, N/m, three a row; before, h ∇γ of walls; in iterations, moves along walls
} ThawTensionPass;

THAW_WIDE_DECLARE(void, thaw_tension_surface, (const ThawTensionPass *tension, uint32_t chunk));
THAW_WIDE_DECLARE(void, thaw_tension_pull, (const ThawTensionPass *tension, uint32_t chunk));
THAW_WIDE_DECLARE(void, thaw_tension_along, (const ThawTensionPass *tension, uint32_t chunk));

// Moves tentative positions by a substep's pull, from place to next. `rows` is scratch of three floats a row.
void thaw_tension_run(ThawStep *step, const ThawLiquidPass *pass, float *rows);

// The same by the walls' part of it, in place; `rows` as the run has left them.
void thaw_tension_lean(ThawStep *step, const float *rows);

// Before each correction: what completes it along walls, pair by pair (work->along). `rows` as above.
void thaw_tension_complete(ThawStep *step, const ThawLiquidPass *pass, float *rows);

#endif
