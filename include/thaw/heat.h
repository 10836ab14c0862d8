// Heat: the air, sources of heat, and rules of one's own for melting and freezing.
//
// Temperatures are in K, heat in J. Particles carry enthalpy; conduction moves it from one to the other and never
// makes or loses any. It comes and goes through colliders that have a temperature, through the air at the surface
// of matter, through sources, and with particles that are born or die.
#ifndef THAW_HEAT_H
#define THAW_HEAT_H

#include "base.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ThawWorld ThawWorld;

typedef struct ThawHeatDef {
    bool on; // default false: the rest, and materials' thermal parts, are not looked at
    float
        ambient; // K, above 0, default 293.15: the air, and particles that are given no temperature
    float convection; // W/(m² K), 0.., default 0: how well the air takes heat from free surfaces
    float
        emissivity; // –, 0..1, default 0: how well free surfaces radiate to surroundings as warm as the air
} ThawHeatDef;

THAW_API ThawHeatDef thaw_heat_default(void);
// Other air from now on. `on` must be as the world was made.
THAW_API ThawResult thaw_world_set_heat(ThawWorld *world, const ThawHeatDef *def);

// Heats what is inside a region, or holds it at a temperature.
typedef struct ThawHeatSourceDef {
    const char *name;        // copied; may be empty; default ""
    bool everywhere;         // default false; true: the region is not looked at
    ThawShape region;        // what is inside, at each moment, is heated
    ThawMaterialId material; // only particles of this one; 0 = of any, the default
    ThawBodyId body;         // only particles of this body; 0 = of any, the default
    double power;            // W, default 0; shared by mass; below 0 it cools
    double temperature; // K, default 0 = not: holds what is inside at this; power must be 0 then
    double from, to;    // s; default 0 and for ever
} ThawHeatSourceDef;

THAW_API ThawHeatSourceDef thaw_heat_source_default(void);
THAW_API ThawResult thaw_world_add_heat_source(ThawWorld *world, const ThawHeatSourceDef *def,
                                               ThawHeatSourceId *source);
// Gives a source other values; its name stays.
THAW_API ThawResult thaw_world_set_heat_source(ThawWorld *world, ThawHeatSourceId source,
                                               const ThawHeatSourceDef *def);
THAW_API ThawResult thaw_world_remove_heat_source(ThawWorld *world, ThawHeatSourceId source);
// J that it has given so far.
THAW_API ThawResult thaw_world_heat_given(const ThawWorld *world, ThawHeatSourceId source,
                                          double *given);

// Sets the temperature of what is inside a region (NULL = of everything), in K. Matter at its melting point is as
// molten as its state says.
THAW_API ThawResult thaw_world_set_temperature(ThawWorld *world, const ThawShape *region,
                                               double temperature);
// Gives what is inside a region (NULL = everything) an amount of heat in J, shared by mass.
THAW_API ThawResult thaw_world_add_heat(ThawWorld *world, const ThawShape *region, double joules);

#define THAW_TRANSITION_FIELDS 16 // that rules of one material look at, besides what all see

// A particle, as a rule of one's own sees it.
typedef struct ThawTransitionPoint {
    double time;        // s
    double position[3]; // m
    float velocity[3];  // m/s
    float temperature;  // K
    float molten;       // –, 0..1
    float spacing;      // m
    ThawParticleId id;
    int object;                            // the body it belongs to
    double fields[THAW_TRANSITION_FIELDS]; // what its rules ask for
} ThawTransitionPoint;

// A rate of change in 1/s: 0 = it stays, INFINITY = at once. Called from several threads at once; it must depend on
// the point alone.
typedef double ThawTransitionRate(void *user, const ThawTransitionPoint *point);

// Instead of temperatures: who melts and who freezes. Freezing still needs solid neighbours and a site that fits.
typedef struct ThawTransitionRules {
    ThawTransitionRate *melts;   // NULL = by temperature
    ThawTransitionRate *freezes; // NULL = by temperature
    void *user;                  // given to both
    // Channels, and fields of `thaw_field_info`, in the order in which points have them: "dye", "bonds", "stress.xy", or
    // "flow.3", a component of a channel that has several. A strain as a whole is its norm, the stress von Mises'.
    const char *const *fields;
    int field_count; // up to THAW_TRANSITION_FIELDS
} ThawTransitionRules;

// Rules of a material; NULL takes them away. `user`, `fields` and their names must live as long as the world has the
// rules. They are not part of a snapshot: give them again after loading.
THAW_API ThawResult thaw_world_set_rules(ThawWorld *world, ThawMaterialId material,
                                         const ThawTransitionRules *rules);

#ifdef __cplusplus
}
#endif

#endif
