// Force fields inside: what is kept of them, and how they act in a step.
//
// Forces that are the same everywhere add to gravity, for all that feels gravity. All others change
// velocities before a substep's prediction; but wind drags when the substep is done, for only then is it
// known who is free to the air. Times enter as means over the substep, so impulses do not depend on how a
// step is cut.
#ifndef THAW_WORLD_FORCES_H
#define THAW_WORLD_FORCES_H

#include "materials/material.h"
#include "world/codec.h"
#include <thaw/force.h>
#include <thaw/world.h>

typedef struct ThawForce {
    char name[THAW_NAME_SIZE];
    uint32_t handle;  // the public id's value
    ThawForceDef def; // as given; name NULL, the region's balls copied
    double phase;     // –, of a turbulence's changes at `since`
    double since;     // s, when `change` was last set
} ThawForce;

// What a step's forces may do to particles and bodies.
typedef struct ThawForceBound {
    double speed; // m/s: how much any velocity may change
    double press; // m²/s²: what they may press matter by, over its density
} ThawForceBound;

ThawResult thaw_force_check(const ThawWorld *world, const ThawForceDef *def);
// Adds a copy of a checked def under a handle that is above all others.
ThawResult thaw_forces_put(ThawWorld *world, const ThawForceDef *def, uint32_t handle);
void thaw_forces_release(ThawWorld *world);

// Gravity and what acts like it, its mean from `time` to time + dt, m/s².
void thaw_forces_gravity(const ThawWorld *world, double time, double dt, double gravity[3]);
// The rest of them, for a step from `time` to time + dt; without gravity.
ThawResult thaw_forces_bound(ThawWorld *world, double time, double dt, ThawForceBound *bound);

// Before the prediction: accelerates particles and dynamic colliders; *changed says whether any force acts.
// `sign` −1 takes it back, to round-off.
ThawResult thaw_forces_kick(ThawWorld *world, double time, double dt, double sign, bool *changed);
// After the substep: wind. `measured`: density_error is of this substep.
ThawResult thaw_forces_drag(ThawWorld *world, double time, double dt, bool measured);

// All forces of a world as bytes; loading comes after materials.
void thaw_forces_save(ThawCodec *codec, ThawWorld *world);
ThawResult thaw_forces_load(ThawCodec *codec, ThawWorld *world);

#endif
