// Viscous liquid at walls: a wall is a neighbour that moves as the wall does.
//
// Where a share γ of a particle's kernel lies in a wall, eq. 6 has the term 2 c γ (v_wall − v_i)
// besides those of its neighbours. In a shear flow along the wall these terms add up to what a
// fluid that sticks to it gives it: ∫ 2 γ(y) y dy = M₂ / 2. Dynamic colliders take part as
// particles with a mass and an inertia.
#ifndef THAW_MODELS_CLINGING_H
#define THAW_MODELS_CLINGING_H

#include "collision/cling.h"
#include "models/liquid/smoothing.h"
#include "models/model.h"

// Who clings to what in this substep. Bodies: one a collider, of which only the dynamic ones are
// used.
typedef struct ThawClingBody ThawClingBody;
typedef struct ThawClinging {
    ThawCling *clings; // share: the coefficient 2 c γ, from begin on
    uint32_t count;
    ThawClingBody *bodies;
    uint32_t body_count;
    size_t clings_bytes, bodies_bytes;
} ThawClinging;

void thaw_clinging_release(ThawClinging *clinging);

typedef struct ThawClingingDef {
    double most; // the largest c times row sum of any particle: a body light against what clings to
                 // it is held less, so that none exceeds it
    double all;  // the sum of all shares to come
    const float *thinness; // as in ThawSmoothing
} ThawClingingDef;

// Finds them.
ThawResult thaw_clinging_begin(ThawClinging *clinging, ThawStep *step, const ThawClingingDef *def);
// Adds the walls' terms to a pass that has just been run.
void thaw_clinging_pass(ThawClinging *clinging, ThawStep *step, const ThawSmoothing *smoothing);
// The solve begins where bodies are now; it ends with `velocity`.
void thaw_clinging_aim(ThawClinging *clinging);
void thaw_clinging_solved(ThawClinging *clinging, const ThawSmoothing *smoothing,
                          const float *velocity);
// Gives bodies their motion and colliders their impulses.
void thaw_clinging_end(ThawClinging *clinging, ThawStep *step);

#endif
