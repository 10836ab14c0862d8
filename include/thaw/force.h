// Force fields: accelerations of the place and the time, besides gravity.
//
// They act on liquids, on solids and, at their centres, on dynamic colliders; not on what an attachment holds.
// A directional force without bounds acts in every respect like gravity. How a step is cut into substeps changes
// neither a force's impulse nor where wind brings a velocity, and a strong force makes a step ask for more of them.
#ifndef THAW_FORCE_H
#define THAW_FORCE_H

#include "base.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ThawWorld ThawWorld;

typedef enum ThawForceKind {
    THAW_FORCE_DIRECTIONAL, // strength along the direction
    THAW_FORCE_POINT,       // towards the position; negative strength pushes away
    THAW_FORCE_VORTEX,      // about the axis through the position, right-handed
    THAW_FORCE_WIND,        // drags matter towards a velocity of `strength` along the direction
    THAW_FORCE_TURBULENCE   // a random field without sources, of one size and its halves
} ThawForceKind;

typedef struct ThawForceDef {
    const char *name; // copied; may be empty; default ""
    ThawForceKind kind;
    double strength; // m/s² (wind: m/s), default 1; of turbulence the root mean square
    ThawVec3
        direction; // need not be of unit length; default (0, 0, 1); the vortex's axis. In 2D within the
                   // plane, but along z for a vortex
    ThawVec3
        position; // m, of a point or of a vortex's axis; in periodic worlds the nearest image counts
    double
        radius; // m, default 0 = no end: beyond half of it point and vortex fade, to nothing at it
    double falloff; // –, 0..4, default 0: strength × (core / distance)^falloff beyond the core
    double
        core; // m, default 0 = one spacing: within it the strength falls evenly to 0 at the middle
    double
        inflow; // –, −100..100, default 0: what share of a vortex's strength pulls towards its axis
    double
        drag; // 1/s, wind, default 1: how fast matter takes the wind's velocity; where it is free to the
              // air it takes all of it, inside of matter a tenth
    double size;      // m, turbulence, default 0 = ten spacings: of its largest eddies
    double change;    // 1/s, turbulence, default 1: how fast it changes; 0 = it stands still
    uint64_t seed;    // of a turbulence, default 1
    bool bounded;     // default false: acts everywhere; true: inside `region` only
    ThawShape region; // any shape but a mesh
    ThawMaterialId
        material;    // only on particles of this one; 0 = on any, and on colliders, the default
    double from, to; // s; default 0 and for ever
    double
        ramp; // s, default 0: over which it grows at `from` and fades before `to`; of a wind its drag
} ThawForceDef;

THAW_API ThawForceDef thaw_force_default(void);
THAW_API ThawResult thaw_world_add_force(ThawWorld *world, const ThawForceDef *def,
                                         ThawForceId *force);
// Gives a force other values; its kind must stay. A turbulence goes on from where it is when `change` changes.
THAW_API ThawResult thaw_world_set_force(ThawWorld *world, ThawForceId force,
                                         const ThawForceDef *def);
THAW_API ThawResult thaw_world_remove_force(ThawWorld *world, ThawForceId force);
// The acceleration in m/s² that matter at rest feels at a point and a time from one force; from wind where it
// is free to the air.
THAW_API ThawResult thaw_world_force_at(const ThawWorld *world, ThawForceId force, ThawVec3 point,
                                        double time, ThawVec3 *acceleration);

#ifdef __cplusplus
}
#endif

#endif
